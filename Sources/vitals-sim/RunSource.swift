import ReadingSimulation
import Recordings
import Scenarios

/// Where the frames of all runs come from, and how the user named it.
struct RunSource: Sendable {
  let frames: ReadingSource
  /// What a report says about it.
  let description: String
  /// What the reader of a recording had to assume.
  let notes: [String]
  /// The options that name it, for the command that does a run again.
  let options: [String]

  /// The most bytes of a recording: a day of frames.
  private static let mostBytes = 1_000_000_000

  init(_ request: RunRequest) throws(Refusal) {
    guard let path = request.recording else {
      frames = .synthetic
      description = "synthetic"
      notes = []
      options = []
      return
    }
    var options = ["--source", "recording:\(path)"]
    var columns = ColumnNames()
    if let text = request.columns {
      columns = try Self.reading("--columns") { () throws(RecordingError) in try ColumnNames(text) }
      options += ["--columns", text]
    }
    let bytes = try readFile(path, limit: Self.mostBytes, what: "a recording")
    let trace = TraceFile.isTrace(bytes) ? try TraceFile(path, bytes: bytes) : nil
    if trace != nil, request.columns != nil {
      throw Refusal(request: "--columns is about CSV, and \(path) is a trace")
    }
    let recording = try Self.reading(path) { () throws(RecordingError) in
      if let trace { try readRecording(trace: trace.entries) } else { try readRecording(csv: bytes, columns: columns) }
    }
    var reference: ReferenceIntervals?
    if let file = request.reference {
      let bytes = try readFile(file, limit: Self.mostBytes, what: "a list of intervals")
      reference = try Self.reading(file) { () throws(RecordingError) in try readReferenceIntervals(bytes) }
      options += ["--reference", file]
    }
    frames = .recording(recording, reference: reference)
    description = "recording:\(path)"
    notes = recording.notes.map { "\(path): \($0)" }
    self.options = options
  }

  private static func reading<Value>(
    _ name: String, _ read: () throws(RecordingError) -> Value
  ) throws(Refusal) -> Value {
    do throws(RecordingError) {
      return try read()
    } catch {
      throw Refusal(request: "\(name):\(error.line.map { "\($0):" } ?? "") \(error.message)")
    }
  }

  /// Whether the frames are made and not read.
  var isSynthetic: Bool {
    switch frames {
    case .synthetic: true
    case .recording: false
    }
  }
}
