/// One frame, or line, of a device that is beyond doubt.
public struct OximeterFrame: Hashable, Sendable {
  /// How many bytes of the stream there were up to its last one, with that one.
  public var end: Int
  /// The wave as the device scales it, 0 up to the protocol's largest; nil where the frame has none.
  public var pleth: Int?
  /// Whether a beat begins with it, by the device's own mark.
  public var isBeat: Bool
  /// What it says of pulse and oxygen; nil where it says nothing of them, or not all yet.
  public var reading: OximeterReading?
  /// What else the device tells, such as its model; nil in nearly all frames.
  public var answer: DeviceAnswer?

  /// A frame.
  public init(
    end: Int, pleth: Int? = nil, isBeat: Bool = false, reading: OximeterReading? = nil, answer: DeviceAnswer? = nil
  ) {
    self.end = end
    self.pleth = pleth
    self.isBeat = isBeat
    self.reading = reading
    self.answer = answer
  }
}

/// What a device says of itself.
public enum DeviceAnswer: Hashable, Sendable {
  /// A part of its model's name.
  case model(String)
  /// Its maker.
  case vendor(String)
  /// Its own number or name.
  case deviceID(String)
  /// Its software's version.
  case firmware(String)
  /// Whether it took a command.
  case acknowledged(Bool)
  /// It ends the connection, with the reason's number.
  case disconnecting(reason: UInt8)
  /// Another packet that is known by its type, with its payload.
  case packet(type: UInt8, payload: [UInt8])
}

/// What became of the bytes of a stream.
public struct DecodingCounts: Hashable, Sendable {
  /// Frames and lines that were given.
  public var good = 0
  /// Frames that ended too early, and lines cut short.
  public var short = 0
  /// Frames with a wrong checksum.
  public var badChecksum = 0
  /// Whole frames and lines of no known kind, or with values that cannot be.
  public var unknown = 0
  /// Bytes that belong to no frame that was given.
  public var skipped = 0
  /// Times that frames are missing by the device's own counter.
  public var gaps = 0

  /// Nothing has come.
  public init() {}

  /// What came after `earlier`.
  public static func - (counts: DecodingCounts, earlier: DecodingCounts) -> DecodingCounts {
    var difference = counts
    difference.good -= earlier.good
    difference.short -= earlier.short
    difference.badChecksum -= earlier.badChecksum
    difference.unknown -= earlier.unknown
    difference.skipped -= earlier.skipped
    difference.gaps -= earlier.gaps
    return difference
  }
}
