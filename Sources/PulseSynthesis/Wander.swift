import VitalsModel

/// A number that wanders smoothly and at random about 0 with a standard deviation of 1, as a function of time alone.
///
/// It is a uniform cubic B-spline through normal draws, one for every `spacing`: its first and second derivatives are
/// continuous, it never leaves the range of its draws, and its spectrum is flat up to about a fifth over the spacing
/// and falls with the eighth power of the frequency beyond. A frame costs one cubic; draws are made once per spacing,
/// however often the number is asked for. Moments do not go back.
struct Wander: Sendable {
  /// What the draws are before they are smoothed.
  enum Kind: Sendable {
    /// Every draw by itself: all that is slower than the spacing allows.
    case drift
    /// Differences of successive draws, which add up to nothing: a band about a quarter over the spacing.
    case band
  }

  /// The variance of the spline over that of its draws, averaged over time: the sum of the squared weights, 151/315, and
  /// for differences twice that less the sum of neighbouring weights' products, 397/1680.
  private static let driftVariance = 151 / 315.0
  private static let bandVariance = 2 * (151 / 315.0 - 397 / 1_680.0)
  /// No draw is further from 0 than this many standard deviations.
  private static let widest = 2.5

  private let kind: Kind
  private let spacing: Int64
  private let perSpacing: Double
  private let scale: Double
  private var generator: SeededGenerator
  private var latest: Double
  private var knots = SIMD4<Double>.zero
  /// The end of the segment that is being drawn.
  private var end: Int64 = 0
  /// The segment as a polynomial of the share that is still to come.
  private var coefficients = SIMD4<Double>.zero

  init(_ kind: Kind, spacing: TimeSpan, seed: UInt64, stream: String) {
    self.kind = kind
    self.spacing = spacing.microseconds
    perSpacing = 1 / Double(spacing.microseconds)
    scale = 1 / (kind == .drift ? Self.driftVariance : Self.bandVariance).squareRoot()
    generator = SeededGenerator(seed: seed, stream: stream)
    latest = min(max(generator.gaussian(), -Self.widest), Self.widest)
    for _ in 0..<3 { addKnot() }
  }

  /// The number at `moment`.
  @inline(__always)
  mutating func value(at moment: Instant) -> Double {
    if moment.microseconds >= end {
      while moment.microseconds >= end {
        addKnot()
        end += spacing
      }
      drawSegment()
    }
    let left = Double(end - moment.microseconds) * perSpacing
    let c = coefficients
    return c.x + left * (c.y + left * (c.z + left * c.w))
  }

  private mutating func addKnot() {
    let draw = min(max(generator.gaussian(), -Self.widest), Self.widest)
    let knot = kind == .drift ? draw : draw - latest
    latest = draw
    knots = SIMD4(knots.y, knots.z, knots.w, knot * scale)
  }

  /// The uniform cubic B-spline over the four knots, mirrored in time.
  private mutating func drawSegment() {
    let k = knots
    coefficients = SIMD4(k.w + 4 * k.z + k.y, 3 * (k.y - k.w), 3 * (k.w - 2 * k.z + k.y), k.x - k.w + 3 * (k.z - k.y))
    coefficients /= 6
  }
}
