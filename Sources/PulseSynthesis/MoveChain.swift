import VitalsModel

/// A finger that moves in bouts: each a chain of moves, every one smooth, that fades in and comes to rest again.
struct MoveChain: Sendable {
  /// Where a move goes that begins at a pose, and how long it takes.
  typealias Next = @Sendable (Pose, inout SeededGenerator) -> (to: Pose, length: TimeSpan)

  private struct Move: Sendable {
    let from: Pose
    let to: Pose
    let start: Instant
    let length: TimeSpan
    var end: Instant { start + length }

    func pose(at moment: Instant) -> Pose {
      let share = smoothStep((moment - start).seconds / length.seconds)
      return Pose(
        pressure: from.pressure + (to.pressure - from.pressure) * share,
        slide: from.slide + (to.slide - from.slide) * share)
    }
  }

  private enum State: Sendable {
    /// The finger has not moved yet.
    case still
    /// A bout: fading in, going on, fading out or faded.
    case bout(SeededGenerator, Move)
  }

  private let seed: UInt64
  private let stream: String
  private let beginning: TimeSpan
  private let resting: TimeSpan
  private let next: Next
  private var bouts = 0
  private var state = State.still
  private var strength = Fade(restingAt: 0)

  /// A finger at rest.
  ///
  /// - Parameters:
  ///   - stream: the name of its draws, to which the number of the bout is added
  ///   - beginning: how long a bout takes to its full strength
  ///   - resting: how long the finger takes to come to rest
  init(seed: UInt64, stream: String, beginning: TimeSpan, resting: TimeSpan, next: @escaping Next) {
    self.seed = seed
    self.stream = stream
    self.beginning = beginning
    self.resting = resting
    self.next = next
  }

  mutating func begin(at moment: Instant) {
    let from = strength.value(at: moment) == 0 ? .rest : unfadedPose(at: moment)
    // A stream for each bout: how far the last one was played must not move the draws of this one.
    bouts += 1
    var generator = SeededGenerator(seed: seed, stream: "\(stream).\(bouts)")
    let move = move(from: from, at: moment, &generator)
    state = .bout(generator, move)
    strength.turn(to: 1, at: moment, over: beginning)
  }

  mutating func end(at moment: Instant) {
    strength.turn(to: 0, at: moment, over: resting)
  }

  /// The pose at `moment`.
  @inline(__always)
  mutating func pose(at moment: Instant) -> Pose {
    let share = strength.value(at: moment)
    if share == 0 { return .rest }
    let pose = unfadedPose(at: moment)
    return Pose(pressure: pose.pressure * share, slide: pose.slide * share)
  }

  private mutating func unfadedPose(at moment: Instant) -> Pose {
    switch state {
    case .still: return .rest
    case .bout(var generator, var last):
      if last.end <= moment {
        while last.end <= moment { last = move(from: last.to, at: last.end, &generator) }
        state = .bout(generator, last)
      }
      return last.pose(at: moment)
    }
  }

  private func move(from: Pose, at start: Instant, _ generator: inout SeededGenerator) -> Move {
    let (to, length) = next(from, &generator)
    return Move(from: from, to: to, start: start, length: length)
  }
}
