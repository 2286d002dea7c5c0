/// Finds how long a pulse lasts in windows that overlap, each product of two values of the signal taken once.
///
/// At any lag, the sum of the products over a window is that of some whole pieces, each as long as windows lie apart, and
/// of the beginning of one more. Sixteen pieces, and then four windows, are worked on at once, a lane each.
struct OverlappingWindows {
  private typealias Lanes = SIMD16<Float>

  /// Values from one window's beginning to the next one's.
  private let hop: Int
  /// Values of a window.
  private let length: Int
  /// How many windows there are.
  private let count: Int
  /// The longest lag that is looked at.
  private let top: Int
  /// How many times sixteen hold all pieces that some window reaches. A row of numbers has sixteen spare ones, since a window
  /// reaches beyond its own piece.
  private let groups: Int

  /// Windows of so many values, so far apart, over a signal of `signalCount` values; as many as fit.
  init(length: Int, hop: Int, signalCount: Int) {
    self.hop = hop
    self.length = length
    count = signalCount < length ? 0 : (signalCount - length) / hop + 1
    top = PulsePeriod.longestLag(of: length)
    groups = (count + length / hop + Lanes.scalarCount - 1) / Lanes.scalarCount
  }

  /// The period in each window of a `signal` that is about zero in the mean.
  func periods(_ signal: UnsafeBufferPointer<Float>) -> [PulsePeriod] {
    guard count > 0, top > PulsePeriod.shortest + 1 else {
      return [PulsePeriod](repeating: PulsePeriod(), count: count)
    }
    let rows = (values: hop + top, products: top + 1)
    let size = (rows.values + 2 * rows.products + 3) * (groups + 1)
    return withUnsafeTemporaryAllocation(of: Lanes.self, capacity: size) { room in
      let values = Rows(lanes: room, width: groups + 1)
      let heads = values.after(rows.values)
      let totals = heads.after(1)
      let sums = totals.after(1)
      let products = sums.after(1)
      let powers = products.after(rows.products)
      UnsafeMutableBufferPointer(rebasing: room[..<((rows.values + 2) * (groups + 1))]).initialize(repeating: Lanes())
      lay(signal, values)
      add(values, lag: nil, heads, totals)
      gather(heads, totals, lag: 0, sums, row: 0)
      for lag in 0...top where lag == 0 || lag >= PulsePeriod.first {
        add(values, lag: lag, heads, totals)
        gather(heads, totals, lag: lag, products, row: lag)
      }
      for window in stride(from: 0, to: count, by: 4) {
        normalise(products, powers, values, sums: sums[0, four: window], window)
      }
      return (0..<count).map { period(products, powers, window: $0) }
    }
  }

  /// Rows of numbers, one for each piece or window.
  private struct Rows {
    let lanes: UnsafeMutableBufferPointer<Lanes>
    /// Lanes, sixteen at a time, of a row.
    let width: Int

    /// What comes after so many rows.
    func after(_ rows: Int) -> Rows {
      Rows(lanes: UnsafeMutableBufferPointer(rebasing: lanes[(rows * width)...]), width: width)
    }

    /// A group of sixteen numbers of a row.
    @inline(__always)
    subscript(_ row: Int, group group: Int) -> Lanes {
      get { lanes[row &* width &+ group] }
      nonmutating set { lanes[row &* width &+ group] = newValue }
    }

    /// Four numbers of a row from one on.
    @inline(__always)
    subscript(_ row: Int, four first: Int) -> SIMD4<Float> {
      get {
        guard let start = lanes.baseAddress else { return SIMD4() }
        return UnsafeRawPointer(start + row &* width)
          .loadUnaligned(fromByteOffset: 4 &* first, as: SIMD4<Float>.self)
      }
      nonmutating set {
        guard let start = lanes.baseAddress else { return }
        UnsafeMutableRawPointer(start + row &* width)
          .storeBytes(of: newValue, toByteOffset: 4 &* first, as: SIMD4<Float>.self)
      }
    }

