import Scenarios
import struct Scenarios.Expectation
import Testing
import VitalsModel

private func seconds(_ seconds: Double) -> TimeSpan { TimeSpan(seconds: seconds) }

private func event(_ name: String, _ argument: String? = nil) -> EventPattern {
  EventPattern(name: name, argument: argument)
}

@Suite struct ScenarioParsingTests {
  @Test func readsEveryPartOfAScenario() throws {
    let scenario = try parseScenario(Array(contactLost.utf8), vocabulary: fixture)
    var settings = Settings()
    settings["subject", "heartRate"] = 66
    settings["subject", "rmssd"] = 40
    settings["subject", "breathingRate"] = 14
    settings["subject", "perfusionIndex"] = 2
    settings[choice: "subject", "skin"] = "II"
    settings["camera", "frameRate"] = 30
    settings["camera", "jitter"] = 2
    settings["camera", "latency"] = 12
    settings["camera", "openDelay"] = 0.3
    settings["camera", "clockDrift"] = 0
    settings["camera", "exposure"] = 0
    settings["host", "resultDelay"] = 1.5
    func at(_ line: Int, _ column: Int) -> SourceMark { SourceMark(line: line, column: column) }
    let expected = Scenario(
      name: "contact-lost",
      about: "The fingertip leaves the lens in mid-reading, and the second attempt completes.",
      rules: [
        Marked("V06", at: at(3, 9)), Marked("V23", at: at(3, 14)), Marked("V24", at: at(3, 19)),
        Marked("V25", at: at(3, 24)),
      ],
      platforms: ["ios", "android"], tags: ["smoke", "contact"], seed: 1, settings: settings,
      timeline: [
        Stimulus(placement: .at(.zero), action: .call("start", argument: nil), duration: nil, mark: at(17, 5)),
        Stimulus(
          placement: .after(event("started"), occurrence: 1, delay: seconds(20)),
          action: .world(.state(word: "contact", state: "lost")), duration: seconds(6), mark: at(19, 5)),
      ],
      expectations: [
        Expectation(
          .sequence([
            event("started"), event("cancelled", "contactLost"), event("started"), event("measurementComplete"),
            event("completed"),
          ]), at: at(25, 5)),
        Expectation(
          .see(
            event("cancelled", "contactLost"), after: .world(word: "contact", state: "lost", occurrence: 1),
            within: seconds(2)...seconds(5)), at: at(26, 5)),
        Expectation(.never(event("failed"), after: nil), at: at(29, 5)),
        Expectation(.count(event("cancelled"), 1), at: at(30, 14)),
        Expectation(.result(measure: "heartRate", .within(2)), at: at(32, 7)),
        Expectation(.result(measure: "rmssd", .within(10)), at: at(33, 7)),
        Expectation(.result(measure: "breathingRate", .within(2)), at: at(34, 7)),
      ],
      until: nil)
    #expect(scenario == expected)
  }

  @Test(
    arguments: [
      ("{ at: 1m30s, call: start }", Stimulus.Placement.at(seconds(90)), Stimulus.Action.call("start", argument: nil)),
      (
        "{ after: started#2, call: stop }", .after(event("started"), occurrence: 2, delay: .zero),
        .call("stop", argument: nil)
      ),
      (
        "{ after: cancelled(poorSignal), delay: 40 ms, motion: fidgeting }",
        .after(event("cancelled", "poorSignal"), occurrence: 1, delay: seconds(0.04)),
        .world(.state(word: "motion", state: "fidgeting"))
      ),
      ("{ at: 0 s, call: setAutoStart(false) }", .at(.zero), .call("setAutoStart", argument: "false")),
      ("{ at: 0 s, call: start(offMainThread) }", .at(.zero), .call("start", argument: "offMainThread")),
      ("{ call: setAutoStart(true), at: \"2 s\" }", .at(seconds(2)), .call("setAutoStart", argument: "true")),
      (
        "{ at: 20 s, heartRate: 120 bpm }", .at(seconds(20)),
        .world(.quantity(word: "heartRate", value: 120, over: .zero))
      ),
      (
        "{ over: 500 ms, exposure: -0.5 EV, at: 20 s }", .at(seconds(20)),
        .world(.quantity(word: "exposure", value: -0.5, over: seconds(0.5)))
      ),
    ] as [(String, Stimulus.Placement, Stimulus.Action)])
  func readsAStimulus(item: String, placement: Stimulus.Placement, action: Stimulus.Action) throws {
    let read = try parseScenario(Array(scenario(timeline: "  - \(item)").utf8), vocabulary: fixture)
    #expect(read.timeline.map(\.placement) == [placement])
    #expect(read.timeline.map(\.action) == [action])
  }

