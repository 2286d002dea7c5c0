/// The period of the pulse over a whole record, from windows of eight seconds.
struct PeriodTrack {
  private static let window = 256

  private let hopBits: Int
  private var hop: Int { 1 << hopBits }
  private var periods: [PulsePeriod] = []
  /// Mean strength of the repetition over the windows, -1...1.
  private(set) var strength = 0.0
  /// Median period of the windows that repeat well, in cells; 0 when none does.
  private(set) var usual = 0.0
  /// Pulses in a cell, averaged over the windows that repeat well; 0 when none does.
  private(set) var meanRate = 0.0

  /// Follows the period through the slopes of a record, a window every two to the power `hopBits` cells.
  init(_ slopes: [Double], hopBits: Int = 6) {
    self.hopBits = hopBits
    let length = min(Self.window, slopes.count & ~1)
    guard length >= 64 else { return }
    periods = withUnsafeTemporaryAllocation(of: Float.self, capacity: slopes.count / 2) { halves in
      slopes.withUnsafeBufferPointer { Self.halve($0, halves) }
      let windows = OverlappingWindows(length: length / 2, hop: hop / 2, signalCount: halves.count)
      return windows.periods(UnsafeBufferPointer(halves))
    }
    var sum = 0.0
    for period in periods { sum += period.strength }
    strength = sum / Double(periods.count)
    settle()
  }

  /// The period expected at a cell.
  func cells(at cell: Int) -> Double { periods.isEmpty ? 0 : periods[index(at: cell)].cells }

  /// How surely the signal repeats around a cell, -1...1.
  func strength(at cell: Int) -> Double { periods.isEmpty ? 0 : periods[index(at: cell)].strength }

  /// The window whose middle is nearest to a cell; there is one.
  private func index(at cell: Int) -> Int {
    min(max((cell - Self.window / 2 + hop / 2) >> hopBits, 0), periods.count - 1)
  }

  /// Sums of two slopes each, in thousandths, about their mean.
  private static func halve(_ slopes: UnsafeBufferPointer<Double>, _ halves: UnsafeMutableBufferPointer<Float>) {
    let mean = UnsafeBufferPointer(rebasing: slopes[..<(2 * halves.count)]).total / Double(halves.count)
    for index in 0..<halves.count {
      halves[index] = Float(1_000 * (slopes[2 * index] + slopes[2 * index + 1] - mean))
    }
  }

  private func cells(strongerThan least: Double) -> [Double] {
    var cells: [Double] = []
    cells.reserveCapacity(periods.count)
    for period in periods where period.strength > least { cells.append(period.cells) }
    return cells
  }

  /// Replaces periods that fit neither their neighbours nor themselves.
  private mutating func settle() {
    var strong = cells(strongerThan: 0.4)
    // A heart without order, or one that swings far with the breath, hardly repeats: there is only a notion of its rate.
    if strong.isEmpty { strong = cells(strongerThan: 0.15) }
    usual = strong.isEmpty ? 0 : strong.ranked(strong.count / 2)
    guard usual > 0 else { return }
    let raw = periods
    var near = SortedFew()
    for index in raw.indices {
      near.clear()
      for other in max(index - 3, 0)...min(index + 3, raw.count - 1) where raw[other].strength > 0.4 {
        near.add(raw[other].cells)
      }
      let middle = near.count == 0 ? usual : near[near.count / 2]
      let own = raw[index]
      let fits = own.strength > 0.4 && own.cells > 0.7 * middle && own.cells < 1.4 * middle
      if !fits { periods[index].cells = middle }
    }
    var rates = 0.0
    var number = 0.0
    for period in periods where period.strength > 0.4 {
      rates += 1 / period.cells
      number += 1
    }
    meanRate = number > 0 ? rates / number : 0
  }
}
