import VitalsModel

/// What the pixels of a sensor count on average, and how they differ, at each level of light.
///
/// A pixel holds the light and normal noise, is cut off at 0 and at the sensor's ceiling, goes through the tone curve and
/// is rounded to a whole count. Levels, means and spreads are on the scale of 0...255 whatever the depth.
struct PixelResponse: Sendable {
  static let ceiling = 255.0

  /// A pixel's mean and standard deviation.
  typealias Pixel = (mean: Double, spread: Double)

  private enum Curve: Sendable {
    /// Whole counts average out to the light, and only the ends need a formula.
    case linear
    /// Everything else is tabulated.
    case table(ResponseTable)
  }

  private let noise: LevelNoise
  /// The size of a count.
  private let count: Double
  private let curve: Curve

  init(_ settings: CameraSettings) {
    noise = LevelNoise(settings)
    count = Self.ceiling / settings.depth.largestCount
    // Half a count of noise makes a pixel fall on its neighbours as often as the light lies between them, to 1 %.
    let isFair = noise.spread(at: 0) >= count / 2
    curve =
      settings.gamma == 1 && isFair
      ? .linear
      : .table(ResponseTable(noise: noise, gamma: settings.gamma, largestCount: settings.depth.largestCount))
  }

  /// The pixels at a level of light, 0 or more.
  func pixel(at level: Double) -> Pixel {
    switch curve {
    case .linear: linear(level)
    case .table(let table): table.pixel(at: level)
    }
  }

  private func linear(_ level: Double) -> Pixel {
    let spread = noise.spread(at: level)
    if level > Self.ceiling - 5 * spread {
      return capped(mean: level, spread: spread, ceiling: Self.ceiling, count: count)
    }
    guard level < 5 * spread else { return (level, spread) }
    // The floor at 0 is the same thing upside down.
    let mirrored = capped(mean: -level, spread: spread, ceiling: 0, count: count)
    return (-mirrored.mean, mirrored.spread)
  }
}

/// The noise of a pixel before it is cut off: read noise and photon shot noise, amplified by the gain.
struct LevelNoise: Sendable {
  /// Variance of a dark pixel, squared counts.
  let dark: Double
  /// Variance that each count of level adds.
  let perCount: Double

  init(_ settings: CameraSettings) {
    dark = settings.readNoiseCounts * settings.readNoiseCounts * settings.gain * settings.gain
    // Shot noise belongs to the light before the gain: g^2 shot (level / g).
    perCount = settings.shotNoise * settings.gain
  }

  /// Standard deviation at a level after the gain.
  func spread(at level: Double) -> Double { (dark + perCount * max(level, 0)).squareRoot() }
}

/// Mean and standard deviation of a normal variable that is rounded to whole counts and cut off at a whole ceiling.
///
/// With Z standard normal and z the ceiling in its units, min(Z, z) has mean z (1 - Phi(z)) - phi(z) and mean square
/// Phi(z) - z phi(z) + z^2 (1 - Phi(z)). Rounding raises the mean by the density at the ceiling over 24, in counts, which
/// is the error of the midpoint rule in the sum over counts.
private func capped(mean: Double, spread: Double, ceiling: Double, count: Double) -> PixelResponse.Pixel {
  let z = (ceiling - mean) / spread
  let density = Maths.exp(-z * z / 2) / (2 * Double.pi).squareRoot()
  let above = upperTail(z, density: density)
  let first = z * above - density
  let second = 1 - above - z * density + z * z * above
  return (
    mean + spread * first + count * count * density / (24 * spread),
    spread * max(second - first * first, 0).squareRoot()
  )
}

/// The chance that a standard normal variable lies above `z`, within 7.5e-8 (Abramowitz and Stegun, 26.2.17).
private func upperTail(_ z: Double, density: Double) -> Double {
  let t = 1 / (1 + 0.231_641_9 * z.magnitude)
  let sum =
    t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return z >= 0 ? density * sum : 1 - density * sum
}

/// A pixel's mean and spread at evenly spaced levels of light, exact to the last count at each, with a cubic between them
/// for the mean and a straight line for the spread.
struct ResponseTable: Sendable {
  /// Levels in the spread of a dark pixel: nothing changes faster than noise smooths it.
  private static let levelsPerSpread = 8.0
  /// Beyond this many spreads a pixel does not reach.
  private static let reach = 6.0

  private let levelsPerCount: Double
  private let means: [Double]
  private let spreads: [Double]
  private let ceiling: Double

  init(noise: LevelNoise, gamma: Double, largestCount: Double) {
    let ceiling = PixelResponse.ceiling
    self.ceiling = ceiling
    let count = ceiling / largestCount
    // The light at which a pixel goes over to the next count.
    let thresholds = (1...Int(largestCount)).map { index in
      ceiling * Maths.pow((Double(index) - 0.5) / largestCount, 1 / gamma)
    }
    levelsPerCount = Self.levelsPerSpread / noise.spread(at: 0)
    var top = ceiling
    // Where even the lowest pixel is at the ceiling.
    while top - Self.reach * noise.spread(at: top) < ceiling { top += noise.spread(at: ceiling) }
    var means: [Double] = []
    var spreads: [Double] = []
    var first = 0
    for index in 0...Int(top * levelsPerCount) + 1 {
      let level = Double(index) / levelsPerCount
      let spread = noise.spread(at: level)
      while first < thresholds.count, thresholds[first] < level - Self.reach * spread { first += 1 }
      // Every count that is certain, and each further one by its chance.
      var (mean, square) = (Double(first), Double(first * first))
      for next in first..<thresholds.count {
        let z = (thresholds[next] - level) / spread
        if z > Self.reach { break }
        let chance = upperTail(z, density: Maths.exp(-z * z / 2) / (2 * Double.pi).squareRoot())
        mean += chance
        square += Double(2 * next + 1) * chance
      }
      means.append(count * mean)
      spreads.append(count * max(square - mean * mean, 0).squareRoot())
    }
    self.means = means
    self.spreads = spreads
  }

  func pixel(at level: Double) -> PixelResponse.Pixel {
    let place = level * levelsPerCount
    guard place < Double(means.count - 1) else { return (ceiling, 0) }
    let index = Int(place)
    let share = place - Double(index)
    let (from, to) = (means[index], means[index + 1])
    let before = means[max(index - 1, 0)]
    let after = means[min(index + 2, means.count - 1)]
    // Catmull and Rom's cubic: through both ends, with the slopes of their neighbours.
    let (slopeFrom, slopeTo) = ((to - before) / (index == 0 ? 1 : 2), (after - from) / 2)
    let bend = slopeFrom + slopeTo - 2 * (to - from)
    let mean = from + share * (slopeFrom + share * (to - from - slopeFrom - bend + share * bend))
    return (mean, spreads[index] + share * (spreads[index + 1] - spreads[index]))
  }
}
