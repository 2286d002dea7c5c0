import VitalsModel

/// Whether the finger lies on the lens: it lands, settles and creeps, lies, eases and lifts.
///
/// A lifting finger first presses less, which lets blood return and darkens it; then a gap opens from one side, through
/// which the room and the torch's reflection off the skin reach the lens. A landing finger closes the gap, presses as it
/// did not before for 0.7 s, and creeps for some seconds more, as soft tissue under a new load does.
struct Contact: Sendable {
  /// How long the finger takes to leave the lens, and how much of that passes before a gap opens.
  static let leaving = TimeSpan.milliseconds(180)
  private static let easing = TimeSpan.milliseconds(60)
  /// How long the finger takes to cover the lens.
  static let landing = TimeSpan.milliseconds(220)
  /// How long the pressure takes to settle after that.
  static let settling = TimeSpan.milliseconds(700)
  /// How long the tissue creeps: six time constants of 1.2 s.
  static let creeping = TimeSpan.milliseconds(7_200)
  /// The pressure of a finger that lies loose, and of one that has not crept yet, relative to rest.
  private static let loosePressure = -0.3
  private static let freshPressure = -0.05

  private(set) var isPresent = true
  private var cover = Fade(restingAt: 1)
  private var looseness = Fade(restingAt: 0)
  private var freshness = Fade(restingAt: 0)

  /// Arrives at once at what has begun.
  mutating func settle() {
    cover.settle()
    looseness.settle()
    freshness.settle()
  }

  mutating func land(at moment: Instant) {
    isPresent = true
    cover.turn(to: 1, at: moment, over: Self.landing)
    looseness.turn(to: 0, at: moment, over: Self.settling, after: Self.landing)
    freshness.turn(to: 0, at: moment, over: Self.creeping, after: Self.landing, .relaxing)
  }

  mutating func leave(at moment: Instant) {
    isPresent = false
    cover.turn(to: 0, at: moment, over: Self.leaving - Self.easing, after: Self.easing)
    looseness.turn(to: 1, at: moment, over: Self.easing)
    freshness.turn(to: 1, at: moment, over: Self.easing)
  }

  /// The share of the picture that the finger covers, 0...1.
  @inline(__always)
  func coverage(at moment: Instant) -> Double { cover.value(at: moment) }

  /// How far the pressure is from that of a finger that has lain for long.
  @inline(__always)
  func pressure(at moment: Instant) -> Double {
    Self.loosePressure * looseness.value(at: moment) + Self.freshPressure * freshness.value(at: moment)
  }
}
