import VitalsModel

/// Which columns of a CSV hold what.
struct CSVLayout {
  /// The time's column; nil: there is none.
  let time: TimeColumn?
  /// The column that stands for red: of a file without red, another colour.
  let red: Int
  /// The column of green; nil: there is none, or it stands for red.
  let green: Int?
  /// The column of blue; nil: there is none, or it is not read.
  let blue: Int?
  /// The colours by the names of their columns.
  let colours: RecordedColours
  /// Whether a line of units below the names was passed over.
  let hasUnits: Bool

  /// Every column that is read.
  let columns: [Int]

  var lastColumn: Int { columns.reduce(0, max) }

  /// Finds the columns in a table's names.
  ///
  /// - Parameter hasRate: whether the rate of the frames is known, without which there must be a time
  init(_ table: inout CSVTable, _ columns: ColumnNames, hasRate: Bool) throws(RecordingError) {
    let search = ColumnSearch(table)
    let time = columns.hasNoTime ? nil : try search.column(.time, columns.time)
    guard time != nil || hasRate else { throw search.noTime(columns) }
    let found = try search.colours(columns, besides: time)
    let colourColumns = [found.red, found.green, found.blue].compactMap(\.self)
    let units = table.skipUnits(time: time, colours: colourColumns)
    hasUnits = units != nil
    self.columns = [time].compactMap(\.self) + colourColumns
    self.time = time.map {
      TimeColumn(
        column: $0, name: table.names[$0], givenUnit: columns.timeUnit, unitBelow: units.flatMap(TimeColumn.unit))
    }
    (red, green, blue) = (found.red, found.green, found.blue)
    func name(_ column: Int) -> String { table.names[column] }
    colours = RecordedColours(
      red: name(found.red), green: found.green.map(name), blue: found.blue.map(name))
  }
}

/// The column of the time, and its unit.
struct TimeColumn {
  let column: Int
  let name: String
  let givenUnit: ColumnNames.TimeUnit?
  /// The unit in a line of units below the names; nil where there is none.
  let unitBelow: ColumnNames.TimeUnit?

  /// The unit of the times, and how it is known.
  func unit(_ times: [Double]) throws(RecordingError) -> (ColumnNames.TimeUnit, String) {
    if let givenUnit { return (givenUnit, "as --columns says") }
    if let unit = Self.unit(in: name) { return (unit, "as the column's name \"\(name)\" says") }
    if let unitBelow { return (unitBelow, "as the unit below the column's name says") }
    // The units do not overlap in what cameras do.
    let spacing = Self.spacing(times)
    for unit in ColumnNames.TimeUnit.allCases where unit.isCameras(spacing) {
      return (unit, "from the spacing of \(Fixed.text(spacing, places: 3))")
    }
    let shown = Fixed.text(min(spacing, 1e12), places: 3)
    let repeats = repeatAdvice(times).map { "\($0), or s" } ?? "s"
    throw RecordingError(
      "the spacing of \(shown) in \"\(name)\" is no camera's in s, ms, us or ns; "
        + "\(repeats)ay which with --columns time=\(name):ms", line: 1)
  }

  /// Throws where the lines are not in order of time: where more than a quarter of them go back.
  func refuseDisorder(_ times: [Double]) throws(RecordingError) {
    let backwards = zip(times, times.dropFirst()).count { $1 < $0 }
    guard backwards * 4 > times.count else { return }
    throw RecordingError(
      "the lines are not in order of time: \(backwards) of \(times.count) go back in \"\(name)\"; sort them by it, "
        + "or go by their rate with --columns time=- --rate 30fps")
  }

  /// What to try where the frames are as far apart as no camera's in a unit, and as a camera's in another.
  func advice(_ times: [Double], against unit: ColumnNames.TimeUnit) -> String? {
    let spacing = Self.spacing(times)
    guard !unit.isCameras(spacing), let other = ColumnNames.TimeUnit.allCases.first(where: { $0.isCameras(spacing) })
    else { return nil }
    return "the spacing of \(Fixed.shortest(spacing, places: 3)) is a camera's in \(other.word): "
      + "try --columns time=\(name):\(other.rawValue)"
  }

  /// What to try where stamps are coarser than the frames, as whole seconds are: most frames repeat one.
  func repeatAdvice(_ times: [Double]) -> String? {
    let repeats = zip(times, times.dropFirst()).count { $0 == $1 }
    guard repeats * 2 > times.count else { return nil }
    return "\(repeats) of \(times.count) frames repeat a time stamp: go by their rate with "
      + "--columns time=- --rate 30fps"
  }

