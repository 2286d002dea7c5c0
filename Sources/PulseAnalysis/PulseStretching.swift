/// What it does to a typical pulse to be a little longer, its foot in place.
///
/// A template fits where the pulse is steepest, and that comes after the foot: the later, the longer the pulse.
struct PulseStretching {
  /// The product with a pulse, over the pulse's size, is its stretch; the size and a small shift do not change it.
  let mode: [Double]
  /// Sum of the squares of the typical pulse's change from cell to cell.
  let steepness: Double
  /// How many cells a pulse longer by a share of 1 is found late.
  let delay: Double

  /// How the typical pulse `shape` stretches.
  init(of shape: [Double]) {
    let count = shape.count
    let slant = Self.slant(of: shape)
    steepness = Self.product(slant, slant)
    let foot = Self.foot(shape)
    // A pulse longer by a share e is the typical one less e times this.
    var change = slant.indices.map { (Double($0) - foot) * slant[$0] }
    let late = steepness > 0 ? Self.product(change, slant) / steepness : 0
    let size = Self.product(change, shape)
    for index in change.indices { change[index] -= late * slant[index] + size * shape[index] }
    let energy = Self.product(change, change)
    mode = energy > 0 ? change.map { -$0 / energy } : change
    // Further back than a third of the pulse there is no foot, but something else that rises.
    delay = late > 0 && 3 * late < Double(count) ? late : 0
  }

  /// A shape's change from cell to cell.
  static func slant(of shape: [Double]) -> [Double] {
    var slant = [Double](repeating: 0, count: shape.count)
    for index in 1..<shape.count - 1 { slant[index] = 0.5 * (shape[index + 1] - shape[index - 1]) }
    return slant
  }

  private static func product(_ left: [Double], _ right: [Double]) -> Double {
    var sum = 0.0
    for index in left.indices { sum += left[index] * right[index] }
    return sum
  }

  /// Where the rise begins: at a quarter of its steepest slope.
  private static func foot(_ shape: [Double]) -> Double {
    var top = 0
    for index in shape.indices where shape[index] > shape[top] { top = index }
    let begun = 0.25 * shape[top]
    for index in stride(from: top - 1, through: 0, by: -1) where shape[index] < begun {
      return Double(index) + (begun - shape[index]) / (shape[index + 1] - shape[index])
    }
    return 0
  }
}

/// How pulses lengthen with the intervals that they begin, over a record.
struct StretchTrend {
  private static let leastBeats = 12

  /// Mean of the intervals, in cells.
  private(set) var meanInterval = 0.0
  /// By which share a pulse is longer for a share that its interval is longer: 0 where that cannot be told from chance,
  /// otherwise up to 1.25: hardly more than in proportion.
  private(set) var slope = 0.0

  /// Draws a straight line through stretch against interval.
  init(_ matches: [PulseTemplate.Match], _ track: PeriodTrack) {
    var points: [(interval: Double, stretch: Double)] = []
    points.reserveCapacity(matches.count)
    for index in matches.indices.dropLast() where matches[index].isSharp && matches[index + 1].isSharp {
      let interval = matches[index + 1].place - matches[index].place
      let usual = track.cells(at: Int(matches[index].place))
      guard interval > 0.6 * usual, interval < 1.5 * usual else { continue }
      points.append((interval, min(max(matches[index].stretch, -0.5), 0.5)))
    }
    guard points.count >= Self.leastBeats else { return }
    let number = Double(points.count)
    var mean = (interval: 0.0, stretch: 0.0)
    for point in points {
      mean.interval += point.interval / number
      mean.stretch += point.stretch / number
    }
    meanInterval = mean.interval
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0
    for point in points {
      let x = point.interval / mean.interval - 1
      let y = point.stretch - mean.stretch
      xx += x * x
      xy += x * y
      yy += y * y
    }
    guard xx > 0, xy > 0 else { return }
    let steepest = min(xy / xx, 1.25)
    let variance = max(yy - xy * xy / xx, 0) / (number - 2) / xx
    slope = steepest * max(1 - 2 * variance / (steepest * steepest), 0)
  }
}
