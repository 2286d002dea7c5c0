import OximeterProtocols
import VitalsModel

/// What comes of a line, in order.
public enum LinkEvent: Hashable, Sendable {
  /// The line is to be sent these bytes: a wake-up or a keep-alive.
  case send([UInt8])
  /// A value of the wave.
  case sample(OximeterSample)
  /// What the device says of pulse and oxygen.
  case reading(TimedReading)
  /// What the device says of itself.
  case answer(DeviceAnswer, at: Instant)
  /// Samples are missing from a moment to a moment.
  case gap(OximeterGap)
  /// The state of the line is another one.
  case state(LinkState, at: Instant)
}

/// How a line is.
public enum LinkState: String, Hashable, Sendable {
  /// Nothing has come yet, or nothing for two seconds, with lines of text for three periods.
  case silent
  /// Bytes come, and for two seconds, with lines of text for six periods, no frame was among them.
  case unintelligible
  /// Frames come.
  case streaming
  /// The device is gone.
  case lost
  /// The line gave up looking for it.
  case ended
}

/// One value of the wave, with its time.
public struct OximeterSample: Hashable, Sendable {
  /// When the device took it, rebuilt from the device's own rate: lines deliver in lumps.
  public let captured: Instant
  /// When its frame's last byte came.
  public let arrived: Instant
  /// The wave as the device scales it; nil where it says that there is none.
  public let pleth: Int?
  /// Whether a beat begins with it, by the device's own mark.
  public let isBeat: Bool

  /// A value of the wave.
  public init(captured: Instant, arrived: Instant, pleth: Int?, isBeat: Bool) {
    self.captured = captured
    self.arrived = arrived
    self.pleth = pleth
    self.isBeat = isBeat
  }
}

/// A reading with its time.
public struct TimedReading: Hashable, Sendable {
  /// When the device gave it, rebuilt as that of a sample.
  public let captured: Instant
  /// When its frame's last byte came.
  public let arrived: Instant
  /// What it says.
  public let reading: OximeterReading

  /// A reading and its time.
  public init(captured: Instant, arrived: Instant, reading: OximeterReading) {
    self.captured = captured
    self.arrived = arrived
    self.reading = reading
  }
}

/// A stretch of which frames are missing.
public struct OximeterGap: Hashable, Sendable {
  /// The time of the last frame before it.
  public let from: Instant
  /// The time of the first frame after it; where none came, when the listening ended.
  public let to: Instant
  /// Why.
  public let cause: Cause

  /// A gap.
  public init(from: Instant, to: Instant, cause: Cause) {
    self.from = from
    self.to = to
    self.cause = cause
  }

  /// Why frames are missing.
  public enum Cause: String, Hashable, Sendable {
    /// Bytes were lost or garbled.
    case damaged
    /// The device sent nothing.
    case silence
    /// The device was gone.
    case unplugged
  }
}
