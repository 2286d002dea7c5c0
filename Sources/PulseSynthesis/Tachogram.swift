import VitalsModel

/// A slow wave of the heart rate below 0.04 Hz: one and two periods over a stretch, level with the mean at both ends.
enum SlowWave {
  /// Periods in a whole minute, at most.
  static let mostPerMin = 2.0

  /// The wave over `count` intervals with a standard deviation of 1.
  static func draw(_ count: Int, from generator: inout SeededGenerator) -> [Double] {
    func height(_ generator: inout SeededGenerator) -> Double {
      let isUp = generator.uniform() < 0.5
      return (isUp ? 1 : -1) * generator.uniform(in: 0.5...1)
    }
    let (one, two) = (height(&generator), height(&generator))
    let scale = (2 / (one * one + two * two)).squareRoot()
    return (0..<count).map { index in
      let angle = 2 * .pi * (Double(index) + 0.5) / Double(count)
      return scale * (one * Maths.sin(angle) + two * Maths.sin(2 * angle))
    }
  }
}

/// The intervals of a stretch as they deviate from their means, in the parts they are made of, all in ms.
///
/// `levelled` puts the parts together so that the stretch has the RMSSD and the SDNN asked for, and the deviations
/// add up to nothing.
struct Tachogram {
  /// No interval is further from its mean than this share of it.
  static let intervalLimit = 0.395
  /// Fewer intervals than this are left as chance made them.
  private static let fewest = 8
  /// Within a stretch the variability is evened out over so many intervals, so that windows which begin in mid-minute
  /// are close to what was asked as well.
  private static let evening = 12
  /// Levelling ends within this share of what was asked, or after so many passes.
  private static let tolerance = 1e-4
  private static let passes = 40

  /// The mean intervals.
  let means: [Double]
  /// What comes with breathing and near 0.1 Hz.
  var rhythmic: [Double]
  /// Random, and made good by and by.
  var memoryless: [Double]
  /// Random, and made good by the next interval: where a small SDNN is asked for, it takes the place of `memoryless`.
  let restless: [Double]
  /// Slow, with a standard deviation of 1: where a large SDNN is asked for, it is added.
  let slow: [Double]

  /// How much of each part is taken.
  private struct Weights {
    var rhythmic = 1.0
    var memoryless = 1.0
    var restless = 0.0
    var slow = 0.0

    var array: [Double] { [rhythmic, memoryless, restless, slow] }
  }

  /// The deviations of the stretch.
  func levelled(rmssdMs: Double, sdnnMs: Double?) -> [Double] {
    if rmssdMs == 0 || means.count < 2 { return means.map { _ in 0 } }
    if means.count < Self.fewest { return combined(Weights()) }
    let evened = evened(rmssdMs: rmssdMs)
    guard let sdnnMs else { return evened.levelled(rmssdMs: rmssdMs) }
    return evened.levelled(rmssdMs: rmssdMs, both: sdnnMs)
  }

  /// The fast parts as they are, scaled until the RMSSD is as asked.
  private func levelled(rmssdMs: Double) -> [Double] {
    var weights = Weights()
    var deviations = combined(weights)
    // Once is enough unless an interval meets its limit; each further pass makes up for what the limits take away.
    for _ in 0..<Self.passes {
      let missing = rmssdMs / max(rootMeanSquareStep(deviations), 1e-9)
      if (missing - 1).magnitude < Self.tolerance { break }
      weights.rhythmic *= missing
      weights.memoryless *= missing
      deviations = combined(weights)
    }
    return deviations
  }

  /// All parts weighted until the RMSSD and the SDNN are as asked.
  private func levelled(rmssdMs: Double, both sdnnMs: Double) -> [Double] {
    let products = Products(self)
    var (rmssd, sdnn) = (rmssdMs, sdnnMs)
    var deviations: [Double] = []
    for _ in 0..<Self.passes {
      deviations = combined(Self.weights(products, rmssdMs: rmssd, sdnnMs: sdnn))
      let missingSteps = rmssdMs / max(rootMeanSquareStep(deviations), 1e-9)
      let missingSpread = sdnnMs / max(standardDeviation(deviations), 1e-9)
      if max((missingSteps - 1).magnitude, (missingSpread - 1).magnitude) < Self.tolerance { break }
      // What the limits take away is asked for on top.
      rmssd = min(rmssd * missingSteps, 4 * rmssdMs)
      sdnn = min(sdnn * missingSpread, 4 * sdnnMs)
    }
    return deviations
  }

