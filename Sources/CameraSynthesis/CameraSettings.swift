import VitalsModel

/// A camera: its clock, its sensor, its automatic controls and what becomes of its frames.
///
/// The standard is a phone's camera in the light of its torch, with exposure and white balance locked, as an app for
/// fingertip PPG sets it. A setting outside its range, or one that does not fit another, is a `contradiction`.
public struct CameraSettings: Hashable, Sendable {
  /// Frames per second, 15...60. 23.976 and 29.97 are the exact rates of video, 24000 / 1001 and 30000 / 1001.
  public var frameRateFps = 30.0
  /// What the phone says of its rate, 1...240 frames per second; nil: the true one.
  public var declaredFps: Double?
  /// By how much the phone's clock runs fast (positive) or slow, -1000...1000 millionths.
  public var clockDriftPpm = 0.0
  /// What the phone's clock shows at true time 0, -60...60 s.
  public var clockOffset = TimeSpan.zero
  /// Standard deviation of a capture about its regular place, 0...20 ms. It moves when light is sampled, and the time
  /// stamp says so.
  public var jitterMs = 2.0
  /// Which moment a frame's time stamp names.
  public var stamping = TimeStamping.capture

  /// Share of frames that are lost, 0...90 %.
  public var droppedPercent = 0.0
  /// Share of frames that are delivered twice, 0...90 %.
  public var duplicatedPercent = 0.0
  /// Share of frames that are delivered after their successor, 0...90 %.
  public var reorderedPercent = 0.0
  /// Share of frames that are delivered `lateBy` later, 0...90 %. What follows waits behind them.
  public var latePercent = 0.0
  /// How much later a late frame is delivered, 1 ms ... 2 s.
  public var lateBy = TimeSpan.milliseconds(120)
  /// Stalls per minute in which no frame comes, 0...60, at random moments.
  public var stallsPerMin = 0.0
  /// How long a stall takes, 0.1...10 s.
  public var stallLength = TimeSpan.milliseconds(500)

  /// How finely a pixel counts.
  public var depth = PixelDepth.eightBit
  /// Standard deviation of a dark pixel at gain 1, 0.5...20 counts of 255.
  public var readNoiseCounts = 1.0
  /// Variance that light adds at gain 1, 0...1 squared counts for each count of light (photon shot noise).
  public var shotNoise = 0.05
  /// Pixels that a frame's mean is taken over, 100...10,000,000.
  public var pixels = 4_000
  /// Amplification after the light was caught, 0.25...8: it makes light and noise larger.
  public var gain = 1.0
  /// Stops of light more or less than the standard, -4...4: it makes the light larger, and so the shot noise.
  public var exposureStops = 0.0
  /// The exponent of the tone curve, 0.3...1: 255 (x / 255)^gamma for each pixel with its noise. 1 is linear.
  public var gamma = 1.0
  /// How long a frame gathers light, 0...50 ms and at most 0.8 of the period; it ends at the moment of capture. 0 is an
  /// instant, in which a lamp's flicker is seen whole, at its true alias. A phone that exposes for a whole period of its
  /// lamp's flicker, 10 ms on 50 Hz mains, sees none.
  public var exposureTimeMs = 0.0
  /// What the automatic exposure does.
  public var exposure = ExposureMode.locked
  /// What the automatic white balance does.
  public var whiteBalance = WhiteBalanceMode.locked
  /// Whether the camera halves its rate in a dim room to gather more light.
  public var lowLightHalvesRate = false

  /// The standard camera.
  public init() {}

  /// The exact rate of the frames.
  public var frameRate: FrameRate { FrameRate(fps: frameRateFps) }
}

/// Which moment a frame's time stamp names.
public enum TimeStamping: String, CaseIterable, Hashable, Sendable {
  /// When the sensor captured it, whatever happens to the frame on its way.
  case capture
  /// When the app got it, less the usual latency: late frames are stamped late, and those behind them come in lumps with
  /// stamps a few milliseconds apart, as in three of eleven public recordings (Neshitov et al., Sensors 2021, 21, 6798).
  case delivery
}

/// How finely a pixel counts. Means are given on the scale of 0...255 either way.
public enum PixelDepth: String, CaseIterable, Hashable, Sendable {
  /// 0...255.
  case eightBit = "8 bit"
  /// 0...1023; 1023 is 255 on the common scale.
  case tenBit = "10 bit"

  /// The largest count.
  var largestCount: Double {
    switch self {
    case .eightBit: 255
    case .tenBit: 1_023
    }
  }
}

/// What the automatic exposure does.
public enum ExposureMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// It follows the brightness of the picture, and settles.
  case auto
  /// It follows too eagerly what it sees too late, and swings for ever, at about 1 Hz at 30 frames per second.
  case hunting
}

/// What the automatic white balance does.
public enum WhiteBalanceMode: String, CaseIterable, Hashable, Sendable {
  /// It stays as it is.
  case locked
  /// It never makes up its mind: red and blue drift slowly against each other.
  case hunting
}
