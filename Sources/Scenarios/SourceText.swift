/// The text of a scenario file, after the checks that need no YAML.
struct SourceText {
  /// The most bytes that a file may have.
  static let mostBytes = 1_000_000
  /// The byte order mark in UTF-8.
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// UTF-8 without its byte order mark and without tabs; ends before the line of `cut` where there is one.
  private(set) var bytes: [UInt8] = []
  /// The mistakes after which reading could go on.
  private(set) var diagnostics: [Diagnostic] = []
  /// The mistake at which reading ended; nil: the whole file was read.
  private(set) var cut: Diagnostic?
  /// For each line that ends in a comment like `#2`: that comment. `started #2` is written, `started#2` is meant.
  private(set) var numberComments: [Int: Span] = [:]

  /// For each line in which a value or a key begins with a blank that is no space: the mistake that this is, if it is
  /// one. In a text it is none.
  private(set) var falseBlanks: [Int: Diagnostic] = [:]

  /// Checks a whole file; refuses at once one that is no text at all.
  init(_ whole: [UInt8]) throws(ScenarioRefusal) {
    if let refusal = Self.refuse(whole) { throw ScenarioRefusal([refusal]) }
    bytes = whole.starts(with: Self.byteOrderMark) ? Array(whole.dropFirst(3)) : whole
    readCharacters()
  }

  /// The mistake of a file that is too large or not made of characters.
  private static func refuse(_ whole: [UInt8]) -> Diagnostic? {
    func mistake(_ message: String, _ advice: String?) -> Diagnostic {
      Diagnostic(mark: SourceMark(line: 1, column: 1), length: 0, message: message, advice: advice)
    }
    if whole.count > mostBytes {
      return mistake("the file is larger than 1 MB", "a scenario is a page of text")
    }
    // A file in UTF-16 begins with its byte order mark, or with a Latin letter beside a zero byte.
    let first = whole.prefix(2)
    if first == [0xff, 0xfe] || first == [0xfe, 0xff] || (first.count == 2 && first.contains(0) && first != [0, 0]) {
      return mistake("the file is in UTF-16", "save the file as UTF-8")
    }
    if whole.contains(0) {
      return mistake("not a text file: it holds zero bytes", nil)
    }
    if whole.contains(UInt8(ascii: "\r")), !whole.contains(UInt8(ascii: "\n")) {
      return mistake(
        "the line ends are those of old Macs, a carriage return alone", "save the file with line ends LF or CR LF")
    }
    return nil
  }

  /// Looks at every character: all must be UTF-8, none may be a control character or a tab.
  private mutating func readCharacters() {
    var line = 1
    var column = 1
    var lineStart = 0
    var isIndentation = true
    var lineHasTab = false
    var isBeginning = true
    var index = 0
    func mistake(_ message: String, _ advice: String) -> Diagnostic {
      Diagnostic(mark: SourceMark(line: line, column: column), length: 1, message: message, advice: advice)
    }
    while index < bytes.count {
      guard let (scalar, length) = decodeScalar(bytes, at: index) else {
        cut = mistake("not UTF-8: the byte 0x\(hexadecimal(UInt32(bytes[index]), digits: 2))", "save the file as UTF-8")
        break
      }
      if scalar == "\n" {
        noteNumberComment(from: lineStart, to: index, line: line, columns: column - 1)
        (line, column, lineStart) = (line + 1, 1, index + 1)
        (isIndentation, lineHasTab, isBeginning) = (true, false, true)
        index += 1
        continue
      }
      if scalar == "\t" {
        if isIndentation {
          cut = mistake("a tab cannot indent", "indent with spaces")
          break
        }
        if !lineHasTab { diagnostics.append(mistake("a tab is not allowed", "write a space")) }
        lineHasTab = true
        bytes[index] = UInt8(ascii: " ")
      } else if !Self.isText(scalar), !isLineEnd(scalar, at: index) {
        cut = mistake(
          "the control character U+\(hexadecimal(scalar.value, digits: 4)) is not allowed", "take it out")
        break
      }
      if isBeginning, falseBlanks[line] == nil, Self.isFalseBlank(scalar) {
        let code = hexadecimal(scalar.value, digits: 4)
        let name = scalar.properties.name.map { " (\($0.lowercased()))" } ?? ""
        falseBlanks[line] = mistake("U+\(code)\(name) is no space to YAML", "write a space")
      }
      isBeginning = isBeginning && scalar == " " || Self.beforeABeginning.contains(scalar)
      if scalar != " " { isIndentation = false }
      column += 1
      index += length
    }
    noteNumberComment(from: lineStart, to: index, line: line, columns: column - 1)
    if cut != nil { bytes.removeSubrange(lineStart...) }
  }

