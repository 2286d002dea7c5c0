/// What light whose colours all change alike must show to be a pulse's all the same: those of a camera that gives brightness
/// alone, or of software that makes them alike.
///
/// Lamps and exposures that swing between levels are skewed in one way only. A saw, as a lamp that beats with the frames or a
/// control that hunts makes, is steeper on one side and stays equally long at every level; a flash leaves narrow hills with
/// sides alike; two or three tones reach 0.8. Pulses of 36 to 205 beats a minute have 0.9 to 1.8, whose level is as much as
/// 1.2 in model pulses and -0.6 in some public recordings, and a step that decays has 2.
struct PulseSigns {
  /// Skewness of the slopes and of the level: see `PulseSkewness`.
  let slope: Double
  let level: Double
  /// How long a pulse lasts, in cells of the grid.
  let period: Double
  /// How surely the light repeats, -1...1.
  let strength: Double
  /// Mean likeness of the pulses, -1...1.
  let likeness: Double

  /// Whether all of them are a pulse's beyond doubt; `isDoubtful` where it is not sure that the colours change alike.
  func areSure(isDoubtful: Bool = false) -> Bool {
    let size = (slope * slope + level * level).squareRoot()
    // Above 110 beats a minute slopes hold too little of a pulse's shape to show all of it.
    return ((isDoubtful || period < 17.5 ? 0.75 : 0.85)...1.8).contains(size) && slope.magnitude > 0.1
      && level.magnitude > 0.15
      && strength > 0.6
      && likeness > 0.9
  }
}

extension PulseSigns {
  /// Those of the last `cells` of light as it comes in; `noise` is the variance of a slope by the noise of frames.
  init(_ wave: PulseWave, cells: Int, period: PulsePeriod, noise: Double, likeness: Double) {
    let reach = min(max(Int(0.12 * period.cells), 2), 4)
    let half = max(Int(0.5 * period.cells), 4)
    // A side of a slope holds fewer cells, and so more noise, than one that is followed.
    let noise = noise * Double(PulseWave.reach) / Double(reach)
    let last = wave.count - 1 - half
    let first = max(last - cells, wave.count - PulseWave.capacity + half + 1, half + 1)
    var slopes = Moments()
    var levels = Moments()
    for cell in stride(from: first, through: last, by: 1) {
      let before = wave.sum(after: cell - reach, through: cell)[wave.lane]
      slopes.add((before - wave.sum(after: cell, through: cell + reach)[wave.lane]) / Double(reach))
      let near = wave.sum(after: cell - 1 - reach / 2, through: cell - 1 - reach / 2 + reach)[wave.lane]
      let around = wave.sum(after: cell - half - 1, through: cell + half)[wave.lane]
      levels.add(around / Double(2 * half + 1) - near / Double(reach))
    }
    self.init(
      slope: slopes.skewness(noise: noise), level: levels.skewness(noise: 0.5 * noise), period: period.cells,
      strength: period.strength,
      likeness: likeness)
  }

  /// Sums of small numbers, of their squares and of their cubes.
  private struct Moments {
    private var count = 0.0
    private var sums = SIMD3<Double>()

    mutating func add(_ value: Double) {
      count += 1
      sums += SIMD3(1, value, value * value) * value
    }

    /// As of `PulseSkewness`: at most two thirds of the second moment are noise.
    func skewness(noise: Double) -> Double {
      let means = sums / max(count, 1)
      let second = means.y - means.x * means.x
      guard second > 0 else { return 0 }
      let third = means.z - means.x * (3 * second + means.x * means.x)
      let clear = max(second - noise, second / 3)
      return third / (clear * clear.squareRoot())
    }
  }
}
