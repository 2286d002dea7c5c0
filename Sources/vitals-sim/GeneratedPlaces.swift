import ReadingSimulation
import Recordings
import Traces
import VitalsModel

/// Where a generated recording goes, and its truth.
struct GeneratedPlaces {
  let format: RecordingFormat
  private let recording: Destination
  private let truth: Destination?

  /// Opens every place, so that a wrong one is refused before anything is done; so is one that would take the place of
  /// the scenario.
  init(_ request: GenerateRequest, sparing scenario: String?) throws(Refusal) {
    guard let output = request.output else {
      throw Refusal(
        request: "generate needs to know where to write", hint: "add -o FILE, such as -o finger.csv, or -o -")
    }
    let isStandardOutput = output == "-"
    guard let format = request.format ?? RecordingFormat(fileName: output) ?? (isStandardOutput ? .csv : nil) else {
      throw Refusal(
        request: "\(output.shown) does not say by its ending in which format to write",
        hint: "end it in .csv, .jsonl or .edf, or add --format")
    }
    self.format = format
    if let truthFile = request.truthFile, truthFile == output {
      let place = isStandardOutput ? "standard output" : output.shown
      throw Refusal(request: "the recording and its truth cannot both go to \(place)")
    }
    recording = try Destination(opening: output)
    if let scenario, recording.replaces(scenario) {
      recording.abandon()
      throw Refusal(request: "cannot write \(output): it would take the place of \(scenario)")
    }
    if format == .edf, recording.unfinishedPath == nil {
      recording.abandon()
      let place = recording.isStandardOutput ? "standard output" : output
      throw Refusal(request: "EDF is written to a file, which \(place) is not", hint: "write csv or jsonl to a stream")
    }
    guard let truthFile = request.truthFile else {
      truth = nil
      return
    }
    let truth: Destination
    do throws(Refusal) {
      truth = try Destination(opening: truthFile)
    } catch {
      recording.abandon()
      throw error
    }
    let inputs = [output] + [scenario].compactMap(\.self)
    if let file = inputs.first(where: truth.replaces) {
      recording.abandon()
      truth.abandon()
      throw Refusal(request: "cannot write \(truthFile): it would take the place of \(file)")
    }
    if truth.isStandardOutput, recording.isStandardOutput {
      throw Refusal(request: "the recording and its truth cannot both go to standard output")
    }
    self.truth = truth
  }

  /// Records, and writes on the way; gives the number of frames that came.
  func write(_ take: Take) throws(Refusal) -> Int {
    // EDF+ needs to know what there will be, and the same seed gives the same twice.
    var progress = Progress(
      passes: format == .edf ? 2 : 1, length: take.length,
      sharesOutput: recording.isStandardOutput || truth?.isStandardOutput ?? false)
    var writers: [any RecordingWriter] = [try writer(of: take, &progress)]
    if let truth { writers.append(TraceWriter(truth, header: take.header, keepsFrames: false)) }
    var recording = take.recorder(keepsFrameTruth: truth != nil || format == .jsonl)
    var frames = 0
    while let item = recording.next() {
      progress.come(to: item.at)
      if case .frame = item { frames += 1 }
      for index in writers.indices { try writers[index].write(item) }
    }
    progress.end()
    for index in writers.indices { try writers[index].finish() }
    return frames
  }

  private func writer(of take: Take, _ progress: inout Progress) throws(Refusal) -> any RecordingWriter {
    switch format {
    case .csv: return TableWriter(recording)
    case .jsonl: return TraceWriter(recording, header: take.header, keepsFrames: true)
    case .edf:
      var counting = take.recorder(keepsFrameTruth: false)
      let clock = take.clock
      var content = EDFContent()
      while let item = counting.next() {
        progress.come(to: item.at)
        content.add(item, clock: clock)
      }
      progress.endPass()
      return try EDFWriter(recording, take: take, content: content)
    }
  }
}

/// Writes a recording, one item after the other.
protocol RecordingWriter {
  mutating func write(_ item: SyntheticRecorder.Item) throws(Refusal)
  mutating func finish() throws(Refusal)
}

/// Frames as a table.
private struct TableWriter: RecordingWriter {
  private var lines: LineOutput

  init(_ destination: Destination) {
    lines = LineOutput(destination)
    CSVRecordingText.appendHeader(to: &lines.line)
  }

  mutating func write(_ item: SyntheticRecorder.Item) throws(Refusal) {
    guard case .frame(let frame, _) = item else { return }
    try lines.endLine()
    CSVRecordingText.append(frame, to: &lines.line)
  }

  mutating func finish() throws(Refusal) { try lines.finish() }
}

/// A trace, with its frames or of the truth alone.
private struct TraceWriter: RecordingWriter {
  private var lines: LineOutput
  private let keepsFrames: Bool

  init(_ destination: Destination, header: TraceHeader, keepsFrames: Bool) {
    lines = LineOutput(destination)
    self.keepsFrames = keepsFrames
    TraceText.append(header, to: &lines.line)
    lines.line.append(UInt8(ascii: "\n"))
  }

  mutating func write(_ item: SyntheticRecorder.Item) throws(Refusal) {
    let entry: TraceEntry
    switch item {
    case .frame(let frame, let at):
      guard keepsFrames else { return }
      entry = TraceEntry(at: at, .sample(captured: frame.captured, values: frame.values))
    case .entry(let other): entry = other
    }
    try lines.endLine()
    TraceText.append(entry, to: &lines.line)
    lines.line.append(UInt8(ascii: "\n"))
  }

  mutating func finish() throws(Refusal) { try lines.finish() }
}
