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
    Fixed.append(units: number, places: 0, to: &self)
  }

  /// A whole number.
  mutating func append(_ number: UInt64) {
    Fixed.append(magnitude: number, isNegative: false, places: 0, to: &self)
  }

  /// `units` / 10^`places` with exactly `places` decimals, 1...9.
  mutating func append(units: Int64, places: Int) {
    precondition((1...9).contains(places), "1 to 9 decimals; a number without any is an integer")
    Fixed.append(units: units, places: places, to: &self)
  }
}
