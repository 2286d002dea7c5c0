import Testing
import Traces
import VitalsModel

@testable import ReadingContract

/// A trace with an edit breaks exactly these rules.
private func check(
  _ base: ReadingTrace, breaks expected: [String], endingAfter seconds: Double = 0.1,
  _ place: SourceLocation = #_sourceLocation, _ edit: (inout ReadingTrace) -> Void = { _ in }
) {
  var trace = base
  edit(&trace)
  #expect(trace.brokenRules(endingAfter: seconds) == expected, sourceLocation: place)
}

private let hold = Message("setAutoStart", [Field("argument", .text("false"))])

@Test func holdingTheStart() {
  check(.whole(), breaks: ["V19"]) { $0.call(2, "setAutoStart", "false") }
  check(.whole(), breaks: []) {
    $0.call(2, "setAutoStart", "false"); $0.call(3, "setAutoStart", "true")
  }
  // A start that was on its way when the call came, which has not returned.
  for (called, broken) in [(4.2, []), (4.19, ["V19"])] as [(Double, [String])] {
    check(.whole(), breaks: broken) { $0.add(called, .call(id: 9, hold)) }
  }
  // A good signal fills startProgress while it is held.
  check(.held("lcclcclcclccl"), breaks: [])
  check(.held("lcclcclcclccll"), breaks: ["V19"])
  check(.held("lccclcclcclccll"), breaks: [])
}

@Test func holdingWhileMeasuring() {
  let half = ReadingTrace.measuring(until: 30)
  check(half, breaks: []) { $0.call(29.5, "setAutoStart", "false") }
  check(half, breaks: ["V21"]) {
    $0.call(29.5, "setAutoStart", "false", effects: [ReadingTrace.switched("torch", on: true)])
  }
  check(half, breaks: ["V21"], endingAfter: 1) {
    $0.world(26, "contact", "lost")
    $0.add(29, .call(id: 9, hold))
    $0.cancelled(29, "contactLost", guidances: 0)
    $0.add(29, .reply(id: 9, .returned))
  }
  // The next one is held until the app lets go.
  for (letGo, broken) in [(nil, ["V19", "V21"]), (20, []), (31, [])] as [(Double?, [String])] {
    check(half, breaks: broken) {
      $0.call(10, "setAutoStart", "false")
      $0.world(26, "contact", "lost")
      $0.cancelled(29, "contactLost", guidances: 0)
      $0.world(29.5, "contact", "present")
      $0.guidances(30, "nllccc")
      if let letGo { $0.call(letGo, "setAutoStart", "true") }
      $0.event(35, "started")
      $0.event(35, "preview", ReadingTrace.preview(0).fields)
    }
  }
}

@Test func lettingGo() {
  for (end, broken) in [(0.7, []), (0.71, ["V22"])] as [(Double, [String])] {
    check(.held("lcccccc"), breaks: broken, endingAfter: end) { $0.call(6.5, "setAutoStart", "true") }
  }
  check(.held("lccccc"), breaks: []) {
    $0.call(6.5, "setAutoStart", "true")
    $0.event(6.5, "started")
    $0.event(6.5, "preview", ReadingTrace.preview(0).fields)
  }
  // The fingertip has left meanwhile.
  check(.held("lccccnnn"), breaks: [], endingAfter: 1) {
    $0.world(5.4, "contact", "lost"); $0.call(6, "setAutoStart", "true")
  }
  // Not yet full: within 14 s of a good signal.
  for (end, broken) in [(0.2, []), (0.21, ["V22"])] as [(Double, [String])] {
    check(.held("lcclcclcclcclcc"), breaks: broken, endingAfter: end) { $0.call(1.5, "setAutoStart", "true") }
  }
}
