import Recordings
import VitalsModel

/// The intervals of a chest strap, which carry no time stamps.
struct StrapReference {
  private let intervalsMs: [Double]

  /// Reads them as `vitals-sim run --reference` does. What is no usual interval of a heart at rest is told by `doubts`.
  init(_ path: String) throws(AccuracyProblem) {
    let bytes = try readFile(path)
    do {
      intervalsMs = try readReferenceIntervals(bytes).intervalsMs
    } catch {
      throw AccuracyProblem(file: path, line: error.line, message: error.message)
    }
    guard intervalsMs.count > 1 else {
      throw AccuracyProblem(file: path, message: "there are fewer than two intervals")
    }
  }

  /// 60,000 over the mean interval.
  var heartRateBpm: Double { 60_000 * Double(intervalsMs.count) / intervalsMs.reduce(0, +) }

  /// Of each interval and the next.
  var rmssdMs: Double? { mean(zip(intervalsMs, intervalsMs.dropFirst()).map { ($1 - $0) * ($1 - $0) })?.squareRoot() }

  var sdnnMs: Double? { standardDeviation(intervalsMs) }

  /// Why it may not belong to a recording of that length, or be no list of heartbeats: empty where all is plausible.
  ///
  /// A strap that is worn throughout leaves out a beat at most at either end.
  func doubts(recordingSeconds: Double) -> [String] {
    var doubts: [String] = []
    let odd = intervalsMs.count { !(300...2_000).contains($0) }
    if odd > 0 { doubts.append("\(odd) of \(intervalsMs.count) intervals are outside 300...2000 ms") }
    let seconds = intervalsMs.reduce(0, +) / 1_000
    let slack = max(0.1 * recordingSeconds, 3)
    if (seconds - recordingSeconds).magnitude > slack {
      let (total, length) = (Fixed.text(seconds, places: 1), Fixed.text(recordingSeconds, places: 1))
      doubts.append("its intervals take \(total) s and the recording \(length) s")
    }
    return doubts
  }
}

/// What four pulse oximeters, an ECG and a capnograph showed, a row a second.
struct OximeterReference {
  private struct Row {
    var pulses: [Double?]
    var ecg: Double?
    var breathing: Double?
  }

  /// The oximeters that were worn, by the numbers of their columns; the third was not.
  private static let worn = [1, 2, 4, 5]
  private let rows: [Row]
  /// What is wrong with the table as a whole.
  let doubts: [String]

  /// Reads the table. Columns before the misaligned ones are found by their names, ECG and capnograph from a row's end;
  /// 0 is missing, and a row with nothing but its first cell is a remark.
  init(_ path: String) throws(AccuracyProblem) {
    var text = String(decoding: try readFile(path), as: UTF8.self)
    if text.first == "\u{feff}" { text.removeFirst() }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().makeIterator()
    guard let names = lines.next().map({ Self.cells($0.element) }), names.count > 1 else {
      throw AccuracyProblem(file: path, message: "there is no line of column names")
    }
    let columns = Self.worn.compactMap { number in names.firstIndex { $0.lowercased() == "pulse \(number)" } }
    guard !columns.isEmpty else {
      throw AccuracyProblem(file: path, line: 1, message: "there is no column \"Pulse 1\", 2, 4 or 5")
    }
    var rows: [Row] = []
    var seconds: [Int] = []
    while let (index, line) = lines.next() {
      let cells = Self.cells(line)
      // Empty, or a remark: the last one says that the collection was halted.
      guard cells.dropFirst().contains(where: { !$0.isEmpty }) else { continue }
      guard let second = Self.secondOfDay(cells[0]) else {
        throw AccuracyProblem(
          file: path, line: index + 1, message: "\"\(cells[0].prefix(40))\" is not a time of day, as 09:25:02 is")
      }
      guard let last = columns.max(), cells.count > max(last, 9) else {
        throw AccuracyProblem(
          file: path, line: index + 1, message: "there are \(cells.count) columns where \(names.count) belong")
      }
      seconds.append(second)
      rows.append(
        Row(
          pulses: columns.map { Self.value(cells[$0]) }, ecg: Self.value(cells[cells.count - 9]),
          breathing: Self.value(cells[cells.count - 5])))
    }
    guard !rows.isEmpty else { throw AccuracyProblem(file: path, message: "there is no row with a time and a pulse") }
    self.rows = rows
    let day = 86_400
    let odd = zip(seconds, seconds.dropFirst()).count { ($1 - $0 + day) % day != 1 }
    doubts = odd > 0 ? ["\(odd) of its rows are not a second after the one before"] : []
  }

  /// How many seconds it knows.
  var seconds: Int { rows.count }

  /// The mean over a window of each second's median of the oximeters; nil where half of it or more is missing.
  func heartRateBpm(_ window: Range<Int>) -> Double? {
    Self.mean(of: window.map { second in row(second).flatMap { median($0.pulses.compactMap(\.self)) } })
  }

  /// The mean of the capnograph over a window; nil where half of it or more is missing.
  func breathingRatePerMin(_ window: Range<Int>) -> Double? {
    Self.mean(of: window.map { row($0)?.breathing })
  }

  /// What the devices themselves disagree about in a window of the pulse; empty where they agree.
  func heartRateDoubts(_ window: Range<Int>) -> [String] {
    guard let pulse = heartRateBpm(window) else { return [] }
    let widths = rows.first?.pulses.indices ?? 0..<0
    let each = widths.compactMap { index in Self.mean(of: window.map { row($0)?.pulses[index] }) }
    var doubts: [String] = []
    if let least = each.min(), let most = each.max(), most - least > 5 {
      doubts.append("its oximeters are \(Fixed.text(most - least, places: 1)) bpm apart")
    }
    if let ecg = Self.mean(of: window.map { row($0)?.ecg }), (ecg - pulse).magnitude > 5 {
      doubts.append("its ECG is \(Fixed.text((ecg - pulse).magnitude, places: 1)) bpm from its oximeters")
    }
    return doubts
  }

  private func row(_ second: Int) -> Row? { rows.indices.contains(second) ? rows[second] : nil }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
      String(cell.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed())
    }
  }

  private static func value(_ cell: String) -> Double? {
    Double(cell).flatMap { $0 > 0 && $0 < 1_000 ? $0 : nil }
  }

  /// The second of the day of `09:25:02`.
  private static func secondOfDay(_ cell: String) -> Int? {
    let parts = cell.split(separator: ":").map { Int($0) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return nil }
    return 3_600 * hour + 60 * minute + second
  }

  private static func mean(of values: [Double?]) -> Double? {
    let present = values.compactMap(\.self)
    return 2 * present.count > values.count ? Benchmarks.mean(present) : nil
  }
}

/// A recording from CSV; `rateFps` is its rate where there is no time column.
func readFrames(_ path: String, rateFps: Double?) throws(AccuracyProblem) -> Recording {
  let bytes = try readFile(path)
  do {
    return try readRecording(csv: bytes, columns: ColumnNames(), rateFps: rateFps)
  } catch {
    throw AccuracyProblem(file: path, line: error.line, message: error.message)
  }
}
