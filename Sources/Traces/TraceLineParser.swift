/// Why a line is not one of a trace.
struct TraceLineFault: Error {
  /// The column in bytes, from 1.
  let column: Int
  /// What was expected there and what was found.
  let message: String
}

/// Reads one line of a trace piece by piece, in the order in which a writer wrote it.
///
/// It is written by hand because the JSON readers at hand turn `66.10` into the number 66.1: the count of decimals,
/// which is part of a value here, would be lost, and a replayed trace would not equal the recorded one.
struct TraceLineParser {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ line: ArraySlice<UInt8>) {
    bytes = line
    position = line.startIndex
  }

  /// Takes a punctuation mark; false and nothing taken when something else comes.
  mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.endIndex, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(TraceLineFault) {
    if !take(byte) { throw fault("\"\(Unicode.Scalar(byte))\"") }
  }

  /// A key and its colon.
  mutating func key() throws(TraceLineFault) -> String {
    let key = try string()
    try expect(UInt8(ascii: ":"))
    return key
  }

  /// The one key that may come here, and its colon.
  mutating func key(_ expected: String) throws(TraceLineFault) {
    skipSpace()
    let start = position
    guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "\""), try string() == expected else {
      throw fault("the key \"\(expected)\"", at: start)
    }
    try expect(UInt8(ascii: ":"))
  }

  mutating func end() throws(TraceLineFault) {
    skipSpace()
    if position < bytes.endIndex { throw fault("the end of the line") }
  }

  /// The value of a message's field; `depth` objects are open around it.
  mutating func value(depth: Int) throws(TraceLineFault) -> FieldValue {
    skipSpace()
    guard position < bytes.endIndex else { throw fault("a value") }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try flag())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try number(orElse: "a number")
      return number.places == 0 ? .integer(number.units) : .fixed(units: number.units, places: number.places)
    case UInt8(ascii: "{"):
      if depth > TraceLimits.depth { throw fault("no more than \(TraceLimits.depth) objects inside one another") }
      position += 1
      if take(UInt8(ascii: "}")) { return .object([]) }
      var fields: [Field] = []
      repeat {
        try field(into: &fields, depth: depth) { _ in true }
      } while take(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
      return .object(fields)
    default: throw fault("a text, a number, true, false or an object")
    }
  }

  /// One key and its value; a key that came before or is not allowed here is a fault.
  mutating func field(into fields: inout [Field], depth: Int, isAllowed: (String) -> Bool) throws(TraceLineFault) {
    skipSpace()
    let start = position
    let key = try key()
    if fields.contains(where: { $0.key == key }) || !isAllowed(key) {
      throw fault("another key", at: start)
    }
    if fields.count == TraceLimits.fields { throw fault("no more than \(TraceLimits.fields) fields") }
    fields.append(Field(key, try value(depth: depth + 1)))
  }

  mutating func flag() throws(TraceLineFault) -> Bool {
    skipSpace()
    for (word, value) in [("true", true), ("false", false)]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw fault("true or false")
  }

  /// Where the parser stands, for a fault that shows only later.
  var place: Int { position }

  /// Reports what is at a place, or else here, instead of what was expected.
  func fault(_ expected: String, at place: Int? = nil) -> TraceLineFault {
    let position = place ?? self.position
    let column = position - bytes.startIndex + 1
    guard position < bytes.endIndex else {
      return TraceLineFault(column: column, message: "expected \(expected), found the end of the line")
    }
    var found = ""
    for byte in bytes[position...].prefix(24) {
      guard (0x20..<0x7f).contains(byte) else { break }
      found.unicodeScalars.append(Unicode.Scalar(byte))
    }
    if found.isEmpty {
      let byte = String(bytes[position], radix: 16)
      return TraceLineFault(column: column, message: "expected \(expected), found the byte 0x\(byte)")
    }
    return TraceLineFault(column: column, message: "expected \(expected), found \(found)")
  }

  private mutating func skipSpace() {
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      default: return
      }
    }
  }
}

// MARK: - Numbers

