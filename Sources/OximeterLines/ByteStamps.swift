import VitalsModel

/// When the bytes of a stream came, for those that a decoder may hold back.
struct ByteStamps: Sendable {
  private struct Mark {
    let end: Int
    let at: Instant
  }

  /// More than the longest stretch that a decoder holds back, even when each byte comes alone.
  private static let most = 4_096

  private var marks: [Mark] = []
  private var first = 0
  /// How many bytes came so far.
  private(set) var count = 0

  mutating func add(_ bytes: Int, at now: Instant) {
    count += bytes
    marks.append(Mark(end: count, at: now))
    guard first == Self.most || marks.count - first > Self.most else { return }
    marks.removeFirst(marks.count - Self.most)
    first = 0
  }

  /// When the byte came that is the `place`th of the stream, from 1; what came before it is forgotten, so places must
  /// not decrease.
  mutating func arrival(of place: Int) -> Instant? {
    while first < marks.count, marks[first].end < place { first += 1 }
    guard first < marks.count else { return nil }
    let at = marks[first].at
    if first > Self.most / 2 {
      marks.removeFirst(first)
      first = 0
    }
    return at
  }
}
