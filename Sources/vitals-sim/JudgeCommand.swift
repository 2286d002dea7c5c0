import Checks
import Reporting
import Scenarios
import Traces
import VitalsModel

/// What `judge` was asked for.
struct JudgeRequest: Sendable {
  /// The scenario whose expectations are judged too.
  var scenarioFile: String?
  var jsonFile: String?
  var junitFile: String?
  var isQuiet = false

  static let options: [Option<JudgeRequest>] = [
    Option("scenario", about: "judge the expectations of this one too", .value("FILE") { $0.scenarioFile = $1 }),
    Option("json", about: "write a JSON report; - is standard output", .value("FILE") { $0.jsonFile = $1 }),
    Option("junit", about: "write a JUnit XML report; - is standard output", .value("FILE") { $0.junitFile = $1 }),
    Option("quiet", "q", about: "show only what is not green", .flag { $0.isQuiet = true }),
  ]
}

let judgeCommand = Command(
  "judge", "TRACE... [options]", about: "judge the traces of any session by the rules",
  details: [
    "A TRACE is a file that `run --trace DIR` or another tool wrote, or - for standard",
    "input. Its first line names the platform and the engine. Where an engine is not the",
    "built-in one, rules of our own choice only warn.",
  ],
  options: JudgeRequest.options, example: "vitals-sim judge traces/contact-lost.ios.1.jsonl", request: JudgeRequest()
) { (request, paths) throws(Refusal) in
  guard !paths.isEmpty else { throw Refusal(request: "judge needs a TRACE", hint: "try: vitals-sim help judge") }
  try ReportPlaces.check(json: request.jsonFile, junit: request.junitFile)
  let clock = ContinuousClock()
  let start = clock.now
  let scenario = try request.scenarioFile.map { (path) throws(Refusal) in try single(path) }
  var runs: [TraceRun] = []
  for path in paths { runs.append(try TraceRun(try TraceFile(path), scenario: scenario)) }
  let places = try ReportPlaces(
    json: request.jsonFile, junit: request.junitFile, isQuiet: request.isQuiet,
    sparing: paths + [request.scenarioFile].compactMap(\.self))
  let report = LibraryReport(
    tool: VitalsSim.version, source: "traces", runs: runs.map(\.report), wallSeconds: (clock.now - start).seconds)
  return try places.write(report)
}

private func single(_ path: String) throws(Refusal) -> ScenarioFile {
  let files = try ScenarioFiles.read([path], consequence: ", nothing was judged")
  guard let file = files.first, files.count == 1 else {
    throw Refusal(request: "--scenario is one file, and there are \(files.count) under \(path)")
  }
  return file
}

/// A trace that can be judged.
private struct TraceRun {
  let trace: TraceFile
  let header: TraceHeader
  let file: ScenarioFile?

  /// Refuses what is no run of this contract.
  init(_ trace: TraceFile, scenario file: ScenarioFile?) throws(Refusal) {
    header = try trace.judgeableHeader()
    if let file, !file.scenario.platforms.contains(header.platform) {
      throw Refusal(
        request: "\(trace.path) is of \(header.platform), and \(file.path) runs only on "
          + file.scenario.platforms.joined(separator: ", "))
    }
    self.trace = trace
    self.file = file
  }

  private var isExternal: Bool { header.engine != VitalsSim.engine }

  var report: RunReport {
    let contract = ScenarioFiles.contract
    let checks = judge(
      trace.entries, of: file?.scenario ?? bareScenario, platform: header.platform, contract: contract,
      options: JudgeOptions(isExternalEngine: isExternal))
    let told = trace.entries.withoutInputLog
    let notes = isExternal ? ["the engine is \(header.engine): rules of our own choice only warn"] : []
    return RunReport(
      scenario: trace.path, file: file?.path ?? trace.path, platform: header.platform, seed: header.seed,
      verdict: Verdict.worst(of: checks.map(\.verdict)), traceHash: TraceText.hash(of: TraceText.body(told)),
      virtualSeconds: told.last?.at.seconds ?? 0, result: told.result(of: contract.vocabulary),
      truth: told.realisedTruth, checks: checks,
      notes: notes, trace: told,
      replayCommand: (["vitals-sim", "judge", trace.path] + (file.map { ["--scenario", $0.path] } ?? []))
        .map(\.asShellWord).joined(separator: " "))
  }

  /// A scenario that asks for nothing but the rules.
  private var bareScenario: Scenario {
    Scenario(
      name: header.scenario, about: "", rules: [], platforms: [header.platform], tags: [], seed: header.seed,
      settings: Settings(), timeline: [], expectations: [], until: nil)
  }
}
