import Scenarios
import Traces
import VitalsModel

/// What a run is judged by.
public struct JudgeOptions: Hashable, Sendable {
  /// Leaves the accuracy of every result unjudged; whether a measure is withheld where it must be is still judged.
  public var skipsAccuracy: Bool
  /// Leaves unjudged what is demanded of these measures of a result, by their names in a scenario.
  public var skippedMeasures: [String]
  /// Whether the session is not ours: where only our own choices are broken, a rule is then marginal, not failed.
  public var isExternalEngine: Bool

  /// Options; by default everything is judged, and as a session of ours.
  public init(skipsAccuracy: Bool = false, skippedMeasures: [String] = [], isExternalEngine: Bool = false) {
    self.skipsAccuracy = skipsAccuracy
    self.skippedMeasures = skippedMeasures
    self.isExternalEngine = isExternalEngine
  }
}

/// Judges a trace by the expectations of its scenario and by every rule of its contract.
///
/// The expectations come first, in the order of the file; then every rule that applied, by number. A rule whose
/// occasion never came is listed only when the scenario names it, and is then inconclusive, or waives it. A waived rule
/// never fails a run: its breach is skipped, with the reason.
public func judge(
  _ trace: [TraceEntry], of scenario: Scenario, platform: String, contract: Contract, options: JudgeOptions
) -> [CheckResult] {
  let view = TraceView(trace, vocabulary: contract.vocabulary)
  let expectations = scenario.expectations.map { view.judge($0, options: options) }
  return expectations + soundness(of: view, scenario)
    + judgeRules(trace, of: scenario, platform: platform, contract: contract, options: options)
}

/// What no expectation needs to name: time goes on, the run ends, calls come back, and all of the timeline came about.
private func soundness(of view: TraceView, _ scenario: Scenario) -> [CheckResult] {
  let end: CheckResult? =
    switch view.endReason {
    case .stuck:
      CheckResult(
        name: "time advances", verdict: .failed, expected: "a deadline that moves on",
        actual: "the session did too much in one moment", at: view.end)
    case .limit:
      CheckResult(
        name: "the run ends", verdict: .failed, expected: "a terminal event, or `until:` in the scenario",
        actual: "neither after \(view.end.text)", at: view.end)
    case .until, .terminal, .quiet, .exhausted, nil: nil
    }
  let replies = view.badReplies.map { call in
    CheckResult(
      name: "\(call.name) comes back", verdict: .failed, expected: "every call comes back exactly once",
      actual: "\(call.count) times", at: call.at)
  }
  let unreached = view.unreached.filter(scenario.timeline.indices.contains).map { index in
    CheckResult(
      name: "timeline", mark: scenario.timeline[index].mark, verdict: .inconclusive,
      expected: "this comes about", actual: "the run ended before, at \(view.end.text)", at: view.end)
  }
  return (end.map { [$0] } ?? []) + replies + unreached
}
