/// The usual shape of a pulse around its rise, learnt as beats come in.
struct PulseShape: Sendable {
  /// Cells before and after the steepest one.
  private static let before = 5
  private static let length = 14

  private var usual = SIMD16<Double>()
  private var count = 0

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
    }
    return likeness
  }
}
