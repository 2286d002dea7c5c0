import Checks
import ReadingContract
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

@testable import ReadingSimulation
@testable import Recordings

private func scenario(_ timeline: String, until: String = "", settings: String = "") throws -> Scenario {
  let yaml = """
    name: a
    about: b
    \(until)
    \(settings)
    timeline:
      \(timeline)
    expect:
      - never: failed
    """
  return try parseScenario(Array(yaml.utf8), vocabulary: readingContract.vocabulary)
}

private func run(
  _ scenario: Scenario, seed: UInt64 = 1, source: ReadingSource = .synthetic, keepsInputs: Bool = true
) -> [TraceEntry] {
  runReading(
    scenario, vocabulary: readingContract.vocabulary, platform: "ios", seed: seed, source: source,
    keepsInputs: keepsInputs)
}

private func events(_ trace: [TraceEntry]) -> [String] {
  trace.compactMap { entry in
    guard case .event(let event) = entry.item else { return nil }
    return readingContract.vocabulary.event(event.name)?.isLifecycle == true ? event.name : nil
  }
}

private func truths(_ trace: [TraceEntry], _ word: String) -> [String] {
  trace.compactMap { entry in
    guard case .truth(let message) = entry.item, message.name == word else { return nil }
    return "\(entry.at.text) \(message["state"]?.text ?? "")"
  }
}

private let start = "- { at: 0 s, call: start }"

@Test func theSameSeedGivesTheSameTrace() throws {
  let plain = try scenario(start)
  let trace = run(plain, seed: 5)
  #expect(TraceText.body(trace) == TraceText.body(run(plain, seed: 5)))
  #expect(TraceText.body(trace) == TraceText.body(run(plain, seed: 5, keepsInputs: false)))
  #expect(TraceText.body(trace) != TraceText.body(run(plain, seed: 6)))
}

/// Calls in the same moment as a frame, a deadline or an event, and a result that is built at once.
@Test(arguments: [
  "- { after: started, call: cancelReading }", "- { after: started, call: stop }",
  "- { after: heartbeat#10, call: cancelReading }", "- { after: measurementComplete, call: stop }",
  "- { after: completed, call: stop }", "- { after: preview#5, contact: lost, for: 4 s }",
]) func aTieReplaysToItself(act: String) throws {
  for delay in ["0 s", "1.5 s"] {
    let trace = run(
      try scenario("- { at: 0 s, call: start }\n  \(act)", settings: "host: { resultDelay: \(delay) }"), seed: 4)
    let again = replayReading(trace, platform: "ios")
    #expect(firstDifference(inputsAndEffects(of: trace), again) == nil)
  }
}

@Test func aTraceReplaysToItself() throws {
  let busy = try scenario(
    """
    - { at: 0 s, call: start }
      - { after: started, delay: 20 s, contact: lost, for: 6 s }
      - { after: started#2, delay: 10 s, call: cancelReading }
      - { after: started#3, delay: 5 s, motion: fidgeting, for: 2 s }
      - { after: measurementComplete, delay: 700 ms, call: stop }
    """)
  let trace = run(busy)
  #expect(events(trace).last == "completed")
  let again = replayReading(trace, platform: "ios")
  #expect(firstDifference(inputsAndEffects(of: trace), again) == nil)
  // Without one of its frames it differs, and the difference is found.
  let frame = trace.indices.filter { index in if case .sample = trace[index].item { true } else { false } }[500]
  var maimed = trace
  maimed.remove(at: frame)
  let other = replayReading(maimed, platform: "ios")
  #expect(firstDifference(inputsAndEffects(of: trace), other) != nil)
}

@Test func thePhoneTellsWhatIsTrue() throws {
  let trace = run(
    try scenario(
      """
      - { at: 0 s, call: start }
        - { at: 5 s, contact: lost, for: 2 s }
        - { at: 10 s, contact: lost, for: 100 ms }
        - { at: 10.2 s, contact: lost }
        - { at: 11 s, pulse: absent, for: 1 s }
        - { at: 13 s, motion: fidgeting, for: 1 s }
      """, until: "until: 20 s"))
  // A landing takes 0.22 s, and one that is broken off never came true.
  #expect(
    truths(trace, "contact") == [
      "0.000 s present", "5.000 s lost", "7.220 s present", "10.000 s lost", "10.200 s lost",
    ])
  #expect(truths(trace, "pulse").count == 3 && truths(trace, "motion").count == 3)
  #expect(trace.last?.at == Instant(microseconds: 20_000_000))
}