  /// The unit that one of a text's words is; nil where none is.
  static func unit(in text: String) -> ColumnNames.TimeUnit? {
    ColumnSearch.parts(text).lazy.compactMap(ColumnNames.TimeUnit.init(word:)).first
  }

  /// The usual difference between the times of two frames; 0 where there is none.
  private static func spacing(_ times: [Double]) -> Double {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }
}

/// Finds columns by their names.
struct ColumnSearch {
  /// What a column may hold.
  enum Content: String, CaseIterable {
    case time, red, green, blue

    /// The first words of names that say so.
    fileprivate var words: [String] {
      switch self {
      case .time: ["time", "t", "timestamp", "timestamps", "elapsed", "seconds", "millis", "milliseconds", "ms"]
      case .red: ["red", "r"]
      case .green: ["green", "g"]
      case .blue: ["blue", "b"]
      }
    }
  }

  private let names: [String]
  private let words: [[String]]
  /// The line of the names; nil: there is none.
  private let line: Int?
  /// What one is called: a column, or a signal.
  private let noun: String

  init(_ table: CSVTable) { self.init(table.names, line: table.nameLine, noun: "column") }

  init(_ names: [String], line: Int?, noun: String) {
    self.names = names
    self.line = line
    self.noun = noun
    words = names.map(Self.parts)
  }

  /// The words of a name in lower case: `Time (ms)`, `time_ms` and `timeMs` are `time` and `ms`.
  static func parts(_ name: String) -> [String] {
    var spaced = ""
    var endsLow = false
    for character in name {
      if endsLow, character.isUppercase { spaced.append(" ") }
      spaced.append(character)
      endsLow = character.isLowercase
    }
    return spaced.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// The column of that name, or else the one whose name says that it holds this: by its first word, or else by any.
  func column(_ content: Content, _ given: String?) throws(RecordingError) -> Int? {
    if let given {
      let indices = names.indices.filter { names[$0] == given }
      guard !indices.isEmpty else {
        throw RecordingError("there is no \(noun) \"\(given)\"; there are: \(listed)", line: line)
      }
      return try single(indices, content)
    }
    let known = content.words
    let first = names.indices.filter { words[$0].first.map(known.contains) ?? false }
    return try single(
      first.isEmpty ? names.indices.filter { words[$0].contains(where: known.contains) } : first, content)
  }

  private func single(_ indices: [Int], _ content: Content) throws(RecordingError) -> Int? {
    guard let second = indices.dropFirst().first else { return indices.first }
    throw RecordingError(
      "\(noun)s \(indices[0] + 1) and \(second + 1), \"\(names[indices[0]].prefix(40))\" and "
        + "\"\(names[second].prefix(40))\", could both be \(content.rawValue); "
        + "name it with --columns \(content.rawValue)=NAME", line: line)
  }

  /// Three colours, or two, or one in the place of red; a single column besides the time's is one whatever its name.
  func colours(
    _ columns: ColumnNames, besides time: Int?
  ) throws(RecordingError) -> (red: Int, green: Int?, blue: Int?) {
    let red = try column(.red, columns.red)
    let green = try column(.green, columns.green)
    let blue = try column(.blue, columns.blue)
    if let red { return (red, green, blue) }
    // Blood shows best in green.
    if let only = green ?? blue { return (only, nil, nil) }
    let others = names.indices.filter { $0 != time && !names[$0].isEmpty }
    if let only = others.first, others.count == 1 { return (only, nil, nil) }
    throw RecordingError(
      "no \(noun) is named red, green or blue; there are: \(listed). Name one with --columns red=NAME", line: line)
  }

  /// Why there must be a time.
  func noTime(_ columns: ColumnNames) -> RecordingError {
    guard !columns.hasNoTime else { return RecordingError("without a time it needs the frame rate: add --rate 30fps") }
    let known = "time, t, timestamp or elapsed"
    return RecordingError(
      "no column is named \(known); there are: \(listed). Name it with --columns time=NAME, or say --rate 30fps",
      line: line)
  }

  private var listed: String {
    let shown = names.prefix(12).map { String($0.prefix(40)) }.joined(separator: ", ")
    return shown + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }
}
