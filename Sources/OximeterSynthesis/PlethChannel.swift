import VitalsModel

/// Makes a pleth of light as an oximeter does: without its mean, turned over so that blood raises it, and amplified so
/// that the pulse fills much of the range.
///
/// The mean is that of a first-order filter; the amplification follows the size of the wave over some seconds. So a
/// motion, which is larger than the pulse, runs into the ends of the range, as it does on a device.
struct PlethChannel: Sendable {
  /// Below this the light is taken for the mean: low enough to leave the shape of a slow pulse, high enough to hide the
  /// breath. Bedside monitors filter between 0.1 and 0.5 Hz.
  private static let lowestHz = 0.3
  /// Where the mean lies and how high a pulse stands, as shares of the range. A pulse is higher above its mean than below.
  private static let rest = 0.4
  private static let height = 0.65
  /// The height of a pulse over the mean size of its wave without the mean: that of the shapes of our own pulses.
  private static let heightOverSize = 3.6
  /// How slowly the amplification follows, in seconds, and as soon as there is a finger.
  private static let followingSeconds = (usual: 6.0, first: 1.0)
  /// For so long after the finger came, in seconds.
  private static let firstSeconds = 4.0
  /// More than this many times the usual size is motion, from which a gain is not made.
  private static let largestSize = 3.0
  /// The least wave that is amplified to the full: a fiftieth of a percent of the light.
  private static let leastHeight = 0.000_2

  /// The pleth without a finger.
  static let flat = 0.5

  private let periodSeconds: Double
  private let meanShare: Double
  private var mean = 0.0
  private var size = 0.0
  /// How long there has been a finger; nil: there is none.
  private var seconds: Double?

  init(samplesPerSecond: Double) {
    periodSeconds = 1 / samplesPerSecond
    meanShare = Self.share(periodSeconds, over: 1 / (2 * Double.pi * Self.lowestHz))
  }

  /// The pleth of the next sample of light, 0...1.
  mutating func take(_ light: Double) -> Double {
    guard let seconds else {
      begin(light)
      return Self.rest
    }
    mean += (light - mean) * meanShare
    let wave = (mean - light) / mean
    let isFirst = seconds < Self.firstSeconds
    let following = Self.share(
      periodSeconds, over: isFirst ? Self.followingSeconds.first : Self.followingSeconds.usual)
    let seen = isFirst ? wave.magnitude : min(wave.magnitude, Self.largestSize * size)
    size += (seen - size) * following
    self.seconds = seconds + periodSeconds
    let gain = Self.height / max(Self.heightOverSize * size, Self.leastHeight)
    return min(max(Self.rest + gain * wave, 0), 1)
  }

  /// The finger is gone.
  mutating func stop() { seconds = nil }

  private mutating func begin(_ light: Double) {
    mean = light
    size = 0.01
    seconds = 0
  }

  /// What a first-order filter takes of the new in a step.
  private static func share(_ step: Double, over constant: Double) -> Double { 1 - Maths.exp(-step / constant) }
}
