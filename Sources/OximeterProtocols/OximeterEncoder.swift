/// Makes a device's bytes of what the device sees.
public protocol OximeterEncoder: Sendable {
  /// The bytes of the next frame or line. Values that the protocol cannot carry are sent as missing.
  mutating func encode(_ moment: OximeterMoment) -> [UInt8]
}

/// What a device sees and says at one moment.
public struct OximeterMoment: Hashable, Sendable {
  /// The wave, 0...1 of its range; a device that sees none sends a flat one.
  public var pleth: Double
  /// Whether the device marks a beat in this frame; a mark lasts a while.
  public var isBeatMarked: Bool
  /// Values and flags; what is stale has values, and flags that say that there is no finger.
  public var reading: OximeterReading
  /// Whole seconds on the device's clock since 1 January 2000, for protocols with a time of day.
  public var clockSeconds: Int

  /// A moment.
  public init(pleth: Double, isBeatMarked: Bool = false, reading: OximeterReading, clockSeconds: Int = 0) {
    self.pleth = pleth
    self.isBeatMarked = isBeatMarked
    self.reading = reading
    self.clockSeconds = clockSeconds
  }
}
