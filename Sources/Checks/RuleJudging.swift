import Scenarios
import Traces
import VitalsModel

/// Judges a trace by every rule of a contract that has a monitor: first the rules that applied, in the order of their
/// monitors, then those that the scenario names or waives and that never did.
func judgeRules(
  _ trace: [TraceEntry], of scenario: Scenario, platform: String, contract: Contract, options: JudgeOptions
) -> [CheckResult] {
  let docket = RuleDocket(scenario: scenario, rules: contract.rules, options: options)
  let judged = rulings(on: trace, platform: platform, contract: contract).filter { $0.occasions > 0 }
  let idle = scenario.namedAndWaivedRules.filter { rule in !judged.contains { $0.rule == rule } }
  return judged.map { docket.result(of: $0) } + idle.map { docket.resultOfIdle($0) }
}

/// What the monitors of a contract find in a trace.
private func rulings(on trace: [TraceEntry], platform: String, contract: Contract) -> [Ruling] {
  var monitors = contract.monitors(platform)
  for entry in trace {
    switch entry.item {
    case .sample, .capture, .timer: continue
    case .call, .reply, .notice, .reference, .event, .command, .stimulus, .truth: break
    }
    for index in monitors.indices { monitors[index].observe(entry) }
  }
  let end = trace.last?.at ?? .zero
  for index in monitors.indices { monitors[index].finish(at: end) }
  return monitors.flatMap(\.rulings)
}

extension Scenario {
  fileprivate var namedAndWaivedRules: [String] { rules.map(\.value) + waivers.map(\.rule) }
}

/// What a scenario says of the rules, against which their rulings become lines of a verdict.
private struct RuleDocket {
  let scenario: Scenario
  let rules: [Rule]
  let options: JudgeOptions

  func result(of ruling: Ruling) -> CheckResult {
    ruling.breaches.isEmpty ? resultOfHeld(ruling) : resultOfBroken(ruling)
  }

  func resultOfIdle(_ rule: String) -> CheckResult {
    let actual = "its occasion never came"
    guard let waiver = waiver(of: rule) else {
      return line(rule, .inconclusive, expected: sentence(of: rule), actual: actual)
    }
    return line(rule, .skipped, expected: sentence(of: rule), actual: "\(actual), \(waiver.unneeded)")
  }

  private func resultOfHeld(_ ruling: Ruling) -> CheckResult {
    let actual = "held \(ruling.occasions) \(ruling.occasions == 1 ? "time" : "times")"
    let waiver = waiver(of: ruling.rule)
    // However little slack it had, a rule that may break has not been warned of.
    let verdict: Verdict = waiver == nil ? ruling.leastMargin?.verdict ?? .passed : .passed
    return line(
      ruling.rule, verdict, expected: sentence(of: ruling.rule),
      actual: waiver.map { "\(actual), \($0.unneeded)" } ?? actual, margin: ruling.leastMargin,
      occasions: ruling.occasions)
  }

  private func resultOfBroken(_ ruling: Ruling) -> CheckResult {
    // Our own choices do not bind another's engine: the breach to tell of is then one that is not ours.
    let binding = options.isExternalEngine ? ruling.breaches.first { !$0.isOurs } : ruling.breaches.first
    guard let breach = binding ?? ruling.breaches.first else { preconditionFailure("a broken rule has a breach") }
    let more = ruling.breaches.count - 1
    let actual = more == 0 ? breach.actual : "\(breach.actual), and \(more) more"
    let waiver = waiver(of: ruling.rule)
    return line(
      ruling.rule, waiver != nil ? .skipped : binding == nil ? .marginal : .failed,
      expected: binding == nil ? "\(breach.expected) (ours)" : breach.expected,
      actual: waiver.map { "waived (\($0.reason)): \(actual)" } ?? actual, at: breach.at, occasions: ruling.occasions)
  }

  private func line(
    _ rule: String, _ verdict: Verdict, expected: String, actual: String, margin: Margin? = nil, at: Instant? = nil,
    occasions: Int = 0
  ) -> CheckResult {
    let waiver = waiver(of: rule)
    return CheckResult(
      name: rule, rule: rule, mark: scenario.rules.first { $0.value == rule }?.mark ?? waiver?.mark, verdict: verdict,
      expected: expected, actual: actual, margin: margin, at: at, occasions: occasions, waiver: waiver?.reason)
  }

  private func sentence(of rule: String) -> String { rules.first { $0.number == rule }?.sentence ?? "" }

  private func waiver(of rule: String) -> Waiver? { scenario.waivers.first { $0.rule == rule } }
}

extension Waiver {
  /// What a result says of a waiver of a rule that did not break.
  fileprivate var unneeded: String { "so the waiver was not needed (\(reason))" }
}
