/// How long a pulse lasts in a stretch of signal, and how surely the signal repeats.
struct PulsePeriod: Sendable {
  /// The period in grid cells; 0 when none was found.
  var cells = 0.0
  /// Correlation of the signal with itself one period later, -1...1.
  var strength = 0.0

  /// Shortest and longest period looked for, in half-rate steps (two grid cells): 3.4 to 0.55 beats per second.
  static let shortest = 4
  static let longest = 29

  /// Finds the period of `signal`, at half the grid's rate and about zero in the mean.
  ///
  /// The normalised autocorrelation, its first peak that comes near the highest one: a signal that repeats after one
  /// pulse also repeats after two, so that the highest alone would halve the rate.
  static func find(_ signal: UnsafeBufferPointer<Float>) -> PulsePeriod {
    let count = signal.count
    let top = min(longest, count * 2 / 3)
    guard top > shortest + 1 else { return PulsePeriod() }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: top + 1) { ratios in
      var total: Float = 0
      for value in signal { total += value * value }
      guard total > 0 else { return PulsePeriod() }
      var head = total
      var tail = total
      for lag in 1..<shortest - 1 {
        tail -= signal[lag - 1] * signal[lag - 1]
        head -= signal[count - lag] * signal[count - lag]
      }
      for lag in shortest - 1...top {
        tail -= signal[lag - 1] * signal[lag - 1]
        head -= signal[count - lag] * signal[count - lag]
        let energy = max(head, 0) * max(tail, 0)
        ratios[lag] = energy > 0 ? dot(signal, lag) / energy.squareRoot() : 0
      }
      return firstHighPeak(UnsafeBufferPointer(ratios), top)
    }
  }

  /// Sum of the products of the signal with itself `lag` later, eight lanes at a time.
  @inline(__always)
  private static func dot(_ signal: UnsafeBufferPointer<Float>, _ lag: Int) -> Float {
    let count = signal.count - lag
    var sums = SIMD8<Float>()
    var index = 0
    guard let base = signal.baseAddress.map({ UnsafeRawPointer($0) }) else { return 0 }
    while index + 8 <= count {
      let left = base.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
      let right = base.loadUnaligned(fromByteOffset: (index + lag) * 4, as: SIMD8<Float>.self)
      sums += left * right
      index += 8
    }
    var sum = sums.sum()
    while index < count {
      sum += signal[index] * signal[index + lag]
      index += 1
    }
    return sum
  }

  private static func firstHighPeak(_ ratios: UnsafeBufferPointer<Float>, _ top: Int) -> PulsePeriod {
    func isPeak(_ lag: Int) -> Bool { ratios[lag] > ratios[lag - 1] && (lag == top || ratios[lag] >= ratios[lag + 1]) }
    var highest: Float = 0
    for lag in shortest...top where isPeak(lag) { highest = max(highest, ratios[lag]) }
    guard highest > 0 else { return PulsePeriod() }
    for lag in shortest...top where isPeak(lag) && ratios[lag] >= 0.75 * highest {
      guard lag < top else { return PulsePeriod(cells: Double(2 * lag), strength: Double(ratios[lag])) }
      let left = Double(ratios[lag - 1])
      let middle = Double(ratios[lag])
      let right = Double(ratios[lag + 1])
      let bend = left - 2 * middle + right
      let shift = bend < 0 ? 0.5 * (left - right) / bend : 0
      return PulsePeriod(cells: 2 * (Double(lag) + shift), strength: middle)
    }
    return PulsePeriod()
  }
}
