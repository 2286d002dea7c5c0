import Checks
import Traces
import VitalsModel

/// The traces that stand beside scenarios, with which a run is compared byte for byte.
struct Golden {
  /// `contact-lost.ios.golden.jsonl` beside `contact-lost.yaml`.
  let path: String

  /// The golden of a scenario file on a platform; nil for a scenario from standard input.
  init?(beside file: String, platform: String) {
    guard file != "-" else { return nil }
    path = (file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file) + ".\(platform).golden.jsonl"
  }

  private static let name = "golden"
  private static let mostBytes = 100_000_000

  /// How the body of a trace compares; nil when there is no golden.
  func check(_ body: [UInt8], trace: [TraceEntry]) throws(Refusal) -> CheckResult? {
    guard let golden = try read() else { return nil }
    if golden == body {
      return CheckResult(name: Self.name, verdict: .passed, expected: "the trace in \(path)", actual: "the same")
    }
    var expected = golden.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    var actual = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    var index = 0
    while let left = expected.first, let right = actual.first, left == right {
      (expected, actual) = (expected.dropFirst(), actual.dropFirst())
      index += 1
    }
    let told = trace.withoutInputLog
    return CheckResult(
      name: Self.name, verdict: .failed, expected: "\(text(expected.first)) (line \(index + 1) of \(path))",
      actual: text(actual.first), at: (told.dropFirst(index).first ?? told.last)?.at)
  }

  /// Writes the golden; a run that changed it has failed.
  func record(_ body: [UInt8]) throws(Refusal) -> CheckResult {
    if try read() == body {
      return CheckResult(name: Self.name, verdict: .passed, expected: "the trace in \(path)", actual: "the same")
    }
    try Destination(opening: path).write(body)
    return CheckResult(
      name: Self.name, verdict: .failed, expected: "the trace in \(path)", actual: "golden recorded, run again")
  }

  private func read() throws(Refusal) -> [UInt8]? {
    switch PathKind(path) {
    case .nothing: nil
    case .directory, .other, .unreachable: try readFile(path, limit: Self.mostBytes, what: "a golden")
    }
  }

  private func text(_ line: ArraySlice<UInt8>?) -> String {
    guard let line, !line.isEmpty else { return "the end" }
    return String(decoding: line, as: UTF8.self)
  }
}