  /// The same with the fast parts scaled, a dozen intervals at a time, to the asked RMSSD.
  private func evened(rmssdMs: Double) -> Tachogram {
    var evened = self
    var first = 0
    while first < means.count {
      // A remainder goes with the last dozen.
      let end = first + 2 * Self.evening > means.count ? means.count : first + Self.evening
      let values = (first..<end).map { rhythmic[$0] + memoryless[$0] }
      let gain = rmssdMs / max(rootMeanSquareStep(values), 1e-9)
      for index in first..<end {
        evened.rhythmic[index] *= gain
        evened.memoryless[index] *= gain
      }
      first = end
    }
    return evened
  }

  /// The parts put together within the limits, with mean 0.
  private func combined(_ weights: Weights) -> [Double] {
    var sums = means.indices.map { index in
      weights.rhythmic * rhythmic[index] + weights.memoryless * memoryless[index]
        + weights.restless * restless[index] + weights.slow * slow[index]
    }
    for _ in 0..<4 {
      let mean = sums.reduce(0, +) / Double(sums.count)
      for index in sums.indices {
        let limit = Self.intervalLimit * means[index]
        sums[index] = min(max(sums[index] - mean, -limit), limit)
      }
    }
    let mean = sums.reduce(0, +) / Double(sums.count)
    return sums.map { $0 - mean }
  }

  private func rootMeanSquareStep(_ values: [Double]) -> Double {
    var sum = 0.0
    for index in 1..<values.count {
      let step = values[index] - values[index - 1]
      sum += step * step
    }
    return (sum / Double(values.count - 1)).squareRoot()
  }

  /// Standard deviation of values with mean 0, over their number less one.
  private func standardDeviation(_ values: [Double]) -> Double {
    (values.map { $0 * $0 }.reduce(0, +) / Double(values.count - 1)).squareRoot()
  }

  /// The weights that give the asked RMSSD, and the SDNN.
  private static func weights(_ products: Products, rmssdMs: Double, sdnnMs: Double) -> Weights {
    // From -2, restless alone, through -1 without the memoryless part, to 0 and on to the slow wave alone: the SDNN
    // grows throughout. Below -1 goes only what by chance swings more than it should.
    var (low, high) = (-2.0, 4 * sdnnMs)
    var weights = Weights()
    for _ in 0..<50 {
      let middle = (low + high) / 2
      weights = Weights()
      if middle < -1 {
        weights.rhythmic = 2 + middle
        weights.memoryless = 0
        weights.restless = 1
      } else if middle < 0 {
        weights.restless = -middle
        weights.memoryless = (1 - middle * middle).squareRoot()
      } else {
        weights.slow = middle
      }
      weights = scaled(weights, products, rmssdMs: rmssdMs)
      let variance = products.value(products.ofValues, weights.array)
      if variance < sdnnMs * sdnnMs { low = middle } else { high = middle }
    }
    return weights
  }

  /// Scales all but the slow wave until the RMSSD is as asked; to nothing where that wave alone has it.
  private static func scaled(_ weights: Weights, _ products: Products, rmssdMs: Double) -> Weights {
    var scaled = weights
    scaled.slow = 0
    let fast = products.value(products.ofSteps, scaled.array)
    let mixed = products.value(products.ofSteps, scaled.array, [0, 0, 0, weights.slow])
    let rest = products.value(products.ofSteps, [0, 0, 0, weights.slow]) - rmssdMs * rmssdMs
    // fast g^2 + 2 mixed g + rest = 0
    let gain = rest >= 0 ? 0 : ((mixed * mixed - fast * rest).squareRoot() - mixed) / max(fast, 1e-12)
    scaled.rhythmic *= gain
    scaled.memoryless *= gain
    scaled.restless *= gain
    scaled.slow = weights.slow
    return scaled
  }
}

/// Mean products of the parts of a tachogram with each other, of their values and of their steps.
private struct Products {
  let ofValues: [[Double]]
  let ofSteps: [[Double]]

  init(_ tachogram: Tachogram) {
    let parts = [tachogram.rhythmic, tachogram.memoryless, tachogram.restless, tachogram.slow]
    let values = parts.map { part in
      let mean = part.reduce(0, +) / Double(part.count)
      return part.map { $0 - mean }
    }
    func products(_ series: [[Double]], over count: Int) -> [[Double]] {
      series.map { one in
        series.map { other in zip(one, other).map { $0 * $1 }.reduce(0, +) / Double(count) }
      }
    }
    ofValues = products(values, over: tachogram.means.count - 1)
    ofSteps = products(values.map(Self.steps), over: tachogram.means.count - 1)
  }

  static func steps(_ values: [Double]) -> [Double] { zip(values, values.dropFirst()).map { $1 - $0 } }

  /// The mean product of two weighted sums of the parts.
  func value(_ products: [[Double]], _ one: [Double], _ other: [Double]? = nil) -> Double {
    let other = other ?? one
    var sum = 0.0
    for row in 0..<4 {
      for column in 0..<4 { sum += one[row] * other[column] * products[row][column] }
    }
    return sum
  }
}
