import VitalsModel

/// Tells breathing from its alias: what is seen once a beat, at a rate of b a minute, looks like breathing at the heart rate
/// less b.
///
/// The mean light of either half of every beat is seen twice a beat. Both halves are darker when there is more blood or when
/// the pulse is higher, so that what is faster than half the heart rate shows as what it is.
struct BreathFold {
  /// Breaths per second; no adult at rest breathes faster, 45 a minute.
  private static let fastest = 0.75
  /// How far above the mean of all, and above the slower rate, the power at the faster rate must stand.
  private static let (clear, larger) = (5.0, 2.0)

  private let reading: RecordReading
  private let intervals: [IntervalStatistics.Interval]
  private let trace: BreathTrace

  /// Prepares to look at the light within the intervals of a trace.
  init(_ reading: RecordReading, _ intervals: [IntervalStatistics.Interval], _ trace: BreathTrace) {
    self.reading = reading
    self.intervals = intervals
    self.trace = trace
  }

  /// Whether the light of half beats shows breathing at the heart rate less `rate`, in breaths per second, rather than at
  /// `rate`. What is too fast for a body is not looked for.
  func isFaster(than rate: Double) -> Bool {
    let folded = 1 / trace.meanSeconds - rate
    guard folded < Self.fastest, folded > rate else { return false }
    let start = reading.matches[intervals[0].beat - 1].place
    var seconds: [Double] = []
    var lights: [SIMD2<Double>] = []
    for interval in intervals {
      let from = reading.matches[interval.beat - 1].place
      let to = reading.matches[interval.beat].place
      let middle = 0.5 * (from + to)
      seconds.append((middle - start) / LightGrid.rate)
      lights.append(
        SIMD2(
          reading.wave.meanLight(lane: reading.lane, from: from, to: middle),
          reading.wave.meanLight(lane: reading.lane, from: middle, to: to)))
    }
    let level = BreathTrace.levelled(lights, at: seconds)
    var squares = SIMD2<Double>()
    for light in level { squares += light * light }
    func power(_ rate: Double) -> Double {
      var (cosine, sine) = (0.0, 0.0)
      for index in level.indices {
        let quarter = 0.25 * 1e-3 * intervals[index].ms
        for half in 0..<2 {
          let angle = 2 * .pi * rate * (seconds[index] + (half == 0 ? -quarter : quarter))
          cosine += level[index][half] * Maths.cos(angle)
          sine += level[index][half] * Maths.sin(angle)
        }
      }
      return cosine * cosine + sine * sine
    }
    let fast = power(folded)
    return fast > Self.clear * squares.sum() && fast > Self.larger * power(rate)
  }
}