    /// Sixteen numbers of a row from any one on.
    @inline(__always)
    subscript(_ row: Int, from first: Int) -> Lanes {
      guard let start = lanes.baseAddress else { return Lanes() }
      return UnsafeRawPointer(start + row &* width).loadUnaligned(fromByteOffset: 4 &* first, as: Lanes.self)
    }
  }

  /// Puts the signal's pieces side by side, with what follows each within the longest lag; the rest is 0 already.
  private func lay(_ signal: UnsafeBufferPointer<Float>, _ values: Rows) {
    values.lanes.withMemoryRebound(to: Float.self) { numbers in
      for piece in 0..<groups * Lanes.scalarCount {
        let from = piece * hop
        var place = piece
        for index in from..<max(min(from + hop + top, signal.count), from) {
          numbers[place] = signal[index]
          place += (groups + 1) * Lanes.scalarCount
        }
      }
    }
  }

  /// For each piece, the sum of its values' products with those `lag` later, or of its values: over its beginning, as far as
  /// a window reaches that ends there, and over all of it.
  private func add(_ values: Rows, lag: Int?, _ heads: Rows, _ totals: Rows) {
    let part = (length - (lag ?? 0)) % hop
    for group in 0..<groups {
      var sum = Lanes()
      if let lag {
        for row in 0..<part { sum += values[row, group: group] * values[row &+ lag, group: group] }
        heads[0, group: group] = sum
        for row in part..<hop { sum += values[row, group: group] * values[row &+ lag, group: group] }
      } else {
        for row in 0..<part { sum += values[row, group: group] }
        heads[0, group: group] = sum
        for row in part..<hop { sum += values[row, group: group] }
      }
      totals[0, group: group] = sum
    }
  }

  /// Puts together the sum over each window less `lag`.
  private func gather(_ heads: Rows, _ totals: Rows, lag: Int, _ sums: Rows, row: Int) {
    let whole = (length - lag) / hop
    for group in 0..<groups {
      let first = group * Lanes.scalarCount
      var sum = heads[0, from: first + whole]
      for piece in first..<first + whole { sum += totals[0, from: piece] }
      sums[row, group: group] = sum
    }
  }

  /// Takes each window's own mean out of the sums of products in four windows, and puts down the products of the powers that
  /// they are to be compared with.
  private func normalise(_ products: Rows, _ powers: Rows, _ values: Rows, sums: SIMD4<Float>, _ window: Int) {
    let mean = sums / Float(length)
    let squares = products[0, four: window]
    let power = squares - mean * sums
    // Less is rounding: beside a mean a thousand times as large, or where a lag leaves out nearly all of the window. Two such
    // powers still have a product that is not zero.
    var least = squares * 1e-6
    least.replace(with: 1e-18, where: least .< 1e-18)
    var (head, tail) = (power, power)
    // The mean's part in a product's sum: it is in both values, and the lag leaves some out at either end.
    var part = mean * sums
    // Where the last value of a window less a lag lies.
    var (row, piece) = (length % hop, window + length / hop)
    for lag in 1...top {
      (row, piece) = row > 0 ? (row - 1, piece) : (hop - 1, piece - 1)
      let first = values[lag - 1, four: window] - mean
      let last = values[row, four: piece] - mean
      tail -= first * first
      head -= last * last
      part -= mean * (first + last + mean)
      guard lag >= PulsePeriod.first else { continue }
      products[lag, four: window] -= part
      powers[lag, four: window] =
        head.replacing(with: least, where: head .< least) * tail.replacing(with: least, where: tail .< least)
    }
  }

  /// The period in one window, from its columns.
  private func period(_ products: Rows, _ powers: Rows, window: Int) -> PulsePeriod {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: top + 1) { ratios in
      products.lanes.withMemoryRebound(to: Float.self) { products in
        powers.lanes.withMemoryRebound(to: Float.self) { powers in
          var place = PulsePeriod.first * (groups + 1) * Lanes.scalarCount + window
          for lag in PulsePeriod.first...top {
            ratios[lag] = products[place] / powers[place].squareRoot()
            place += (groups + 1) * Lanes.scalarCount
          }
        }
      }
      return PulsePeriod.firstHighPeak(UnsafeBufferPointer(ratios), top)
    }
  }
}
