import VitalsModel

/// What breathing may have changed from beat to beat: one point for each NN interval, in order.
///
/// Each point holds three signs of breathing as a vector: the length of the interval, as a share of the mean one (respiratory
/// sinus arrhythmia); the natural logarithm of the height of the pulse that ends it; and the mean light from foot to foot,
/// in heights of a pulse. The fourth lane is unused.
struct BreathTrace {
  /// Seconds to either side over which the mean is taken out.
  private static let reach = 4.25
  /// A point further out than this many median deviations is brought in to there.
  private static let farthest = 3.7

  /// The middle of each interval, in seconds since the beginning of the first one.
  private(set) var seconds: [Double] = []
  /// How much time each point stands for, in seconds; across a gap not more than half as long again as is usual.
  private(set) var weights: [Double] = []
  /// How far each point is from the mean of the eight and a half seconds around it.
  private(set) var values: [SIMD4<Double>] = []
  /// From the beginning of the first interval to the end of the last, in seconds.
  private(set) var span = 0.0
  /// Mean of the intervals, in seconds.
  let meanSeconds: Double

  /// The trace of some NN intervals, whose pulses are `pulseHeight` high as a share of the light.
  init(_ reading: RecordReading, _ intervals: [IntervalStatistics.Interval], pulseHeight: Double) {
    var sum = 0.0
    for interval in intervals { sum += interval.ms }
    let meanMs = sum / Double(max(intervals.count, 1))
    meanSeconds = 1e-3 * meanMs
    seconds.reserveCapacity(intervals.count)
    values.reserveCapacity(intervals.count)
    let start = intervals.first.map { reading.matches[$0.beat - 1].place } ?? 0
    for interval in intervals {
      let from = reading.matches[interval.beat - 1].place
      let to = reading.matches[interval.beat].place
      seconds.append((0.5 * (from + to) - start) / LightGrid.rate)
      span = (to - start) / LightGrid.rate
      let light = reading.wave.meanLight(lane: reading.lane, from: from, to: to)
      values.append(
        SIMD4(
          interval.ms / meanMs, Maths.log(max(reading.matches[interval.beat].height, 1e-9)), light / pulseHeight, 0))
    }
    guard values.count >= 3 else { return }
    values = Self.levelled(values, at: seconds)
    limit()
    weigh()
  }

  /// Values with what is slower than breathing taken out: the mean of the eight and a half seconds around each.
  static func levelled<Value: SIMD>(_ raw: [Value], at seconds: [Double]) -> [Value]
  where Value.Scalar == Double {
    var result = raw
    var sum = Value()
    var (first, end) = (0, 0)
    for index in raw.indices {
      while end < raw.count, seconds[end] <= seconds[index] + reach {
        sum += raw[end]
        end += 1
      }
      while seconds[first] < seconds[index] - reach {
        sum -= raw[first]
        first += 1
      }
      result[index] = raw[index] - sum / Double(end - first)
    }
    return result
  }

  /// Brings in what is too far out.
  private mutating func limit() {
    var limit = SIMD4<Double>()
    for lane in 0..<3 {
      limit[lane] = Self.farthest * values.map { $0[lane].magnitude }.ranked(values.count / 2)
    }
    for index in values.indices { values[index].clamp(lowerBound: -limit, upperBound: limit) }
  }

  private mutating func weigh() {
    let last = seconds.count - 1
    weights = seconds.indices.map { index in
      let (before, after) = (max(index - 1, 0), min(index + 1, last))
      return (seconds[after] - seconds[before]) / Double(after - before)
    }
    let usual = weights.ranked(weights.count / 2)
    for index in weights.indices { weights[index] = min(weights[index], 1.5 * usual) }
  }
}
