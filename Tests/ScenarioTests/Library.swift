import Checks
import Foundation
import ReadingContract
import ReadingSimulation
import Scenarios
import Traces
import VitalsModel

/// The scenarios of this repository, and the recordings that may lie beside it.
enum Library {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let folder = root.appending(path: "scenarios")
  /// Public recordings, which are not part of this repository.
  static let recordings = root.appending(path: "../shared/data/welltory").standardizedFileURL

  /// The scenario files below the folder, without their ending, in order; those that must be refused are not among
  /// them.
  static func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") && !$0.contains("refused/") }.map { String($0.dropLast(5)) }.sorted()
  }

  static func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  static func scenario(_ name: String) throws -> Scenario {
    try parseScenario(bytes(folder.appending(path: "\(name).yaml")), vocabulary: readingContract.vocabulary)
  }

  /// The golden trace of a scenario; nil when there is none.
  static func golden(_ name: String, _ platform: String) -> [UInt8]? {
    try? bytes(folder.appending(path: "\(name).\(platform).golden.jsonl"))
  }
}

/// A run of a scenario and what it was judged to be.
struct LibraryRun {
  let trace: [TraceEntry]
  let checks: [CheckResult]

  init(
    _ scenario: Scenario, platform: String, seed: UInt64, source: ReadingSource = .synthetic,
    options: JudgeOptions = JudgeOptions()
  ) {
    trace = runReading(
      scenario, vocabulary: readingContract.vocabulary, platform: platform, seed: seed, source: source,
      keepsInputs: false)
    checks = judge(trace, of: scenario, platform: platform, contract: readingContract, options: options)
  }

  /// What did not pass, in words.
  var faults: [String] {
    checks.filter { $0.verdict != .passed && $0.verdict != .skipped }.map { "\($0.verdict) \($0.name): \($0.actual)" }
  }

  /// The name of the last event that ends an attempt or the session, with its argument.
  var end: String {
    for entry in trace.reversed() {
      guard case .event(let event) = entry.item, let word = readingContract.vocabulary.event(event.name) else {
        continue
      }
      if word.isTerminal || event.name == "cancelled" {
        let argument = word.argumentKey.flatMap { event[$0]?.text }
        return argument.map { "\(event.name)(\($0))" } ?? event.name
      }
    }
    return "no end"
  }

  func number(_ event: String, _ field: String) -> Double? {
    for entry in trace.reversed() {
      if case .event(let message) = entry.item, message.name == event { return message[field]?.number }
    }
    return nil
  }
}
