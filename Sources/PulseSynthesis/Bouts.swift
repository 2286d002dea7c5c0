import VitalsModel

/// A disturbance that comes and goes: how strong it is, and the course that it takes while it is there.
struct Bouts<Play: Course>: Sendable {
  private enum State: Sendable {
    /// It has not been there yet.
    case unheard
    case bout(Play)
  }

  private let kind: DisturbanceKind
  private var begun = 0
  private var strength = Fade(restingAt: 0)
  private var state = State.unheard

  init(of kind: DisturbanceKind) {
    self.kind = kind
  }

  /// Leaves for `share` at `moment` and has it `length` later.
  ///
  /// - Parameter begin: called with the name of its stream where a new bout begins, because there was none
  mutating func turn(to share: Double, at moment: Instant, over length: TimeSpan, begin: (String) -> Play) {
    if strength.value(at: moment) == 0 && share > 0 {
      begun += 1
      state = .bout(begin(begun == 1 ? kind.rawValue : "\(kind.rawValue).\(begun)"))
    }
    strength.turn(to: share, at: moment, over: length)
  }

  /// The course at `moment`, as strong as it is by then.
  mutating func value(at moment: Instant) -> Double {
    let share = strength.value(at: moment)
    if share == 0 { return 0 }
    switch state {
    case .unheard: return 0
    case .bout(var play):
      let value = play.value(at: moment)
      state = .bout(play)
      return share * value
    }
  }
}
