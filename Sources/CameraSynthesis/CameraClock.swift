import VitalsModel

/// The capture times of a camera's frames, in true time: a steady rate with a little jitter.
///
/// Frame n belongs at n / rate after the opening, counted in whole numbers, so that nothing adds up over days; jitter
/// moves each frame about its own place. Draws come from the stream "camera.clock", one to a frame.
public struct CameraClock: Sendable {
  /// No frame strays further from its place than this share of the period, while strays are independent.
  private static let largestStray = 0.45
  /// Strays up to this share of the period are independent from frame to frame: fewer than one in 40 then meets
  /// `largestStray`, and the spread stays within 2 % of what was asked for.
  private static let independentShare = 0.2
  /// Least distance of two frames, as a share of the period.
  private static let leastDistance = 0.05

  private let rate: FrameRate
  /// The period in whole microseconds and the rest of it, in `rate.numerator`ths of one.
  private let period: (whole: Int64, rest: Int64)
  private let jitterMicroseconds: Double
  private let strayLimit: Double
  /// How much of a frame's stray the next one inherits.
  private let inheritance: Double
  private let leastStep: Int64
  private let opensAt: Instant
  private var generator: SeededGenerator
  /// The place of the next frame after the opening, as the period is written.
  private var place: (whole: Int64, rest: Int64) = (0, 0)
  private var stray = 0.0
  private var latest: Int64?

  /// A camera whose first frame is due at `opensAt`.
  ///
  /// Jitter beyond a fifth of the period cannot be independent between frames that stay in order: a frame then inherits
  /// some of the stray of the one before, so that the spread is still as asked and the distances are not.
  ///
  /// - Parameters:
  ///   - rate: frames per second
  ///   - jitterMs: standard deviation of a frame's distance from its place, 0 or more
  public init(rate: FrameRate, jitterMs: Double, seed: UInt64, opensAt: Instant) {
    precondition(jitterMs >= 0, "jitter is 0 ms or more")
    self.rate = rate
    let micros = rate.denominator * 1_000_000
    period = (micros / rate.numerator, micros % rate.numerator)
    let periodMicroseconds = Double(micros) / Double(rate.numerator)
    jitterMicroseconds = jitterMs * 1_000
    let independent = Self.independentShare * periodMicroseconds
    let ratio = jitterMicroseconds > independent ? independent / jitterMicroseconds : 1
    // Two neighbours then differ by as much as two independent frames at the limit do.
    inheritance = 1 - ratio * ratio
    strayLimit = inheritance > 0 ? .infinity : Self.largestStray * periodMicroseconds
    leastStep = max(Int64(Self.leastDistance * periodMicroseconds), 1)
    self.opensAt = opensAt
    generator = SeededGenerator(seed: seed, stream: "camera.clock")
  }

  /// The capture time of the next frame: after the one before it, and never before the opening.
  public mutating func next() -> Instant {
    let draw = jitterMicroseconds * generator.gaussian()
    if inheritance > 0 {
      let share = latest == nil ? 0 : inheritance
      stray = share * stray + (1 - share * share).squareRoot() * draw
    } else {
      stray = min(max(draw, -strayLimit), strayLimit)
    }
    let beyond = Double(place.rest) / Double(rate.numerator) + stray
    let earliest = latest.map { $0 + leastStep } ?? 0
    let microseconds = max(place.whole + Int64((beyond + 0.5).rounded(.down)), earliest)
    latest = microseconds
    advance()
    return Instant(microseconds: opensAt.microseconds + microseconds)
  }

  private mutating func advance() {
    place.whole += period.whole
    place.rest += period.rest
    if place.rest >= rate.numerator {
      place.rest -= rate.numerator
      place.whole += 1
    }
  }
}

/// The clock that a phone stamps its frames by: it shows an offset at true time 0 and runs fast or slow.
public struct StampClock: Hashable, Sendable {
  private let offset: TimeSpan
  private let drift: Double

  /// The clock of a camera.
  public init(_ settings: CameraSettings) {
    offset = settings.clockOffset
    drift = settings.clockDriftPpm / 1_000_000
  }

  /// What it shows at a moment of true time: offset + (1 + drift) x moment. Later moments have later stamps.
  public func stamp(at moment: Instant) -> Instant {
    // The drift alone is small enough for a `Double` to hold to the microsecond over years.
    let shift = drift == 0 ? 0 : Int64((drift * Double(moment.microseconds)).rounded())
    return Instant(microseconds: moment.microseconds + offset.microseconds + shift)
  }
}
