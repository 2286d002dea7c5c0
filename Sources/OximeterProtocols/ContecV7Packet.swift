// How contec-v7 wraps a packet, in both directions. Only the first byte, the type, has bit 7 clear. The second collects
// the true bits 7 of those after it, the first of them in bit 0, which then have theirs set on the line. Source: the
// maker's communication protocol V7.0.

/// A packet of contec-v7.
struct ContecV7Packet {
  /// The first byte.
  let type: UInt8
  /// The bytes after the two first as they were before they were wrapped, the first lowest.
  private let word: UInt64
  /// How many of them there are, up to 7.
  let count: Int
  /// Whether the second byte says nothing of bytes that there are not; devices leave those bits clear.
  let isTidy: Bool

  /// The packet of a line's bytes after the type, of which the last is lowest: at least 1 and at most 8 of them, with
  /// bit 7 set in all.
  init(type: UInt8, line bytes: UInt64, length: Int) {
    self.type = type
    count = length - 2
    let high = bytes >> UInt64(8 * count) & 0x7f
    var word: UInt64 = 0
    for index in 0..<UInt64(count) {
      let wrapped = bytes >> (8 * (UInt64(count) - 1 - index)) & 0x7f
      word |= (wrapped | (high >> index & 1) << 7) << (8 * index)
    }
    self.word = word
    isTidy = high < 1 << UInt64(count)
  }

  /// The packet of a type with these bytes, up to 7.
  init(type: UInt8, payload: [UInt8]) {
    self.type = type
    count = payload.count
    word = payload.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    isTidy = true
  }

  /// A byte after the two first.
  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> UInt64(8 * index)) }

  /// All bytes after the two first.
  var payload: [UInt8] { (0..<count).map { self[$0] } }

  /// How many bytes it has on the line.
  var length: Int { count + 2 }

  /// Its bytes on the line.
  var line: [UInt8] {
    let high = payload.enumerated().reduce(UInt8(0x80)) { $0 | ($1.element >> 7) << UInt8($1.offset) }
    return [type, high] + payload.map { $0 | 0x80 }
  }

  /// How many bytes a packet from the device has by its type; nil for a type that is not known.
  static func length(fromDevice type: UInt8) -> Int? {
    switch type {
    case 0x0c: 2
    case 0x0d, 0x0e, 0x10: 3
    case 0x06, 0x0a, 0x0b: 4
    case 0x09: 6
    case 0x07, 0x08, 0x0f, 0x12: 8
    case 0x01...0x05, 0x11, 0x13, 0x14, 0x15: 9
    default: nil
    }
  }

  /// How many bytes a packet from the host has by its type: a command, or the device's new identifier.
  static func length(fromHost type: UInt8) -> Int? { type == 0x7d || type == 0x04 ? 9 : nil }
}

/// Finds packets in a stream of either direction.
struct ContecV7PacketFinder: Sendable {
  /// What a byte brought.
  struct Step {
    /// How many bytes a packet had that this byte ended too early; 0 when it ended none.
    var cut = 0
    var outcome: Outcome
  }

  /// What became of a byte.
  enum Outcome {
    /// It belongs to a packet that is not complete.
    case more
    /// It belongs to none.
    case stray
    /// It begins a packet of no known type.
    case unknownType
    /// It completes one.
    case packet(ContecV7Packet)
  }

  /// How many bytes there were so far.
  private(set) var place = 0
  private let lengths: @Sendable (UInt8) -> Int?
  private var type: UInt8 = 0
  /// The bytes after the type, the last lowest.
  private var word: UInt64 = 0
  /// How many bytes of a packet there are, with its type, and how many it will have.
  private var count = 0
  private var length = 0

  /// - Parameter lengths: how many bytes a packet has by its type; nil where there is no such type
  init(lengths: @escaping @Sendable (UInt8) -> Int?) { self.lengths = lengths }

  mutating func take(_ byte: UInt8) -> Step {
    place += 1
    guard byte & 0x80 != 0 else { return begin(with: byte) }
    guard count > 0 else { return Step(outcome: .stray) }
    word = word << 8 | UInt64(byte)
    count += 1
    guard count == length else { return Step(outcome: .more) }
    count = 0
    return Step(outcome: .packet(ContecV7Packet(type: type, line: word, length: length)))
  }

  /// The stream is over, or was interrupted. Returns how many bytes the packet had that is not complete.
  mutating func finish() -> Int {
    defer { count = 0 }
    return count
  }

  private mutating func begin(with byte: UInt8) -> Step {
    let cut = finish()
    guard let length = lengths(byte) else { return Step(cut: cut, outcome: .unknownType) }
    type = byte
    word = 0
    count = 1
    self.length = length
    return Step(cut: cut, outcome: .more)
  }
}
