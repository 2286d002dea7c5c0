import VitalsModel

/// How far the light is from changing alike up and down, or alike before and after: a pulse does neither.
///
/// Blood rushes in and ebbs slowly, so the slopes of a pulse are skewed; or its wave stands as a narrow hill over a wide
/// valley, so the level is. Both come from harmonics that are locked in phase with the beat. Noise of any colour has
/// independent phases; a sine, a triangle, a square wave and whatever else swings to and fro has no even harmonics; two tones
/// that are not locked drift through all phases. In all of these both skewnesses are nothing but chance. (Skewness is also
/// what tells the quality of a fingertip's wave best of eight measures: Elgendi, "Optimal signal quality index for
/// photoplethysmogram signals", Bioengineering 3, 2016.)
struct PulseSkewness: Sendable {
  /// Cells of a window: five seconds, or three pulses where those take longer.
  private static let window = 160
  /// No window counts for more than this, so that a single jerk does not speak for a record.
  private static let most = 2.0

  /// Skewness of the slopes, and of the level above its mean over a pulse; the mean of the windows, each within -2...2.
  private(set) var slope = 0.0
  private(set) var level = 0.0
  /// How many windows could be judged.
  private(set) var windows = 0

  /// Both together, whichever way up the light is. One that speaks against a pulse counts by half: real fingers have it with
  /// slopes that are skewed all the more.
  var size: Double {
    let sign = slope + 0.5 * level >= 0 ? 1.0 : -1.0
    let (slope, level) = (sign * slope, sign * level)
    let parts = (slope: slope < 0 ? 0.5 * slope : slope, level: level < 0 ? 0.5 * level : level)
    return (parts.slope * parts.slope + parts.level * parts.level).squareRoot()
  }

  /// How far noise's own chance is made larger by taking its share out of what the moments are measured by; 1 without noise.
  private var gain = 1.0

  /// Whether chance or an even swing would hardly be skewed as much: the fewer the windows and the more the noise, the farther
  /// chance goes.
  var isPulse: Bool { size > 0.35 + 0.35 * gain / Double(max(windows, 1)).squareRoot() }

  /// Nothing known.
  init() {}

  /// Judges one colour of a record, whose pulse lasts `period` cells, where it can be trusted.
  init(_ wave: RecordWave, lane: Int, period: Double, noise: Double) {
    let reach = min(max(Int(0.12 * period), 2), 4)
    let half = max(Int(0.5 * period), 4)
    let count = wave.lights.count
    guard count > 2 * half + reach else { return }
    let length = max(Self.window, Int(3 * period))
    let least = Double(min(length, 96))
    var sums = Sums(noise: SIMD2(2 * noise, noise) / Double(reach))
    // The sum of the light before each cell. A level is the mean of as many cells as a slope's side, less that of a whole
    // pulse around it.
    let rest = wave.withSums(lane) { light in
      let (side, whole) = (1 / Double(reach), 1 / Double(2 * half + 1))
      let before = reach / 2
      var moments = Moments()
      for run in wave.trustedRuns(longerThan: 2 * half) {
        var first = run.lowerBound + half
        while first < run.upperBound - half {
          let end = min(first + length - Int(moments.count), run.upperBound - half)
          moments.add(first..<end) { cell in
            let middle = light.four(at: cell + 1)
            let slope = (middle - light.four(at: cell + 1 - reach)) - (light.four(at: cell + 1 + reach) - middle)
            let near = light.four(at: cell - before + reach) - light.four(at: cell - before)
            let around = light.four(at: cell + half + 1) - light.four(at: cell - half)
            return (slope * side, around * whole - near * side)
          }
          if moments.count == Double(length) {
            sums.add(moments)
            moments = Moments()
          }
          first = end
        }
      }
      return moments
    }
    // What is left counts where it is most of a window, or all there is.
    if rest.count >= least, sums.windows == 0 || rest.count > 0.6 * Double(length) { sums.add(rest) }
    guard sums.windows > 0 else { return }
    windows = sums.windows
    slope = sums.slope / Double(windows)
    level = sums.level / Double(windows)
    gain = sums.gain / Double(windows)
  }

  /// What the windows add up to.
  private struct Sums {
    /// The part of noise in the second moments of slope and level.
    let noise: SIMD2<Double>
    var windows = 0
    var (slope, level, gain) = (0.0, 0.0, 0.0)

    init(noise: SIMD2<Double>) { self.noise = noise }

    mutating func add(_ moments: Moments) {
      windows += 1
      let (slope, level) = moments.skewness(noise: noise)
      self.slope += slope.value.clamped(to: PulseSkewness.most)
      self.level += level.value.clamped(to: PulseSkewness.most)
      gain += max(slope.gain, level.gain)
    }
  }

  /// Sums of slope and level, their squares and their cubes.
  private struct Moments {
    var count = 0.0
    private var slope = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
    private var level = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())

    /// Adds the slopes and levels of some cells, of which `values` gives four from one on; all are small beside 1.
    @inline(__always)
    mutating func add(_ cells: Range<Int>, _ values: (Int) -> (slope: SIMD4<Double>, level: SIMD4<Double>)) {
      count += Double(cells.count)
      var (slope, level) = (slope, level)
      for cell in stride(from: cells.lowerBound, to: cells.upperBound, by: 4) {
        var four = values(cell)
        let left = cells.upperBound - cell
        if left < 4 { four = (four.slope.prefix(left), four.level.prefix(left)) }
        let squares = (slope: four.slope * four.slope, level: four.level * four.level)
        slope = (slope.0 + four.slope, slope.1 + squares.slope, slope.2 + squares.slope * four.slope)
        level = (level.0 + four.level, level.1 + squares.level, level.2 + squares.level * four.level)
      }
      (self.slope, self.level) = (slope, level)
    }

    /// The skewnesses of slope and level, which hold `noise`.
    func skewness(noise: SIMD2<Double>) -> (slope: Skewness, level: Skewness) {
      (skewness(slope, noise: noise[0]), skewness(level, noise: noise[1]))
    }

    typealias Skewness = (value: Double, gain: Double)

    /// The third moment about the mean over the power 3/2 of the second one, of which at most two thirds are `noise`, which is
    /// as often above as below and so has no part in the third; and by how much it is larger so.
    private func skewness(_ sums: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>), noise: Double) -> Skewness {
      let mean = sums.0.sum() / count
      let second = sums.1.sum() / count - mean * mean
      guard second > 0 else { return (0, 1) }
      let third = sums.2.sum() / count - mean * (3 * second + mean * mean)
      let clear = max(second - noise, second / 3)
      let share = second / clear
      return (third / (clear * clear.squareRoot()), share * share.squareRoot())
    }
  }
}

extension Double {
  /// The number within `-limit...limit`.
  fileprivate func clamped(to limit: Double) -> Double { Swift.min(Swift.max(self, -limit), limit) }
}
