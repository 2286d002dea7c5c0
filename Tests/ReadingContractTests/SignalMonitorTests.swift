import Testing
import Traces
import VitalsModel

@testable import ReadingContract

/// A trace with an edit breaks exactly these rules.
private func check(
  _ base: ReadingTrace = .whole(), breaks expected: [String], endingAfter seconds: Double = 1,
  _ place: SourceLocation = #_sourceLocation, _ edit: (inout ReadingTrace) -> Void = { _ in }
) {
  var trace = base
  edit(&trace)
  #expect(trace.brokenRules(endingAfter: seconds) == expected, sourceLocation: place)
}

@Test func poorSignal() {
  let half = ReadingTrace.measuring(until: 30)
  func cancelled(_ level: String = "fair", breaks: [String], _ edit: (inout ReadingTrace) -> Void) {
    check(half, breaks: breaks) {
      edit(&$0)
      $0.set("preview", 25, "signalLevel", .text(level))
      $0.cancelled(29, "poorSignal")
    }
  }
  for (word, state) in [("motion", "fidgeting"), ("pulse", "absent")] {
    for (since, broken) in [(25.0, []), (25.01, ["V26"]), (14.0, []), (13.99, ["V26"])] as [(Double, [String])] {
      cancelled(breaks: broken) { $0.world(since, word, state) }
    }
    cancelled("good", breaks: ["V26"]) { $0.world(20, word, state) }
    // An attempt that it outlasts.
    for (until, broken) in [(35.0, []), (35.01, ["V26"])] as [(Double, [String])] {
      check(breaks: broken) {
        $0.world(20, word, state); $0.world(until, word, word == "motion" ? "still" : "present")
      }
    }
  }
  cancelled(breaks: ["V26"]) { _ in }
  // Short stretches, each with the time that it takes to recover, and one that is long over.
  for (stretches, broken) in [
    ([(25.0, 25.5)], []), ([(25.01, 25.5)], ["V26"]), ([(12, 12.1), (28.5, 28.6)], ["V26"]), ([(17, 19)], []),
    ([(16, 18.99)], ["V26"]), ([(20, 20.5), (26, 26.1)], []),
  ] as [([(Double, Double)], [String])] {
    cancelled(breaks: broken) {
      for (since, until) in stretches {
        $0.world(since, "motion", "fidgeting"); $0.world(until, "motion", "still")
      }
    }
  }
  // One cause after the other is one stretch.
  for (since, broken) in [(25.0, []), (25.01, ["V26"])] as [(Double, [String])] {
    cancelled(breaks: broken) {
      $0.world(since, "motion", "fidgeting"); $0.world(27, "pulse", "absent"); $0.world(28, "motion", "still")
    }
  }
  // A faint pulse may be poor at any time, or never. So may one that the lost contact or the dark hides.
  cancelled(breaks: []) { $0.world(28, "pulse", "faint") }
  check(breaks: []) { $0.world(10, "pulse", "faint") }
  cancelled(breaks: []) {
    $0.world(26, "torch", "lost"); $0.world(27, "torch", "working")
  }
  cancelled("good", breaks: ["V26"]) { $0.forgetTruths() }
  cancelled(breaks: []) { $0.forgetTruths() }
}

@Test func signalLevel() {
  check(breaks: []) { $0.set("preview", 31, "signalLevel", .text("fair")) }
  check(breaks: ["V30"]) { $0.set("preview", 31, "signalLevel", .text("weak")) }
  check(breaks: ["V30"]) { $0.set("preview", 31, "signalLevel", .text("splendid")) }
  check(breaks: ["V30"]) { $0.set("preview", 31, "signalLevel", nil) }
  check(breaks: []) { trace in for second in 1...9 { trace.set("preview", second + 1, "signalLevel", nil) } }
  check(breaks: ["V30"]) { trace in for second in 1...10 { trace.set("preview", second + 1, "signalLevel", nil) } }
  // It may jump when the fingertip was away, and a session may see that late.
  for (present, broken) in [(30.8, []), (30.79, ["V30"])] as [(Double, [String])] {
    check(breaks: broken) {
      $0.world(30, "contact", "lost"); $0.world(present, "contact", "present")
      $0.set("preview", 31, "signalLevel", .text("weak"))
      $0.set("preview", 32, "signalLevel", .text("fair"))
    }
  }
  check(breaks: []) {
    $0.forgetTruths(); $0.set("preview", 31, "signalLevel", .text("weak"))
  }
}
