import VitalsModel

/// Something moved to and fro in a rhythm, -1...1, as a person does it: each cycle a little early or late.
///
/// The cycles stray from a steady beat and not from each other, so that their mean rate is as asked over any time.
struct RhythmicMotion: Course {
  /// No cycle begins further from its place than this share of one.
  private static let stray = 0.03
  /// A sine that swings forth a little faster than back: with its second harmonic, its top at 1.
  private static let wave = {
    let raw = Waveform { Maths.sin(2 * .pi * $0) + 0.15 * Maths.sin(4 * .pi * $0) }
    let top = (0...1_024).map { raw.value(at: Double($0) / 1_024) }.reduce(0, max)
    return Waveform { raw.value(at: $0) / top }
  }()

  private let wave = RhythmicMotion.wave
  private let periodMicroseconds: Double
  private var generator: SeededGenerator
  /// Where the next cycle belongs.
  private var place: Double
  private var start: Int64
  private var end: Int64
  private var perMicrosecond: Double

  /// A rhythm that is somewhere within a cycle at `moment`.
  init(perMin: Double, from moment: Instant, generator: SeededGenerator) {
    self.generator = generator
    periodMicroseconds = 60_000_000 / perMin
    // Far enough back that no stray makes the first cycle begin after `moment`.
    let lead = self.generator.uniform(in: Self.stray...(1 - Self.stray))
    place = Double(moment.microseconds) - lead * periodMicroseconds
    start = Int64(place.rounded())
    end = start
    perMicrosecond = 0
    next()
  }

  mutating func value(at moment: Instant) -> Double {
    while moment.microseconds >= end { next() }
    return wave.value(at: Double(moment.microseconds - start) * perMicrosecond)
  }

  private mutating func next() {
    place += periodMicroseconds
    start = end
    end = Int64((place + periodMicroseconds * generator.uniform(in: -Self.stray...Self.stray)).rounded())
    perMicrosecond = 1 / Double(end - start)
  }
}
