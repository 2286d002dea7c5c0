import Checks
import ReadingSimulation
import Traces
import VitalsModel

/// A trace as it was read from a file.
struct TraceFile {
  /// The file as the user wrote it.
  let path: String
  /// Nil for a golden, which has no first line about its run.
  let header: TraceHeader?
  let entries: [TraceEntry]

  /// The most bytes of a trace: days of a session.
  private static let mostBytes = 1_000_000_000

  /// Reads a trace or a golden. A last line that was cut off is left out, and a warning on standard error says so.
  init(_ path: String) throws(Refusal) {
    self = try TraceFile(path, bytes: try readFile(path, limit: Self.mostBytes, what: "a trace"))
  }

  /// Whether a file begins as a trace does, and not as a table of columns.
  static func isTrace(_ bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "{") }

  /// Reads a trace or a golden whose bytes are known.
  init(_ path: String, bytes: [UInt8]) throws(Refusal) {
    self.path = path
    let warning: String?
    do throws(TraceReadError) {
      if bytes.starts(with: "{\"t\":".utf8) {
        header = nil
        (entries, warning) = try readTraceBody(bytes)
      } else {
        let read = try readTrace(bytes)
        (header, entries, warning) = (read.header, read.entries, read.warning)
      }
    } catch {
      throw Refusal(request: "\(path) is not a trace: line \(error.line), column \(error.column): \(error.message)")
    }
    if let warning { StandardStream.error.write("vitals-sim: warning: \(path): \(warning)\n") }
  }

  /// Whether the end of the run is in it: a trace that was cut off lacks its last line.
  var isWhole: Bool {
    if case .truth(let truth)? = entries.last?.item, case .end? = RunTruth(truth) { true } else { false }
  }

  /// The platform that the run was on, when everything that the engine was fed is in the trace.
  func replayablePlatform() throws(Refusal) -> String {
    let header = try knownHeader(
      else: "is a golden and holds no frames", hint: "record a run: vitals-sim run PATH --trace DIR")
    guard header.channels == FrameSample.channels else {
      throw Refusal(request: "\(path) holds samples of \(header.channels.joined(separator: ", ")), not colours")
    }
    if let reason = refusal(ofReplaying: entries, vocabulary: ScenarioFiles.contract.vocabulary) {
      throw Refusal(request: "\(path) cannot be replayed: \(reason)")
    }
    return header.platform
  }

  /// What a trace says of its run, when it is one that the rules speak of.
  func judgeableHeader() throws(Refusal) -> TraceHeader {
    let header = try knownHeader(
      else: "is a golden and does not say its platform", hint: "judge a trace: vitals-sim run PATH --trace DIR")
    if let reason = refusal(ofTimesIn: entries) { throw Refusal(request: "\(path) cannot be judged: \(reason)") }
    return header
  }

  /// The header of a trace of this contract on one of its platforms.
  private func knownHeader(else missing: String, hint: String) throws(Refusal) -> TraceHeader {
    guard let header else { throw Refusal(request: "\(path) \(missing)", hint: hint) }
    let contract = ScenarioFiles.contract
    guard header.contract == contract.name else {
      throw Refusal(request: "\(path) is of the contract \(header.contract), and this tool knows \(contract.name)")
    }
    guard contract.vocabulary.platforms.contains(header.platform) else {
      throw Refusal(request: "\(path) is of an unknown platform, \(header.platform)")
    }
    return header
  }
}
