import VitalsModel

/// A number that moves smoothly from one level to another, as a function of time alone.
struct Fade: Sendable {
  private var origin: Double
  private var target: Double
  private var start: Int64 = 0
  private var end: Int64 = 0

  /// A number at rest at `level`.
  init(restingAt level: Double) {
    origin = level
    target = level
  }

  /// Leaves for `level` at `moment` and arrives `length` later, from wherever it is by then.
  mutating func turn(to level: Double, at moment: Instant, over length: TimeSpan) {
    origin = value(at: moment)
    target = level
    start = moment.microseconds
    end = start + length.microseconds
  }

  /// The level at `moment`, which is not before the last turn.
  func value(at moment: Instant) -> Double {
    if moment.microseconds >= end { return target }
    let share = Double(moment.microseconds - start) / Double(end - start)
    return origin + (target - origin) * smoothStep(share)
  }
}
