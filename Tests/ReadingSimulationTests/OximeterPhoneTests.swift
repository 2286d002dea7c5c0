import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import ReadingContract
import Recordings
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

@testable import ReadingSimulation

private let vocabulary = readingContract.vocabulary

private func scenario(_ timeline: [String] = [], settings: String = "") throws -> Scenario {
  let items = (["{ at: 0 s, call: start }"] + timeline).map { "  - \($0)\n" }.joined()
  let yaml = "name: a\nabout: b\n\(settings)\ntimeline:\n\(items)expect:\n  - never: guidance\n"
  return try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
}

private func run(_ scenario: Scenario, seed: UInt64 = 1, source: ReadingSource = .synthetic) -> [TraceEntry] {
  runReading(scenario, vocabulary: vocabulary, platform: "ios", seed: seed, source: source, keepsInputs: true)
}

private func messages(_ trace: [TraceEntry], _ pick: (TraceItem) -> Message?) -> [Message] {
  trace.compactMap { pick($0.item) }
}

private func events(_ trace: [TraceEntry]) -> [Message] {
  messages(trace) { if case .event(let event) = $0 { event } else { nil } }
}

private func references(_ trace: [TraceEntry]) -> [Message] {
  messages(trace) { if case .reference(let reference) = $0 { reference } else { nil } }
}

private func truths(_ trace: [TraceEntry]) -> [Message] {
  messages(trace) { if case .truth(let truth) = $0 { truth } else { nil } }
}

private let plethProtocols = OximeterProtocol.allCases.filter(\.hasPleth)

@Suite struct OximeterPhoneTests {
  /// Whatever steps and gain a device has, and whatever its rate, the light that is made of its pleth gives the heart back.
  @Test(arguments: plethProtocols, [44.0, 66, 128, 170]) func aPlethIsRead(speaks: OximeterProtocol, bpm: Double) throws
  {
    let scenario = try scenario(settings: "subject: { heartRate: \(Int(bpm)) bpm, rmssd: 20 ms }")
    let trace = run(scenario, source: .virtualOximeter(speaks))
    let result = try #require(events(trace).first { $0.name == "completed" })
    let realised = try #require(truths(trace).last { $0.name == "realised" })
    for (field, tolerance) in [("heartRateBpm", 0.5), ("rmssdMs", 5)] {
      let measured = try #require(result[field]?.number)
      let truth = try #require(realised[field]?.number)
      #expect((measured - truth).magnitude < tolerance, "\(field) \(measured) and not \(truth)")
    }
  }

  /// The range of a pleth is a finger's light from end to end, and the lens without a finger is none.
  @Test(arguments: plethProtocols) func lightIsThatOfAFinger(speaks: OximeterProtocol) throws {
    let largest = try #require(speaks.largestPleth)
    let light = PlethLight(largestPleth: largest)
    let (low, high) = (light.finger(pleth: 0, captured: .zero), light.finger(pleth: largest, captured: .zero))
    #expect(low.green > high.green && low.red > high.red && low.blue > high.blue)
    #expect(((low.green - high.green) / high.green - 0.04).magnitude < 0.001)
    let none = light.finger(pleth: nil, captured: .zero)
    #expect(low.green > none.green && none.green > high.green)
  }

  @Test func aTraceHoldsBytesAndWordsAndReplays() throws {
    let scenario = try scenario(
      ["{ at: 20 s, oximeter: unplugged, for: 4 s }"], settings: "source: oximeter:nonin-df2")
    let trace = run(scenario)
    let replayed = replayReading(trace, platform: "ios")
    #expect(replayed == inputsAndEffects(of: trace))
    #expect(trace.contains { if case .capture = $0.item { true } else { false } })
    let told = references(trace)
    let states = told.filter { $0.name == "line" }.compactMap { $0["state"]?.text }
    #expect(states == ["streaming", "lost", "silent", "streaming"])
    #expect(told.count { $0.name == "gap" } == 1)
    #expect(told.contains { $0.name == "reading" && $0["pulseRateBpm"]?.number == 66 })
    // Nothing of it depends on whether inputs are kept.
    let light = runReading(
      scenario, vocabulary: vocabulary, platform: "ios", seed: 1, source: .synthetic, keepsInputs: false)
    // Compared outside the expectation, which would print both.
    let isSame = TraceText.body(light) == TraceText.body(trace)
    #expect(isSame)
  }

  /// What goes wrong, the states of the camera that the trace is told of, and how the session ends.
  @Test(arguments: [
    ("unplugged", ["dead", "working"], ["cancelled", "started", "measurementComplete", "completed"]),
    ("silent", ["dead", "working"], ["cancelled", "started", "measurementComplete", "completed"]),
    ("garbled", ["dead", "working"], ["cancelled", "started", "measurementComplete", "completed"]),
    ("frozen", [], ["cancelled", "started", "measurementComplete", "completed"]),
  ])
  func faultsOfTheDeviceEndAnAttempt(fault: String, camera: [String], ends: [String]) throws {
    for speaks in plethProtocols {
      let scenario = try scenario(
        ["{ after: started, delay: 10 s, oximeter: \(fault), for: \(fault == "frozen" ? 20 : 5) s }"],
        settings: "source: oximeter:\(speaks.rawValue)")
      let trace = run(scenario)
      let states = truths(trace).filter { $0.name == "camera" }.compactMap { $0["state"]?.text }
      #expect(states == camera, "\(speaks.rawValue)")
      let lifecycle = events(trace).map(\.name).filter { vocabulary.event($0)?.isLifecycle == true }
      #expect(lifecycle == ["started"] + ends, "\(speaks.rawValue)")
    }
  }

