import VitalsModel

/// The fingertip lit by the torch: its colour, and how strongly each colour pulses.
struct Tissue: Sendable {
  /// Pulse strength relative to green. Blood absorbs green and blue far more than red, and red comes from deeper.
  private static let redStrength = 0.7
  private static let blueStrength = 0.9

  /// The resting brightness; it differs a little from finger to finger.
  private let mean: Light
  private let perfusion: Double
  /// How much breathing raises and lowers the pulse, and the brightness by share of the pulse's height.
  private let breathOnPulse: Double
  private let breathOnBrightness: Double

  init(subject: Subject, seed: UInt64) {
    var generator = SeededGenerator(seed: seed, stream: "finger")
    mean = Light(
      red: 200 + generator.uniform(in: -8...8), green: 30 + generator.uniform(in: -3...3),
      blue: 25 + generator.uniform(in: -3...3))
    perfusion = subject.finger.perfusionIndexPercent / 100
    breathOnPulse = subject.breathing.amplitudeModulation
    breathOnBrightness = subject.breathing.baselineModulation
  }

  /// The light through the finger.
  ///
  /// - Parameters:
  ///   - pulse: height of the pulse, 0 at its foot, about 1 at its top
  ///   - filling: how full the lungs are, -1...1
  ///   - visibility: share of the pulse that shows, 0...1
  func light(pulse: Double, filling: Double, visibility: Double) -> Light {
    let swing = (pulse - PulseWave.meanHeight) * (1 + breathOnPulse * filling)
    // More blood, less light: brightness falls in systole.
    let absorbed = perfusion * visibility * (swing + breathOnBrightness * filling)
    return mean.scaled(
      red: 1 - Self.redStrength * absorbed, green: 1 - absorbed, blue: 1 - Self.blueStrength * absorbed)
  }
}

/// Whether the finger lies on the lens: it covers the lens, leaves it, lands and settles.
struct Contact: Sendable {
  /// How long the finger takes to leave the lens.
  static let leaving = TimeSpan.milliseconds(180)
  /// How long the finger takes to cover the lens.
  static let landing = TimeSpan.milliseconds(220)
  /// How long the pressure takes to settle after that.
  static let settling = TimeSpan.milliseconds(700)

  private(set) var isPresent = true
  private var cover = Fade(restingAt: 1)
  private var landed = Instant(microseconds: -Contact.settling.microseconds)

  mutating func land(at moment: Instant) {
    isPresent = true
    landed = moment + Self.landing
    cover.turn(to: 1, at: moment, over: Self.landing)
  }

  mutating func leave(at moment: Instant) {
    isPresent = false
    cover.turn(to: 0, at: moment, over: Self.leaving)
  }

  /// The share of the picture that the finger covers, 0...1.
  func coverage(at moment: Instant) -> Double { cover.value(at: moment) }

  /// How far the pressure is from settled: 1 while landing, 0 once settled.
  func unrest(at moment: Instant) -> Double {
    let settled = landed + Self.settling
    if moment >= settled { return 0 }
    let share = (settled - moment).seconds / Self.settling.seconds
    return smoothStep(share)
  }
}
