extension SIMD4<Double> {
  /// In each lane the lesser of two numbers.
  @inline(__always)
  func atMost(_ other: Self) -> Self { replacing(with: other, where: self .> other) }

  /// In each lane the greater of two numbers.
  @inline(__always)
  func atLeast(_ other: Self) -> Self { replacing(with: other, where: self .< other) }

  /// The first `count` lanes, 0 in the others.
  @inline(__always)
  func prefix(_ count: Int) -> Self { replacing(with: 0, where: Self(0, 1, 2, 3) .>= Double(count)) }
}

extension UnsafeBufferPointer<Double> {
  /// Four numbers from a place on, all of which must lie within the buffer.
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    guard let start = baseAddress else { return SIMD4() }
    return UnsafeRawPointer(start + place).loadUnaligned(as: SIMD4<Double>.self)
  }

  /// Sixteen numbers from a place on, all of which must lie within the buffer.
  @inline(__always)
  func sixteen(at place: Int) -> SIMD16<Double> {
    guard let start = baseAddress else { return SIMD16() }
    return UnsafeRawPointer(start + place).loadUnaligned(as: SIMD16<Double>.self)
  }

  /// Sum of the products with those of another buffer, which is no shorter; four at a time.
  @inline(__always)
  func product(_ other: Self) -> Double {
    precondition(count <= other.count, "no shorter")
    var sums = SIMD4<Double>()
    var place = 0
    while place + 4 <= count {
      sums += four(at: place) * other.four(at: place)
      place += 4
    }
    var sum = (sums.x + sums.y) + (sums.z + sums.w)
    while place < count {
      sum += self[place] * other[place]
      place += 1
    }
    return sum
  }

  /// The least and the greatest of the numbers, of which there is one at least; four at a time.
  var extremes: (least: Double, greatest: Double) {
    var (least, greatest) = (self[0], self[0])
    var place = 0
    if count >= 4 {
      var (lows, highs) = (four(at: 0), four(at: 0))
      while place + 4 <= count {
        let values = four(at: place)
        (lows, highs) = (lows.atMost(values), highs.atLeast(values))
        place += 4
      }
      (least, greatest) = (lows.min(), highs.max())
    }
    while place < count {
      (least, greatest) = (Swift.min(least, self[place]), Swift.max(greatest, self[place]))
      place += 1
    }
    return (least, greatest)
  }

  /// Sum of the numbers, four at a time.
  var total: Double {
    var sums = SIMD4<Double>()
    var place = 0
    while place + 4 <= count {
      sums += four(at: place)
      place += 4
    }
    var sum = (sums.x + sums.y) + (sums.z + sums.w)
    while place < count {
      sum += self[place]
      place += 1
    }
    return sum
  }

  /// Sum of the squares, four at a time.
  var energy: Double { product(self) }
}
