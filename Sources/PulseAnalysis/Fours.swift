extension SIMD4<Double> {
  /// In each lane the lesser of two numbers.
  @inline(__always)
  func atMost(_ other: Self) -> Self { replacing(with: other, where: self .> other) }

  /// In each lane the greater of two numbers.
  @inline(__always)
  func atLeast(_ other: Self) -> Self { replacing(with: other, where: self .< other) }
}

extension UnsafeBufferPointer<Double> {
  /// Four numbers from a place on, all of which must lie within the buffer.
  @inline(__always)
  func four(at place: Int) -> SIMD4<Double> {
    guard let start = baseAddress else { return SIMD4() }
    return UnsafeRawPointer(start + place).loadUnaligned(as: SIMD4<Double>.self)
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
