/// A CSV file line by line, read by bytes: separators, blanks and quotation marks are all ASCII.
///
/// A cell that begins with a quotation mark holds separators as text up to the closing one, and no line end. Lines before
/// the names that begin with `#` are comments; where none but these stand above numbers, the last of them holds the names.
struct CSVTable {
  /// The column names.
  private(set) var names: [String] = []
  /// Whether the first line holds numbers, and the columns are called by theirs.
  private(set) var isHeadless = false
  /// The line of the names, from 1; nil where there is none.
  private(set) var nameLine: Int?
  /// Whether a number had a comma before its decimals.
  private(set) var hasDecimalCommas = false
  /// The number of the line that was read last, from 1.
  private(set) var line = 1
  private let bytes: [UInt8]
  private var separator = UInt8(ascii: ",")
  /// Where the next line begins.
  private var next: Int
  /// Where in `bytes` the last line's cells are, without blanks and quotation marks around them.
  private var cells: [Range<Int>] = []

  /// What a line of the table is.
  enum Row {
    case whole
    /// A last line that was cut off.
    case cut
  }

  /// Reads the column names. Throws on what is no text, or has none.
  init(_ bytes: [UInt8]) throws(RecordingError) {
    guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
      throw RecordingError("it is not a text file; a recording is CSV with a line of column names, or a trace")
    }
    self.bytes = bytes
    next = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var comment: (range: Range<Int>, line: Int)?
    var first = takeLine()
    while let (range, _) = first, isBlank(range) || isComment(range) {
      if isComment(range) { comment = (range, line) }
      first = takeLine()
      line += 1
    }
    guard let first else {
      throw RecordingError("it is empty; a recording is CSV with a line of column names")
    }
    separator = separator(of: first.range)
    guard split(first.range) else { throw unclosed }
    let isNumbers = cells.contains { !$0.isEmpty } && cells.allSatisfy { $0.isEmpty || isNumber($0) }
    guard isNumbers else {
      names = cellTexts
      nameLine = line
      return
    }
    let count = cells.count
    // What some tools write: the names themselves as a comment.
    if let comment, split(comment.range.dropFirst()), cells.count == count, count > 1 {
      names = cellTexts
      nameLine = comment.line
    } else {
      names = (1...count).map(String.init)
      isHeadless = true
    }
    (next, line) = (first.range.lowerBound, line - 1)
  }

  /// Passes over a line of units below the names; gives what it says of the time, or nil where there is no such line.
  ///
  /// It holds no number in a colour's column, and a unit of time in the time's; where there is no time, only texts.
  mutating func skipUnits(time: Int?, colours: [Int]) -> String? {
    guard nameLine != nil else { return nil }
    let begin = next
    if let (range, isWhole) = takeLine(), isWhole, split(range), cells.count <= names.count,
      let text = units(time: time, colours: colours)
    {
      line += 1
      return text
    }
    next = begin
    return nil
  }

  private func units(time: Int?, colours: [Int]) -> String? {
    func cell(_ column: Int) -> Range<Int> { cells.indices.contains(column) ? cells[column] : 0..<0 }
    func isText(_ column: Int) -> Bool { !isMissing(cell(column)) && !isNumber(cell(column)) }
    guard let time else { return colours.allSatisfy(isText) ? "" : nil }
    let text = String(decoding: bytes[cell(time)], as: UTF8.self)
    guard TimeColumn.unit(in: text) != nil, colours.allSatisfy({ cell($0).isEmpty || isText($0) }) else { return nil }
    return text
  }

  /// Reads the next row, which must have at least that many cells, unless it is cut off; nil at the end. Empty lines are
  /// passed over.
  mutating func nextRow(atLeast count: Int) throws(RecordingError) -> Row? {
    while let (range, isWhole) = takeLine() {
      line += 1
      if isBlank(range) { continue }
      guard split(range) else {
        if isWhole { throw unclosed }
        return .cut
      }
      // More cells than names: decimal commas between commas, say, and every column would be another's.
      if isWhole, cells.dropFirst(names.count).contains(where: { !$0.isEmpty }) {
        throw RecordingError("there are \(cells.count) columns where \(names.count) have a name", line: line)
      }
      if cells.count >= count, isWhole || cells.prefix(count).allSatisfy({ !$0.isEmpty }) { return .whole }
      if !isWhole { return .cut }
      throw RecordingError("there are \(cells.count) columns where \(count) belong", line: line)
    }
    return nil
  }

  /// Whether a column of the last row, counted from 0, holds no number because there is none: nothing, `NaN`, infinity or
  /// what tables write for a missing value.
  func isMissing(_ column: Int) -> Bool { isMissing(cells[column]) }

  private func isMissing(_ range: Range<Int>) -> Bool {
    let cell = bytes[range]
    guard let first = cell.first else { return true }
    // Numbers begin otherwise; that makes the usual case short.
    guard cell.count <= 9, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    var word = String(decoding: cell, as: UTF8.self).lowercased()
    if word.first == "-" || word.first == "+" { word.removeFirst() }
    return ["nan", "inf", "infinity", "na", "n/a", "null", "none"].contains(word)
  }

  /// The number in a column of the last row, counted from 0. `range` is that of a colour.
  mutating func number(_ column: Int, in range: ClosedRange<Double>? = nil) throws(RecordingError) -> Double {
    let cell = bytes[cells[column]]
    let point = point(of: cell)
    // Within the nanoseconds since 1970 a double still tells frames apart.
    guard let value = decimalValue(cell, point: point), value.magnitude < 1e19 else {
      let advice = cell.contains(UInt8(ascii: ",")) ? "; write decimals with a point" : ""
      throw RecordingError(
        "column \(column + 1) holds \"\(start(of: cell))\" where a number belongs\(advice)", line: line)
    }
    if point == Self.comma { hasDecimalCommas = true }
    if let range, !range.contains(value) {
      let advice = value < 0 ? "give the light itself, not a filtered wave" : "scale all colours down alike"
      throw RecordingError(
        "column \(column + 1) holds \(start(of: cell)); a colour's mean is 0 to 255: \(advice)", line: line)
    }
    return value
  }

  /// What stands before the decimals of a number: a comma where it has one and commas separate no cells.
  private func point(of cell: ArraySlice<UInt8>) -> UInt8 {
    separator != Self.comma && cell.contains(Self.comma) ? Self.comma : UInt8(ascii: ".")
  }

  private func isNumber(_ cell: Range<Int>) -> Bool {
    decimalValue(bytes[cell], point: point(of: bytes[cell])) != nil
  }

  private var cellTexts: [String] { cells.map { String(decoding: bytes[$0], as: UTF8.self) } }

  private static let comma = UInt8(ascii: ",")

  private func start(of cell: ArraySlice<UInt8>) -> Substring { String(decoding: cell, as: UTF8.self).prefix(40) }

  private var unclosed: RecordingError {
    RecordingError("the quotation mark before column \(cells.count) is not closed in its line", line: line)
  }

  // MARK: Lines

  /// The next line without its end, and whether it had one. CR LF is one end.
  private mutating func takeLine() -> (range: Range<Int>, isWhole: Bool)? {
    guard next < bytes.count else { return nil }
    let start = next
    while next < bytes.count, bytes[next] != UInt8(ascii: "\n"), bytes[next] != UInt8(ascii: "\r") { next += 1 }
    let end = next
    guard end < bytes.count else { return (start..<end, false) }
    next += bytes[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]) ? 2 : 1
    return (start..<end, true)
  }

  private func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy(Self.isBlank) }

  private func isComment(_ range: Range<Int>) -> Bool { bytes[range].first == UInt8(ascii: "#") }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  // MARK: Cells

  /// The comma, the semicolon or the tab: the first of them that is in the line of names, outside quoted cells.
  private func separator(of line: Range<Int>) -> UInt8 {
    let known = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var found: [UInt8] = []
    _ = scan(line, isSeparator: known.contains) { found.append(bytes[$0]) }
    return known.first(where: found.contains) ?? known[0]
  }

  /// Sets `cells` to those of a line; gives whether each quoted one is closed. If not, that is the last one.
  private mutating func split(_ line: Range<Int>) -> Bool {
    cells.removeAll(keepingCapacity: true)
    var start = line.lowerBound
    var found: [Range<Int>] = []
    swap(&found, &cells)
    let isClosed = scan(line, isSeparator: { $0 == separator }) { end in
      found.append(trimmed(start..<end))
      start = end + 1
    }
    found.append(trimmed(start..<line.upperBound))
    swap(&found, &cells)
    return isClosed
  }

  /// Calls `body` with the place of each separator outside quoted cells; gives whether each of these is closed.
  private func scan(_ line: Range<Int>, isSeparator: (UInt8) -> Bool, _ body: (Int) -> Void) -> Bool {
    // A cell is quoted from its first character on or not at all; inside, a doubled mark closes and opens again.
    var (isStart, hasMarks, isOpen) = (true, false, false)
    for index in line {
      let byte = bytes[index]
      if isSeparator(byte), !isOpen {
        body(index)
        (isStart, hasMarks) = (true, false)
      } else if byte == UInt8(ascii: "\""), isStart || hasMarks {
        isOpen.toggle()
        (isStart, hasMarks) = (false, true)
      } else if !Self.isBlank(byte) {
        isStart = false
      }
    }
    return !isOpen
  }

  private func trimmed(_ cell: Range<Int>) -> Range<Int> {
    func isOutside(_ index: Int) -> Bool { Self.isBlank(bytes[index]) || bytes[index] == UInt8(ascii: "\"") }
    var (start, end) = (cell.lowerBound, cell.upperBound)
    while start < end, isOutside(start) { start += 1 }
    while start < end, isOutside(end - 1) { end -= 1 }
    return start..<end
  }
}
