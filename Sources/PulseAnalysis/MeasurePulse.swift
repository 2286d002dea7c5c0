import VitalsModel

/// Measures a whole record: every beat at its best place, artefacts set aside before any statistic, and nothing guessed.
///
/// The record's own typical pulse is learnt first; a beat is where it fits, to a fraction of a frame, and a pulse that does
/// not look like it is left out. Frames may be irregular. Never fails: what cannot be told is withheld with a reason.
public func measurePulse(_ record: PulseRecord) -> PulseMeasurement {
  let reading = RecordReading(record)
  var result = PulseMeasurement()
  result.channel = reading.channel
  let times = reading.matches.map { reading.wave.time($0.place) }
  let statistics = IntervalStatistics(
    timesMs: times.map { Double($0.microseconds) * 1e-3 }, isTrusted: reading.trustedIntervals(),
    isStill: reading.stillIntervals(), isSharp: reading.matches.map(\.isSharp),
    heights: reading.relativeHeights)
  result.trustedSeconds = statistics.nnSeconds
  result.coverage = reading.wave.seconds > 0 ? min(statistics.nnSeconds / reading.wave.seconds, 1) : 0
  result.quality = reading.quality(statistics, coverage: result.coverage)
  var isNN = [Bool](repeating: false, count: times.count)
  for interval in statistics.intervals where interval.isNN { isNN[interval.beat] = true }
  let perfusion = reading.perfusionPercent(isNN)
  var reason = reading.reasonForNoHeartRate(statistics, coverage: result.coverage)
  if reason == nil, let perfusion {
    let clear = times.indices.filter { isNN[$0] }.map { (times[$0 - 1].microseconds, times[$0].microseconds) }
    let jumps = record.shareOfJumps(
      lane: reading.lane, height: perfusion / 100, mean: reading.wave.mean[reading.lane], within: clear)
    if jumps > reading.mostJumps { reason = "no heart rate: the light jumps between levels instead of pulsing" }
  }
  if let reason {
    result.quality = min(result.quality, 0.25)
    result.withholdAll(because: reason)
    return result
  }
  result.beats = reading.beats(times, statistics)
  let isIrregular = reading.isIrregular(statistics, coverage: result.coverage)
  result.heartRateBpm = 60_000 / (isIrregular ? statistics.seenMeanMs : statistics.filledMeanMs(pulses: reading.pulses))
  if statistics.count > 0 { result.meanNNMs = statistics.meanMs }
  result.perfusionIndexPercent = perfusion
  result.addVariation(statistics, timingVariance: reading.timingVarianceMs2)
  result.addBreathing(Breathing(reading, statistics, pulseHeight: (perfusion ?? 0) / 100))
  return result
}

extension PulseMeasurement {
  fileprivate mutating func withholdAll(because reason: String) {
    for measure in Measure.allCases { withheld.append(Withheld(measure: measure.rawValue, reason: reason)) }
  }

  /// `timingVariance` is that of a beat's time by the noise of the frames, in square milliseconds.
  fileprivate mutating func addVariation(_ statistics: IntervalStatistics, timingVariance: Double) {
    let differences = statistics.sharpDifferences
    var squares = 0.0
    for difference in differences { squares += difference * difference }
    let meanSquare = squares / Double(max(differences.count, 1))
    // A difference of intervals holds three beats, one of them twice.
    let noise = 6 * timingVariance
    var reason: String?
    if differences.count < 12 {
      reason = "too few clear beats in a row"
    } else if meanSquare > 400 && noise > 0.5 * meanSquare {
      reason = "the pulse is too faint to time its beats"
    } else if statistics.isAlternating
      || (statistics.asideShare > 0.05 && meanSquare.squareRoot() > 0.1 * statistics.meanMs)
    {
      // Ectopic beats leave a regular rhythm once they are set aside. Where none is left, what was set aside was chance.
      reason = "the rhythm is too irregular to tell normal beats from others"
    }
    if let reason {
      for measure in ["rmssdMs", "sdnnMs", "pnn50Percent"] {
        withheld.append(Withheld(measure: measure, reason: reason))
      }
      return
    }
    rmssdMs = (meanSquare - min(noise, 0.5 * meanSquare)).squareRoot()
    pnn50Percent = 100 * Double(differences.count { $0.magnitude > 50 }) / Double(differences.count)
    sdnnMs = (statistics.varianceMs2 - min(2 * timingVariance, 0.5 * statistics.varianceMs2)).squareRoot()
  }

  fileprivate mutating func addBreathing(_ breathing: Breathing) {
    switch breathing.finding {
    case .rate(let perMin): breathingRatePerMin = perMin
    case .withheld(let reason): withheld.append(Withheld(measure: "breathingRatePerMin", reason: reason))
    }
    withheld.sort { Self.order($0) < Self.order($1) }
  }

  private static func order(_ withheld: Withheld) -> Int {
    Measure.allCases.firstIndex { $0.rawValue == withheld.measure } ?? Measure.allCases.count
  }
}