  @Test(
    arguments: [
      ("sequence: []", [Expectation.Kind.sequence([])]),
      ("see: guidance(noContact)", [.see(event("guidance", "noContact"), after: nil, within: nil)]),
      ("{ see: started, within: [0 s, 0s] }", [.see(event("started"), after: nil, within: .zero ... .zero)]),
      (
        "{ see: started, after: started#2, within: [500 ms, 1.5m] }",
        [.see(event("started"), after: .event(event("started"), occurrence: 2), within: seconds(0.5)...seconds(90))]
      ),
      ("{ never: heartbeat, after: call start }", [.never(event("heartbeat"), after: .call("start", occurrence: 1))]),
      (
        "count: { cancelled: 0, \"cancelled(contactLost)\": 2 }",
        [.count(event("cancelled"), 0), .count(event("cancelled", "contactLost"), 2)]
      ),
      (
        "{ see: started, after: heartRate, within: [1 s, 2 s] }",
        [.see(event("started"), after: .quantity(word: "heartRate", occurrence: 1), within: seconds(1)...seconds(2))]
      ),
      ("see: torch(off)", [.see(event("torch", "off"), after: nil, within: nil)]),
      (
        "{ never: adjustFrameRate, after: camera(on)#2 }",
        [.never(event("adjustFrameRate"), after: .event(event("camera", "on"), occurrence: 2))]
      ),
      ("count: { camera: 2, torch(on): 1 }", [.count(event("camera"), 2), .count(event("torch", "on"), 1)]),
      ("{ reply: start, is: returned }", [.reply(call: "start", occurrence: 1, is: .returned)]),
      ("{ is: notActivated, reply: start#1 }", [.reply(call: "start", occurrence: 1, is: .threw("notActivated"))]),
      (
        "result: { rmssd: ±10ms, heartRate: +- 2.5 bpm }",
        [.result(measure: "rmssd", .within(10)), .result(measure: "heartRate", .within(2.5))]
      ),
      (
        "result: { breathingRate: ± 2 /min or withheld, rmssd: withheld, heartRate: +-2bpm  or withheld }",
        [
          .result(measure: "breathingRate", .withinOrWithheld(2)), .result(measure: "rmssd", .withheld),
          .result(measure: "heartRate", .withinOrWithheld(2)),
        ]
      ),
      ("result: { rmssd: 'withheld' }", [.result(measure: "rmssd", .withheld)]),
      (
        "truth: { heartRate: 66 bpm ± 0.05 bpm, rmssd: 0.04 ± 0.001 s, beats: 66 ± 1 }",
        [
          .truth(measure: "heartRate", value: 66, tolerance: 0.05), .truth(measure: "rmssd", value: 40, tolerance: 1),
          .truth(measure: "beats", value: 66, tolerance: 1),
        ]
      ),
      ("truth: { heartRate: 66±0bpm }", [.truth(measure: "heartRate", value: 66, tolerance: 0)]),
      ("truth: { heartRate: 66.5+-0.5 bpm }", [.truth(measure: "heartRate", value: 66.5, tolerance: 0.5)]),
    ] as [(String, [Expectation.Kind])])
  func readsAnExpectation(item: String, kinds: [Expectation.Kind]) throws {
    let timeline = "  - { at: 0 s, call: start }\n  - { at: 9 s, heartRate: 70 bpm }"
    let read = try parseScenario(Array(scenario(timeline: timeline, expect: "  - \(item)").utf8), vocabulary: fixture)
    #expect(read.expectations.map(\.kind) == kinds)
  }

  @Test func fillsInWhatIsNotWritten() throws {
    let read = try parseScenario(Array(scenario("subject: { heartRate: 90 bpm }").utf8), vocabulary: fixture)
    #expect(read.seed == 1)
    #expect(read.platforms == ["ios", "android"])
    #expect(read.rules.isEmpty)
    #expect(read.tags.isEmpty)
    #expect(read.until == nil)
    #expect(read.settings["subject", "heartRate"] == 90)
    #expect(read.settings["subject", "rmssd"] == 40)
    #expect(read.settings["camera", "openDelay"] == 0.3)
    #expect(read.settings["camera", "lens"] == nil)
  }

