import VitalsModel

/// Something that goes on in time: a value at every moment, the same however often it is asked for.
///
/// Moments do not go back.
protocol Course: Sendable {
  /// The value at `moment`, on the scale that the type says.
  mutating func value(at moment: Instant) -> Double
}

/// Noise inside a band, of mean square 1: four sines, each of which draws a new frequency in its part of the band ever
/// so often and goes on from the phase it had.
///
/// So no power lies outside the band (but for the little that a change of frequency throws off), no value is further from
/// 0 than `crest`, and a moment costs four look-ups at whichever rate it is asked for.
struct BandNoise: Course {
  /// How the four parts share the band.
  enum Spacing {
    /// Parts of equal width: white.
    case even
    /// Parts of equal ratio: as much power in each octave (1/f).
    case octaves
  }

  /// No value is further from 0.
  static let crest = 4 * height
  private static let height = 0.5.squareRoot()
  private static let sines = Waveform { Maths.sin(2 * .pi * $0) }

  private let sines = BandNoise.sines
  /// The bounds of the parts in turns per microsecond.
  private let lows: SIMD4<Double>
  private let widths: SIMD4<Double>
  private let renewal: Int64
  private var generator: SeededGenerator
  private var start: Int64
  private var end: Int64
  /// Phases at `start`, in turns, and turns per microsecond from there.
  private var phases = SIMD4<Double>()
  private var rates = SIMD4<Double>()

  /// Noise from `moment` on.
  init(
    bandHz: ClosedRange<Double>, spacing: Spacing, renewedEvery renewal: TimeSpan, from moment: Instant,
    generator: SeededGenerator
  ) {
    let bounds = (0...4).map { part in
      let share = Double(part) / 4
      return switch spacing {
      case .even: bandHz.lowerBound + share * (bandHz.upperBound - bandHz.lowerBound)
      case .octaves: bandHz.lowerBound * Maths.pow(bandHz.upperBound / bandHz.lowerBound, share)
      }
    }
    lows = SIMD4(bounds[0..<4]) / 1_000_000
    widths = SIMD4(bounds[1...4]) / 1_000_000 - lows
    self.renewal = renewal.microseconds
    self.generator = generator
    start = moment.microseconds
    end = start + renewal.microseconds
    phases = draw()
    rates = lows + draw() * widths
  }

  mutating func value(at moment: Instant) -> Double {
    while moment.microseconds >= end { renew() }
    let turns = phases + rates * Double(moment.microseconds - start)
    return Self.height * ((sine(turns.x) + sine(turns.y)) + (sine(turns.z) + sine(turns.w)))
  }

  /// The sine of an angle in turns, 0 or more. Inlined, because a call copies the whole noise four times a moment.
  @inline(__always)
  private func sine(_ turns: Double) -> Double {
    sines.value(at: turns - Double(Int(turns)))
  }

  private mutating func renew() {
    let turns = phases + rates * Double(end - start)
    phases = turns - turns.rounded(.down)
    rates = lows + draw() * widths
    start = end
    end += renewal
  }

  private mutating func draw() -> SIMD4<Double> {
    SIMD4(generator.uniform(), generator.uniform(), generator.uniform(), generator.uniform())
  }
}