@Test func framesComeInOrderAndAfterTheirCapture() throws {
  let trace = run(
    try scenario(
      "- { at: 0 s, call: start }\n  - { at: 3 s, contact: lost, for: 1 s }", until: "until: 12 s",
      settings: "camera: { frameRate: 60 fps, latency: 100 ms, jitter: 10 ms }"))
  let samples = trace.compactMap { entry -> (Instant, Instant)? in
    guard case .sample(let captured, _) = entry.item else { return nil }
    return (captured, entry.at)
  }
  #expect(samples.count > 680 && samples.count < 702)
  #expect(samples.allSatisfy { $0.1 - $0.0 == .milliseconds(100) })
  #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.0 < $1.0 })
}

@Test func aRecordingIsReplayedAsASource() throws {
  let source = run(try scenario(start), seed: 3)
  let frames = source.compactMap { entry -> FrameSample? in
    guard case .sample(let captured, let values) = entry.item else { return nil }
    return FrameSample(captured: captured, values: values)
  }
  let recording = Recording(frames: frames, notes: [])
  let reference = ReferenceIntervals(intervalsMs: [900, 910, 905])
  let plain = try scenario(start)
  let trace = run(plain, source: .recording(recording, reference: reference))
  #expect(events(trace) == ["started", "measurementComplete", "completed"])
  #expect(
    trace.contains { entry in
      if case .truth(let message) = entry.item { message["heartRateBpm"]?.number == 66.3 } else { false }
    })

  // One that ends early says so, and nothing is made up.
  let short = Recording(frames: frames.filter { $0.captured < Instant(microseconds: 40_000_000) }, notes: [])
  let cut = run(plain, source: .recording(short, reference: nil))
  #expect(events(cut) == ["started"])
  #expect(cut.last?.item == .truth(Message("end", [Field("reason", .text("exhausted"))])))
  let again = replayReading(cut, platform: "ios")
  #expect(firstDifference(inputsAndEffects(of: cut), again) == nil)

  #expect(refusal(of: plain, on: .recording(short, reference: nil)) == nil)
}

/// What is before the camera of a recording is there already, and cannot be changed.
@Test(
  arguments: [
    (nil, [], nil),
    (
      nil, [.state(word: "contact", state: "lost")],
      "contact: lost on line 7 changes the finger, and a recording cannot be changed"
    ),
    (
      nil, [.quantity(word: "heartRate", value: 120, over: .seconds(30))],
      "heartRate on line 7 changes the finger, and a recording cannot be changed"
    ),
    (
      "nothing/flicker", [],
      "source: nothing/flicker puts something before the session, and a recording shows what it shows"
    ),
  ] as [(String?, [WorldChange], String?)])
func whatARecordingCannotDoIsRefused(source: String?, changes: [WorldChange], expected: String?) throws {
  let plain = try scenario(start)
  let stimuli = changes.map { change in
    Stimulus(
      placement: .at(.seconds(3)), action: .world(change), duration: nil, mark: SourceMark(line: 7, column: 5))
  }
  let asked = Scenario(
    name: plain.name, about: plain.about, rules: [], platforms: plain.platforms, tags: [], seed: 1, source: source,
    settings: plain.settings, timeline: plain.timeline + stimuli, expectations: plain.expectations, until: nil)
  let recording = Recording(frames: [], notes: [])
  #expect(
    refusal(of: asked, on: .recording(recording, reference: nil))
      == expected.map { $0 + "; run a scenario that only calls the session" })
  #expect(refusal(of: asked, on: .synthetic) == nil)
}

/// Frames that repeat a time stamp or go back are set aside, and the reading goes on (a field fault of other readers).
@Test func badTimeStampsAreSetAside() throws {
  let source = run(try scenario(start, settings: "subject: { heartRate: 72 bpm, rmssd: 0 ms }"), seed: 3)
  var captured = source.compactMap { entry -> FrameSample? in
    guard case .sample(let captured, let values) = entry.item else { return nil }
    return FrameSample(captured: captured, values: values)
  }
  for index in stride(from: 100, to: captured.count, by: 100) {
    captured[index] = FrameSample(captured: captured[index - 1].captured, values: captured[index].values)
  }
  captured[1050] = FrameSample(captured: captured[1049].captured - .milliseconds(50), values: captured[1050].values)
  let recording = Recording(frames: captured, notes: [])
  #expect(recording.notes.first?.hasSuffix("frames repeat a time stamp") == true)
  let trace = run(try scenario(start), source: .recording(recording, reference: nil))
  let result = trace.compactMap { entry -> Double? in
    if case .event(let event) = entry.item, event.name == "completed" { event["heartRateBpm"]?.number } else { nil }
  }
  #expect(result.count == 1 && result.allSatisfy { ($0 - 72).magnitude < 1 })
}
