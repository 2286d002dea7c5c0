/// Finds how long a pulse lasts in windows that overlap, each product of two values of the signal taken once.
///
/// At any lag, the sum of the products over a window is that of some whole pieces, each as long as windows lie apart, and
/// of the beginning of one more. Sixteen pieces are worked on at once, a lane each.
struct OverlappingWindows {
  private typealias Pieces = SIMD16<Float>

  /// Values from one window's beginning to the next one's.
  private let hop: Int
  /// Values of a window.
  private let length: Int
  /// How many windows there are.
  private let count: Int
  /// The longest lag that is looked at.
  private let top: Int
  /// Groups of sixteen pieces, and the values of each that are kept: its own and what follows within the longest lag.
  private let groups: Int
  private let depth: Int

  /// Windows of so many values, so far apart, over a signal of `signalCount` values; as many as fit.
  init(length: Int, hop: Int, signalCount: Int) {
    self.hop = hop
    self.length = length
    count = signalCount < length ? 0 : (signalCount - length) / hop + 1
    top = PulsePeriod.longestLag(of: length)
    groups = (count + length / hop + Pieces.scalarCount - 1) / Pieces.scalarCount
    depth = hop + top
  }

  /// The period in each window of a `signal` that is about zero in the mean.
  func periods(_ signal: UnsafeBufferPointer<Float>) -> [PulsePeriod] {
    guard count > 0, top > PulsePeriod.shortest + 1 else {
      return [PulsePeriod](repeating: PulsePeriod(), count: count)
    }
    return withUnsafeTemporaryAllocation(of: Pieces.self, capacity: groups * (depth + 2)) { room in
      let pieces = UnsafeMutableBufferPointer(rebasing: room[..<(groups * depth)])
      let sums = Sums(
        heads: UnsafeMutableBufferPointer(rebasing: room[groups * depth..<groups * (depth + 1)]),
        totals: UnsafeMutableBufferPointer(rebasing: room[(groups * (depth + 1))...]))
      lay(signal, pieces)
      let stride = groups * Pieces.scalarCount
      return withUnsafeTemporaryAllocation(of: Float.self, capacity: (top + 2) * stride) { rows in
        // A row for each lag with the sums of the products in all windows, and one for the sums of the values.
        for lag in 0...top where lag == 0 || lag >= PulsePeriod.first {
          multiply(UnsafeBufferPointer(pieces), lag: lag, sums)
          gather(sums, lag: lag, UnsafeMutableBufferPointer(rebasing: rows[lag * stride..<(lag + 1) * stride]))
        }
        add(UnsafeBufferPointer(pieces), sums)
        gather(sums, lag: 0, UnsafeMutableBufferPointer(rebasing: rows[(top + 1) * stride..<(top + 2) * stride]))
        return (0..<count).map { window in
          period(
            UnsafeBufferPointer(rebasing: signal[window * hop..<window * hop + length]),
            UnsafeBufferPointer(rebasing: rows[window...]), stride: stride)
        }
      }
    }
  }

  /// For each piece, a sum over its beginning, as far as a window reaches that ends there, and over all of it.
  private struct Sums {
    let heads: UnsafeMutableBufferPointer<Pieces>
    let totals: UnsafeMutableBufferPointer<Pieces>
  }

  /// Puts the signal's pieces side by side; beyond the signal there is nothing.
  private func lay(_ signal: UnsafeBufferPointer<Float>, _ pieces: UnsafeMutableBufferPointer<Pieces>) {
    pieces.initialize(repeating: Pieces())
    pieces.withMemoryRebound(to: Float.self) { values in
      for piece in 0..<groups * Pieces.scalarCount {
        let from = piece * hop
        var place = piece / Pieces.scalarCount * depth * Pieces.scalarCount + piece % Pieces.scalarCount
        for index in from..<max(min(from + depth, signal.count), from) {
          values[place] = signal[index]
          place += Pieces.scalarCount
        }
      }
    }
  }

  /// Sums the products of the pieces' values with those `lag` later.
  private func multiply(_ pieces: UnsafeBufferPointer<Pieces>, lag: Int, _ sums: Sums) {
    let part = (length - lag) % hop
    for group in 0..<groups {
      let near = UnsafeBufferPointer(rebasing: pieces[group * depth..<group * depth + hop])
      let later = UnsafeBufferPointer(rebasing: pieces[group * depth + lag..<group * depth + lag + hop])
      var sum = Pieces()
      for index in 0..<part { sum += near[index] * later[index] }
      sums.heads[group] = sum
      for index in part..<hop { sum += near[index] * later[index] }
      sums.totals[group] = sum
    }
  }

  /// Sums the pieces' values themselves.
  private func add(_ pieces: UnsafeBufferPointer<Pieces>, _ sums: Sums) {
    let part = length % hop
    for group in 0..<groups {
      let values = UnsafeBufferPointer(rebasing: pieces[group * depth..<group * depth + hop])
      var sum = Pieces()
      for index in 0..<part { sum += values[index] }
      sums.heads[group] = sum
      for index in part..<hop { sum += values[index] }
      sums.totals[group] = sum
    }
  }

  /// Puts together the sum over each window less `lag`.
  private func gather(_ sums: Sums, lag: Int, _ row: UnsafeMutableBufferPointer<Float>) {
    let whole = (length - lag) / hop
    sums.heads.withMemoryRebound(to: Float.self) { heads in
      sums.totals.withMemoryRebound(to: Float.self) { totals in
        for window in 0..<count { row[window] = heads[window + whole] }
        for piece in 0..<whole {
          for window in 0..<count { row[window] += totals[window + piece] }
        }
      }
    }
  }

  /// The period in one window, from its column in the rows of sums, about the window's own mean.
  private func period(
    _ values: UnsafeBufferPointer<Float>, _ rows: UnsafeBufferPointer<Float>, stride: Int
  ) -> PulsePeriod {
    let sum = Double(rows[(top + 1) * stride])
    let mean = sum / Double(length)
    let squares = Double(rows[0])
    let total = squares - mean * sum
    // What is left beside a mean a thousand times as large is rounding.
    guard total > 1e-6 * squares else { return PulsePeriod() }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: top + 1) { ratios in
      var head = total
      var tail = total
      // The mean's part in a product's sum: it is in both values, and the lag leaves some out at either end.
      var part = mean * sum
      for lag in 1...top {
        let first = Double(values[lag - 1]) - mean
        let last = Double(values[length - lag]) - mean
        tail -= first * first
        head -= last * last
        part -= mean * (first + last + mean)
        guard lag >= PulsePeriod.first else { continue }
        let product = Double(rows[lag &* stride]) - part
        ratios[lag] = head > 0 && tail > 0 ? Float(product) / Float(head * tail).squareRoot() : 0
      }
      return PulsePeriod.firstHighPeak(UnsafeBufferPointer(ratios), top)
    }
  }
}