  @Test(
    arguments: [
      ("", nil), ("host: { permission: declined }", "declined"), ("host: { permission: granted }", "granted"),
      ("host: { resultDelay: 2 s, permission: blockedByPolicy }", "blockedByPolicy"),
    ] as [(String, String?)])
  func readsHowTheWorldBegins(lines: String, state: String?) throws {
    let read = try parseScenario(Array(scenario(lines).utf8), vocabulary: fixture)
    #expect(read.settings[state: "permission"] == state)
    #expect(read.settings[state: "contact"] == nil)
  }

  @Test(
    arguments: [
      ("", nil, "II", 0, nil), ("source: nothing/flicker", "nothing/flicker", "II", 0, nil),
      ("source: finger", "finger", "II", 0, nil),
      ("subject: { skin: VI, tremor: 7.5 Hz }", nil, "VI", 0, 7.5),
      ("camera: { clockDrift: -20.5 ppm }", nil, "II", -20.5, nil),
      ("camera: { clockDrift: \u{2212}20 ppm }", nil, "II", -20, nil),
      ("camera: { clockDrift: +20ppm }", nil, "II", 20, nil), ("camera: { clockDrift: -0 ppm }", nil, "II", 0, nil),
    ] as [(String, String?, String, Double, Double?)])
  func readsChoicesAndSigns(lines: String, source: String?, skin: String, drift: Double, tremor: Double?) throws {
    let read = try parseScenario(Array(scenario(lines).utf8), vocabulary: fixture)
    #expect(read.source == source)
    #expect(read.settings[choice: "subject", "skin"] == skin)
    #expect(read.settings["camera", "clockDrift"] == drift)
    #expect(read.settings["camera", "clockDrift"]?.sign == (drift < 0 ? .minus : .plus))
    #expect(read.settings["subject", "tremor"] == tremor)
    #expect(read.settings[choice: "subject", "heartRate"] == nil)
  }

  /// What a program makes of a scenario is the scenario again, but for its expectations.
  @Test(arguments: [
    "", "source: nothing/table\nsubject: { heartRate: 71.25 bpm, skin: V, tremor: 5 Hz, perfusionIndex: 0.02 % }",
    "camera: { clockDrift: -0.5 ppm, openDelay: 70 ms }\nhost: { permission: declined, resultDelay: 2 s }\nuntil: 90 s",
  ])
  func writesWhatItReads(lines: String) throws {
    let timeline = """
        - { at: 0 s, call: setAutoStart(false) }
        - { after: started#2, delay: 1.5 s, contact: lost, for: 3 s }
        - { at: 20 s, heartRate: 120.5 bpm, over: 250 ms, for: 1 m }
        - { at: 30 s, exposure: -1 EV }
      """
    let read = try parseScenario(Array(scenario(lines, timeline: timeline).utf8), vocabulary: fixture)
    let text = scenarioText(of: read, vocabulary: fixture)
    let again = try parseScenario(Array(text.utf8), vocabulary: fixture)
    #expect(again.source == read.source)
    #expect(again.settings == read.settings)
    #expect(again.until == read.until)
    #expect(again.timeline.map(\.placement) == read.timeline.map(\.placement))
    #expect(again.timeline.map(\.action) == read.timeline.map(\.action))
    #expect(again.timeline.map(\.duration) == read.timeline.map(\.duration))
    #expect(scenarioText(of: again, vocabulary: fixture) == text)
  }

