import Checks
import Scenarios
import Testing
import Traces
import VitalsModel

private let vocabulary = Vocabulary(
  platforms: ["any"], rules: ["R01", "R02"],
  calls: [CallWord("go", about: "Goes.")],
  events: [
    EventWord("tick", isLifecycle: false, about: "A second passed."),
    EventWord("begun", about: "It began."),
    EventWord("ended", isTerminal: true, argumentKey: "how", arguments: ["well", "badly"], about: "It ended."),
  ],
  world: [WorldWord("door", states: ["shut", "open"], about: "The door.")],
  sections: [],
  result: ResultWord(
    event: "ended", opens: "begun", closes: "ended",
    measures: [MeasureWord("pulse", field: "pulseBpm", .heartRate, places: 1, about: "The pulse.")]))

private func seconds(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

/// go at 0 s, the door opens at 1 s, begun at 2 s, ticks at 3 and 4 s, ended(well) at 5 s with 70 bpm where 71 is true.
private let run: [TraceEntry] = [
  TraceEntry(at: seconds(0), .call(id: 1, Message("go"))),
  TraceEntry(at: seconds(0), .reply(id: 1, .returned)),
  TraceEntry(at: seconds(1), .stimulus(Message("door", [Field("state", .text("open"))]))),
  TraceEntry(at: seconds(2), .event(Message("begun"))),
  TraceEntry(at: seconds(3), .event(Message("tick"))),
  TraceEntry(at: seconds(4), .event(Message("tick"))),
  TraceEntry(
    at: seconds(5),
    .event(Message("ended", [Field("how", .text("well")), Field("pulseBpm", .number(70, places: 1))]))),
  TraceEntry(at: seconds(5), .truth(Message("realised", [Field("pulseBpm", .number(71, places: 1))]))),
  TraceEntry(at: seconds(8), .truth(Message("end", [Field("reason", .text("terminal"))]))),
]

/// The same, of a recording that runs out at 3.5 s.
private let cut =
  run.filter { $0.at < seconds(3.5) } + [
    TraceEntry(at: seconds(3.5), .truth(Message("exhausted", [Field("what", .text("the tape ended"))]))),
    TraceEntry(at: seconds(3.5), .truth(Message("end", [Field("reason", .text("exhausted"))]))),
  ]

/// What the lines under `expect` come to on a trace.
private func check(
  _ expect: String, on trace: [TraceEntry] = run, options: JudgeOptions = JudgeOptions(), _ expected: [Verdict],
  _ place: SourceLocation = #_sourceLocation
) throws {
  let yaml = """
    name: a
    about: b
    timeline:
      - at: 0 s
        call: go
      - at: 1 s
        door: open
    expect:
      \(expect)
    """
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
  let contract = Contract(name: "door", vocabulary: vocabulary, rules: [], monitors: { _ in [] })
  let checks = judge(trace, of: scenario, platform: "any", contract: contract, options: options)
  #expect(checks.map(\.verdict) == expected, "\(checks.map(\.actual))", sourceLocation: place)
}

@Test func sequences() throws {
  try check("- sequence: [begun, ended(well)]", [.passed])
  try check("- sequence: [begun, ended]", [.passed])
  try check("- sequence: [begun, ended(badly)]", [.failed])
  try check("- sequence: [begun]", [.failed])
  try check("- sequence: []", [.failed])
  try check("- sequence: [begun, begun, ended]", [.failed])
  try check("- sequence: [begun, ended]", on: cut, [.inconclusive])
  try check("- sequence: [ended]", on: cut, [.failed])
}

@Test func sightings() throws {
  try check("- see: begun", [.passed])
  try check("- see: ended(badly)", [.failed])
  try check("- see: ended(badly)", on: cut, [.inconclusive])
  let rows: [(String, Verdict)] = [
    ("[0 s, 2 s]", .marginal), ("[0 s, 3 s]", .passed), ("[2 s, 3 s]", .marginal), ("[2.1 s, 3 s]", .failed),
    ("[0 s, 1.9 s]", .failed), ("[1 s, 3 s]", .passed), ("[1.949 s, 3 s]", .marginal), ("[1.9 s, 3 s]", .passed),
  ]
  for (window, verdict) in rows { try check("- { see: begun, within: \(window) }", [verdict]) }
  try check("- { see: ended, after: door open, within: [3 s, 5 s] }", [.passed])
  try check("- { see: ended, after: call go, within: [3 s, 4 s] }", [.failed])
  try check("- { see: ended, after: tick#2, within: [0 s, 2 s] }", [.passed])
  try check("- { see: ended, after: tick#3, within: [0 s, 2 s] }", [.inconclusive])
  try check("- { see: tick, after: tick#2 }", [.failed])
  try check("- { see: tick, after: begun, within: [0 s, 2 s] }", [.passed])
  try check("- { see: ended, after: begun, within: [0 s, 1 s] }", on: cut, [.failed])
  try check("- { see: ended, after: begun, within: [0 s, 3 s] }", on: cut, [.inconclusive])
}

@Test func absencesAndCounts() throws {
  try check("- never: ended(badly)", [.passed])
  try check("- never: tick", [.failed])
  try check("- { never: begun, after: tick }", [.passed])
  try check("- { never: begun, after: begun }", [.passed])
  try check("- never: ended", on: cut, [.inconclusive])
  try check("- count: { \"ended(badly)\": 0 }", on: cut, [.inconclusive])
  try check("- { never: begun, after: ended(badly) }", [.inconclusive])
  try check("- count: { tick: 2, begun: 1, \"ended(badly)\": 0 }", [.passed, .passed, .passed])
  try check("- count: { tick: 1 }", [.failed])
  try check("- count: { tick: 3 }", [.failed])
  try check("- count: { tick: 3 }", on: cut, [.inconclusive])
}

@Test func results() throws {
  try check("- result: { pulse: ± 2 bpm }", [.passed])
  try check("- result: { pulse: ± 1 bpm }", [.marginal])
  try check("- result: { pulse: ± 0.9 bpm }", [.failed])
  try check("- result: { pulse: ± 2 bpm }", on: cut, [.inconclusive])
  try check("- result: { pulse: ± 2 bpm }", on: run.filter { $0.item != run[7].item }, [.inconclusive])
  try check("- result: { pulse: ± 2 bpm }", on: run.filter { $0.at != seconds(5) }, [.failed])
  try check("- result: { pulse: ± 0.9 bpm }", options: JudgeOptions(skipsAccuracy: true), [.skipped])
  try check("- result: { pulse: ± 0.9 bpm }", options: JudgeOptions(skippedMeasures: ["pulse"]), [.skipped])
  try check("- result: { pulse: ± 0.9 bpm }", options: JudgeOptions(skippedMeasures: ["height"]), [.failed])
}

@Test func everyCallComesBackOnce() throws {
  let reply = TraceEntry(at: seconds(0), .reply(id: 1, .returned))
  try check("- see: begun", on: run.filter { $0 != reply }, [.passed, .failed])
  try check("- see: begun", on: [run[0], reply] + run.dropFirst(), [.passed, .failed])
}

@Test func whatNeverCameAboutIsInconclusive() throws {
  let end = run[run.count - 1]
  let unreached = TraceEntry(at: end.at, .truth(RunTruth.unreached(stimulus: 1).message))
  try check("- see: begun", on: run.dropLast() + [unreached, end], [.passed, .inconclusive])
}

@Test func theWorstVerdictWins() {
  let rows: [([Verdict], Verdict)] = [
    ([], .inconclusive), ([.passed, .skipped], .passed), ([.passed, .marginal], .marginal),
    ([.marginal, .inconclusive], .inconclusive), ([.inconclusive, .failed], .failed), ([.failed, .blocked], .blocked),
    ([.skipped], .skipped),
  ]
  for (verdicts, worst) in rows { #expect(Verdict.worst(of: verdicts) == worst) }
}

@Test func aNamedRuleWithoutAnOccasionIsInconclusive() throws {
  let yaml = """
    name: a
    about: b
    rules: [R01, R02]
    timeline:
      - at: 0 s
        call: go
    expect:
      - see: begun
    """
  struct Sighting: RuleMonitor {
    var ruling = Ruling(rule: "R01")
    var rulings: [Ruling] { [ruling, Ruling(rule: "R02")] }
    mutating func observe(_ entry: TraceEntry) {
      if case .event(let event) = entry.item, event.name == "begun" {
        ruling.judge(entry.at - .zero, within: .zero...TimeSpan.seconds(3), of: "begun", at: entry.at)
      }
    }
  }
  let contract = Contract(
    name: "door", vocabulary: vocabulary, rules: [Rule("R01", "It begins."), Rule("R02", "It lasts.")],
    monitors: { _ in [Sighting()] })
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
  let checks = judge(run, of: scenario, platform: "any", contract: contract, options: JudgeOptions())
  #expect(checks.map(\.name) == ["see begun", "R01", "R02"])
  #expect(checks.map(\.verdict) == [.passed, .passed, .inconclusive])
  #expect(checks[1].margin?.value == 1)
}
