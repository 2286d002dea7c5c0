import VitalsModel

/// A number that moves from one level to another, as a function of time alone.
///
/// A movement has an end: from there on the level is its target to the bit, so that what has passed leaves no trace.
struct Fade: Sendable {
  /// How a movement goes.
  enum Shape: Sendable {
    /// Level at both ends, as a hand moves.
    case smooth
    /// Fast at first and ever slower, as warmth or a pressed tissue relaxes: 1 - (1 - x)^6, which follows an exponential
    /// with a time constant of a sixth of the movement's length, and yet arrives.
    case relaxing
  }

  private var origin: Double
  private var target: Double
  private var shape = Shape.smooth
  private var start: Int64 = 0
  private var end: Int64 = 0

  /// A number at rest at `level`.
  init(restingAt level: Double) {
    origin = level
    target = level
  }

  /// Leaves for `level` at `moment` and arrives `length` later, from wherever it is by then; with a delay it stays there
  /// for that long first.
  mutating func turn(
    to level: Double, at moment: Instant, over length: TimeSpan, after delay: TimeSpan = .zero, _ shape: Shape = .smooth
  ) {
    origin = value(at: moment)
    target = level
    self.shape = shape
    start = moment.microseconds + delay.microseconds
    end = start + length.microseconds
  }

  /// Arrives at once, wherever it was going.
  mutating func settle() {
    origin = target
    end = start
  }

  /// The level at `moment`, which is not before the last turn.
  ///
  /// Most fades rest most of the time: a frame then pays one comparison for each. Handing on each part by itself keeps the
  /// whole from being copied for the sake of a call that is not made.
  @inline(__always)
  func value(at moment: Instant) -> Double {
    if moment.microseconds >= end { return target }
    return Self.level(from: origin, to: target, shape: shape, start: start, end: end, now: moment.microseconds)
  }

  /// The level before the end.
  @inline(never)
  private static func level(
    from origin: Double, to target: Double, shape: Shape, start: Int64, end: Int64, now: Int64
  ) -> Double {
    if now <= start { return origin }
    let share = Double(now - start) / Double(end - start)
    switch shape {
    case .smooth: return origin + (target - origin) * smoothStep(share)
    case .relaxing:
      let square = (1 - share) * (1 - share)
      return target + (origin - target) * square * square * square
    }
  }
}
