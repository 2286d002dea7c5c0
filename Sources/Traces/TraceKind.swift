/// The key that says of a trace's line what it is, in the order in which a reader tries them.
enum TraceKind: String, CaseIterable {
  case call, reply, notice, frame, timer, event, command, stimulus, truth

  /// Whether a message's own field would be mistaken for the frame of its line under this key.
  static func isReserved(_ key: String) -> Bool {
    key == "t" || key == "id" || TraceKind(rawValue: key) != nil
  }
}

/// How large one message may be, for the writer and the reader alike: what is written can be read, and a reader fed
/// with nonsense stays within bounds.
enum TraceLimits {
  /// Fields of a message or of an object inside it.
  static let fields = 256
  /// Objects inside one another.
  static let depth = 16
}
