import VitalsModel

/// Reads a recording from CSV: a line of column names, then a frame a line.
///
/// Columns are separated by commas, semicolons or tabs, and found by their names or by `columns`. Colours are means of
/// 0...255. The time's unit comes from `columns`, from the column's name (`time_ms`), or else from the frames' spacing.
/// A last line that was cut off is left out with a note. Throws on anything else that is not a frame, with its line.
public func readRecording(csv bytes: [UInt8], columns: ColumnNames) throws(RecordingError) -> Recording {
  var table = try CSVTable(bytes)
  let layout = try CSVLayout(table.names, columns)
  var times: [Double] = []
  var colours: [(Double, Double, Double)] = []
  var notes: [String] = []
  while let row = try table.nextRow(atLeast: layout.lastColumn + 1) {
    guard let cells = row.cells else {
      notes.append("the last line is cut off and left out")
      break
    }
    times.append(try cells.number(layout.time, row.line, in: nil))
    colours.append(
      (
        try cells.number(layout.red, row.line, in: 0...255), try cells.number(layout.green, row.line, in: 0...255),
        try cells.number(layout.blue, row.line, in: 0...255)
      ))
  }
  guard let first = times.first else { throw RecordingError("there are no frames in it") }
  let (unit, reason) = try layout.unit(times)
  let furthest = times.map { ($0 - first).magnitude }.max() ?? 0
  guard furthest * unit.microseconds <= Double(Recording.longest.microseconds) else {
    throw RecordingError("its frames span more than 7 days; is the time's unit right?")
  }
  let frames = zip(times, colours).map { time, colour in
    FrameSample(
      captured: Instant(microseconds: Int64(((time - first) * unit.microseconds).rounded())), red: colour.0,
      green: colour.1, blue: colour.2)
  }
  return Recording(frames: frames, notes: ["time read as \(unit.word), \(reason)"] + notes)
}

extension Recording {
  /// Longer than anybody records; a longer span is a unit misread.
  static let longest = TimeSpan.seconds(7 * 24 * 3_600)
}

/// Where the columns are.
private struct CSVLayout {
  let time: Int
  let red: Int
  let green: Int
  let blue: Int
  private let timeName: String
  private let givenUnit: ColumnNames.TimeUnit?

  var lastColumn: Int { max(time, red, green, blue) }

  init(_ names: [String], _ columns: ColumnNames) throws(RecordingError) {
    func find(_ what: String, _ given: String?, _ known: [String]) throws(RecordingError) -> Int {
      let indices = names.indices.filter { index in
        if let given { names[index] == given } else { known.contains(Self.stem(names[index])) }
      }
      if let second = indices.dropFirst().first {
        throw RecordingError(
          "columns \(indices[0] + 1) and \(second + 1), \"\(names[indices[0]].prefix(40))\" and "
            + "\"\(names[second].prefix(40))\", could both be \(what); name it with --columns \(what)=NAME", line: 1)
      }
      guard let index = indices.first else {
        let listed = names.prefix(12).map { String($0.prefix(40)) }.joined(separator: ", ")
        throw RecordingError(
          given.map { "there is no column \"\($0)\"; there are: \(listed)" }
            ?? "no column is named \(known.joined(separator: " or ")); there are: \(listed). "
            + "Name it with --columns \(what)=NAME", line: 1)
      }
      return index
    }
    time = try find("time", columns.time, ["time", "t", "timestamp", "elapsed"])
    red = try find("red", columns.red, ["red", "r"])
    green = try find("green", columns.green, ["green", "g"])
    blue = try find("blue", columns.blue, ["blue", "b"])
    timeName = names[time]
    givenUnit = columns.timeUnit
  }

  /// A name in lower case without its unit: `Time (ms)` and `time_ms` are `time`.
  private static func stem(_ name: String) -> String { parts(name).first ?? "" }

