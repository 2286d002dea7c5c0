import VitalsModel

/// What an oximeter is connected by: a serial port, or a virtual device.
///
/// A virtual one answers at once; a live one waits until something comes or the limit is reached, on its own monotonic
/// clock, which begins with the line.
public protocol OximeterLine {
  /// What comes next, strictly before `limit`; nil when nothing does. Times never decrease, and are never before the
  /// latest `send`.
  mutating func next(before limit: Instant) -> LineArrival?
  /// Sends bytes to the device. What cannot be sent is lost, as on a wire.
  mutating func send(_ bytes: [UInt8], at now: Instant)
}

/// Something that comes over a line.
public struct LineArrival: Hashable, Sendable {
  /// When it came: for bytes, when the last of them did.
  public let at: Instant
  /// What came.
  public let content: Content

  /// An arrival and its moment.
  public init(at: Instant, _ content: Content) {
    self.at = at
    self.content = content
  }

  /// What comes over a line.
  public enum Content: Hashable, Sendable {
    /// Bytes, at least one, however the line cut them.
    case bytes([UInt8])
    /// The device is gone: unplugged, or its other end closed. The line looks for it until it returns.
    case lost
    /// The device is there again, under this name. What was half sent before is not completed.
    case returned(port: String)
    /// The line gave up looking for the device; nothing comes any more.
    case ended
  }
}
