import VitalsModel

/// How the finger presses and lies, relative to rest: 0 and 0 at rest, up to -1.4...1.4 while fidgeting.
struct Pose: Sendable {
  var pressure: Double
  var slide: Double

  static let rest = Pose(pressure: 0, slide: 0)

  static func + (left: Pose, right: Pose) -> Pose {
    Pose(pressure: left.pressure + right.pressure, slide: left.slide + right.slide)
  }

  /// The brightness in green, relative to rest.
  var green: Double { 1 + 0.25 * pressure + 0.15 * slide }

  /// The light of a finger in this pose. Pressing drives blood out and slides change the depth the light comes from.
  @inline(__always)
  func apply(to light: Light) -> Light {
    light.scaled(
      red: 1 + 0.16 * pressure + 0.04 * slide, green: green, blue: 1 + 0.25 * pressure - 0.12 * slide)
  }
}

/// A fidgeting finger: a chain of quick moves, each smooth, with jerks among them.
struct Motion: Sendable {
  private struct Move: Sendable {
    var from: Pose
    var to: Pose
    var start: Instant
    var length: TimeSpan
    var end: Instant { start + length }

    func pose(at moment: Instant) -> Pose {
      let share = smoothStep((moment - start).seconds / length.seconds)
      return Pose(
        pressure: from.pressure + (to.pressure - from.pressure) * share,
        slide: from.slide + (to.slide - from.slide) * share)
    }
  }

  private enum State: Sendable {
    /// The finger has not fidgeted yet.
    case still
    /// A bout of fidgeting: fading in, going on, fading out or faded.
    case bout(SeededGenerator, Move)
  }

  /// No pressure is further from rest than this.
  private static let widest = 1.4
  private static let beginning = TimeSpan.milliseconds(120)
  /// How long a finger takes to come to rest.
  static let resting = TimeSpan.milliseconds(300)

  private let seed: UInt64
  private var bouts = 0
  private var state = State.still
  private var strength = Fade(restingAt: 0)

  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func begin(at moment: Instant) {
    let from = strength.value(at: moment) == 0 ? .rest : unfadedPose(at: moment)
    // A stream for each bout: how far the last one was played must not move the draws of this one.
    bouts += 1
    var generator = SeededGenerator(seed: seed, stream: "motion.\(bouts)")
    let move = Self.move(from: from, at: moment, &generator)
    state = .bout(generator, move)
    strength.turn(to: 1, at: moment, over: Self.beginning)
  }

  mutating func end(at moment: Instant) {
    strength.turn(to: 0, at: moment, over: Self.resting)
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
    case .bout(var generator, var move):
      if move.end <= moment {
        while move.end <= moment { move = Self.move(from: move.to, at: move.end, &generator) }
        state = .bout(generator, move)
      }
      return move.pose(at: moment)
    }
  }

  /// The next move: within half a second, and one time in four a jerk.
  ///
  /// Each moves the pressure by several times what a pulse does to the light, mostly back towards the middle, so that no
  /// second of a bout is fit for measuring.
  private static func move(from: Pose, at start: Instant, _ generator: inout SeededGenerator) -> Move {
    let isJerk = generator.uniform() < 0.25
    let distance = isJerk ? generator.uniform(in: 0.7...1.6) : generator.uniform(in: 0.35...0.9)
    let isOutward = generator.uniform() < 0.25 && from.pressure.magnitude < 0.7
    let direction = (from.pressure > 0) == isOutward ? 1.0 : -1.0
    let pressure = min(max(from.pressure + direction * distance, -widest), widest)
    let seconds = isJerk ? generator.uniform(in: 0.06...0.12) : generator.uniform(in: 0.12...0.5)
    let to = Pose(pressure: pressure, slide: generator.uniform(in: -1...1))
    return Move(from: from, to: to, start: start, length: TimeSpan(seconds: seconds))
  }
}
