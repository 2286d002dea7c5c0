import Checks
import Scenarios
import Traces
import VitalsModel

@testable import Reporting

// Runs of a made-up contract about a door, so that nothing here depends on a real one.

let doorVocabulary = Vocabulary(
  platforms: ["oak", "pine"], rules: ["D1", "D2"], calls: [CallWord("unlock", about: "turns the key")],
  events: [
    EventWord("opened", about: "it is open"),
    EventWord("shut", isTerminal: true, argumentKey: "by", arguments: ["hand", "wind"], about: "it is shut"),
    EventWord("creak", isLifecycle: false, argumentKey: "tone", arguments: ["low", "high"], about: "it moves"),
  ],
  world: [WorldWord("wind", states: ["calm", "gust"], about: "the weather")],
  sections: [
    SectionWord(
      "hinge", about: "what it hangs on",
      fields: [
        FieldWord("sag", .partsPerMillion, in: -50...50, standard: 0, isChangeable: true, about: "how far it hangs")
      ])
  ], result: nil)

func moment(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

func creak(_ seconds: Double, _ tone: String) -> TraceEntry {
  TraceEntry(at: moment(seconds), .event(Message("creak", [Field("tone", .text(tone))])))
}

/// A door that a gust shuts too late, with a creak every half second.
let doorTrace: [TraceEntry] = [
  TraceEntry(at: moment(0), .call(id: 1, Message("unlock"))),
  TraceEntry(at: moment(0), .reply(id: 1, .returned)),
  TraceEntry(at: moment(1), .event(Message("opened"))),
  creak(1.5, "low"), creak(2, "low"), creak(2.5, "low"),
  TraceEntry(at: moment(5), .stimulus(Message("wind", [Field("state", .text("gust"))]))),
  TraceEntry(at: moment(5), .sample(captured: moment(5), values: [1])),
  TraceEntry(at: moment(5), .timer),
  creak(5.5, "high"), creak(6, "high"),
  TraceEntry(at: moment(7), .notice(Message("latch", [Field("isOiled", .flag(false))]))),
  TraceEntry(at: moment(8.4), .command(Message("bolt", [Field("turns", .integer(2))]))),
  TraceEntry(at: moment(8.4), .event(Message("shut", [Field("by", .text("wind"))]))),
  TraceEntry(at: moment(11.4), .truth(Message("end", [Field("reason", .text("terminal"))]))),
  TraceEntry(at: moment(11.5), .reply(id: 2, .threw(Message("stuck")))),
]

func sight(_ verdict: Verdict, slack: Double, at line: Int = 9) -> CheckResult {
  CheckResult(
    name: "see shut(wind)", mark: SourceMark(line: line, column: 5), verdict: verdict,
    expected: "shut(wind) from 5.000 s to 7.000 s (0.000 s to 2.000 s after wind gust)",
    actual: "at 8.400 s, 1.400 s too late", margin: Margin(slack, unit: "s", places: 3, width: 2), at: moment(8.4))
}

let breach = CheckResult(
  name: "D2", rule: "D2", verdict: .failed, expected: "a shut door within 0.000 s to 2.000 s", actual: "3.400 s",
  at: moment(8.4))

/// Rules as a scenario waives them: one that broke, and one that held.
let waivedBreach = CheckResult(
  name: "D2", rule: "D2", verdict: .skipped, expected: "a shut door within 0.000 s to 2.000 s",
  actual: "waived (the hinge is <new>): 3.400 s", at: moment(8.4), occasions: 1, waiver: "the hinge is <new>")
let unneededWaiver = CheckResult(
  name: "D1", rule: "D1", verdict: .passed, expected: "quiet",
  actual: "held 2 times, so the waiver was not needed (ticket 3)", occasions: 2, waiver: "ticket 3")

func run(
  _ scenario: String, _ verdict: Verdict, file: String? = nil, platform: String = "oak", seed: UInt64 = 1,
  seconds: Double = 11.5, checks: [CheckResult] = [], notes: [String] = [], trace: [TraceEntry] = []
) -> RunReport {
  let file = file ?? "doors/\(scenario).yaml"
  return RunReport(
    scenario: scenario, file: file, platform: platform, seed: seed, verdict: verdict, traceHash: "00ff00ff00ff00ff",
    virtualSeconds: seconds, wallSeconds: 0.0125, checks: checks, notes: notes, trace: trace,
    replayCommand: "vitals-sim run \(file) --platform \(platform) --seed \(seed)")
}

func library(_ runs: [RunReport]) -> LibraryReport {
  LibraryReport(tool: "vitals-sim test", source: "synthetic", runs: runs, wallSeconds: 0.19)
}

/// An event that the door's contract does not know.
func entry(_ name: String, at seconds: Double = 0) -> TraceEntry {
  TraceEntry(at: moment(seconds), .event(Message(name)))
}
