import VitalsModel

/// The breathing rate of a record, from the three things breathing does to a pulse wave: it changes the pulse's height,
/// the interval between beats and the steady light (Karlen et al., "Multiparameter respiratory rate estimation from the
/// photoplethysmogram", 2013).
struct Breathing {
  /// A rate in breaths per minute, or why there is none.
  enum Finding {
    case rate(Double)
    case withheld(String)
  }

  let finding: Finding

  /// Half a second between the points of the slow signals.
  private static let cellsPerPoint = 16
  private static let leastSeconds = 25.0
  /// Share of the fused spectrum that its peak must hold: pulses without any breathing stay below a third nine times in
  /// ten. Above 24 breaths a minute it rises to a half at 36, since the weights that keep slow waves out lift noise there.
  private static func leastShare(_ hertz: Double) -> Double { 0.33 + 0.17 * ramp(hertz, 0.4, 0.6) }
  /// Share that the five breaths a minute around the peak must hold in either half of the record: chance makes another
  /// peak in every half, breathing stays.
  private static let leastHalfShare = 0.25
  /// The share of intervals set aside beyond which a heart's own pattern drowns what breathing does to it: a beat out of
  /// turn takes two intervals with it, and changes the height of two pulses.
  private static let mostAside = 0.2

  /// Looks for breathing in a record whose beats are known.
  init(_ reading: RecordReading, _ statistics: IntervalStatistics) {
    guard statistics.asideShare <= Self.mostAside, !statistics.isAlternating else {
      finding = .withheld("the rhythm is too irregular to see breathing in it")
      return
    }
    let clean = statistics.intervals.filter(\.isNN)
    guard let first = clean.first, let last = clean.last, clean.count >= 16 else {
      finding = .withheld("too few clear beats to see breathing")
      return
    }
    // Intervals that differ by no more than the noise of their beats' times hold nothing that could bear the others out.
    guard statistics.varianceMs2 > 2 * reading.timingVarianceMs2 else {
      finding = .withheld("the beats come too evenly to show breathing")
      return
    }
    let start = reading.matches[first.beat - 1].place
    let end = reading.matches[last.beat].place
    let points = Int(end - start) / Self.cellsPerPoint
    guard Double(points) >= 2 * Self.leastSeconds else {
      finding = .withheld("the record is too short to see breathing")
      return
    }
    var heights: [(place: Double, value: Double)] = []
    var intervals: [(place: Double, value: Double)] = []
    var lights: [(place: Double, value: Double)] = []
    for interval in clean {
      let from = reading.matches[interval.beat - 1].place
      let to = reading.matches[interval.beat].place
      // By the whole shape of the pulse, which noise and the steady light's drift hardly change.
      heights.append((to, Maths.log(max(reading.matches[interval.beat].height, 1e-9))))
      intervals.append((0.5 * (from + to), interval.ms))
      // From beat to beat, so that the pulse itself, sampled twice a second, leaves no alias.
      lights.append((0.5 * (from + to), reading.wave.meanLight(lane: reading.lane, from: from, to: to)))
    }
    let series = [(heights, 1), (intervals, 1), (lights, 0.3)].map { values, weight in
      (points: Self.even(values, start, points), weight: weight)
    }
    let fused = Self.fused(series, 0..<points)
    // A modulation slower than half the heart rate only can be told from its alias.
    let fastest = min(0.6, 0.5e3 / statistics.meanMs)
    let halves = [0..<points / 2, points / 2..<points].map { Self.fused(series, $0) }
    if let peak = fused.peak(upTo: fastest), peak.share >= Self.leastShare(peak.frequency),
      halves.allSatisfy({ $0.share(near: peak.frequency) >= Self.leastHalfShare })
    {
      finding = .rate(60 * peak.frequency)
    } else {
      finding = .withheld("breathing does not show in the pulse")
    }
  }

  /// What several slow signals have in common over some of their points.
  private static func fused(_ series: [(points: [Double], weight: Double)], _ range: Range<Int>) -> BreathSpectrum {
    BreathSpectrum(fusing: series.map { (BreathSpectrum(Array($0.points[range])), $0.weight) })
  }

  /// Values at beats drawn out to even points by straight lines.
  private static func even(_ values: [(place: Double, value: Double)], _ start: Double, _ points: Int) -> [Double] {
    var next = 0
    return (0..<points).map { point in
      let place = start + Double(point * cellsPerPoint)
      while next < values.count, values[next].place <= place { next += 1 }
      if next == 0 { return values[0].value }
      if next == values.count { return values[next - 1].value }
      let (left, right) = (values[next - 1], values[next])
      return left.value + (right.value - left.value) * (place - left.place) / (right.place - left.place)
    }
  }
}
