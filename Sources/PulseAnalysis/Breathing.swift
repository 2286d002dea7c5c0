import VitalsModel

/// The breathing rate of a record, from the three things breathing does to a pulse wave: it changes the pulse's height,
/// the interval between beats and the steady light (Karlen et al., "Multiparameter respiratory rate estimation from the
/// photoplethysmogram", IEEE Trans. Biomed. Eng. 60, 2013).
///
/// Where the three agree (see ``BreathSpectrum``) the breaths are counted by their phase (see ``BreathCount``), which follows
/// a rate that changes. A rate is given where both methods come to about the same, where the first is confident of it, where
/// breath shows at all times, and where it is no alias (see ``BreathFold``).
struct Breathing {
  /// A rate in breaths per minute, or why there is none.
  enum Finding {
    case rate(Double)
    case withheld(String)
  }

  let finding: Finding

  private static let leastSeconds = 25.0
  private static let leastBeats = 16
  /// The confidence that is asked for. With it fewer than one in twenty rates of synthetic breathing are wrong, and fewer than
  /// one in twenty synthetic records without breathing are given one.
  ///
  /// Below twelve breaths a minute it is more: waves of blood pressure, six to nine a minute, show in the pulse as breathing
  /// does (Task Force, "Heart rate variability", Circulation 93, 1996). So it is where intervals spread wider than most
  /// hearts' do by breathing: each pulse of a fibrillating heart is as high as the interval before it was long, so that what
  /// chance makes of one sign it makes of the other.
  private static func leastConfidence(_ perSecond: Double, spread: Double) -> Double {
    min(0.7 + 0.24 * (1 - ramp(perSecond, 6.5 / 60, 12 / 60)) + 0.2 * ramp(spread, 0.15, 0.2), 0.95)
  }
  /// Breaths per minute that a count may differ by from the rate it is made around, and from the likeliest one, whose
  /// surroundings reach as far.
  private static let (mostApart, farthest) = (1.6, 3.0)
  /// How small the weakest breaths may be beside usual ones: a held breath leaves nothing.
  private static let leastSteadiness = 0.48
  private static let leastCover = 0.6
  /// The share of intervals set aside beyond which a heart's own pattern drowns what breathing does to it: a beat out of
  /// turn takes two intervals with it, and changes the height of two pulses.
  private static let mostAside = 0.2
  /// The spread of the intervals, as a share of the mean, that no breathing makes.
  private static let widestSpread = 0.25

  /// Breaths per beat from which on they cannot be told from a heart whose every second beat is weak (pulsus alternans),
  /// which changes the pulse once in two beats.
  private static let fastestTurn = 0.46

  /// Looks for breathing in a record whose beats are known, and whose pulse is `pulseHeight` high as a share of the light.
  init(_ reading: RecordReading, _ statistics: IntervalStatistics, pulseHeight: Double) {
    finding = Self.find(reading, statistics, pulseHeight: pulseHeight)
  }

  private static func find(
    _ reading: RecordReading, _ statistics: IntervalStatistics, pulseHeight: Double
  ) -> Finding {
    let spread = statistics.meanMs > 0 ? statistics.varianceMs2.squareRoot() / statistics.meanMs : 0
    guard statistics.asideShare <= mostAside, !statistics.isAlternating, spread <= widestSpread else {
      return .withheld("the rhythm is too irregular to see breathing in it")
    }
    let clean = statistics.intervals.filter(\.isNN)
    guard clean.count >= leastBeats, pulseHeight > 0 else {
      return .withheld("too few clear beats to see breathing")
    }
    let trace = BreathTrace(reading, clean, pulseHeight: pulseHeight)
    guard trace.span >= leastSeconds else {
      return .withheld("the record is too short to see breathing")
    }
    let spectrum = BreathSpectrum(trace)
    guard spectrum.confidence >= leastConfidence(spectrum.peak, spread: spread) else {
      return .withheld("breathing does not show in the pulse")
    }
    var count = BreathCount(trace, near: spectrum.peak, clarity: spectrum.clarity)
    // A rate that wanders has several peaks; the middle of them is where the breaths are.
    var likely = spectrum.peak
    if 60 * (count.perSecond - likely).magnitude > mostApart {
      likely = count.perSecond
      count = BreathCount(trace, near: likely, clarity: spectrum.clarity)
    }
    guard count.cover >= leastCover else {
      return .withheld("too few clear beats to see breathing")
    }
    guard count.steadiness >= leastSteadiness, 60 * (count.perSecond - likely).magnitude <= mostApart,
      60 * (count.perSecond - spectrum.peak).magnitude <= farthest
    else {
      return .withheld("the breaths are too uneven to count")
    }
    guard count.perSecond * statistics.meanMs < fastestTurn * 1_000 else {
      return .withheld("strong and weak beats by turns look like breathing")
    }
    let fold = BreathFold(reading, clean, trace)
    guard !fold.isFaster(than: count.perSecond) else {
      return .withheld("breathing may be faster than half the heart rate")
    }
    return .rate(60 * count.perSecond)
  }
}
