import Checks
import ReadingSimulation
import Reporting
import Scenarios
import Traces
import VitalsModel

/// One scenario on one platform with one seed.
struct PlannedRun: Sendable {
  let file: ScenarioFile
  let platform: String
  let seed: UInt64
  /// Where the recording of the run goes.
  var traceFile: String?

  init(file: ScenarioFile, platform: String, seed: UInt64) {
    self.file = file
    self.platform = platform
    self.seed = seed
  }

  /// Whether the scenario is made for the platform.
  var isOnItsPlatform: Bool { file.scenario.platforms.contains(platform) }

  /// Runs it, judges it and writes what is to be kept of it.
  func run(request: RunRequest, source: RunSource) throws(Refusal) -> RunReport {
    let scenario = file.scenario
    let replayCommand = replayCommand(request: request, source: source)
    guard isOnItsPlatform else {
      return RunReport(
        scenario: scenario.name, file: file.path, platform: platform, seed: seed, verdict: .skipped,
        notes: ["runs only on \(scenario.platforms.joined(separator: ", "))"], replayCommand: replayCommand)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let contract = ScenarioFiles.contract
    let trace: [TraceEntry]
    var blockedBy: String?
    if let port = source.port {
      (trace, blockedBy) = try port.run(scenario, platform: platform, keepsInputs: traceFile != nil)
    } else {
      trace = runReading(
        scenario, vocabulary: contract.vocabulary, platform: platform, seed: seed, source: source.frames,
        keepsInputs: traceFile != nil)
    }
    var checks = judge(
      trace, of: scenario, platform: platform, contract: contract,
      options: request.judging)
    let body = TraceText.body(trace)
    if let check = try golden(request, source, body: body, trace: trace) { checks.append(check) }
    try record(trace, source: source)
    let verdict = blockedBy == nil ? Verdict.worst(of: checks.map(\.verdict)) : .blocked
    return RunReport(
      scenario: scenario.name, file: file.path, platform: platform, seed: seed, verdict: verdict,
      traceHash: TraceText.hash(of: body), virtualSeconds: trace.last?.at.seconds ?? 0,
      wallSeconds: (clock.now - start).seconds,
      result: trace.result(of: contract.vocabulary), truth: trace.realisedTruth,
      checks: checks, notes: source.notes + [blockedBy].compactMap(\.self),
      trace: verdict == .failed ? trace.withoutInputLog : [],
      replayCommand: replayCommand)
  }

  /// The rules that apply in it, on a synthetic finger.
  var appliedRules: [String] {
    let contract = ScenarioFiles.contract
    let trace = runReading(
      file.scenario, vocabulary: contract.vocabulary, platform: platform, seed: seed, source: .synthetic,
      keepsInputs: false)
    return judge(trace, of: file.scenario, platform: platform, contract: contract, options: JudgeOptions())
      .appliedRules
  }

  /// A golden is of a synthetic finger and the scenario's own seed.
  private func golden(
    _ request: RunRequest, _ source: RunSource, body: [UInt8], trace: [TraceEntry]
  ) throws(Refusal) -> CheckResult? {
    guard source.isSynthetic, seed == file.scenario.seed, let golden = Golden(beside: file.path, platform: platform)
    else { return nil }
    return request.recordsGoldens ? try golden.record(body) : try golden.check(body, trace: trace)
  }

  private func record(_ trace: [TraceEntry], source: RunSource) throws(Refusal) {
    guard let traceFile else { return }
    let header = TraceHeader(
      tool: VitalsSim.version, contract: ScenarioFiles.contract.name, scenario: file.scenario.name,
      platform: platform, seed: seed, engine: VitalsSim.engine, channels: FrameSample.channels)
    try Destination(opening: traceFile).write(TraceText.file(header, trace))
  }

  private func replayCommand(request: RunRequest, source: RunSource) -> String {
    var words = ["vitals-sim", "run", file.path, "--platform", platform]
    // A live oximeter leaves nothing to chance.
    if source.port == nil { words += ["--seed", String(seed)] }
    words += source.options
    let unjudged = (request.judging.skipsAccuracy ? ["accuracy"] : []) + request.judging.skippedMeasures
    words += unjudged.flatMap { ["--without", $0] }
    return words.map(\.asShellWord).joined(separator: " ")
  }
}

extension String {
  /// The word as a POSIX shell takes it.
  var asShellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-_./:=,+%@".utf8.contains(byte)
        }
      }
    return isPlain ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}

extension [TraceEntry] {
  /// What a golden and a report show: everything but samples, captures and timers.
  var withoutInputLog: [TraceEntry] {
    filter { entry in
      switch entry.item {
      case .sample, .capture, .timer: false
      case .call, .reply, .notice, .reference, .event, .command, .stimulus, .truth: true
      }
    }
  }

  /// The last event that carries a result.
  func result(of vocabulary: Vocabulary) -> Message? {
    lastMessage { item in
      if case .event(let event) = item, event.name == vocabulary.result?.event { event } else { nil }
    }
  }

  /// What the last result should have said.
  var realisedTruth: Message? {
    lastMessage { item in
      if case .truth(let truth) = item, case .realised? = RunTruth(truth) { truth } else { nil }
    }
  }

  /// The last message that `pick` finds in an entry.
  private func lastMessage(_ pick: (TraceItem) -> Message?) -> Message? {
    for entry in reversed() {
      if let message = pick(entry.item) { return message }
    }
    return nil
  }
}
