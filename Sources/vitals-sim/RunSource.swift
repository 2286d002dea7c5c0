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

  /// The port that is read; nil where nothing is live.
  let port: LivePort?

  init(_ request: RunRequest) throws(Refusal) {
    if let oximeter = request.oximeter {
      self = RunSource(oximeter)
      return
    }
    port = nil
    guard let path = request.recording else {
      frames = .synthetic
      description = "synthetic"
      notes = []
      options = []
      return
    }
    var options = ["--source", "recording:\(path)"]
    if let text = request.columns { options += ["--columns", text] }
    let recording = try RecordingFile.read(path, RecordingFile.Reading(columnsText: request.columns))
    guard recording.colours.areComplete else {
      throw Refusal(
        request: "\(path) does not have all of red, green and blue, by which a session tells a finger",
        hint: "measure what it has: vitals-sim analyze \(path.asShellWord)")
    }
    var reference: ReferenceIntervals?
    if let file = request.reference {
      let bytes = try readFile(file, limit: RecordingFile.mostBytes, what: "a list of intervals", takesPipes: true)
      reference = try RecordingFile.refusing(file) { () throws(RecordingError) in try readReferenceIntervals(bytes) }
      options += ["--reference", file]
    }
    frames = .recording(recording, reference: reference)
    description = "recording:\(path)"
    notes = recording.notes.map { "\(path): \($0)" }
    self.options = options
  }

  private init(_ oximeter: RunRequest.Oximeter) {
    switch oximeter {
    case .emulator(let speaks):
      frames = .virtualOximeter(speaks)
      description = "serial:emulator,\(speaks.rawValue)"
      port = nil
    case .port(let path, let speaks):
      frames = .liveOximeter
      description = "serial:\(path)\(speaks.map { ",\($0.rawValue)" } ?? "")"
      port = LivePort(path: path, speaks: speaks)
    }
    notes = []
    options = ["--source", description]
  }

  /// Whether the frames are those that a scenario's golden is of.
  var isSynthetic: Bool {
    switch frames {
    case .synthetic: true
    case .recording, .virtualOximeter, .liveOximeter: false
    }
  }

  /// What a scenario runs on, for a message.
  var kind: String {
    switch frames {
    case .synthetic: "a synthetic finger"
    case .recording: "a recording"
    case .virtualOximeter: "a virtual oximeter"
    case .liveOximeter: "a live oximeter"
    }
  }
}
