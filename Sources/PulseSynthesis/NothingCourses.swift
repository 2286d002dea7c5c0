import VitalsModel

/// A brightness that rises evenly for a minute and falls as long, within 15 % of its mean.
struct Ramp: Sendable {
  private static let periodMicroseconds: Int64 = 120_000_000
  private static let reach = 0.15

  private let offset: Int64

  init(generator: SeededGenerator) {
    var generator = generator
    offset = Int64((generator.uniform() * Double(Self.periodMicroseconds)).rounded())
  }

  /// The relative change of brightness.
  func value(at moment: Instant) -> Double {
    let within = (moment.microseconds + offset) % Self.periodMicroseconds
    let phase = Double(within) / Double(Self.periodMicroseconds)
    return Self.reach * (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase)
  }
}

/// A brightness that steps every 2...5 s, by 2...12 % of its mean, to a level within 8 % of it.
struct BrightnessSteps: Course {
  private static let reach = 0.08
  private static let smallest = 0.02
  private static let edge = TimeSpan.milliseconds(40)

  private var generator: SeededGenerator
  private var from = 0.0
  private var to = 0.0
  private var start: Int64 = 0
  private var end: Int64 = 0

  init(generator: SeededGenerator) {
    self.generator = generator
    step()
  }

  mutating func value(at moment: Instant) -> Double {
    while moment.microseconds >= end { step() }
    let share = smoothStep(Double(moment.microseconds - start) / Double(Self.edge.microseconds))
    return from + (to - from) * share
  }

  private mutating func step() {
    from = to
    // Anywhere within reach but near where it is: the axis without that part, and then past it.
    let low = max(from - Self.smallest, -Self.reach)
    let high = min(from + Self.smallest, Self.reach)
    let drawn = generator.uniform(in: -Self.reach...(Self.reach - (high - low)))
    to = drawn < low ? drawn : drawn + (high - low)
    start = end
    end = start + TimeSpan(seconds: generator.uniform(in: 2...5)).microseconds
  }
}

/// The gain of an exposure control that overshoots: something upsets it every 4...9 s, and it hunts for its level in steps
/// of a tenth of a second, each swing smaller than the last.
struct ExposureHunting: Course {
  private static let step: Int64 = 100_000

  private var generator: SeededGenerator
  private var height = 0.0
  private var turnsPerSecond = 0.0
  private var start: Int64 = 0
  private var end: Int64 = 0

  init(generator: SeededGenerator) {
    self.generator = generator
    upset()
  }

  /// The relative change of brightness.
  mutating func value(at moment: Instant) -> Double {
    while moment.microseconds >= end { upset() }
    let seconds = Double((moment.microseconds - start) / Self.step * Self.step) / 1_000_000
    return height * Maths.exp(-seconds / 2.5) * Maths.cos(2 * .pi * turnsPerSecond * seconds)
  }

  private mutating func upset() {
    let isDarker = generator.uniform() < 0.5
    height = generator.uniform(in: 0.05...0.12) * (isDarker ? -1 : 1)
    turnsPerSecond = generator.uniform(in: 0.6...1.4)
    start = end
    end = start + TimeSpan(seconds: generator.uniform(in: 4...9)).microseconds
  }
}

/// A torch whose driver switches between full light and 85 % of it, about 1.1 times a second, with edges of a millisecond.
struct TorchPulses: Sendable {
  private static let dimmed = 0.85
  private static let dutyCycle = 0.45
  private static let edgeMicroseconds = 1_000.0

  private let periodMicroseconds: Int64
  private let offset: Int64

  init(generator: SeededGenerator) {
    var generator = generator
    periodMicroseconds = Int64((1_000_000 / generator.uniform(in: 1.05...1.15)).rounded())
    offset = Int64((generator.uniform() * Double(periodMicroseconds)).rounded())
  }

  /// The torch's light, as a share of its full light.
  func value(at moment: Instant) -> Double {
    let within = Double((moment.microseconds + offset) % periodMicroseconds)
    let on = smoothStep(within / Self.edgeMicroseconds)
    let off = smoothStep((within - Self.dutyCycle * Double(periodMicroseconds)) / Self.edgeMicroseconds)
    return Self.dimmed + (1 - Self.dimmed) * (on - off)
  }
}
