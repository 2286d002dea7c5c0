import VitalsModel

/// How the finger is held: how hard it presses and how much of the lens it covers, and how unsteadily.
///
/// Contact force changes both the brightness of a finger and its pulse, which is largest at a force between and smaller
/// on either side, while the brightness rises with the force (Teng and Zhang, Physiol Meas 2004, 25:1323).
struct Grip: Sendable {
  /// How long pressing harder or less takes; blood takes longer to return than to be driven out.
  static let pressing = TimeSpan.milliseconds(1_200)
  static let returning = TimeSpan.milliseconds(1_800)
  /// How long shifting off the lens and back takes.
  static let shifting = TimeSpan.milliseconds(250)
  /// The share of the lens that a partial cover leaves open, and a light touch at its rim.
  private static let openShare = 0.3
  private static let rimShare = 0.04
  /// How unsteady an open share is, relative to itself, and the pressure of a light touch.
  private static let openSway = 0.08
  private static let lightSway = 0.1

  private var pressure = Fade(restingAt: 0)
  private var lightness = Fade(restingAt: 0)
  private var openness = Fade(restingAt: 0)
  /// The hand's sway. The draws of a steady grip are made and not used.
  private var sway: Wander
  private(set) var level = FingerPressure.firm
  private(set) var cover = FingerCover.full

  init(seed: UInt64) {
    sway = Wander(.drift, spacing: .milliseconds(450), seed: seed, stream: "grip")
  }

  /// Presses otherwise, and says when the finger has settled to that.
  mutating func press(_ level: FingerPressure, at moment: Instant) -> Instant {
    if level == self.level { return moment }
    let length = self.level == .hard ? Self.returning : Self.pressing
    self.level = level
    pressure.turn(to: level.pressure, at: moment, over: length)
    lightness.turn(to: level == .light ? 1 : 0, at: moment, over: length)
    return moment + length
  }

  /// Covers the lens otherwise, and says when it has become so.
  mutating func cover(_ cover: FingerCover, at moment: Instant) -> Instant {
    if cover == self.cover { return moment }
    self.cover = cover
    openness.turn(to: cover == .partial ? 1 : 0, at: moment, over: Self.shifting)
    return moment + Self.shifting
  }

  /// Arrives at once at what has begun.
  mutating func settle() {
    pressure.settle()
    lightness.settle()
    openness.settle()
  }

  /// How far the pressure is from a firm one, and the share of the lens that is left open.
  @inline(__always)
  mutating func hold(at moment: Instant) -> (pressure: Double, open: Double) {
    let pressure = pressure.value(at: moment)
    let lightness = lightness.value(at: moment)
    let openness = openness.value(at: moment)
    if lightness == 0 && openness == 0 { return (pressure, 0) }
    let sway = sway.value(at: moment)
    let open = (Self.openShare * openness + Self.rimShare * lightness) * (1 + Self.openSway * sway)
    return (pressure + Self.lightSway * lightness * sway, open)
  }
}

extension FingerPressure {
  /// Where it lies on the scale of `Pose`, on which a firm touch is 0. `Circulation` says what that does to the pulse.
  fileprivate var pressure: Double {
    switch self {
    case .light: -0.61
    case .firm: 0
    case .hard: 1.2
    }
  }
}
