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
  private var followed = [Double](repeating: 0, count: capacity)

  /// The colour that is followed: 0 red, 1 green, 2 blue.
  private(set) var lane = 0
  /// 1 where falling light is a beat, -1 where the camera inverts.
  private(set) var sign = 1.0

  /// Cells taken in since the wave began.
  private(set) var count = 0
  /// Mean square of the slope over the last two seconds or so.
  private(set) var slopePower = Light()

  /// The last place whose slope is known; its middle lies half a cell after the cell of that number.
  var lastSlope: Int { count - 1 - Self.reach }

  /// The light of a cell, of the colour that is followed.
  func light(_ cell: Int) -> Double { lights[cell & Self.mask][lane] }
  /// The slope at a cell, of the colour that is followed and with its sign.
  func slope(_ cell: Int) -> Double { followed[cell & Self.mask] }
  /// The light of the last cell, of all colours.
  var lastLight: Light { lights[(count - 1) & Self.mask] }
  /// The last slope of all colours.
  var lastSlopes: Light { slopes[lastSlope & Self.mask] }
  /// Sum of the light from the cell after `from` through `to`.
  @inline(__always)
  func sum(after from: Int, through to: Int) -> Light { sums[to & Self.mask] - sums[from & Self.mask] }

  /// Forgets everything, keeping the storage.
  mutating func restart() {
    count = 0
    slopePower = Light()
    lane = 0
    sign = 1
    sums[Self.mask] = Light()
  }

  /// Follows a colour from now on, in what is remembered too.
  mutating func follow(lane: Int, sign: Double) {
    self.lane = lane
    self.sign = sign
    for place in slopes.indices { followed[place] = sign * slopes[place][lane] }
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
    followed[middle & Self.mask] = sign * slope[lane]
    let share = 1 / Double(min(cell - 2 * Self.reach + 1, 64))
    slopePower += (slope * slope - slopePower) * share
  }
}