  /// Notes a comment at a line's end that is nothing but a number.
  private mutating func noteNumberComment(from start: Int, to end: Int, line: Int, columns: Int) {
    let text = bytes[start..<end].reversed().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let rest = text.dropFirst(digits.count)
    guard !digits.isEmpty, rest.first == UInt8(ascii: "#"), rest.dropFirst().first == UInt8(ascii: " ") else { return }
    let trailing = end - start - text.count
    let mark = SourceMark(line: line, column: columns - trailing - digits.count)
    numberComments[line] = Span(mark: mark, length: digits.count + 1, lastLine: line)
  }

  /// What a value or a key stands behind, and spaces may stand between.
  private static let beforeABeginning: [Unicode.Scalar] = [":", "-", "?", ",", "[", "{"]

  /// Whether a character looks like a space or like nothing, and is a letter to YAML.
  private static func isFalseBlank(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .format: return true
    default: return false
    }
  }

  /// The mistakes with those of a line told as what they come from: a blank that is no space.
  ///
  /// A syntax error may show in the next line only. After one that comes from such a blank, nothing was read, and the
  /// others are told too.
  func namingFalseBlanks(in mistakes: [Diagnostic], cut: Diagnostic?) -> [Diagnostic] {
    if falseBlanks.isEmpty { return mistakes }
    let wrongLines = Set(mistakes.map(\.mark.line))
    var named = falseBlanks.filter { wrongLines.contains($0.key) }
    var hidden = Set(named.keys)
    if let line = cut?.mark.line, let cause = [line, line - 1].first(where: { falseBlanks[$0] != nil }) {
      named.merge(falseBlanks.filter { $0.key >= cause }) { first, _ in first }
      hidden.insert(line)
    }
    return mistakes.filter { !hidden.contains($0.mark.line) } + named.values
  }

  private func isLineEnd(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
    scalar == "\r" && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
  }

  /// Whether a character may stand in a scenario: no control character, no line break other than LF and CR LF, and
  /// none that turns the direction of writing, which would show a line other than it is.
  static func isText(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20...0x7e).contains(scalar.value) }
    switch scalar.value {
    case 0x80...0x9f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff, 0xfffe, 0xffff: return false
    default: return true
    }
  }
}

/// The character at `index` and its length in bytes; nil where the bytes are not UTF-8 (RFC 3629).
func decodeScalar(_ bytes: [UInt8], at index: Int) -> (scalar: Unicode.Scalar, length: Int)? {
  let first = bytes[index]
  if first < 0x80 { return (Unicode.Scalar(first), 1) }
  let (length, least): (Int, UInt32)
  switch first {
  case 0xc2...0xdf: (length, least) = (2, 0x80)
  case 0xe0...0xef: (length, least) = (3, 0x800)
  case 0xf0...0xf4: (length, least) = (4, 0x1_0000)
  default: return nil
  }
  guard index + length <= bytes.count else { return nil }
  var value = UInt32(first) & (0x7f >> UInt32(length))
  for next in bytes[(index + 1)..<(index + length)] {
    guard next & 0xc0 == 0x80 else { return nil }
    value = value << 6 | UInt32(next & 0x3f)
  }
  guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
  return (scalar, length)
}

/// `value` in capital hexadecimal digits, at least `digits` of them.
private func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
