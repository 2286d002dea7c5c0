import Checks
import Mutants
import ReadingSession
import ReadingSimulation
import Scenarios
import Simulation
import Traces
import VitalsModel

/// A library of scenarios, and what it says of broken sessions.
struct MutantTrial: Sendable {
  private let runs: [Run]

  /// A run of the library, with what the built-in engine itself fails in it: that says nothing of a mutant.
  private struct Run: Sendable {
    let planned: PlannedRun
    var excused: Set<String> = []

    var label: String { "\(planned.file.shortName) (\(planned.platform))" }

    func names(_ rule: String) -> Bool { planned.file.scenario.rules.contains { $0.value == rule } }
  }

  /// What told a mutant from a session that is right.
  struct Kill: Sendable {
    /// The rule whose monitor did; nil for an expectation.
    let rule: String?
    /// What it said: the rule, or the expectation with its line.
    let judge: String
    /// The scenario and the platform.
    let run: String
    /// Other rules that it broke in that run, by their monitors.
    let companions: [String]
  }

  /// Every scenario on each of its platforms, with its own seed.
  init(_ files: [ScenarioFile], jobs: Int?) throws(Refusal) {
    let all = files.flatMap { file in
      file.scenario.platforms.map {
        Run(planned: PlannedRun(file: file, platform: $0, seed: file.scenario.seed))
      }
    }
    runs = try inParallel(all.count, jobs: jobs) { (index) throws(Refusal) in
      let run = all[index]
      let failures = Self.failures(in: run, of: Self.trace(of: run) { EngineSession(platform: $0) })
      return Run(planned: run.planned, excused: Set(failures.map(Self.identity)))
    }
  }

  /// How many checks the built-in engine itself fails.
  var excusedCount: Int { runs.reduce(0) { $0 + $1.excused.count } }

  /// The first kill of a mutant, from the scenarios that name its rule on; nil: it survives.
  ///
  /// Where a scenario names the rule, its monitor is waited for; an expectation that fails counts when none speaks.
  func kill(of mutant: Mutant) -> Kill? {
    let (naming, others) = (runs.filter { $0.names(mutant.rule) }, runs.filter { !$0.names(mutant.rule) })
    var byExpectation: Kill?
    for run in naming {
      guard let kill = kill(of: mutant, in: run) else { continue }
      if kill.rule != nil { return kill }
      byExpectation = byExpectation ?? kill
    }
    if let byExpectation { return byExpectation }
    for run in others {
      if let kill = kill(of: mutant, in: run) { return kill }
    }
    return nil
  }

  private func kill(of mutant: Mutant, in run: Run) -> Kill? {
    let trace = Self.trace(of: run) { platform in mutant.session(on: platform) }
    let failures = Self.failures(in: run, of: trace).filter { !run.excused.contains(Self.identity($0)) }
    let companions = failures.compactMap(\.rule).filter { $0 != mutant.rule }
    if let check = failures.first(where: { $0.rule == mutant.rule }) {
      return Kill(rule: check.rule, judge: check.name, run: run.label, companions: companions)
    }
    // The golden is not among them, and another rule that breaks on the way proves nothing of this one.
    guard let check = failures.first(where: { $0.rule == nil }) else { return nil }
    return Kill(
      rule: nil, judge: "\(check.name) (line \(check.mark?.line ?? 0))", run: run.label, companions: companions)
  }

  /// The rules and the expectations of the scenario's file that failed.
  private static func failures(in run: Run, of trace: [TraceEntry]) -> [CheckResult] {
    judge(
      trace, of: run.planned.file.scenario, platform: run.planned.platform, contract: ScenarioFiles.contract,
      options: JudgeOptions()
    ).filter { $0.verdict == .failed && ($0.rule != nil || $0.mark != nil) }
  }

  private static func trace<Session: SessionUnderTest<FrameSample>>(
    of run: Run, session: (Platform) -> Session
  ) -> [TraceEntry] {
    runReading(
      run.planned.file.scenario, vocabulary: ScenarioFiles.contract.vocabulary, platform: run.planned.platform,
      seed: run.planned.seed, source: .synthetic, keepsInputs: false, session: session)
  }

  private static func identity(_ check: CheckResult) -> String {
    check.rule ?? "\(check.name) \(check.mark?.line ?? 0)"
  }
}
