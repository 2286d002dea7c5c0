/// The usual shape of a pulse around its rise, learnt as beats come in.
struct PulseShape: Sendable {
  /// Cells before and after the steepest one.
  private static let before = 5
  private static let length = 14

  private var usual = SIMD16<Double>()
  private var count = 0
  /// What the last pulses looked like that were not as usual, and how many of them in a row looked alike.
  private var other = SIMD16<Double>()
  private var otherCount = 0

  /// So many pulses in a row that look alike, and not as usual, are the new usual: the old one was learnt from noise.
  private static let takeover = 4

  /// Correlation, -1...1, of the pulse around a cell with the usual one, which then learns from it.
  mutating func compare(_ wave: PulseWave, around cell: Int) -> Double {
    var pulse = SIMD16<Double>()
    let first = cell - Self.before
    let start = wave.light(first)
    let end = wave.light(first + Self.length - 1)
    let lean = (end - start) / Double(Self.length - 1)
    var mean = 0.0
    for index in 0..<Self.length {
      let value = -wave.sign * (wave.light(first + index) - start - lean * Double(index))
      pulse[index] = value
      mean += value
    }
    mean /= Double(Self.length)
    for index in 0..<Self.length { pulse[index] -= mean }
    let size = (pulse * pulse).sum().squareRoot()
    guard size > 0 else { return 0 }
    pulse /= size
    let usualSize = (usual * usual).sum().squareRoot()
    let likeness = usualSize > 0 ? (pulse * usual).sum() / usualSize : 1
    // The first pulses teach most; later ones only if they look alike, so that motion does not.
    if count < 3 || likeness > 0.6 {
      usual += (pulse - usual) * (1 / Double(min(count + 1, 6)))
      count += 1
      otherCount = 0
    } else {
      learnOther(pulse)
    }
    return likeness
  }

  private mutating func learnOther(_ pulse: SIMD16<Double>) {
    otherCount = otherCount > 0 && Self.correlation(pulse, other) > 0.75 ? otherCount + 1 : 1
    other = otherCount == 1 ? pulse : other + (pulse - other) * (1 / Double(otherCount))
    guard otherCount == Self.takeover else { return }
    (usual, count, otherCount) = (other, otherCount, 0)
  }

  /// Correlation of a pulse of size 1 with a shape; both have mean 0.
  private static func correlation(_ pulse: SIMD16<Double>, _ shape: SIMD16<Double>) -> Double {
    let size = (shape * shape).sum().squareRoot()
    return size > 0 ? (pulse * shape).sum() / size : 0
  }
}
