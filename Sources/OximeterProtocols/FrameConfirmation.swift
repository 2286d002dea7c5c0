/// Decides which frames of a stream without a checksum are beyond doubt.
///
/// A form alone proves little: noise takes it by chance, and a garbled frame still has it. So a frame is given at once
/// only where it goes on from the one before without a break and says nearly the same. Anything else is held back until
/// three in a row say nearly the same, or eight in a row have the form; then all of them are given. A frame that says
/// something else between two that agree is a garbled one.
struct FrameConfirmation {
  /// A frame with its length in bytes.
  private struct Held {
    var frame: OximeterFrame
    let length: Int
  }

  private enum State {
    /// Nothing since the last break is beyond doubt.
    case unsure
    /// The frames since the last break are beyond doubt, up to those that are held.
    case sure(OximeterReading)
  }

  private static let alikeInARow = 3
  private static let formedInARow = 8

  /// How far values may be apart to be nearly the same.
  private let steps: Steps
  private var state = State.unsure
  private var held: [Held] = []
  private var wasMarked = false

  /// How much may change from one frame to the next.
  struct Steps {
    let pulseRateBpm: Int
    let spo2Percent: Int
  }

  init(_ steps: Steps) { self.steps = steps }

  /// Takes the next frame, whose `isBeat` says whether the device marks a beat in it.
  ///
  /// - Parameter length: how many bytes it has
  mutating func take(
    _ frame: OximeterFrame, length: Int, counts: inout DecodingCounts, into frames: inout [OximeterFrame]
  ) {
    let reading = frame.reading ?? OximeterReading()
    if case .sure(let last) = state, agree(last, reading) {
      // What came between was garbled.
      drop(&counts)
      give(Held(frame: frame, length: length), &counts, &frames)
      return
    }
    held.append(Held(frame: frame, length: length))
    if held.count >= Self.formedInARow || areLastAlike { settle(&counts, &frames) }
  }

  /// The stream does not go on from what came before: sync was lost.
  mutating func breakOff(_ counts: inout DecodingCounts) {
    drop(&counts)
    state = .unsure
  }

  private var areLastAlike: Bool {
    guard held.count >= Self.alikeInARow else { return false }
    let last = held.suffix(Self.alikeInARow).map { $0.frame.reading ?? OximeterReading() }
    return zip(last, last.dropFirst()).allSatisfy { agree($0, $1) }
  }

  private mutating func settle(_ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    switch state {
    case .unsure where held.count < Self.formedInARow:
      // Noise right before a stream may have the form of a frame.
      let doubtful = held.count - Self.alikeInARow
      counts.skipped += held[..<doubtful].reduce(0) { $0 + $1.length }
      held.removeFirst(doubtful)
    case .unsure, .sure: break
    }
    let given = held
    held.removeAll(keepingCapacity: true)
    for item in given { give(item, &counts, &frames) }
  }

  private mutating func give(_ item: Held, _ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    var frame = item.frame
    let isMarked = frame.isBeat
    frame.isBeat = isMarked && !wasMarked
    wasMarked = isMarked
    counts.good += 1
    state = .sure(frame.reading ?? OximeterReading())
    frames.append(frame)
  }

  private mutating func drop(_ counts: inout DecodingCounts) {
    guard !held.isEmpty else { return }
    counts.skipped += held.reduce(0) { $0 + $1.length }
    held.removeAll(keepingCapacity: true)
  }

  private func agree(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    one.flags == other.flags && one.isStale == other.isStale
      && Self.isNear(one.pulseRateBpm, other.pulseRateBpm, steps.pulseRateBpm)
      && Self.isNear(one.spo2Percent, other.spo2Percent, steps.spo2Percent)
      && Self.isNear(one.signalStrength, other.signalStrength, 1)
  }

  private static func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= step
  }
}
