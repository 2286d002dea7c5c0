import VitalsModel

/// Reads a recording from CSV: a line of column names, then a frame a line.
///
/// Columns are separated by commas, semicolons or tabs, and found by their names or by `columns`; a cell in quotation
/// marks may hold a separator. Colours are means of 0...255. The time's unit comes from `columns`, from the column's name (`time_ms`), or else from the frames' spacing.
/// A last line that was cut off is left out with a note. Throws on anything else that is not a frame, with its line.
public func readRecording(csv bytes: [UInt8], columns: ColumnNames) throws(RecordingError) -> Recording {
  var table = try CSVTable(bytes)
  let layout = try CSVLayout(table.names, columns)
  var times: [Double] = []
  var colours: [(Double, Double, Double)] = []
  var notes: [String] = []
  reading: while let row = try table.nextRow(atLeast: layout.lastColumn + 1) {
    switch row {
    case .whole:
      times.append(try table.number(layout.time))
      colours.append(
        (
          try table.number(layout.red, in: 0...255), try table.number(layout.green, in: 0...255),
          try table.number(layout.blue, in: 0...255)
        ))
    case .cut:
      notes.append("the last line is cut off and left out")
      break reading
    }
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
  public static let longest = TimeSpan.seconds(7 * 24 * 3_600)
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
