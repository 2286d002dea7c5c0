/// Reads one line of printable ASCII from left to right.
///
/// What does not fit leaves it where it was.
struct TextScanner {
  private let text: [UInt8]
  private(set) var position = 0

  init(_ text: [UInt8]) { self.text = text }

  var isAtEnd: Bool { position == text.count }
  /// The byte that is next; nil at the end.
  var next: UInt8? { position < text.count ? text[position] : nil }

  /// Passes over blanks and says how many there were.
  @discardableResult
  mutating func skipBlanks() -> Int {
    let start = position
    while next == .blank { position += 1 }
    return position - start
  }

  /// Passes over this text, whatever its case; false where something else comes.
  mutating func skip(_ expected: StaticString) -> Bool {
    guard Self.isEqual(text[position...].prefix(expected.utf8CodeUnitCount), expected) else { return false }
    position += expected.utf8CodeUnitCount
    return true
  }

  /// The next so many bytes; nil where there are fewer.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard text.count - position >= count else { return nil }
    defer { position += count }
    return text[position..<position + count]
  }

  /// What comes up to the next blank.
  mutating func word() -> ArraySlice<UInt8> {
    let start = position
    while let next, next != .blank { position += 1 }
    return text[start..<position]
  }

  /// Passes over three numbers of two digits with these signs between them: a date or a time of day.
  mutating func skipTwoDigits(between sign: UInt8) -> Bool {
    guard text.count - position >= 8 else { return false }
    for offset in 0..<8 {
      let byte = text[position + offset]
      guard offset % 3 == 2 ? byte == sign : byte.isDigit else { return false }
    }
    position += 8
    return true
  }

  /// Whether the two are the same, whatever the case.
  static func isEqual(_ word: ArraySlice<UInt8>, _ expected: StaticString) -> Bool {
    expected.withUTF8Buffer { $0.count == word.count && zip($0, word).allSatisfy { $0.isSameLetter(as: $1) } }
  }
}

extension UInt8 {
  static let blank = UInt8(ascii: " ")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  /// The value of a hexadecimal digit.
  var hexadecimal: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
    default: nil
    }
  }

  /// The capital of a small letter; anything else as it is.
  var capital: UInt8 { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self - 0x20 : self }

  func isSameLetter(as other: UInt8) -> Bool { capital == other.capital }
}

/// A value as a line has it.
enum TextValue {
  case number(Int)
  /// Dashes stand for it.
  case missing

  /// Up to three digits, or dashes; nil for anything else.
  init?(_ text: ArraySlice<UInt8>) {
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "-") {
      guard text.allSatisfy({ $0 == first }) else { return nil }
      self = .missing
    } else {
      guard text.count <= 3, text.allSatisfy(\.isDigit) else { return nil }
      self = .number(text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
  }
}

extension OximeterReading {
  /// The reading of a line's values; nil where they cannot be. Zeros are none: a pulse that is searched for.
  init?(spo2: TextValue, pulseRate: TextValue) {
    var reading = OximeterReading()
    if case .number(let value) = spo2 {
      guard value <= 100 else { return nil }
      reading.spo2Percent = value == 0 ? nil : value
    }
    if case .number(let value) = pulseRate {
      guard value <= TextLine.highestPulseRateBpm else { return nil }
      reading.pulseRateBpm = value == 0 ? nil : value
    }
    self = reading
  }
}

/// What the lines of all makers have in common.
enum TextLine {
  /// More than any device of these families can say (321), and less than most garbled digits make of it.
  static let highestPulseRateBpm = 400
  /// More than any known line has; the longest known are of about 190.
  static let longest = 256
  /// As nearly all devices end a line.
  static let end: [UInt8] = [0x0d, 0x0a]

  /// A number with zeros in front.
  static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }

  /// A value that a line of three digits carries; nil for any other.
  static func carried(_ value: Int?, upTo largest: Int) -> Int? {
    value.flatMap { (1...largest).contains($0) ? $0 : nil }
  }
}
