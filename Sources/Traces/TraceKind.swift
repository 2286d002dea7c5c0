/// The key that says of a trace's line what it is.
enum TraceKind: String, CaseIterable {
  case call, reply, notice, sample, capture, reference, timer, event, command, stimulus, truth

  /// The kind with this key. The length is compared first, since every line and every field comes by here.
  init?(key: String) {
    let kind: TraceKind
    switch key.utf8.count {
    case 4: kind = .call
    case 5:
      switch key.utf8.first {
      case UInt8(ascii: "r"): kind = .reply
      case UInt8(ascii: "e"): kind = .event
      default: kind = key == "timer" ? .timer : .truth
      }
    case 6: kind = key.utf8.first == UInt8(ascii: "s") ? .sample : .notice
    case 7: kind = key.utf8.dropFirst().first == UInt8(ascii: "o") ? .command : .capture
    case 8: kind = .stimulus
    case 9: kind = .reference
    default: return nil
    }
    guard key == kind.rawValue else { return nil }
    self = kind
  }

  /// Whether a message's own field would be mistaken for the frame of its line under this key.
  static func isReserved(_ key: String) -> Bool {
    key == "t" || key == "id" || TraceKind(key: key) != nil
  }
}

/// How large one message and how far a moment may be, for the writer and the reader alike: what is written can be
/// read, and a reader fed with nonsense stays within bounds.
enum TraceLimits {
  /// How far from the beginning a moment may be, so that what is computed from a few of them does not overflow.
  static let furthestMicroseconds: UInt64 = 1_000_000_000_000_000_000
  /// Fields of a message or of an object inside it.
  static let fields = 256
  /// Objects inside one another.
  static let depth = 16
}
