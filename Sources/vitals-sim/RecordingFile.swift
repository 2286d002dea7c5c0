import Recordings
import Traces

/// Reads a recording of any kind, told by what is in it and not by its name.
enum RecordingFile {
  /// How a file is to be read.
  struct Reading: Sendable {
    /// Which columns hold what, as the user wrote it; nil: found by their names.
    var columnsText: String?
    /// Frames per second where there is no time, as the user wrote it.
    var rateText: String?
    /// The same as a number.
    var rateFps: Double?
  }

  /// The most bytes of a recording: days of frames.
  static let mostBytes = 1_000_000_000

  static func read(_ path: String, _ reading: Reading) throws(Refusal) -> Recording {
    let columns = try refusing("--columns") { () throws(RecordingError) in
      try reading.columnsText.map { (text) throws(RecordingError) in try ColumnNames(text) } ?? ColumnNames()
    }
    let bytes = try readFile(path, limit: mostBytes, what: "a recording", takesPipes: true)
    if TraceFile.isTrace(bytes) {
      try refuse(reading.columnsText, "--columns is about CSV and EDF+, and \(path) is a trace")
      try refuse(reading.rateText, "--rate is about CSV, and \(path) is a trace, in which each frame has its time")
      let trace = try TraceFile(path, bytes: bytes)
      return try refusing(path) { () throws(RecordingError) in
        if let speaks = trace.protocolWithoutPleth {
          throw RecordingError("it is of an oximeter that sends no wave (\(speaks)), so there is nothing to measure")
        }
        guard let largest = trace.largestPleth else { return try readRecording(trace: trace.entries) }
        return try readRecording(pleth: trace.entries, largest: largest)
      }
    }
    if isEDF(bytes) {
      try refuse(reading.rateText, "--rate is about CSV, and \(path) is EDF+, which says its own")
      return try refusing(path) { () throws(RecordingError) in try readRecording(edf: bytes, columns: columns) }
    }
    return try refusing(path) { () throws(RecordingError) in
      try readRecording(csv: bytes, columns: columns, rateFps: reading.rateFps)
    }
  }

  private static func refuse(_ option: String?, _ message: String) throws(Refusal) {
    if option != nil { throw Refusal(request: message) }
  }

  /// Gives what `read` gives, or refuses with the name of what was read.
  static func refusing<Value>(_ name: String, _ read: () throws(RecordingError) -> Value) throws(Refusal) -> Value {
    do throws(RecordingError) {
      return try read()
    } catch {
      throw Refusal(request: "\(name):\(error.line.map { "\($0):" } ?? "") \(error.message)")
    }
  }
}

extension TraceFile {
  /// What the oximeter spoke that it is a recording of, where that has no pleth.
  fileprivate var protocolWithoutPleth: String? {
    guard header?.channels == [] else { return nil }
    return header?.further.first { $0.key == "protocol" }?.value.text
  }

  /// The largest value of the pleth that its samples are; nil where they are colours.
  fileprivate var largestPleth: Int? {
    guard header?.channels == ["pleth"] else { return nil }
    return header?.further.first { $0.key == "largestPleth" }?.value.number.flatMap { Int(exactly: $0) }
  }
}
