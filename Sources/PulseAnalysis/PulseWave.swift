/// The last seconds of light on the grid, and the slope of the pulse in it, for all three colours at once.
///
/// The slope is the mean of the `reach` cells before a place less the mean of the `reach` cells after it: positive where
/// light falls, as it does when blood rushes in. The kernel is symmetric, so it moves no beat in time, and it is blind to
/// a constant and gentle on noise.
struct PulseWave: Sendable {
  /// Cells on each side of a slope: an eighth of a second.
  static let reach = 4
  /// Cells remembered: eight seconds.
  static let capacity = 256
  private static let mask = capacity - 1

  private var lights = [Light](repeating: Light(), count: capacity)
  private var sums = [Light](repeating: Light(), count: capacity)
  private var slopes = [Light](repeating: Light(), count: capacity)

  /// Cells taken in since the wave began.
  private(set) var count = 0
  /// Mean square of the slope over the last two seconds or so.
  private(set) var slopePower = Light()

  /// The last place whose slope is known; its middle lies half a cell after the cell of that number.
  var lastSlope: Int { count - 1 - Self.reach }

  func light(_ cell: Int) -> Light { lights[cell & Self.mask] }
  func slope(_ cell: Int) -> Light { slopes[cell & Self.mask] }
  /// Sum of the light from the cell after `from` through `to`.
  func sum(after from: Int, through to: Int) -> Light { sums[to & Self.mask] - sums[from & Self.mask] }

  /// Forgets everything, keeping the storage.
  mutating func restart() {
    count = 0
    slopePower = Light()
    sums[Self.mask] = Light()
  }

  /// Adds the next cell.
  mutating func append(_ light: Light) {
    let cell = count
    count += 1
    lights[cell & Self.mask] = light
    sums[cell & Self.mask] = sums[(cell - 1) & Self.mask] + light
    guard cell >= 2 * Self.reach else { return }
    let middle = cell - Self.reach
    let before = sum(after: middle - Self.reach, through: middle)
    let after = sum(after: middle, through: cell)
    let slope = (before - after) * (1 / Double(Self.reach))
    slopes[middle & Self.mask] = slope
    let share = 1 / Double(min(cell - 2 * Self.reach + 1, 64))
    slopePower += (slope * slope - slopePower) * share
  }
}
