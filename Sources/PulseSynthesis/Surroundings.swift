import VitalsModel

/// What the lens sees without a finger: a grey table in room light, with the lamp's flicker and the hand's sway.
struct Surroundings: Sendable {
  private static let mean = Light(red: 110, green: 108, blue: 102)
  /// Lamps on 50 Hz mains flicker at 100 Hz, which a camera sees as a slow beat.
  private static let flicker = (periodMicroseconds: Int64(10_000), share: 0.004)
  /// Periods of the sway in microseconds, without a common multiple worth the name.
  private static let sway: [Int64] = [7_700_000, 3_190_000, 1_730_000]
  private static let swayShare = 0.006
  /// How much darker a dim room is, and how long its lamps take to change.
  private static let dimShare = 0.04
  static let lamps = TimeSpan.milliseconds(300)

  private let phases: [Double]
  private var brightness = Fade(restingAt: 1)
  private(set) var room = Room.lit

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed, stream: "surroundings")
    phases = Self.sway.map { _ in generator.uniform() }
  }

  /// Lights the room otherwise, and says when it has become so.
  mutating func become(_ room: Room, at moment: Instant) -> Instant {
    if room == self.room { return moment }
    self.room = room
    brightness.turn(to: room == .lit ? 1 : Self.dimShare, at: moment, over: Self.lamps)
    return moment + Self.lamps
  }

  /// Arrives at once at what has begun.
  mutating func settle() {
    brightness.settle()
  }

  /// How bright the room is, relative to a lit one.
  @inline(__always)
  func brightness(at moment: Instant) -> Double { brightness.value(at: moment) }

  /// The light of the table at `moment`.
  func light(at moment: Instant) -> Light {
    var change = Self.flicker.share * Self.wave(moment, period: Self.flicker.periodMicroseconds, phase: 0)
    for (period, phase) in zip(Self.sway, phases) {
      change += Self.swayShare * Self.wave(moment, period: period, phase: phase)
    }
    let factor = (1 + change) * brightness(at: moment)
    return Self.mean.scaled(red: factor, green: factor, blue: factor)
  }

  /// A sine of time; whole microseconds are reduced to one period first, so that days later it is as exact.
  private static func wave(_ moment: Instant, period: Int64, phase: Double) -> Double {
    Maths.sin(2 * .pi * (Double(moment.microseconds % period) / Double(period) + phase))
  }
}
