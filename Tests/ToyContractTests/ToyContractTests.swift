import Checks
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

private func stove(of settings: Settings) -> Stove {
  Stove(isOpen: settings[state: "lid"] == "open", powerPercent: settings["kitchen", "power"] ?? 100)
}

/// Runs a scenario of the kettle from its text to its verdicts.
private func run(_ yaml: String, _ kettle: Kettle = Kettle()) throws -> (trace: [TraceEntry], checks: [CheckResult]) {
  let scenario = try parseScenario(Array(yaml.utf8), vocabulary: kettleContract.vocabulary)
  var (session, stove) = (kettle, stove(of: scenario.settings))
  let plan = RunPlan(
    timeline: scenario.timeline, settings: scenario.settings, vocabulary: kettleContract.vocabulary,
    until: scenario.until, keepsInputs: true)
  let trace = drive(&session, on: &stove, plan: plan)
  let checks = judge(
    trace, of: scenario, platform: "gas", contract: kettleContract, options: JudgeOptions())
  return (trace, checks)
}

private let boil = """
  name: boil
  about: Water boils.
  rules: [K01]
  timeline:
    - at: 0 s
      call: switchOn
    - after: warm
      delay: 10 s
      lid: open
      for: 5 s
  expect:
    - sequence: [warm, boiled(boil)]
    - see: boiled
      after: lid open
      within: [50 s, 60 s]
    - never: boiled(cold)
    - count: { warm: 1 }
  """

@Test func anotherContractRunsUnchanged() throws {
  let (trace, checks) = try run(boil)
  #expect(checks.map(\.verdict) == [.passed, .passed, .passed, .passed, .passed])
  // From 20 degrees a degree a second, and 5 s with the lid open.
  let boiled = trace.first { entry in if case .event(let event) = entry.item { event.name == "boiled" } else { false } }
  #expect(boiled?.at == Instant(microseconds: 85_000_000))
  #expect(trace.last?.item == .truth(Message("end", [Field("reason", .text("terminal"))])))
}

@Test func itsCommandsRepliesAndFirstStatesAreWordsOfTheLanguage() throws {
  let yaml = """
    name: begun-open
    about: The lid is open at first, and the kettle is switched on twice.
    kitchen: { lid: open }
    timeline:
      - at: 0 s
        call: switchOn(gently)
      - at: 1 s
        call: switchOn
      - at: 10 s
        lid: closed
    expect:
      - { reply: switchOn, is: returned }
      - { reply: switchOn#2, is: nonsense }
      - { see: heat(on), after: call switchOn, within: [0 s, 0.1 s] }
      - { see: warm, after: lid closed, within: [15 s, 25 s] }
      - { see: boiled, after: heat(off), within: [0 s, 0.1 s] }
      - { never: heat(on), after: warm }
      - count: { heat: 2 }
    """
  let (_, checks) = try run(yaml)
  #expect(checks.map(\.verdict) == Array(repeating: .passed, count: 8), "\(checks)")
  #expect(checks.map(\.name).prefix(2) == ["reply switchOn", "reply switchOn#2"])

  let (_, closed) = try run(yaml.replacing("{ lid: open }", with: "{ lid: closed }"))
  #expect(closed.map(\.verdict) == [.passed, .passed, .passed, .failed] + Array(repeating: .passed, count: 4))

  let (_, wrong) = try run(
    yaml.replacing("is: nonsense", with: "is: returned").replacing("heat: 2", with: "heat(off): 2"))
  #expect(wrong.filter { $0.verdict == .failed }.map(\.name) == ["reply switchOn#2", "count heat(off)"])
}

/// What the world did to the kettle, as `second word field value`.
private func changes(_ trace: [TraceEntry]) -> [String] {
  trace.compactMap { entry in
    guard case .stimulus(let message) = entry.item else { return nil }
    let fields = message.fields.map { "\($0.key) \($0.value.text ?? $0.value.number.map { "\($0)" } ?? "")" }
    return "\(entry.at.seconds) \(message.name) " + fields.joined(separator: " ")
  }
}

@Test func itsPowerIsASettingThatChanges() throws {
  let yaml = """
    name: half-power
    about: The hob is turned down and up again, and back to what it was by itself.
    kitchen: { power: 80 % }
    timeline:
      - { at: 0 s, call: switchOn }
      - { at: 10.5 s, power: 50 %, over: 250 ms, for: 20 s }
      - { after: warm, delay: 10 s, power: 150.5 % }
    expect:
      - { see: warm, after: power, within: [17 s, 19 s] }
      - { see: warm, after: power#2, within: [0 s, 10 s] }
      - { see: boiled, after: power#2, within: [0 s, 60 s] }
    """
  let (trace, checks) = try run(yaml)
  // 28 degrees after 10 s at 80 %, 38 after 20 s more at 50 %: the kettle is warm at 33 s.
  #expect(
    changes(trace) == ["10.5 power value 50.0 over 0.25", "30.5 power value 80.0", "43.0 power value 150.5"])
  #expect(checks.map(\.verdict) == [.failed, .passed, .passed, .passed], "\(checks)")
  #expect(checks.first?.actual == "at 33.000 s, 3.500 s too late")
}

/// A `for` turns back to what still passes, and in the end to what the scenario begins with.
@Test(
  arguments: [
    ("closed", "lid: open", "closed"), ("open", "lid: closed", "open"),
  ])
