import VitalsModel

/// A finger that slides to and fro over the lens: a chain of moves of 1.6 to 3.6 s, each to the other side.
///
/// Under the pad the light comes from another depth; far to a side the lens looks past the finger.
struct Sliding: Sendable {
  private struct Move: Sendable {
    var from: Double
    var to: Double
    var start: Instant
    var length: TimeSpan
    var end: Instant { start + length }
  }

  private enum State: Sendable {
    /// The finger has not slid yet.
    case still
    /// A bout of sliding: going on, coming back or over.
    case bout(SeededGenerator, Move)
  }

  private static let beginning = TimeSpan.milliseconds(250)
  /// How long a finger takes to come back to its place.
  static let resting = TimeSpan.milliseconds(600)
  /// The share of the lens that is uncovered at the far end, and the offset at which that begins.
  private static let widest = 0.55
  private static let rim = 0.25

  private let seed: UInt64
  private var bouts = 0
  private var state = State.still
  private var strength = Fade(restingAt: 0)

  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func begin(at moment: Instant) {
    let from = strength.value(at: moment) == 0 ? 0 : unfadedOffset(at: moment)
    // A stream for each bout: how far the last one was played must not move the draws of this one.
    bouts += 1
    var generator = SeededGenerator(seed: seed, stream: "sliding.\(bouts)")
    let move = Self.move(from: from, at: moment, &generator)
    state = .bout(generator, move)
    strength.turn(to: 1, at: moment, over: Self.beginning)
  }

  mutating func end(at moment: Instant) {
    strength.turn(to: 0, at: moment, over: Self.resting)
  }

  /// How far the finger is off its place, -1...1.
  @inline(__always)
  mutating func offset(at moment: Instant) -> Double {
    let share = strength.value(at: moment)
    return share == 0 ? 0 : share * unfadedOffset(at: moment)
  }

  /// What an offset does to a finger's pose.
  static func pose(offset: Double) -> Pose { Pose(pressure: -0.12 * offset.magnitude, slide: 0.6 * offset) }

  /// The share of the lens that an offset uncovers.
  static func open(offset: Double) -> Double { widest * smoothStep((offset.magnitude - rim) / (1 - rim)) }

  private mutating func unfadedOffset(at moment: Instant) -> Double {
    switch state {
    case .still: return 0
    case .bout(var generator, var move):
      if move.end <= moment {
        while move.end <= moment { move = Self.move(from: move.to, at: move.end, &generator) }
        state = .bout(generator, move)
      }
      return move.from + (move.to - move.from) * smoothStep((moment - move.start).seconds / move.length.seconds)
    }
  }

  private static func move(from: Double, at start: Instant, _ generator: inout SeededGenerator) -> Move {
    let reach = generator.uniform(in: 0.55...1)
    let seconds = generator.uniform(in: 1.6...3.6)
    // The first move of all may go either way; every other goes across.
    let isFirstToTheLeft = generator.uniform() < 0.5
    let side = from == 0 ? (isFirstToTheLeft ? -1.0 : 1) : (from > 0 ? -1 : 1)
    return Move(from: from, to: side * reach, start: start, length: TimeSpan(seconds: seconds))
  }
}
