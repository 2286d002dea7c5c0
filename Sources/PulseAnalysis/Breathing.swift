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
  /// Share of the fused spectrum that its peak must hold. Pulses without any breathing stay below it nine times in ten.
  private static let leastShare = 0.33

  /// Looks for breathing in a record whose beats are known.
  init(_ reading: RecordReading, _ statistics: IntervalStatistics) {
    let clean = statistics.intervals.filter(\.isNN)
    guard let first = clean.first, let last = clean.last, clean.count >= 16 else {
      finding = .withheld("too few clear beats to see breathing")
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
    for interval in clean {
      let from = reading.matches[interval.beat - 1].place
      let to = reading.matches[interval.beat].place
      let range = reading.wave.range(lane: reading.lane, from: Int(from), through: Int(to))
      heights.append((0.5 * (from + to), Maths.log(max(range, 1e-9))))
      intervals.append((0.5 * (from + to), interval.ms))
    }
    let height = BreathSpectrum(Self.even(heights, start, points))
    let interval = BreathSpectrum(Self.even(intervals, start, points))
    let light = BreathSpectrum(reading.wave.slowLight(lane: reading.lane, from: Int(start), points))
    let fused = BreathSpectrum(fusing: [(height, 1), (interval, 1), (light, 0.3)])
    // A modulation slower than half the heart rate only can be told from its alias.
    let fastest = min(0.6, 0.5e3 / statistics.meanMs)
    let peak = fused.peak(upTo: fastest)
    finding =
      peak.share >= Self.leastShare ? .rate(60 * peak.frequency) : .withheld("breathing does not show in the pulse")
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
