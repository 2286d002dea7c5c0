import Checks
import Scenarios
import Testing
import Traces
import VitalsModel

private let vocabulary = Vocabulary(
  platforms: ["any"], rules: ["R01", "R02"],
  calls: [CallWord("go", errors: ["locked", "jammed"], about: "Goes.")],
  events: [
    EventWord("tick", isLifecycle: false, about: "A second passed."),
    EventWord("begun", about: "It began."),
    EventWord("ended", isTerminal: true, argumentKey: "how", arguments: ["well", "badly"], about: "It ended."),
  ],
  commands: [
    CommandWord("bell", argumentKey: "on", arguments: ["on", "off"], about: "The bell."),
    CommandWord("latch", argumentKey: "side", arguments: ["left", "right"], about: "The latch."),
  ],
  world: [WorldWord("door", states: ["shut", "open"], about: "The door.")],
  sections: [],
  result: ResultWord(
    event: "ended", opens: "begun", closes: "ended",
    measures: [MeasureWord("pulse", field: "pulseBpm", .heartRate, places: 1, about: "The pulse.")]),
  truths: [
    MeasureWord("pulse", field: "pulseBpm", .heartRate, places: 2, about: "The pulse."),
    MeasureWord("beats", field: "beats", .number, places: 0, about: "The beats."),
  ])

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
  let checks = try checks(expect, on: trace, options: options)
  #expect(checks.map(\.verdict) == expected, "\(checks.map(\.actual))", sourceLocation: place)
}

