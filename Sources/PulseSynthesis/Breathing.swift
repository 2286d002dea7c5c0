import VitalsModel

/// One breath, from the beginning of an inspiration to the beginning of the next.
struct Breath: Sendable {
  let start: Instant
  let end: Instant
  private let perMicrosecond: Double

  init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
    perMicrosecond = 1 / Double((end - start).microseconds)
  }

  /// How far the breath has come at `moment`: 0 at its start, 1 at its end.
  func phase(at moment: Instant) -> Double {
    Double((moment - start).microseconds) * perMicrosecond
  }
}

/// The breaths of a subject, one after another: a mean rate, and a few percent of change from breath to breath.
struct Breathing: Sendable {
  /// How full the lungs are over one breath: -1 empty, 1 full.
  ///
  /// Inspiration takes 40 % of a breath, as at rest (inspiration to expiration about 1 to 1.5).
  private static let lungFilling = Waveform(entries: 256) { phase in
    -Maths.cos(2 * .pi * bent(phase, stiffness: 2 / 3.0))
  }
  /// Standard deviation of a breath's length, as a share of the mean.
  private static let spread = 0.04

  private var generator: SeededGenerator
  private let meanMicroseconds: Double
  /// The end of `current` before rounding, so that rounding adds up to nothing.
  private var exactEnd: Double
  private let lungFilling = Breathing.lungFilling
  /// The breath that is being drawn.
  private(set) var current: Breath

  /// Breathing that is somewhere within a breath when the run begins.
  init(ratePerMin: Double, seed: UInt64) {
    generator = SeededGenerator(seed: seed, stream: "breathing")
    meanMicroseconds = 60_000_000 / ratePerMin
    let start = -(generator.uniform() * meanMicroseconds).rounded()
    exactEnd = start + meanMicroseconds
    current = Breath(
      start: Instant(microseconds: Int64(start)), end: Instant(microseconds: Int64(exactEnd.rounded())))
  }

  /// Draws the next breath.
  mutating func next() {
    let change = min(max(generator.gaussian(), -2.5), 2.5) * Self.spread
    exactEnd += meanMicroseconds * (1 + change)
    current = Breath(start: current.end, end: Instant(microseconds: Int64(exactEnd.rounded())))
  }

  /// How full the lungs are at a moment of the current breath, -1...1.
  func filling(at moment: Instant) -> Double {
    lungFilling.value(at: current.phase(at: moment))
  }
}
