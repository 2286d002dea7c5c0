import Scenarios
import Traces
import VitalsModel

/// What a run is judged by.
public struct JudgeOptions: Hashable, Sendable {
  /// Leaves the accuracy of every result unjudged.
  public var skipsAccuracy: Bool
  /// Leaves the accuracy of these measures unjudged, by their names in a scenario.
  public var skippedMeasures: [String]

  /// Options; by default everything is judged.
  public init(skipsAccuracy: Bool = false, skippedMeasures: [String] = []) {
    self.skipsAccuracy = skipsAccuracy
    self.skippedMeasures = skippedMeasures
  }
}

/// Judges a trace by the expectations of its scenario and by every rule of its contract.
///
/// The expectations come first, in the order of the file; then the rules that broke or that held, by number. A rule
/// whose occasion never came is listed only when the scenario names it, and is then inconclusive.
public func judge(
  _ trace: [TraceEntry], of scenario: Scenario, platform: String, contract: Contract, options: JudgeOptions
) -> [CheckResult] {
  let view = TraceView(trace, vocabulary: contract.vocabulary)
  let expectations = scenario.expectations.map { view.judge($0, options: options) }
  return expectations + soundness(of: view, scenario)
    + judgeRules(trace, named: scenario.rules, platform: platform, contract: contract)
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

private func judgeRules(
  _ trace: [TraceEntry], named: [Marked<String>], platform: String, contract: Contract
) -> [CheckResult] {
  var monitors = contract.monitors(platform)
  for entry in trace {
    switch entry.item {
    case .sample, .timer: continue
    case .call, .reply, .notice, .event, .command, .stimulus, .truth: break
    }
    for index in monitors.indices { monitors[index].observe(entry) }
  }
  let end = trace.last?.at ?? .zero
  for index in monitors.indices { monitors[index].finish(at: end) }

  let rulings = monitors.flatMap(\.rulings)
  let judged = rulings.flatMap { ruling -> [CheckResult] in
    let mark = named.first { $0.value == ruling.rule }?.mark
    if let first = ruling.breaches.first {
      let more = ruling.breaches.count - 1
      return [
        CheckResult(
          name: ruling.rule, rule: ruling.rule, mark: mark, verdict: .failed, expected: first.expected,
          actual: more == 0 ? first.actual : "\(first.actual), and \(more) more", at: first.at)
      ]
    }
    guard ruling.occasions > 0 else { return [] }
    return [
      CheckResult(
        name: ruling.rule, rule: ruling.rule, mark: mark, verdict: ruling.leastMargin?.verdict ?? .passed,
        expected: contract.rules.first { $0.number == ruling.rule }?.sentence ?? "",
        actual: "held \(ruling.occasions) \(ruling.occasions == 1 ? "time" : "times")", margin: ruling.leastMargin)
    ]
  }
  let idle = named.filter { rule in !judged.contains { $0.rule == rule.value } }.map { rule in
    CheckResult(
      name: rule.value, rule: rule.value, mark: rule.mark, verdict: .inconclusive,
      expected: contract.rules.first { $0.number == rule.value }?.sentence ?? "",
      actual: "its occasion never came")
  }
  return judged + idle
}
