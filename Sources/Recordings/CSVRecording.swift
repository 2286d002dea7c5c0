import VitalsModel

/// Reads a recording from CSV: a line of column names, then a frame a line.
///
/// Columns are separated by commas, semicolons or tabs, and found by their names or by `columns`; where the first line holds
/// numbers alone, they are called 1, 2, 3 and so on. A cell in quotation marks may hold a separator. Colours are means of
/// 0...255; one of them is enough. The time's unit comes from `columns`, from the column's name (`time_ms`), or else from
/// the frames' spacing, or a line of units below the names. A last line that was cut off is left out with a note, and so
/// are frames without a number (an empty cell, `NaN`, infinity) and those whose time is far from those beside it.
/// Throws on anything else that is not a frame, with its line, and where the lines are not in order of time.
///
/// - Parameter rateFps: frames per second where there is no time, above 0; where there is, the time stamps are right and
///   a note says when they contradict it
public func readRecording(
  csv bytes: [UInt8], columns: ColumnNames, rateFps: Double? = nil
) throws(RecordingError) -> Recording {
  var table = try CSVTable(bytes)
  let layout = try CSVLayout(&table, columns, hasRate: rateFps != nil)
  var rows = CSVRows()
  // A line has hardly fewer bytes than this.
  rows.reserve(bytes.count / 40)
  let isCut = try rows.read(&table, layout)
  guard !rows.times.isEmpty else { throw RecordingError("there are no frames in it") }
  var notes: [String] = []
  let microseconds: Double
  var advice: [String?] = []
  if let time = layout.time {
    let unit = try rows.readTimes(time, &notes)
    microseconds = unit.microseconds
    advice = [time.advice(rows.times, against: unit), time.repeatAdvice(rows.times)]
  } else {
    let rate = rateFps ?? 0
    microseconds = 1_000_000 / rate
    notes.append("time read as \(Fixed.shortest(rate, places: 3)) frames a second, as --rate says")
  }
  if table.isHeadless { notes.append("there is no line of column names, so they are called 1, 2, 3") }
  if layout.hasUnits { notes.append("the line below the column names holds units") }
  if table.hasDecimalCommas { notes.append("decimal commas read as points") }
  if isCut { notes.append("the last line is cut off and left out") }
  notes += ([rows.missingNote, rows.strayNote] + advice).compactMap(\.self)
  let first = rows.times.first ?? 0
  let furthest = rows.times.reduce(0) { max($0, ($1 - first).magnitude) }
  guard furthest * microseconds <= Double(Recording.longest.microseconds) else {
    throw RecordingError(
      "its frames span more than 7 days; is the \(layout.time == nil ? "rate" : "time's unit") right?")
  }
  let recording = Recording(
    frames: rows.frames(first: first, microseconds: microseconds), colours: layout.colours, notes: notes)
  guard layout.time != nil, let rateFps else { return recording }
  return recording.contradicting(rateFps)
}

extension Recording {
  /// Longer than anybody records; a longer span is a unit misread.
  public static let longest = TimeSpan.seconds(7 * 24 * 3_600)

  /// The recording with a note where its time stamps say another rate than the one that was declared.
  fileprivate func contradicting(_ rateFps: Double) -> Recording {
    // Lost frames leave the usual spacing alone. Three in a hundred is more than any clock is wrong by.
    guard (frameRateFps / rateFps - 1).magnitude > 0.03 else { return self }
    let (real, declared) = (Fixed.shortest(frameRateFps, places: 2), Fixed.shortest(rateFps, places: 2))
    return noting(
      "the time stamps say \(real) frames a second, not \(declared), and are used; --columns time=- goes by --rate")
  }
}

/// What is read of the lines.
private struct CSVRows {
  private(set) var times: [Double] = []
  private var colours: [(red: Double, green: Double, blue: Double)] = []
  /// Lines that lack a number, and the first of them.
  private var missing: (count: Int, line: Int) = (0, 0)
  /// Lines whose time stamp is a stray, and the first of these stamps.
  private var strays: (count: Int, first: Double) = (0, 0)

  mutating func reserve(_ count: Int) {
    times.reserveCapacity(count)
    colours.reserveCapacity(count)
  }

  /// Reads all lines; gives whether the last is cut off.
  mutating func read(_ table: inout CSVTable, _ layout: CSVLayout) throws(RecordingError) -> Bool {
    let columns = layout.columns
    while let row = try table.nextRow(atLeast: layout.lastColumn + 1) {
      switch row {
      case .whole:
        guard next < Double(Recording.mostFrames) else { throw Recording.tooManyFrames }
        if columns.contains(where: table.isMissing) {
          missing = (missing.count + 1, missing.count == 0 ? table.line : missing.line)
          continue
        }
        times.append(try layout.time.map { (time) throws(RecordingError) in try table.number(time.column) } ?? next)
        let red = try table.number(layout.red, in: 0...255)
        let green = try layout.green.map { (column) throws(RecordingError) in try table.number(column, in: 0...255) }
        let blue = try layout.blue.map { (column) throws(RecordingError) in try table.number(column, in: 0...255) }
        colours.append((red, green ?? 0, blue ?? 0))
      case .cut: return true
      }
    }
    return false
  }

  /// The number of the next frame, which is its time where there is no other; a frame that is left out has one too.
  private var next: Double { Double(times.count + missing.count) }

  /// Finds the unit of the times, with a note, and leaves out the frames whose time is a stray.
  mutating func readTimes(
    _ time: TimeColumn, _ notes: inout [String]
  ) throws(RecordingError) -> ColumnNames.TimeUnit {
    try time.refuseDisorder(times)
    let (unit, reason) = try time.unit(times)
    notes.append("time read as \(unit.word), \(reason)")
    let order = StampOrder(
      times, second: 1_000_000 / unit.microseconds,
      longest: Double(Recording.longest.microseconds) / unit.microseconds)
    guard let first = order.strays.first else { return unit }
    strays = (order.strays.count, times[first])
    var isStray = [Bool](repeating: false, count: times.count)
    for index in order.strays { isStray[index] = true }
    let kept = times.indices.filter { !isStray[$0] }
    (times, colours) = (kept.map { times[$0] }, kept.map { colours[$0] })
    return unit
  }

  var missingNote: String? {
    switch missing.count {
    case 0: nil
    case 1: "1 frame without a number is left out, in line \(missing.line)"
    default: "\(missing.count) frames without a number are left out, the first in line \(missing.line)"
    }
  }

  var strayNote: String? {
    let stamp = Fixed.shortest(strays.first, places: 3)
    return switch strays.count {
    case 0: nil
    case 1: "1 frame is left out, whose time of \(stamp) is far from those beside it"
    default: "\(strays.count) frames are left out, whose times are far from those beside them, the first \(stamp)"
    }
  }

  func frames(first: Double, microseconds: Double) -> [FrameSample] {
    times.indices.map { index in
      FrameSample(
        captured: Instant(microseconds: Int64(((times[index] - first) * microseconds).rounded())),
        red: colours[index].red, green: colours[index].green, blue: colours[index].blue)
    }
  }
}
