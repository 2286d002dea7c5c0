import VitalsModel

/// The pieces of JSON that a trace is made of, written straight into its bytes: a recording has a line for each frame,
/// so no text is built up on the way.
extension [UInt8] {
  mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// A JSON string: quotes, backslashes and control characters are escaped, everything else is plain UTF-8.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(ascii: "\\\"")
      case UInt8(ascii: "\\"): append(ascii: "\\\\")
      case UInt8(ascii: "\n"): append(ascii: "\\n")
      case UInt8(ascii: "\r"): append(ascii: "\\r")
      case UInt8(ascii: "\t"): append(ascii: "\\t")
      case 0..<0x20:
        append(ascii: "\\u00")
        append(hexDigit: byte >> 4)
        append(hexDigit: byte & 15)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// One hexadecimal digit of a value in 0...15.
  mutating func append(hexDigit value: UInt8) {
    append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
  }

  /// A whole number.
  mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits: number.magnitude, atLeast: 1)
  }

  /// `units` / 10^`places` with exactly `places` decimals, 1...9.
  mutating func append(units: Int64, places: Int) {
    precondition((1...9).contains(places), "1 to 9 decimals; a number without any is an integer")
    if units < 0 { append(UInt8(ascii: "-")) }
    append(digits: units.magnitude, atLeast: places + 1)
    insert(UInt8(ascii: "."), at: count - places)
  }

  /// Decimal digits with leading zeros up to a width.
  mutating func append(digits number: UInt64, atLeast width: Int) {
    var length = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    length = Swift.max(length, width)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: length))
    rest = number
    var position = count - 1
    while rest > 0 {
      self[position] += UInt8(rest % 10)
      rest /= 10
      position -= 1
    }
  }
}