  /// A device of flesh and blood tells the truth about the pulse as far as it knows it, and a run ends with it.
  @Test func aDeviceThatGoesForGoodEndsTheRun() throws {
    let scenario = try scenario()
    for (seconds, end, isTold) in [(90, "terminal", true), (30, "exhausted", false)] as [(Int64, String, Bool)] {
      let tip = ShortFingertip(tip: ScenarioFingertip(scenario, seed: 3), end: .zero + .seconds(seconds))
      let line = CapturingLine(VirtualOximeter(.bci, tip: tip, seed: 3), keeps: true)
      var stream = OximeterStream(line, speaking: .bci)
      // A run may begin when the stream has come to any moment.
      while stream.now < .zero + .seconds(2) { _ = stream.next(before: .zero + .seconds(2)) }
      let trace = runReading(
        scenario, vocabulary: vocabulary, platform: "ios", on: &stream, ending: "it is gone", keepsInputs: true,
        watch: { _ in })
      #expect(truths(trace).last == Message("end", [Field("reason", .text(end))]))
      let exhausted = truths(trace).first { $0.name == "exhausted" }
      #expect(exhausted?["what"]?.text == (isTold ? nil : "it is gone"))
      let realised = truths(trace).first { $0.name == "realised" }
      #expect(realised.map { $0.fields.map(\.key) } == (isTold ? ["heartRateBpm"] : nil))
      #expect(realised?["heartRateBpm"]?.number.map { ($0 - 66).magnitude < 2 } ?? !isTold)
      #expect(replayReading(trace, platform: "ios") == inputsAndEffects(of: trace))
      #expect((trace.first?.at ?? .zero) >= .zero)
    }
  }

  /// Timelines and what is said of them on a virtual oximeter and on a live one; nil: nothing is.
  @Test(
    arguments: [
      ("{ at: 1 s, call: stop }", "", nil, nil),
      ("{ at: 1 s, contact: lost }", "", nil, "contact: lost on line 6 changes the finger, and a live oximeter"),
      (
        "{ at: 1 s, camera: dead }", "",
        "camera: dead on line 6 is about a phone's camera, and an oximeter has neither",
        "camera: dead on line 6 changes the finger"
      ),
      (
        "{ at: 1 s, droppedFrames: 5 % }", "", "droppedFrames on line 6 is about a phone's camera",
        "droppedFrames on line"
      ),
      (
        "{ at: 1 s, call: stop }", "host: { torch: lost }", "torch: lost is about a phone's camera",
        "torch: lost changes"
      ),
      (
        "{ at: 1 s, call: stop }", "source: oximeter:bci", nil, "source: oximeter:bci puts something before the session"
      ),
      ("{ at: 1 s, call: stop }", "camera: { frameRate: 24 fps }", nil, nil),
    ] as [(String, String, String?, String?)])
  func whatCannotRunIsRefused(item: String, settings: String, onVirtual: String?, onLive: String?) throws {
    let scenario = try scenario([item], settings: settings)
    for (source, expected) in [(ReadingSource.virtualOximeter(.bci), onVirtual), (.liveOximeter, onLive)] {
      let reason = refusal(of: scenario, on: source)
      #expect(
        reason == nil ? expected == nil : expected.map { reason?.hasPrefix($0) ?? false } ?? false, "\(reason ?? "")")
    }
  }

  @Test func pulseRatesCountForAsLongAsTheyHold() {
    var rates = PulseRateTrack()
    let usable = OximeterReading(pulseRateBpm: 60, spo2Percent: 98)
    for second in 0..<10 { rates.add(usable, at: .zero + .seconds(Int64(second))) }
    for second in 10..<20 {
      let rate = OximeterReading(pulseRateBpm: 80, spo2Percent: 98)
      rates.add(rate, at: .zero + .seconds(Int64(second)))
    }
    rates.add(OximeterReading(pulseRateBpm: 200, spo2Percent: 98, flags: .searching), at: .zero + .seconds(20))
    func mean(_ from: Int64, _ to: Int64) -> Double? {
      rates.mean(from: .zero + .seconds(from), to: .zero + .seconds(to))
    }
    #expect(mean(0, 10) == 60)
    #expect(mean(0, 20) == 70)
    #expect(mean(10, 30) == 80)
    // Less than half of it is known.
    #expect(mean(15, 40) == nil)
    #expect(mean(50, 60) == nil)
  }
}

/// A fingertip that is not looked at for ever.
private struct ShortFingertip: Fingertip {
  var tip: ScenarioFingertip
  let end: Instant?

  mutating func look(at moment: Instant) -> FingertipLook { tip.look(at: moment) }
}
