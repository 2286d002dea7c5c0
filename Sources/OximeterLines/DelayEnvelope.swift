/// A straight line under the arrivals of evenly spaced frames: where each would have come without delay.
///
/// A frame comes when it was sent or later, never earlier, so what is known of the sender's clock is on the lower edge of
/// the arrivals. Of the lines under all of them, the one that is closest on average is an edge of their lower convex
/// hull (Zhang, Liu and Xia, "Clock synchronization algorithms for network measurements", INFOCOM 2002).
struct DelayEnvelope: Sendable {
  private struct Point {
    let index: Double
    let arrival: Double
  }

  /// The period as it was expected, in seconds, and how far off it may be, as a share.
  private let expected: Double
  private let uncertainty: Double
  private let permitted: ClosedRange<Double>
  /// The earliest arrivals of past blocks, by the line of their time.
  private var blocks: [Point] = []
  private var block: Point?
  private var blockEnd = 1.0
  /// Seconds between frames.
  private(set) var period: Double
  private var offset = 0.0

  /// Blocks grow with the time seen, up to a second each or four frames; so many are looked at.
  private static let longestBlock = 1.0
  private static let framesOfLongestBlock = 4.0
  private static let blocksSeen = 90

  /// An envelope without arrivals yet.
  ///
  /// - Parameters:
  ///   - expected: seconds between frames
  ///   - uncertainty: how far off that may be, as a share: one standard deviation
  ///   - permitted: the seconds between frames that are not left whatever comes
  init(expected: Double, uncertainty: Double, permitted: ClosedRange<Double>) {
    self.expected = expected
    self.uncertainty = uncertainty
    self.permitted = permitted
    period = expected
  }

  /// The seconds between the first and the last frame that the period is known from.
  var span: Double {
    guard let first = blocks.first, let last = blocks.last else { return 0 }
    return (last.index - first.index) * period
  }

  /// When the frame of that index would have come without delay, in seconds.
  func time(of index: Int) -> Double { offset + Double(index) * period }

  /// Takes in that the frame of an index, which must increase, came at `arrival` seconds.
  mutating func add(index: Int, arrival: Double) {
    let point = Point(index: Double(index), arrival: arrival)
    if blocks.isEmpty, block == nil {
      offset = height(point)
      blockEnd = point.index + 1
    }
    offset = min(offset, height(point))
    if let earliest = block, height(earliest) <= height(point) {} else { block = point }
    guard point.index + 1 >= blockEnd, let earliest = block else { return }
    blocks.append(earliest)
    block = nil
    let seen = point.index - (blocks.first?.index ?? point.index)
    let longest = max(Self.longestBlock / period, Self.framesOfLongestBlock)
    blockEnd = point.index + 1 + max(1, min(seen / 16, longest).rounded())
    if blocks.count > Self.blocksSeen { blocks.removeFirst() }
    fit()
  }

  /// How high a point is above the line of the same period through the origin.
  private func height(_ point: Point) -> Double { point.arrival - point.index * period }

  private mutating func fit() {
    guard let slope = edgeInTheMiddle() else { return }
    // Delays of up to 20 ms leave the slope of the hull over one second uncertain by about 0.3 %; over twice the time
    // there are twice the arrivals on twice the base.
    let spread = 0.003 / (span * span)
    let prior = uncertainty * uncertainty
    let weight = prior / (prior + spread * spread)
    let fitted = expected + weight * (slope - expected)
    period = min(max(fitted, permitted.lowerBound), permitted.upperBound)
    offset = blocks.reduce(.infinity) { min($0, height($1)) }
  }

  /// The slope of the lower hull's edge above the middle of what is seen; nil with fewer than three blocks.
  private func edgeInTheMiddle() -> Double? {
    guard blocks.count >= 3, let first = blocks.first, let last = blocks.last else { return nil }
    var hull: [Point] = []
    for point in blocks {
      while hull.count >= 2, !isBelow(hull[hull.count - 1], hull[hull.count - 2], point) { hull.removeLast() }
      hull.append(point)
    }
    let middle = (first.index + last.index) / 2
    guard let right = hull.indices.dropFirst().first(where: { hull[$0].index >= middle }) else { return nil }
    let (from, to) = (hull[right - 1], hull[right])
    return (to.arrival - from.arrival) / (to.index - from.index)
  }

  /// Whether `point` is below the line from `from` to `to`.
  private func isBelow(_ point: Point, _ from: Point, _ to: Point) -> Bool {
    (point.arrival - from.arrival) * (to.index - from.index) < (to.arrival - from.arrival) * (point.index - from.index)
  }
}
