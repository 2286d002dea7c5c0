import VitalsModel

/// What the pixels of a sensor count on average, and how they differ, at each level of light.
///
/// A pixel holds the light and normal noise, is cut off at 0 and at the sensor's ceiling, goes through the tone curve and
/// is rounded to a whole count. Levels, means and spreads are on the scale of 0...255 whatever the depth.
struct PixelResponse: Sendable {
  static let ceiling = 255.0

  /// A pixel's mean and standard deviation.
  typealias Pixel = (mean: Double, spread: Double)

  private let noise: LevelNoise
  /// The size of a count.
  private let count: Double
  /// What becomes of pixels whose whole counts do not average out to the light; nil where they do, and only the ends need
  /// a formula.
  private var table: ResponseTable?

  init(_ settings: CameraSettings) {
    noise = LevelNoise(settings)
    count = Self.ceiling / settings.depth.largestCount
    // Half a count of noise makes a pixel fall on its neighbours as often as the light lies between them, to 1 %.
    let isFair = noise.spread(at: 0) >= count / 2
    table =
      settings.gamma == 1 && isFair
      ? nil : ResponseTable(noise: noise, gamma: settings.gamma, largestCount: settings.depth.largestCount)
  }

  /// The pixels at a level of light, 0 or more.
  mutating func pixel(at level: Double) -> Pixel { table?.pixel(at: level) ?? linear(level) }

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
///
/// A level is worked out when light first comes near it: a finger's light touches few of them, and all together take
/// longer than a minute of frames.
struct ResponseTable: Sendable {
  /// Levels in the spread of a dark pixel: nothing changes faster than noise smooths it.
  private static let levelsPerSpread = 8.0
  /// Beyond this many spreads a pixel does not reach.
  private static let reach = 6.0

  private let noise: LevelNoise
  /// The size of a count.
  private let count: Double
  /// The light at which a pixel goes over to the next count, in order.
  private let thresholds: [Double]
  private let levelsPerCount: Double
  /// The pixels at each level; means that are not worked out yet are no numbers.
  private var pixels: [PixelResponse.Pixel]

  init(noise: LevelNoise, gamma: Double, largestCount: Double) {
    let ceiling = PixelResponse.ceiling
    self.noise = noise
    count = ceiling / largestCount
    thresholds = (1...Int(largestCount)).map { index in
      ceiling * Maths.pow((Double(index) - 0.5) / largestCount, 1 / gamma)
    }
    levelsPerCount = Self.levelsPerSpread / noise.spread(at: 0)
    var top = ceiling
    // Where even the lowest pixel is at the ceiling.
    while top - Self.reach * noise.spread(at: top) < ceiling { top += noise.spread(at: ceiling) }
    pixels = Array(repeating: (.nan, .nan), count: Int(top * levelsPerCount) + 2)
  }

  mutating func pixel(at level: Double) -> PixelResponse.Pixel {
    let place = level * levelsPerCount
    let last = pixels.count - 1
    guard place < Double(last) else { return (PixelResponse.ceiling, 0) }
    let index = Int(place)
    let share = place - Double(index)
    let near = (max(index - 1, 0), min(index + 2, last))
    if (pixels[near.0].mean + pixels[index].mean + pixels[index + 1].mean + pixels[near.1].mean).isNaN {
      for number in near.0...near.1 where pixels[number].mean.isNaN {
        pixels[number] = sum(at: Double(number) / levelsPerCount)
      }
    }
    let (from, to) = (pixels[index], pixels[index + 1])
    let (before, after) = (pixels[near.0].mean, pixels[near.1].mean)
    // Catmull and Rom's cubic: through both ends, with the slopes of their neighbours.
    let (slopeFrom, slopeTo) = ((to.mean - before) / (index == 0 ? 1 : 2), (after - from.mean) / 2)
    let bend = slopeFrom + slopeTo - 2 * (to.mean - from.mean)
    let mean = from.mean + share * (slopeFrom + share * (to.mean - from.mean - slopeFrom - bend + share * bend))
    return (mean, from.spread + share * (to.spread - from.spread))
  }

  /// Mean and spread by the chance of each count.
  private func sum(at level: Double) -> PixelResponse.Pixel {
    let spread = noise.spread(at: level)
    let first = countBelow(level - Self.reach * spread)
    // Every count that is certain, and each further one by its chance.
    var (mean, square) = (Double(first), Double(first * first))
    for next in first..<thresholds.count {
      let z = (thresholds[next] - level) / spread
      if z > Self.reach { break }
      let chance = upperTail(z, density: Maths.exp(-z * z / 2) / (2 * Double.pi).squareRoot())
      mean += chance
      square += Double(2 * next + 1) * chance
    }
    return (count * mean, count * max(square - mean * mean, 0).squareRoot())
  }

  /// How many thresholds lie below a level.
  private func countBelow(_ level: Double) -> Int {
    var (low, high) = (0, thresholds.count)
    while low < high {
      let middle = (low + high) / 2
      if thresholds[middle] < level { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
