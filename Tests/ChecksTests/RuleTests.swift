import Checks
import Scenarios
import Testing
import Traces
import VitalsModel

private let vocabulary = Vocabulary(
  platforms: ["any"], rules: ["R01", "R02"], calls: [CallWord("go", about: "Goes.")],
  events: [EventWord("knock", isLifecycle: false, about: "A knock."), EventWord("shut", about: "It shut.")],
  world: [], sections: [], result: nil)

/// R01: a knock comes in the first 3 s, which is ours, and none comes twice in a moment, which is not.
/// R02: it shuts in the first 10 s.
private struct DoorMonitor: RuleMonitor {
  private var knocks = Ruling(rule: "R01")
  private var shuts = Ruling(rule: "R02")
  private var lastKnock: Instant?

  var rulings: [Ruling] { [knocks, shuts] }

  mutating func observe(_ entry: TraceEntry) {
    guard case .event(let event) = entry.item else { return }
    switch event.name {
    case "knock":
      knocks.judge(entry.at != lastKnock, at: entry.at, expected: "one knock in a moment", actual: "two")
      knocks.judge(
        entry.at - .zero, within: .zero...TimeSpan.seconds(3), of: "a knock", at: entry.at, ours: true)
      lastKnock = entry.at
    default:
      shuts.judge(entry.at - .zero <= .seconds(10), at: entry.at, expected: "shut by 10 s", actual: entry.at.text)
    }
  }
}

private let contract = Contract(
  name: "door", vocabulary: vocabulary, rules: [Rule("R01", "Knocks come early."), Rule("R02", "It shuts.")],
  monitors: { _ in [DoorMonitor()] })

private func trace(knocks: [Double] = [], shut: Double? = nil) -> [TraceEntry] {
  let events = knocks.map { ($0, "knock") } + (shut.map { [($0, "shut")] } ?? [])
  return events.map { TraceEntry(at: .zero + TimeSpan(seconds: $0.0), .event(Message($0.1))) }
}

/// What the rules come to on a trace, without the one expectation, each as `R01 verdict expected | actual`.
private func check(
  _ lines: String, _ trace: [TraceEntry], isExternal: Bool = false, _ expected: [String], applied: [String],
  _ place: SourceLocation = #_sourceLocation
) throws {
  let yaml = "name: a\nabout: b\n\(lines)\ntimeline:\n  - { at: 0 s, call: go }\nexpect:\n  - never: shut"
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
  let checks = judge(
    trace, of: scenario, platform: "any", contract: contract, options: JudgeOptions(isExternalEngine: isExternal))
  let told = checks.filter { $0.rule != nil }
    .map { "\($0.name) \($0.verdict.rawValue) \($0.expected) | \($0.actual)" }
  #expect(told == expected, sourceLocation: place)
  #expect(checks.appliedRules == applied, sourceLocation: place)
}

@Test func rulesThatApplyAreListedAndOthersOnlyWhenNamed() throws {
  try check("", [], [], applied: [])
  try check("", trace(knocks: [2]), ["R01 passed Knocks come early. | held 2 times"], applied: ["R01"])
  try check("", trace(knocks: [2.9]), ["R01 marginal Knocks come early. | held 2 times"], applied: ["R01"])
  try check(
    "rules: [R02]", trace(knocks: [2]),
    ["R01 passed Knocks come early. | held 2 times", "R02 inconclusive It shuts. | its occasion never came"],
    applied: ["R01"])
  try check(
    "", trace(knocks: [2], shut: 11),
    ["R01 passed Knocks come early. | held 2 times", "R02 failed shut by 10 s | 11.000 s"], applied: ["R01", "R02"])
}

@Test func ourOwnChoicesOnlyWarnOfAnotherEngine() throws {
  let window = "a knock within 0.000 s to 3.000 s"
  let rows: [([Double], Bool, String)] = [
    ([4], false, "R01 failed \(window) | 4.000 s"),
    ([4], true, "R01 marginal \(window) (ours) | 4.000 s"),
    ([4, 5], true, "R01 marginal \(window) (ours) | 4.000 s, and 1 more"),
    // The breach that counts is told, though ours came first.
    ([4, 5, 5], false, "R01 failed \(window) | 4.000 s, and 3 more"),
    ([4, 5, 5], true, "R01 failed one knock in a moment | two, and 3 more"),
    ([1, 1], true, "R01 failed one knock in a moment | two"),
    ([2], true, "R01 passed Knocks come early. | held 2 times"),
  ]
  for (knocks, isExternal, expected) in rows {
    try check("", trace(knocks: knocks), isExternal: isExternal, [expected], applied: ["R01"])
  }
}

@Test func aWaivedRuleNeverFails() throws {
  let waive = "waive: { R01: the door is new }"
  let window = "a knock within 0.000 s to 3.000 s"
  let unneeded = "so the waiver was not needed (the door is new)"
  let rows: [([Double], Bool, String)] = [
    ([4], false, "R01 skipped \(window) | waived (the door is new): 4.000 s"),
    ([4, 4], false, "R01 skipped \(window) | waived (the door is new): 4.000 s, and 2 more"),
    ([4], true, "R01 skipped \(window) (ours) | waived (the door is new): 4.000 s"),
    ([2], false, "R01 passed Knocks come early. | held 2 times, \(unneeded)"),
    ([2.9], false, "R01 passed Knocks come early. | held 2 times, \(unneeded)"),
  ]
  for (knocks, isExternal, expected) in rows {
    try check(waive, trace(knocks: knocks), isExternal: isExternal, [expected], applied: ["R01"])
  }
  try check(waive, [], ["R01 skipped Knocks come early. | its occasion never came, \(unneeded)"], applied: [])
  // Of the other rules nothing is waived.
  try check(
    waive, trace(shut: 11),
    ["R02 failed shut by 10 s | 11.000 s", "R01 skipped Knocks come early. | its occasion never came, \(unneeded)"],
    applied: ["R02"])
}

@Test func aRuleTellsItsLeastSlack() throws {
  let yaml = "name: a\nabout: b\ntimeline:\n  - { at: 0 s, call: go }\nexpect:\n  - never: shut"
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
  let checks = judge(
    trace(knocks: [1, 2, 1.5]), of: scenario, platform: "any", contract: contract, options: JudgeOptions())
  #expect(checks.compactMap { $0.rule == nil ? nil : $0.margin?.value } == [1])
}

@Test func aWaiverCarriesItsReasonAndItsPlace() throws {
  let yaml = "name: a\nabout: b\nwaive: { R01: the door is new }\ntimeline:\n  - { at: 0 s, call: go }\nexpect:\n"
  let scenario = try parseScenario(Array("\(yaml)  - never: shut".utf8), vocabulary: vocabulary)
  for knocks in [[], [2], [4]] as [[Double]] {
    let checks = judge(
      trace(knocks: knocks), of: scenario, platform: "any", contract: contract, options: JudgeOptions())
    let waived = checks.filter { $0.rule == "R01" }
    #expect(waived.map(\.waiver) == ["the door is new"])
    #expect(waived.map(\.mark) == [SourceMark(line: 3, column: 10)])
    #expect(checks.filter { $0.rule != "R01" }.map(\.waiver) == [nil])
  }
}
