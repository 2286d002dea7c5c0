/// One period of a wave, tabulated, so that a frame costs a look-up and no `exp` or `sin`.
///
/// Between entries the wave is a straight line. With 1,024 entries a pulse is off by less than 1e-4 of its height,
/// far below one pixel count.
struct Waveform: Sendable {
  private let values: [Double]
  private let count: Double

  /// Tabulates `shape` over the phases 0...1.
  init(entries: Int = 1_024, shape: (Double) -> Double) {
    count = Double(entries)
    var values = (0...entries).map { shape(Double($0) / Double(entries)) }
    // One more, so that phase 1 itself has a right-hand neighbour.
    values.append(values[entries])
    self.values = values
  }

  /// The wave at a phase 0...1.
  @inline(__always)
  func value(at phase: Double) -> Double {
    let place = phase * count
    let index = Int(place)
    let left = values[index]
    return left + (values[index + 1] - left) * (place - Double(index))
  }
}

/// Bends the phase 0...1 of a period, its ends fixed: below 1 `stiffness` hurries the beginning, above 1 it delays it.
///
/// The map x / (x + k (1 - x)) is smooth and increasing for every k > 0.
func bent(_ phase: Double, stiffness: Double) -> Double {
  phase / (phase + stiffness * (1 - phase))
}

/// A smooth step: 0 at 0 and below, 1 at 1 and above, level at both ends (3x^2 - 2x^3).
func smoothStep(_ x: Double) -> Double {
  if x <= 0 { return 0 }
  if x >= 1 { return 1 }
  return x * x * (3 - 2 * x)
}