private func checks(
  _ expect: String, on trace: [TraceEntry], timeline: String = "", options: JudgeOptions = JudgeOptions()
) throws -> [CheckResult] {
  let yaml = """
    name: a
    about: b
    timeline:
      - at: 0 s
        call: go
      - at: 1 s
        door: open
    \(timeline)
    expect:
      \(expect)
    """
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
  let contract = Contract(name: "door", vocabulary: vocabulary, rules: [], monitors: { _ in [] })
  return judge(trace, of: scenario, platform: "any", contract: contract, options: options)
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

/// A bell from 1.5 s to 4 s, and an event that has a command's name.
private let ringing =
  run.filter { $0.at < seconds(1.5) } + [
    TraceEntry(at: seconds(1.5), .command(Message("bell", [Field("on", .flag(true))]))),
    TraceEntry(at: seconds(1.5), .command(Message("latch", [Field("side", .text("left"))]))),
    TraceEntry(at: seconds(2), .event(Message("bell", [Field("on", .flag(true))]))),
  ] + run.filter { $0.at > seconds(1.5) && $0.at <= seconds(3) } + [
    TraceEntry(at: seconds(4), .command(Message("bell", [Field("on", .flag(false))])))
  ] + run.filter { $0.at > seconds(3) }

@Test func commands() throws {
  let rows: [(String, Verdict)] = [
    ("- see: bell", .passed), ("- see: bell(off)", .passed), ("- see: latch(left)", .passed),
    ("- see: latch(right)", .failed),
    ("- { see: bell(on), within: [0 s, 2 s] }", .passed), ("- { see: bell(off), within: [0 s, 3 s] }", .failed),
    ("- { see: begun, after: bell(on), within: [0 s, 1 s] }", .passed),
    ("- { see: bell(off), after: door open, within: [2 s, 4 s] }", .passed),
    ("- { see: ended, after: bell#2, within: [0.5 s, 2 s] }", .passed),
    ("- { see: ended, after: bell(on)#2, within: [0 s, 9 s] }", .inconclusive),
    ("- never: latch(right)", .passed), ("- never: bell", .failed), ("- { never: bell, after: bell(off) }", .passed),
    ("- { never: bell(on), after: call go }", .failed), ("- count: { bell: 2 }", .passed),
    ("- count: { bell(on): 2 }", .failed), ("- count: { latch: 1 }", .passed),
  ]
  for (line, verdict) in rows { try check(line, on: ringing, [verdict]) }
  try check("- see: bell", [.failed])
  // A command is none of the events in a sequence; the event with the name of one is.
  let named = ringing.filter { if case .event(let event) = $0.item { event.name != "bell" } else { true } }
  try check("- sequence: [begun, ended]", on: named, [.passed])
  try check("- sequence: [begun, ended]", on: ringing, [.failed])
}

@Test func replies() throws {
  func trace(_ replies: Reply...) -> [TraceEntry] {
    replies.enumerated().flatMap { index, reply in
      [
        TraceEntry(at: seconds(Double(index)), .call(id: index + 1, Message("go"))),
        TraceEntry(at: seconds(Double(index)), .reply(id: index + 1, reply)),
      ]
    } + run.filter { $0.at > seconds(1) }
  }
  let jammed = Reply.threw(Message("jammed", [Field("reason", .text("rust")), Field("depth", .integer(2))]))
  let rows: [(String, [TraceEntry], Verdict, String)] = [
    ("returned", run, .passed, "returned"), ("jammed", run, .failed, "returned"),
    ("jammed", trace(jammed), .passed, "threw jammed (rust)"),
    ("locked", trace(jammed), .failed, "threw jammed (rust)"),
    ("returned", trace(jammed, .returned), .failed, "threw jammed (rust)"),
    ("locked", trace(.threw(Message("locked"))), .passed, "threw locked"),
    ("returned", run.filter { $0.at > seconds(0) }, .inconclusive, "it was not called"),
    ("returned", run.filter { $0.item != .reply(id: 1, .returned) }, .failed, "no reply"),
  ]
  for (answer, trace, verdict, actual) in rows {
    let checks = try checks("- { reply: go, is: \(answer) }", on: trace)
    #expect(checks[0].verdict == verdict, "\(answer): \(checks)")
    #expect(checks[0].actual == actual)
  }
  let second = trace(jammed, .returned)
  let twice = "  - { at: 2 s, call: go }"
  #expect(try checks("- { reply: go#2, is: returned }", on: second, timeline: twice).map(\.verdict) == [.passed])
  #expect(try checks("- { reply: go#2, is: jammed }", on: second, timeline: twice).map(\.verdict) == [.failed])
  let once = try checks("- { reply: go#2, is: jammed }", on: trace(jammed), timeline: twice)
  #expect(once.map(\.verdict) == [.inconclusive])
  #expect(once.map(\.name) == ["reply go#2"])
  #expect(once.map(\.expected) == ["go#2 threw jammed"])
}

@Test func truths() throws {
  try check("- truth: { pulse: 71 bpm ± 0.05 bpm }", [.passed])
  try check("- truth: { pulse: 70.5 bpm ± 1 bpm }", [.passed])
  try check("- truth: { pulse: 70 bpm ± 1 bpm }", [.marginal])
  try check("- truth: { pulse: 70.94 ± 0.05 bpm }", [.failed])
  try check("- truth: { pulse: 70 ± 0.9 bpm }", options: JudgeOptions(skipsAccuracy: true), [.failed])
  // As far away as it may be, which binary fractions would make a little more; then further by the last decimal.
  let near = run.map { entry in
    entry.item == run[7].item
      ? TraceEntry(at: entry.at, .truth(Message("realised", [Field("pulseBpm", .fixed(units: 6_630, places: 2))])))
      : entry
  }
  try check("- truth: { pulse: 66 bpm ± 0.3 bpm }", on: near, [.marginal])
  try check("- truth: { pulse: 66 bpm ± 0.29 bpm }", on: near, [.failed])
  // Not known: of this measure, of this source, of what never came.
  try check("- truth: { beats: 66 ± 1 }", [.inconclusive])
  try check("- truth: { pulse: 71 bpm ± 1 bpm }", on: run.filter { $0.item != run[7].item }, [.inconclusive])
  try check("- truth: { pulse: 71 bpm ± 1 bpm }", on: run.filter { $0.at != seconds(5) }, [.inconclusive])
  try check("- truth: { pulse: 71 bpm ± 1 bpm }", on: cut, [.inconclusive])

  let lines = try checks("- truth: { pulse: 70.94 ± 0.05 bpm }", on: run)
  #expect(lines.map(\.name) == ["truth pulse"])
  #expect(lines.map(\.expected) == ["70.94 bpm ± 0.05 bpm"])
  #expect(lines.map(\.actual) == ["71.00 bpm"])
  #expect(lines.first?.margin?.text == "-0.01 bpm")
}

/// Counts have no unit, and a trace from elsewhere may hold any number.
@Test(
  arguments: [
    (FieldValue.integer(65), Verdict.passed, "65"), (.integer(64), .marginal, "64"), (.integer(63), .failed, "63"),
    (.integer(.max), .failed, "9.223372036854776e+18"),
    (.text("66"), .inconclusive, "the truth is not known of this source"),
  ])
func countsInTruths(beats: FieldValue, verdict: Verdict, actual: String) throws {
  let trace = run + [TraceEntry(at: seconds(8), .truth(Message("realised", [Field("beats", beats)])))]
  let lines = try checks("- truth: { beats: 66 ± 2 }", on: trace)
  #expect(lines.map(\.verdict) == [verdict])
  #expect(lines.map(\.expected) == ["66 ± 2"])
  #expect(lines.map(\.actual) == [actual])
  #expect(lines.allSatisfy { ($0.margin?.value ?? 0).magnitude < 1e9 })
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

/// The run with another result: `pulse` in the place of its value, and perhaps a reason why it is not there.
private func telling(_ pulse: FieldValue?, because reason: String? = nil, knowsTruth: Bool = true) -> [TraceEntry] {
  run.filter { knowsTruth || $0.item != run[7].item }.map { entry in
    guard entry.item == run[6].item else { return entry }
    let fields = [
      Field("how", .text("well")), pulse.map { Field("pulseBpm", $0) },
      reason.map { Field("withheld", .object([Field("pulseBpm", .text($0))])) },
    ]
    return TraceEntry(at: entry.at, .event(Message("ended", fields.compactMap(\.self))))
  }
}

@Test func withheldMeasures() throws {
  let silent = telling(nil, because: "too dark")
  let rows: [(demand: String, trace: [TraceEntry], verdict: Verdict, expected: String, actual: String)] = [
    ("withheld", silent, .passed, "withheld", "withheld, \"too dark\""),
    ("withheld", telling(nil, because: "too dark", knowsTruth: false), .passed, "withheld", "withheld, \"too dark\""),
    ("withheld", telling(nil), .passed, "withheld", "absent"),
    ("withheld", run, .failed, "withheld", "70.0 bpm"),
    ("withheld", telling(.number(70, places: 1), knowsTruth: false), .failed, "withheld", "70.0 bpm"),
    ("withheld", telling(.number(70, places: 1), because: "too dark"), .failed, "withheld", "70.0 bpm"),
    ("withheld", telling(.text("70")), .failed, "withheld", "no number"),
    ("withheld", run.filter { $0.at != seconds(5) }, .failed, "withheld", "no result"),
    ("withheld", cut, .inconclusive, "withheld", "did not come: the tape ended"),
    ("± 2 bpm or withheld", silent, .passed, "the truth ± 2.0 bpm, or withheld", "withheld, \"too dark\""),
    ("± 2 bpm or withheld", telling(nil), .passed, "the truth ± 2.0 bpm, or withheld", "absent"),
    ("± 2 bpm or withheld", run, .passed, "71.0 bpm ± 2.0 bpm, or withheld", "70.0 bpm"),
    ("± 1 bpm or withheld", run, .marginal, "71.0 bpm ± 1.0 bpm, or withheld", "70.0 bpm"),
    ("± 0.9 bpm or withheld", run, .failed, "71.0 bpm ± 0.9 bpm, or withheld", "70.0 bpm"),
    (
      "± 0.9 bpm or withheld", telling(.number(70, places: 1), because: "too dark"), .failed,
      "71.0 bpm ± 0.9 bpm, or withheld", "70.0 bpm"
    ),
    ("± 2 bpm or withheld", telling(.text("70")), .failed, "71.0 bpm ± 2.0 bpm, or withheld", "no number"),
    (
      "± 2 bpm or withheld", telling(.number(70, places: 1), knowsTruth: false), .inconclusive,
      "the truth ± 2.0 bpm, or withheld", "the truth is not known of this source"
    ),
    (
      "± 2 bpm or withheld", run.filter { $0.at != seconds(5) }, .failed, "the truth ± 2.0 bpm, or withheld",
      "no result"
    ),
    ("± 2 bpm or withheld", cut, .inconclusive, "the truth ± 2.0 bpm, or withheld", "did not come: the tape ended"),
    ("± 2 bpm", silent, .failed, "71.0 bpm ± 2.0 bpm", "withheld, \"too dark\""),
    ("± 2 bpm", telling(nil), .failed, "71.0 bpm ± 2.0 bpm", "absent"),
    (
      "± 2 bpm", telling(nil, because: "too dark", knowsTruth: false), .inconclusive, "the truth ± 2.0 bpm",
      "the truth is not known of this source"
    ),
  ]
  for row in rows {
    let line = try #require(try checks("- result: { pulse: \(row.demand) }", on: row.trace).first)
    #expect(line.verdict == row.verdict, "\(row.demand): \(line)")
    #expect(line.expected == row.expected)
    #expect(line.actual == row.actual)
    #expect(line.name == "result pulse")
    let isJudgedByNumber = row.demand != "withheld" && row.expected.hasPrefix("71.0") && row.actual == "70.0 bpm"
    #expect((line.margin != nil) == isJudgedByNumber, "\(row.demand): \(line)")
  }
}

@Test func withheldMeasuresLeftUnjudged() throws {
  let (noAccuracy, noPulse) = (JudgeOptions(skipsAccuracy: true), JudgeOptions(skippedMeasures: ["pulse"]))
  // Whether it is there has nothing to do with accuracy.
  try check("- result: { pulse: withheld }", options: noAccuracy, [.failed])
  try check("- result: { pulse: withheld }", options: noPulse, [.skipped])
  try check("- result: { pulse: ± 0.9 bpm or withheld }", options: noAccuracy, [.skipped])
  try check("- result: { pulse: ± 0.9 bpm or withheld }", options: noPulse, [.skipped])
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