  @Test func readsWaivers() throws {
    let longest = String(repeating: "é", count: Waiver.longestReason)
    let lines = "rules: [V06]\nwaive:\n  V24: restarts by itself, ticket 12\n  V08: \(longest)"
    let read = try parseScenario(Array(scenario(lines).utf8), vocabulary: fixture)
    #expect(
      read.waivers == [
        Waiver(rule: "V24", reason: "restarts by itself, ticket 12", mark: SourceMark(line: 5, column: 3)),
        Waiver(rule: "V08", reason: longest, mark: SourceMark(line: 6, column: 3)),
      ])
    #expect(read.rules.map(\.value) == ["V06"])
  }

  /// Each form means the same scenario as the plain one, and none is a mistake.
  @Test(arguments: [
    "\u{feff}" + contactLost,
    contactLost.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
    "---\n" + contactLost,
    contactLost + "...\n",
    "# A note.\n" + contactLost,
    contactLost + "# the end",
    String(contactLost.dropLast()),
  ])
  func readsTheSameFromEachFormOfTheFile(text: String) throws {
    let read = try parseScenario(Array(text.utf8), vocabulary: fixture)
    let plain = try parseScenario(Array(contactLost.utf8), vocabulary: fixture)
    #expect(read.name == plain.name)
    #expect(read.settings == plain.settings)
    #expect(read.timeline.map(\.action) == plain.timeline.map(\.action))
    #expect(read.expectations.map(\.kind) == plain.expectations.map(\.kind))
  }

  /// YAML makes truth values and numbers of these; a scenario does not.
  @Test(arguments: ["no", "on", "yes", "off", "true", "y", "1", "007", "1e3", "0x1f"])
  func makesNothingOfAText(name: String) throws {
    let text = scenario().replacing("name: x", with: "name: \(name)")
    #expect(try parseScenario(Array(text.utf8), vocabulary: fixture).name == name)
  }

  @Test func keepsThePlatformsInTheOrderOfTheContract() throws {
    let read = try parseScenario(Array(scenario("platforms: [android, ios]").utf8), vocabulary: fixture)
    #expect(read.platforms == ["ios", "android"])
  }

  @Test func knowsAWordOfTheWorldThatTurnsBack() {
    let timeline = "  - { at: 0 s, call: start }\n  - { at: 9 s, contact: lost, for: 2 s }"
    #expect(mistakes(scenario(timeline: timeline, expect: "  - { see: started, after: contact present }")).isEmpty)
    #expect(
      mistakes(scenario(timeline: timeline, expect: "  - { see: started, after: contact present#2 }"))
        == ["7:28 the timeline makes contact present once, not 2 times"])
  }

  /// What turns back does so to what the scenario begins with, and counts as a change.
  @Test(
    arguments: [
      ("", "permission: declined", "permission granted", []),
      ("host: { permission: declined }\n", "permission: blockedByPolicy", "permission declined", []),
      (
        "host: { permission: declined }\n", "permission: blockedByPolicy", "permission granted",
        ["8:28 nothing in the timeline makes permission granted"]
      ),
      ("host: { permission: declined }\n", "permission: granted", "permission granted", []),
      (
        "host: { permission: declined }\n", "permission: declined", "permission declined#1",
        ["6:38 for turns back to declined, which this item sets already | take it out"]
      ),
      ("", "heartRate: 90 bpm", "heartRate#2", []),
      ("", "heartRate: 90 bpm", "heartRate#3", ["7:28 the timeline changes heartRate 2 times, not 3 times"]),
      ("", "perfusionIndex: 1 %", "heartRate", ["7:28 nothing in the timeline changes heartRate"]),
      (
        "subject: { heartRate: 90 bpm }\n", "heartRate: 90 bpm", "heartRate",
        ["6:35 for turns back to 90 bpm, which this item sets already | take it out"]
      ),
    ] as [(String, String, String, [String])])
  func knowsWhatTurnsBack(lines: String, change: String, moment: String, expected: [String]) {
    let timeline = "  - { at: 0 s, call: start }\n  - { at: 9 s, \(change), for: 2 s }"
    #expect(
      mistakes(
        scenario(
          String(lines.dropLast()), timeline: timeline, expect: "  - { see: started, after: \(moment) }")) == expected)
  }

  @Test func aContractWithoutAResultHasNoResultForm() {
    let bare = Vocabulary(
      platforms: ["any"], rules: [], calls: [CallWord("go", about: "")], events: [EventWord("gone", about: "")],
      world: [], sections: [], result: nil)
    for form in ["result: { speed: ± 1 }", "truth: { speed: 3 ± 1 }"] {
      let text = scenario(timeline: "  - { at: 0 s, call: go }", expect: "  - \(form)")
      #expect(throws: ScenarioRefusal.self) { try parseScenario(Array(text.utf8), vocabulary: bare) }
    }
    let fine = scenario(timeline: "  - { at: 0 s, call: go }", expect: "  - see: gone")
    #expect(throws: Never.self) { try parseScenario(Array(fine.utf8), vocabulary: bare) }
  }
}
