/// The number that a decimal text in ASCII stands for, rounded once: `12`, `-0.25`, `1e3`; nil for anything else.
///
/// - Parameter point: what stands before the decimals
func decimalValue(_ text: ArraySlice<UInt8>, point: UInt8 = UInt8(ascii: ".")) -> Double? {
  if let value = plainDecimalValue(text, point) { return value }
  if point != UInt8(ascii: "."), text.contains(UInt8(ascii: ".")) { return nil }
  let other = String(decoding: text.map { $0 == point ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
  return isDecimal(other) ? Double(other) : nil
}

/// Whether a text is made of what decimal numbers are made of: `Double` takes hexadecimal ones and words too.
func isDecimal(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

/// The value of a sign, digits and a fraction with its point; nil where there is more to a text, or less.
///
/// Up to 15 digits make a whole number that a double holds exactly, and so is the power of ten below it. The quotient
/// is then rounded only once (IEEE 754 asks that of a division), to the double nearest to the text.
private func plainDecimalValue(_ text: ArraySlice<UInt8>, _ point: UInt8) -> Double? {
  let isNegative = text.first == UInt8(ascii: "-")
  let unsigned = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
  // Begins and ends with a digit, and so holds one.
  guard let first = unsigned.first, let last = unsigned.last, isDigit(first), isDigit(last) else { return nil }
  var number: UInt64 = 0
  var digits = 0
  var decimals: Int?
  for byte in unsigned {
    if isDigit(byte) {
      number = number &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
      if number > 0 { digits += 1 }
      if let count = decimals { decimals = count + 1 }
      if digits > 15 { return nil }
    } else if byte == point, decimals == nil {
      decimals = 0
    } else {
      return nil
    }
  }
  guard let power = exactPowersOfTen.dropFirst(decimals ?? 0).first else { return nil }
  let value = Double(number) / power
  return isNegative ? -value : value
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// The powers of ten that a double holds exactly: 10^22 is the last, since 5^22 is below 2^53.
private let exactPowersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
