import Testing
import Traces
import VitalsModel

@testable import ReadingContract

/// A result with an edit breaks exactly these rules.
private func check(
  breaks expected: [String], _ place: SourceLocation = #_sourceLocation, _ edit: (inout ReadingTrace) -> Void
) {
  var trace = ReadingTrace.whole()
  edit(&trace)
  #expect(trace.brokenRules() == expected, sourceLocation: place)
}

@Test func measuresOfAResult() {
  for measure in ["rmssdMs", "breathingRatePerMin"] {
    check(breaks: ["V50"]) { $0.set("completed", 1, measure, nil) }
    for (reason, broken) in [("too few beats", []), ("", ["V50"])] as [(String, [String])] {
      check(breaks: broken) {
        $0.set("completed", 1, measure, nil)
        $0.set("completed", 1, "withheld", .object([Field(measure, .text(reason))]))
      }
    }
    check(breaks: ["V50"]) { $0.set("completed", 1, measure, .text("unknown")) }
  }
  check(breaks: ["V50"]) { $0.set("completed", 1, "withheld", .object([Field("rmssdMs", .text("too few beats"))])) }
  for (measure, low, high) in [
    ("breathingRatePerMin", 3.0, 70.0), ("sdnnMs", 0, 500), ("meanNNMs", 200, 3_000),
    ("perfusionIndexPercent", 0, 100), ("quality", 0, 1),
  ] {
    for (value, broken) in [(low, []), (high, []), (low - 0.01, ["V50"]), (high + 0.01, ["V50"])]
      as [(Double, [String])]
    {
      check(breaks: broken) { $0.set("completed", 1, measure, .number(value, places: 2)) }
    }
  }
  check(breaks: []) { $0.set("completed", 1, "quality", nil) }
  check(breaks: ["V12", "V50"]) { $0.set("completed", 1, "heartRateBpm", nil) }
}

@Test func noNumberComesOfNothing() {
  // A minute whose pulse nobody could see, for 55 s or for half of it.
  for (word, since, until, bpm, broken) in [
    ("pulse", 4.3, 64.3, 75, ["V12", "V26"]), ("pulse", 4.3, 59.6, 75, ["V12", "V26"]),
    ("pulse", 4.3, 58, 75, ["V26"]), ("torch", 4.3, 64.3, 75, ["V12"]), ("torch", 20, 51.1, 80, []),
    ("torch", 20, 51.1, 80.01, ["V50"]), ("torch", 20, 48, 80.01, []),
  ] as [(String, Double, Double, Double, [String])] {
    check(breaks: broken) {
      $0.world(since, word, word == "pulse" ? "absent" : "lost")
      if until < 64.3 { $0.world(until, word, word == "pulse" ? "present" : "working") }
      $0.set("completed", 1, "heartRateBpm", .number(bpm, places: 2))
    }
  }
}

@Test func numbersOfAGoodMinute() {
  for (bpm, broken) in [(80.0, []), (80.01, ["V50"]), (70, []), (69.99, ["V50"])] as [(Double, [String])] {
    check(breaks: broken) { $0.set("completed", 1, "heartRateBpm", .number(bpm, places: 2)) }
  }
  // The truth is 75 bpm and 10 ms: within 25 ms of it.
  for (rmssd, broken) in [(35.0, []), (35.01, ["V50"])] as [(Double, [String])] {
    check(breaks: broken) { $0.set("completed", 1, "rmssdMs", .number(rmssd, places: 2)) }
  }
  // Not on a minute that was not good all through, where a rule of its own speaks of the pulse that is there.
  check(breaks: []) {
    $0.world(30, "motion", "fidgeting"); $0.world(32, "motion", "still")
    $0.set("completed", 1, "heartRateBpm", .number(120, places: 2))
  }
}
