import VitalsModel

/// How a slow signal with two points a second spreads over the frequencies of breathing, as shares of 1.
struct BreathSpectrum {
  /// 6 to 37.5 breaths a minute, in steps of 0.5.
  private static let lowest = 0.1
  private static let step = 1 / 120.0
  private static let count = 64
  private static let rate = 2.0
  /// What every frequency is given in a product, so that one signal without breathing does not veto the others.
  private static let floor = 3.2e-4

  private var shares = [Double](repeating: 0, count: count)

  /// The spectrum of even points, detrended over eight seconds, with wild points cut to what is usual.
  ///
  /// Each power is multiplied by the square of the frequency: the slow waves of blood pressure, about six a minute, and drift
  /// fall off with frequency and would outshine breathing.
  init(_ points: [Double]) {
    let clean = Self.level(points)
    var total = 0.0
    var group = 0
    while group < Self.count {
      var frequencies = SIMD8<Double>()
      var turns = SIMD8<Double>()
      for lane in 0..<8 {
        frequencies[lane] = Self.lowest + Self.step * Double(group + lane)
        turns[lane] = 2 * Maths.cos(2 * .pi * frequencies[lane] / Self.rate)
      }
      let power = Self.powers(clean, turns) * frequencies * frequencies
      for lane in 0..<8 { shares[group + lane] = power[lane] }
      total += power.sum()
      group += 8
    }
    guard total > 0 else { return }
    for index in shares.indices { shares[index] /= total }
  }

  /// The weighted geometric mean of several: a frequency counts when it shows in all.
  init(fusing parts: [(spectrum: BreathSpectrum, weight: Double)]) {
    var weights = 0.0
    for part in parts { weights += part.weight }
    var total = 0.0
    for index in shares.indices {
      var sum = 0.0
      for part in parts { sum += part.weight * Maths.log(part.spectrum.shares[index] + Self.floor) }
      shares[index] = Maths.exp(sum / weights)
      total += shares[index]
    }
    for index in shares.indices { shares[index] /= total }
  }

  /// The strongest frequency in hertz, as the centre of its peak, and the share of the two breaths a minute around it; nil
  /// where it is the flank of something slower or faster than can be told.
  func peak(upTo highest: Double) -> (frequency: Double, share: Double)? {
    var best = 0
    for index in shares.indices where Self.lowest + Self.step * Double(index) <= highest && shares[index] > shares[best]
    {
      best = index
    }
    guard best > 0, best + 1 < Self.count, shares[best + 1] <= shares[best] else { return nil }
    var sum = 0.0
    var moment = 0.0
    for index in max(best - 2, 0)...min(best + 2, Self.count - 1) {
      sum += shares[index]
      moment += shares[index] * (Self.lowest + Self.step * Double(index))
    }
    return (moment / sum, sum)
  }

  /// The share of the five breaths a minute around a frequency.
  func share(near frequency: Double) -> Double {
    let middle = Int(((frequency - Self.lowest) / Self.step).rounded())
    var sum = 0.0
    for index in max(middle - 5, 0)...min(max(middle + 5, 0), Self.count - 1) { sum += shares[index] }
    return sum
  }

  /// Goertzel's recurrence for eight frequencies at once, over points under a Hann window.
  private static func powers(_ points: [Double], _ turns: SIMD8<Double>) -> SIMD8<Double> {
    var before = SIMD8<Double>()
    var last = SIMD8<Double>()
    for point in points {
      let next = turns * last - before + point
      before = last
      last = next
    }
    return last * last + before * before - turns * last * before
  }

  private static func level(_ points: [Double]) -> [Double] {
    let reach = 8
    var sums = [0.0]
    sums.reserveCapacity(points.count + 1)
    for point in points { sums.append(sums[sums.count - 1] + point) }
    var result = points.indices.map { index in
      let from = max(index - reach, 0)
      let to = min(index + reach + 1, points.count)
      return points[index] - (sums[to] - sums[from]) / Double(to - from)
    }
    let sizes = result.map(\.magnitude).sorted()
    let limit = 3.7 * sizes[sizes.count / 2]
    // The Hann window by a turning pointer, one sine and cosine for the whole of it.
    let angle = 2 * Double.pi / Double(result.count)
    let turn = (cosine: Maths.cos(angle), sine: Maths.sin(angle))
    var pointer = (cosine: Maths.cos(0.5 * angle), sine: Maths.sin(0.5 * angle))
    for index in result.indices {
      result[index] = min(max(result[index], -limit), limit) * (0.5 - 0.5 * pointer.cosine)
      pointer = (
        pointer.cosine * turn.cosine - pointer.sine * turn.sine, pointer.sine * turn.cosine + pointer.cosine * turn.sine
      )
    }
    return result
  }
}
