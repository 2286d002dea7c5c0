import VitalsModel

/// The pieces of JSON that a trace is made of, written straight into its bytes: a recording has a line for each frame,
/// so no text is built up on the way.
extension [UInt8] {
  mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// A JSON string.
  mutating func append(json text: String) { JSONString.append(text, to: &self) }

  /// One hexadecimal digit of a value in 0...15.
  mutating func append(hexDigit value: UInt8) {
    append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
  }

  /// A whole number.
  mutating func append(_ number: Int64) {
    append(digits: number.magnitude, isNegative: number < 0, places: 0)
  }

  /// A whole number.
  mutating func append(_ number: UInt64) {
    append(digits: number, isNegative: false, places: 0)
  }

  /// `units` / 10^`places` with exactly `places` decimals, 1...9.
  mutating func append(units: Int64, places: Int) {
    precondition((1...9).contains(places), "1 to 9 decimals; a number without any is an integer")
    append(digits: units.magnitude, isNegative: units < 0, places: places)
  }

  /// Decimal digits, at least one before the point, with up to 9 behind it.
  private mutating func append(digits number: UInt64, isNegative: Bool, places: Int) {
    // 20 digits of a 64-bit number, a sign and a point, written from the last to the first.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { text in
      var rest = number
      var start = text.endIndex
      var written = 0
      repeat {
        if written == places, places > 0 {
          start -= 1
          text[start] = UInt8(ascii: ".")
        }
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
        written += 1
      } while rest > 0 || written <= places
      if isNegative {
        start -= 1
        text[start] = UInt8(ascii: "-")
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
  }
}