  private static func parts(_ name: String) -> [String] {
    name.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// The unit of the times, and how it is known.
  func unit(_ times: [Double]) throws(RecordingError) -> (ColumnNames.TimeUnit, String) {
    if let givenUnit { return (givenUnit, "as --columns says") }
    let words: [(ColumnNames.TimeUnit, [String])] = [
      (.seconds, ["s", "sec", "seconds"]), (.milliseconds, ["ms", "msec", "milliseconds"]),
      (.microseconds, ["us", "usec", "microseconds"]),
    ]
    let parts = Self.parts(timeName).dropFirst()
    for (unit, names) in words where parts.contains(where: names.contains) {
      return (unit, "as the column's name \"\(timeName)\" says")
    }
    // Cameras take 5 to 200 frames a second; the three units do not overlap there.
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    let spacing = steps.isEmpty ? 0 : steps[steps.count / 2]
    for unit in ColumnNames.TimeUnit.allCases where (5_000...200_000).contains(spacing * unit.microseconds) {
      return (unit, "from the spacing of \(Fixed.text(spacing, places: 3))")
    }
    throw RecordingError(
      "the spacing of \(Fixed.text(min(spacing, 1e9), places: 3)) in \"\(timeName)\" is no camera's in s, ms or us; "
        + "say which with --columns time=\(timeName):ms", line: 1)
  }
}

extension [Substring] {
  fileprivate func number(_ column: Int, _ line: Int, in range: ClosedRange<Double>?) throws(RecordingError) -> Double {
    let text = self[column]
    // Within the microseconds since 1970 a double still tells frames apart.
    guard isDecimal(text), let value = Double(text), value.magnitude < 1e16 else {
      let advice = text.contains(",") ? "; write decimals with a point" : ""
      throw RecordingError(
        "column \(column + 1) holds \"\(text.prefix(40))\" where a number belongs\(advice)", line: line)
    }
    if let range, !range.contains(value) {
      throw RecordingError(
        "column \(column + 1) holds \(text.prefix(40)); a colour's mean is 0 to 255", line: line)
    }
    return value
  }
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

/// A CSV file line by line.
private struct CSVTable {
  let names: [String]
  private let text: String
  private let separator: Character
  private var rest: Substring
  private var line = 1

  struct Row {
    let line: Int
    /// nil for a last line that was cut off.
    let cells: [Substring]?
  }

  init(_ bytes: [UInt8]) throws(RecordingError) {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    guard !bytes.contains(0), let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw RecordingError("it is not a text file; a recording is CSV with a line of column names, or a trace")
    }
    self.text = text
    rest = text[...]
    var first = Self.takeLine(&rest)
    while let blank = first, blank.text.allSatisfy({ $0 == " " || $0 == "\t" }) {
      first = Self.takeLine(&rest)
      line += 1
    }
    guard let first else {
      throw RecordingError("it is empty; a recording is CSV with a line of column names")
    }
    separator = [",", ";", "\t"].first { first.text.contains($0) } ?? ","
    names = Self.cells(first.text, separator).map(String.init)
  }

  /// The next row with at least that many cells; empty lines are passed over.
  mutating func nextRow(atLeast count: Int) throws(RecordingError) -> Row? {
    while let next = Self.takeLine(&rest) {
      line += 1
      if next.text.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
      let cells = Self.cells(next.text, separator)
      // More cells than names: decimal commas between commas, say, and every column would be another's.
      if next.isWhole, cells.dropFirst(names.count).contains(where: { !$0.isEmpty }) {
        throw RecordingError("there are \(cells.count) columns where \(names.count) have a name", line: line)
      }
      if cells.count >= count, cells.prefix(count).allSatisfy({ !$0.isEmpty }) || next.isWhole {
        return Row(line: line, cells: cells)
      }
      if !next.isWhole { return Row(line: line, cells: nil) }
      throw RecordingError("there are \(cells.count) columns where \(count) belong", line: line)
    }
    return nil
  }

  private static func takeLine(_ rest: inout Substring) -> (text: Substring, isWhole: Bool)? {
    guard !rest.isEmpty else { return nil }
    // CR LF is one character to Swift.
    guard let end = rest.firstIndex(where: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }) else {
      defer { rest = rest[rest.endIndex...] }
      return (rest, false)
    }
    defer { rest = rest[rest.index(after: end)...] }
    return (rest[..<end], true)
  }

  private static func cells(_ line: Substring, _ separator: Character) -> [Substring] {
    line.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      func isOutside(_ character: Character) -> Bool { character == " " || character == "\t" || character == "\"" }
      let trimmed = cell.drop(while: isOutside)
      return trimmed.prefix(trimmed.count - trimmed.reversed().prefix(while: isOutside).count)
    }
  }
}
