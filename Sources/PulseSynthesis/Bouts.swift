import VitalsModel

/// A disturbance that comes and goes: how strong it is, and the course that it takes while it is there.
struct Bouts<Play: Course>: Sendable {
  private let kind: DisturbanceKind
  private var begun = 0
  private var strength = Fade(restingAt: 0)
  /// The latest bout; nil until there is one.
  private var play: Play?

  init(of kind: DisturbanceKind) {
    self.kind = kind
  }

  /// Leaves for `share` at `moment` and has it `length` later.
  ///
  /// - Parameter begin: called with the name of its stream where a new bout begins, because there was none
  mutating func turn(to share: Double, at moment: Instant, over length: TimeSpan, begin: (String) -> Play) {
    if strength.value(at: moment) == 0 && share > 0 {
      begun += 1
      play = begin(begun == 1 ? kind.rawValue : "\(kind.rawValue).\(begun)")
    }
    strength.turn(to: share, at: moment, over: length)
  }

  /// The course at `moment`, as strong as it is by then.
  mutating func value(at moment: Instant) -> Double {
    let share = strength.value(at: moment)
    if share == 0 { return 0 }
    // In place: a course is large, and copying it out and back would cost more than its value.
    return share * (play?.value(at: moment) ?? 0)
  }
}
