/// A few numbers, kept in order.
struct SortedFew {
  private var values = InlineArray<24, Double>(repeating: 0)
  /// How many there are: 24 at most.
  private(set) var count = 0

  /// The number that `rank` of the others are not above.
  subscript(rank: Int) -> Double { values[rank] }

  /// The middle one, or the mean of the two that are; there must be one.
  var middle: Double { 0.5 * (values[(count - 1) / 2] + values[count / 2]) }

  /// Forgets all.
  mutating func clear() { count = 0 }

  /// Puts one more in its place.
  mutating func add(_ value: Double) {
    var place = count
    while place > 0, values[place - 1] > value {
      values[place] = values[place - 1]
      place -= 1
    }
    values[place] = value
    count += 1
  }

  /// Takes one of them out.
  mutating func remove(_ value: Double) {
    var place = 0
    while place + 1 < count, values[place] != value { place += 1 }
    while place + 1 < count {
      values[place] = values[place + 1]
      place += 1
    }
    count -= 1
  }
}

/// The numbers around each place in a row, in order, as the place goes on.
struct SlidingRanks {
  private var near = SortedFew()
  private var (first, end) = (0, 0)

  /// How many there are now.
  var count: Int { near.count }

  /// The number that `rank` of the others are not above.
  subscript(rank: Int) -> Double { near[rank] }

  /// Goes on to a range of places, neither end of which may go back; `value` gives the number at a place.
  @inline(__always)
  mutating func move(to range: ClosedRange<Int>, value: (Int) -> Double) {
    if range.lowerBound >= end {
      near.clear()
      (first, end) = (range.lowerBound, range.lowerBound)
    }
    while first < range.lowerBound {
      near.remove(value(first))
      first += 1
    }
    while end <= range.upperBound {
      near.add(value(end))
      end += 1
    }
  }
}

extension [Double] {
  /// The number that would stand at `rank` if all were in order; there must be so many.
  ///
  /// By Hoare's selection, which need not put the rest in order.
  func ranked(_ rank: Int) -> Double {
    var values = self
    return values.withUnsafeMutableBufferPointer { values in
      var (low, high) = (0, values.count - 1)
      while low < high {
        let pivot = values[(low + high) / 2]
        var (left, right) = (low, high)
        while left <= right {
          while values[left] < pivot { left += 1 }
          while values[right] > pivot { right -= 1 }
          if left <= right {
            values.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if rank <= right { high = right } else if rank >= left { low = left } else { break }
      }
      return values[rank]
    }
  }
}
