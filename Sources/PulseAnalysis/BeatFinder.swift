/// Finds beats in the slope of the pulse as it comes in: the highest slope within reach, once it is certain.
struct BeatFinder: Sendable {
  /// A rise of the pulse.
  struct Rise: Sendable {
    /// The place of the steepest slope, in cells.
    var cell: Int
    /// Its slope.
    var height: Double
  }

  /// Cells for which nothing higher must follow a rise, at any rate.
  private static let leastWait = 4

  /// Heights of the last beats, in a ring.
  private var heights = SIMD8<Double>()
  private(set) var heightCount = 0
  private var candidate: Rise?
  private var earliest = 0
  /// The place of the last beat, in cells; before the first, where the listening began.
  private(set) var lastCell = 0
  /// Height of a usual beat: the median of the last five.
  private(set) var usualHeight = 0.0

  /// Whether there is no rise that may turn out to be a beat: what falls then changes nothing.
  var isIdle: Bool { candidate == nil }

  /// Begins with the highest slope seen while listening; beats count from `from` on.
  mutating func begin(from cell: Int, height: Double) {
    self = BeatFinder()
    usualHeight = height
    earliest = cell
    lastCell = cell
  }

  /// Takes the next slope and returns a beat that has become certain.
  ///
  /// `period` is the expected one, in cells. A rise counts when it passes 45 % of a usual one and nothing higher follows
  /// for a third of the period; for the first 55 % of a period after a beat, 0.4 s at most, it must come near a usual one.
  /// Where the period `mayBePaired`, the sum of two of a heart whose every second beat is premature, what comes after all
  /// echoes may be that beat, and its pulse is a weak one.
  @inline(__always)
  mutating func step(
    _ cell: Int, _ slope: Double, period: @autoclosure () -> Double, mayBePaired: Bool = false
  ) -> Rise? {
    guard cell >= earliest else { return nil }
    if slope > candidate?.height ?? 0 { consider(Rise(cell: cell, height: slope), period()) }
    guard let rise = candidate, cell - rise.cell >= Self.leastWait else { return nil }
    return conclude(cell, rise, period(), mayBePaired)
  }

  private mutating func consider(_ rise: Rise, _ period: Double) {
    // Soon after a beat only a rise of nearly a usual one's size is another beat, and not the dicrotic wave.
    let isEarly = Double(rise.cell - lastCell) < min(0.55 * period, PulseTemplate.latestEcho)
    if !isEarly || rise.height >= 0.75 * usualHeight { candidate = rise }
  }

  private mutating func conclude(_ cell: Int, _ rise: Rise, _ period: Double, _ mayBePaired: Bool) -> Rise? {
    guard cell - rise.cell >= min(max(Int(0.33 * period), Self.leastWait), 9) else { return nil }
    candidate = nil
    guard rise.height >= threshold(at: rise.cell, period: period, mayBePaired: mayBePaired) else { return nil }
    remember(rise.height)
    let refractory = mayBePaired ? min(0.35 * period, PulseTemplate.latestEcho) : 0.35 * period
    earliest = max(rise.cell + max(Int(refractory), 7), cell + 1)
    lastCell = rise.cell
    return rise
  }

  /// The height a rise must pass; it sinks when beats stay away, so that a weaker pulse is found again.
  private func threshold(at cell: Int, period: Double, mayBePaired: Bool) -> Double {
    let silence = Double(cell - lastCell) / max(period, 16)
    let share = silence < 1.7 ? (mayBePaired ? 0.38 : 0.45) : silence < 2.7 ? 0.3 : silence < 4.5 ? 0.15 : 0.08
    return share * usualHeight
  }

  private mutating func remember(_ height: Double) {
    heights[heightCount % 5] = height
    heightCount += 1
    usualHeight = median(of: heights, count: min(heightCount, 5))
  }
}

/// The median of the first `count` of up to eight numbers; the lower middle one when `count` is even. `count` > 0.
func median(of values: SIMD8<Double>, count: Int) -> Double {
  if count == 5 {
    // The greatest of the lesser and the least of the greater of two pairs lie about the middle of all.
    let lesser = max(min(values[0], values[1]), min(values[2], values[3]))
    let greater = min(max(values[0], values[1]), max(values[2], values[3]))
    return max(min(lesser, greater), min(max(lesser, greater), values[4]))
  }
  var sorted = values
  for index in 1..<max(count, 2) where index < count {
    let value = sorted[index]
    var place = index
    while place > 0, sorted[place - 1] > value {
      sorted[place] = sorted[place - 1]
      place -= 1
    }
    sorted[place] = value
  }
  return sorted[(count - 1) / 2]
}
