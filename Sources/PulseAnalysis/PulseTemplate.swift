/// The record's own typical pulse, and where in the record it occurs.
struct PulseTemplate {
  /// A place where the typical pulse fits.
  struct Match {
    /// In cells, finer than a cell.
    var place: Double
    /// Correlation with the typical pulse, -1...1.
    var likeness: Double
    /// Size relative to the typical pulse.
    var height: Double
  }

  /// The pulse, zero outside; its energy is 1.
  private var shape: [Double] = []
  private let before: Int

  /// Learns the typical pulse from the slopes around `rises`. `period` is in cells.
  init(_ slopes: [Double], rises: [Int], period: Double) {
    let length = min(max(Int(0.66 * period), 9), 22)
    before = length * 2 / 5
    shape = average(slopes, rises, length: length, like: nil)
    shape = average(slopes, rises, length: length, like: shape)
  }

  private func average(_ slopes: [Double], _ rises: [Int], length: Int, like model: [Double]?) -> [Double] {
    var sum = [Double](repeating: 0, count: length)
    for rise in rises where rise >= before && rise + length - before <= slopes.count {
      var energy = 0.0
      var product = 0.0
      for index in 0..<length {
        let value = slopes[rise - before + index]
        energy += value * value
        if let model { product += value * model[index] }
      }
      let size = energy.squareRoot()
      guard size > 0, model == nil || product > 0.6 * size else { continue }
      for index in 0..<length { sum[index] += slopes[rise - before + index] / size }
    }
    var energy = 0.0
    for value in sum { energy += value * value }
    let size = energy.squareRoot()
    return size > 0 ? sum.map { $0 / size } : sum
  }

  /// Every place where the typical pulse fits best in its surroundings, in order.
  func matches(_ slopes: [Double], track: PeriodTrack) -> [Match] {
    let length = shape.count
    let count = slopes.count - length + 1
    guard count > 2 else { return [] }
    var found: [Match] = []
    slopes.withUnsafeBufferPointer { slopes in
      shape.withUnsafeBufferPointer { shape in
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * count) { room in
          var energy = 0.0
          for index in 0..<length - 1 { energy += slopes[index] * slopes[index] }
          for start in 0..<count {
            energy += slopes[start + length - 1] * slopes[start + length - 1]
            var product = 0.0
            for index in 0..<length { product += slopes[start + index] * shape[index] }
            room[start] = product
            room[count + start] = energy > 1e-18 ? product / energy.squareRoot() : 0
            energy = max(energy - slopes[start] * slopes[start], 0)
          }
          found = peaks(
            UnsafeBufferPointer(rebasing: room[..<count]), UnsafeBufferPointer(rebasing: room[count...]), track)
        }
      }
    }
    return found
  }

  private func peaks(
    _ products: UnsafeBufferPointer<Double>, _ likenesses: UnsafeBufferPointer<Double>, _ track: PeriodTrack
  )
    -> [Match]
  {
    var found: [Match] = []
    for start in 1..<products.count - 1 {
      let middle = products[start]
      guard middle > products[start - 1], middle >= products[start + 1], likenesses[start] > 0.3 else { continue }
      let bend = products[start - 1] - 2 * middle + products[start + 1]
      let shift = bend < 0 ? 0.5 * (products[start - 1] - products[start + 1]) / bend : 0
      // A slope lies half a cell after the cell of its number.
      let match = Match(
        place: Double(start + before) + 0.5 + shift, likeness: likenesses[start], height: middle)
      if let last = found.last, match.place - last.place < 0.55 * track.cells(at: start) {
        if match.height > last.height { found[found.count - 1] = match }
      } else {
        found.append(match)
      }
    }
    return found
  }
}