func whatIsTurnedBackIsTheScenariosOwn(beginning: String, change: String, end: String) throws {
  let yaml = """
    name: turned-back
    about: The lid is moved for a while.
    until: 40 s
    kitchen: { lid: \(beginning) }
    timeline:
      - { at: 1 s, \(change), for: 3 s }
      - { at: 10 s, \(change), for: 20 s }
      - { at: 12 s, \(change), for: 2 s }
    expect:
      - sequence: []
    """
  let (trace, _) = try run(yaml)
  let state = String(change.dropFirst(5))
  #expect(
    changes(trace) == [
      "1.0 lid state \(state)", "4.0 lid state \(end)", "10.0 lid state \(state)", "12.0 lid state \(state)",
      "14.0 lid state \(state)", "30.0 lid state \(end)",
    ])
}

/// What holds for good is what a passing change turns back to, and ends what passes when it comes.
@Test func whatLastsIsTurnedBackTo() throws {
  let yaml = """
    name: turned-back-to-what-lasts
    about: The lid is opened for good and closed for a while.
    until: 40 s
    timeline:
      - { at: 1 s, lid: open }
      - { at: 5 s, lid: closed, for: 3 s }
      - { at: 10 s, lid: closed, for: 20 s }
      - { at: 12 s, lid: open }
    expect:
      - sequence: []
    """
  let (trace, _) = try run(yaml)
  #expect(
    changes(trace) == [
      "1.0 lid state open", "5.0 lid state closed", "8.0 lid state open", "10.0 lid state closed",
      "12.0 lid state open",
    ])
}

@Test func itsRuleMayBeWaived() throws {
  let yaml = boil.replacing("rules: [K01]", with: "waive:\n  K01: this kettle whistles early, ticket 7")
  let (_, broken) = try run(yaml, Kettle(isBroken: true))
  let waived = broken.filter { $0.rule == "K01" }
  #expect(waived.map(\.verdict) == [.skipped])
  #expect(waived.map(\.actual) == ["waived (this kettle whistles early, ticket 7): boiled at once"])
  let (_, sound) = try run(yaml)
  #expect(sound.map(\.verdict) == [.passed, .passed, .passed, .passed, .passed])
  #expect(sound.appliedRules == ["K01"])
}

@Test func itsRuleBreaks() throws {
  let (_, checks) = try run(boil, Kettle(isBroken: true))
  #expect(checks.filter { $0.rule == "K01" }.map(\.verdict) == [.failed])
  #expect(checks.first { $0.name == "sequence" }?.verdict == .failed)
}

@Test func itsTraceIsWrittenReadAndReplayed() throws {
  let (trace, _) = try run(boil)
  let header = TraceHeader(
    tool: "test", contract: "kettle", scenario: "boil", platform: "gas", seed: 1, engine: "kettle",
    channels: Temperature.channels)
  let read = try readTrace(TraceText.file(header, trace))
  #expect(read.entries == trace)

  var kettle = Kettle()
  let again = replay(read.entries, on: &kettle)
  #expect(firstDifference(inputsAndEffects(of: trace), again) == nil)

  var broken = Kettle(isBroken: true)
  let other = replay(read.entries, on: &broken)
  #expect(firstDifference(inputsAndEffects(of: trace), other) != nil)
}

@Test func aRunAlwaysEnds() throws {
  let never = """
    name: never
    about: Nobody switches it on.
    timeline:
      - at: 1 s
        lid: open
    expect:
      - sequence: []
    """
  let ends: [(String, Kettle, String, [Verdict])] = [
    // Nothing more can happen.
    (never, Kettle(), "quiet", [.passed]),
    // The session gives up by itself.
    (never.replacing("lid: open", with: "call: switchOn"), Kettle(), "terminal", [.failed, .passed]),
    // The file says when.
    ("until: 50 s\n" + boil, Kettle(), "until", [.failed, .failed, .passed, .passed, .inconclusive]),
    // A timeline that outlasts the session.
    (
      boil.replacing("delay: 10 s", with: "delay: 100 s"), Kettle(), "terminal",
      [.passed, .inconclusive, .passed, .passed, .inconclusive, .passed]
    ),
    // A deadline that never moves on.
    (never.replacing("lid: open", with: "call: switchOn"), Kettle(isStuck: true), "stuck", [.passed, .failed]),
  ]
  for (yaml, kettle, reason, verdicts) in ends {
    let (trace, checks) = try run(yaml, kettle)
    #expect(trace.last?.item == .truth(Message("end", [Field("reason", .text(reason))])))
    #expect(checks.map(\.verdict) == verdicts, "\(reason): \(checks)")
  }
}

/// In one moment: the stimulus, then the delivery, then the deadline.
@Test func theOrderWithinAMomentIsFixed() throws {
  let yaml = """
    name: tie
    about: The lid opens in the moment of a sample.
    until: 12 s
    timeline:
      - at: 0 s
        call: switchOn
      - at: 10 s
        lid: open
    expect:
      - sequence: []
    """
  let (trace, _) = try run(yaml)
  let moment = trace.filter { $0.at == Instant(microseconds: 10_000_000) }
  #expect(moment.count == 2)
  #expect(moment.first?.item == .stimulus(Message("lid", [Field("state", .text("open"))])))
  #expect(moment.last?.item == .sample(captured: Instant(microseconds: 10_000_000), values: [29]))
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