extension TraceLineParser {
  /// A whole number of units of its last decimal, and the count of its decimals, 0...9.
  ///
  /// Only what a writer writes: no exponent and no negative zero, so that writing it again gives the same text.
  mutating func number(orElse expected: String) throws(TraceLineFault) -> (units: Int64, places: Int) {
    skipSpace()
    let start = position
    let shape = try scanNumber(orElse: expected)
    var units: Int64 = 0
    var fits = !shape.hasExponent && shape.places <= 9
    let isNegative = bytes[start] == UInt8(ascii: "-")
    for byte in bytes[start..<position] where fits && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (product, overflows) = units.multipliedReportingOverflow(by: 10)
      let (sum, alsoOverflows) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      units = sum
      fits = !overflows && !alsoOverflows
    }
    if !fits || (isNegative && units == 0) {
      throw fault("\(expected) of at most 64 bits and 9 decimals", at: start)
    }
    return (units, shape.places)
  }

  /// A number with exactly six decimals: a moment in seconds, in microseconds.
  mutating func microseconds() throws(TraceLineFault) -> Int64 {
    skipSpace()
    let start = position
    let number = try number(orElse: "seconds with six decimals")
    if number.places != 6 {
      throw fault("seconds with six decimals", at: start)
    }
    if number.units.magnitude > TraceLimits.furthestMicroseconds {
      throw fault("a moment within 10^12 s of the beginning", at: start)
    }
    return number.units
  }

  /// A whole number from 0 up to 2^64 - 1.
  mutating func unsigned() throws(TraceLineFault) -> UInt64 {
    skipSpace()
    let start = position
    let shape = try scanNumber(orElse: "a whole number from 0")
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard shape.places == 0, !shape.hasExponent, let number = UInt64(text), text != "-0" else {
      throw fault("a whole number from 0", at: start)
    }
    return number
  }

  /// Any finite number, as JSON writes it.
  mutating func double() throws(TraceLineFault) -> Double {
    skipSpace()
    let start = position
    _ = try scanNumber(orElse: "a number")
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
      throw fault("a finite number", at: start)
    }
    return number
  }

  /// Moves past one number of JSON's grammar.
  private mutating func scanNumber(
    orElse expected: String
  ) throws(TraceLineFault) -> (places: Int, hasExponent: Bool) {
    let start = position
    skip(UInt8(ascii: "-"))
    let whole = position
    let digits = skipDigits()
    if digits == 0 || (digits > 1 && bytes[whole] == UInt8(ascii: "0")) { throw fault(expected, at: start) }
    var places = 0
    if skip(UInt8(ascii: ".")) {
      places = skipDigits()
      if places == 0 { throw fault(expected, at: start) }
    }
    let hasExponent = skip(UInt8(ascii: "e"), or: UInt8(ascii: "E"))
    if hasExponent {
      skip(UInt8(ascii: "+"), or: UInt8(ascii: "-"))
      if skipDigits() == 0 { throw fault(expected, at: start) }
    }
    return (places, hasExponent)
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8, or other: UInt8? = nil) -> Bool {
    guard position < bytes.endIndex, bytes[position] == byte || bytes[position] == other else { return false }
    position += 1
    return true
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while position < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      position += 1
    }
    return position - start
  }
}

// MARK: - Texts

extension TraceLineParser {
  /// Bytes as a text of two hexadecimal digits each, in small letters.
  mutating func hexBytes() throws(TraceLineFault) -> [UInt8] {
    if !take(UInt8(ascii: "\"")) { throw fault("a text in quotes") }
    var captured: [UInt8] = []
    while let high = hexDigit() {
      guard let low = hexDigit() else { throw fault("a hexadecimal digit") }
      captured.append(high << 4 | low)
    }
    try expect(UInt8(ascii: "\""))
    return captured
  }

  /// The value of a hexadecimal digit, in small letters; nil and nothing taken when something else comes.
  private mutating func hexDigit() -> UInt8? {
    guard position < bytes.endIndex else { return nil }
    let value: UInt8
    switch bytes[position] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = bytes[position] - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = bytes[position] - UInt8(ascii: "a") + 10
    default: return nil
    }
    position += 1
    return value
  }

  /// A JSON string of valid UTF-8, its escapes resolved.
  mutating func string() throws(TraceLineFault) -> String {
    if !take(UInt8(ascii: "\"")) { throw fault("a text in quotes") }
    let start = position
    skipPlainText()
    // Most texts hold no escape and are taken as they stand.
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") {
      return try close(String(validating: bytes[start..<position], as: UTF8.self), from: start)
    }
    var text = Array(bytes[start..<position])
    while position < bytes.endIndex, bytes[position] == UInt8(ascii: "\\") {
      position += 1
      text.append(contentsOf: try escape())
      let plain = position
      skipPlainText()
      text.append(contentsOf: bytes[plain..<position])
    }
    guard position < bytes.endIndex else { throw fault("a closing quote") }
    if bytes[position] != UInt8(ascii: "\"") { throw fault("a text without control characters") }
    return try close(String(validating: text, as: UTF8.self), from: start)
  }

  /// Moves to the next quote, backslash or control character.
  private mutating func skipPlainText() {
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20: return
      default: position += 1
      }
    }
  }

  /// Moves past the closing quote of a text that was valid.
  private mutating func close(_ text: String?, from start: Int) throws(TraceLineFault) -> String {
    guard let text else { throw fault("a text in UTF-8", at: start) }
    position += 1
    return text
  }

  /// What stands behind a backslash.
  private mutating func escape() throws(TraceLineFault) -> [UInt8] {
    guard position < bytes.endIndex else { throw fault("an escape") }
    let plain: UInt8
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[position]
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0c
    case UInt8(ascii: "n"): plain = 0x0a
    case UInt8(ascii: "r"): plain = 0x0d
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw fault("an escape")
    }
    position += 1
    return [plain]
  }

  /// `uXXXX`, or two of them for a character beyond the first plane.
  private mutating func unicodeEscape() throws(TraceLineFault) -> [UInt8] {
    let start = position
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
      position += 1
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw fault("an escape of a whole character", at: start)
    }
    return Array(text.utf8)
  }

  /// `uXXXX`.
  private mutating func codeUnit() throws(TraceLineFault) -> UInt16 {
    let digits = bytes[position...].dropFirst().prefix(4)
    var unit: UInt16 = 0
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw fault("an escape of four digits") }
      unit = unit << 4 | UInt16(digit)
    }
    if digits.count < 4 { throw fault("an escape of four digits") }
    position += 5
    return unit
  }
}
