import Checks
import Testing
import Traces
import VitalsModel

@testable import ReadingContract

private typealias Edit = (inout ReadingTrace) -> Void

/// A trace with an edit breaks exactly these rules; an edit at the edge of a window breaks none.
private func check(
  _ base: ReadingTrace = .whole(), on platform: String = "ios", breaks expected: [String],
  endingAfter seconds: Double = 3,
  _ place: SourceLocation = #_sourceLocation, _ edit: Edit
) {
  var trace = base
  edit(&trace)
  #expect(trace.brokenRules(on: platform, endingAfter: seconds) == expected, sourceLocation: place)
}

@Test func aGoodReadingKeepsEveryRule() {
  check(breaks: []) { _ in }
  let occasions = ReadingTrace.whole().rulings().filter { $0.occasions > 0 }.map(\.rule)
  #expect(
    occasions == [
      "V01", "V02", "V03", "V04", "V05", "V06", "V07", "V08", "V09", "V10", "V11", "V12", "V13", "V14", "V15", "V18",
      "V29", "V30", "V50",
    ])
}

@Test func phases() {
  check(breaks: ["V01", "V05", "V07", "V10", "V13"]) {
    $0.event(66, "measurementComplete"); $0.event(66, "started")
  }
  check(breaks: ["V01", "V10"]) { $0.remove("measurementComplete") }
  check(breaks: ["V02"]) { $0.event(30, "wobble") }
  check(breaks: ["V13", "V14"], endingAfter: 1) { $0.guidance(66, "compliant", 0) }
  check(breaks: ["V11", "V13"]) { $0.remove("torch", 2) }
  check(breaks: ["V14"]) { $0.event(3.5, "heartbeat") }
  check(breaks: ["V14"]) { $0.event(65, "heartbeat", [Field("ibiMs", .number(1000, places: 1))]) }
}

@Test func positioning() {
  check(.positioning(), breaks: ["V03"], endingAfter: 0.1) { $0.remove("torch") }
  check(breaks: []) { $0.move("firstFrame", by: -0.2) }
  check(breaks: ["V03"]) {
    $0.move("firstFrame", by: -0.3); $0.move("guidance", by: 0.3)
  }
  let silent: Edit = { $0.cut(after: 0.1) }
  check(.positioning(), breaks: [], endingAfter: 11) { silent(&$0) }
  check(.positioning(), breaks: ["V03"], endingAfter: 13) { silent(&$0) }
  check(.positioning(), breaks: ["V03"], endingAfter: 13) { $0.cut(after: 0.5) }
  // The pace of guidance, at its edges, over the whole width.
  check(breaks: []) { $0.move("guidance", 2, by: -0.3) }
  check(breaks: ["V04"]) { $0.move("guidance", 2, by: -0.31) }
  check(breaks: []) { $0.move("guidance", 1, by: -0.5) }
  check(breaks: ["V04"]) { $0.move("guidance", 1, by: -0.51) }
  check(breaks: ["V04"]) { $0.set("guidance", 1, "guidance", .text("splendid")) }
  check(breaks: ["V04"]) { $0.set("guidance", 1, "startProgress", nil) }
  check(.positioning(), breaks: ["V04", "V06"], endingAfter: 1.6) { _ in }
  check(.positioning(), breaks: ["V04"], endingAfter: 1.6) { $0.cut(after: 3.5) }
}

@Test func startProgress() {
  check(breaks: ["V05"]) { $0.set("guidance", 3, "startProgress", .number(0.2, places: 3)) }
  check(.positioning(), breaks: ["V05"], endingAfter: 0.05) {
    $0.remove("guidance", 4)
    $0.event(4.3, "started")
    $0.event(4.3, "preview", ReadingTrace.preview(0).fields)
  }
  // Full at once, and full after more than 6 s.
  check(breaks: ["V05"], endingAfter: 0.05) {
    $0.set("guidance", 2, "startProgress", .number(1, places: 3))
    $0.cut(after: 2.3)
    $0.event(2.3, "started")
    $0.event(2.3, "preview", ReadingTrace.preview(0).fields)
  }
  check(.positioning(), breaks: ["V05"], endingAfter: 0.05) {
    $0.remove("guidance", 4)
    for second in 0..<5 { $0.guidance(4.3 + Double(second), "compliant", 0.7) }
    $0.guidance(9.3, "compliant", 1)
  }
  // It never fills.
  for (last, broken) in [(8.3, []), (8.31, ["V05"])] as [(Double, [String])] {
    check(.held("l"), breaks: broken, endingAfter: 0.05) {
      $0.guidance(2.3, "compliant", 0)
      $0.guidance(3.3, "compliant", 0.2)
      for second in 0..<4 { $0.guidance(4.3 + Double(second), "compliant", 0.7) }
      $0.guidance(last, "compliant", 0.7)
    }
  }
  check(.positioning(), breaks: ["V06"], endingAfter: 0.5) { $0.guidance(5.3, "compliant", 1) }
  check(breaks: ["V18"]) { $0.set("guidance", 1, "startProgress", .number(0.2, places: 3)) }
}

@Test func theEmptyPreview() {
  check(breaks: []) { $0.move("preview", by: 0.1) }
  check(breaks: ["V07"]) { $0.move("preview", by: 0.11) }
  check(breaks: ["V07", "V29"]) { $0.set("preview", 1, "rmssdMs", .number(40, places: 1)) }
  check(breaks: ["V07"]) { $0.set("preview", 1, "signalLevel", .text("good")) }
  check(breaks: ["V07", "V09"]) {
    $0.event(4.3, "heartbeat"); $0.move("preview", by: 0.01)
  }
}

@Test func measuring() {
  check(breaks: ["V08"]) { $0.remove("preview", 30) }
  // Later or earlier than its second by up to the window, with the progress of its own time.
  for (shift, broken) in [(0.3, []), (0.31, ["V08"]), (-0.3, []), (-0.31, ["V08"])] as [(Double, [String])] {
    check(breaks: broken) { trace in
      trace.set("preview", 30, "progress", .number((29 + shift) / 60, places: 6))
      trace.move("preview", 30, by: shift)
    }
  }
  for (shift, broken) in [(0.14, []), (0.16, ["V08"])] as [(Double, [String])] {
    check(breaks: broken) { $0.move("preview", 30, by: shift) }
  }
  // The first regular preview may be on a clock of its own.
  check(breaks: []) { trace in
    for second in 1...59 {
      trace.set("preview", second + 1, "progress", .number((Double(second) - 0.4) / 60, places: 6))
      trace.move("preview", second + 1, by: -0.4)
    }
    trace.event(
      63.9, "preview",
      ReadingTrace.preview(60).fields.map { field in
        field.key == "progress" ? Field("progress", .number(59.6 / 60, places: 6)) : field
      })
  }
  check(breaks: ["V08"]) { $0.set("preview", 30, "progress", .number(0.2, places: 6)) }
  check(breaks: ["V08"]) { $0.remove("preview", 61) }
  check(breaks: ["V09"]) { $0.set("heartbeat", 1, "ibiMs", .number(800, places: 1)) }
  check(breaks: ["V09"]) { $0.set("heartbeat", 10, "ibiMs", nil) }
  check(breaks: ["V09"]) { trace in
    for beat in 10...12 { trace.set("heartbeat", beat, "ibiMs", .number(400, places: 1)) }
  }
  check(breaks: ["V09", "V29"]) { trace in
    for beat in 2...70 {
      trace.set("heartbeat", beat, "ibiMs", .number(beat.isMultiple(of: 2) ? 740 : 860, places: 1))
    }
  }
  check(breaks: ["V08"]) {
    $0.event(64.3, "preview", ReadingTrace.preview(60).fields); $0.move("measurementComplete", by: 0)
  }
  // Half of the beats are never told, all of them after the twentieth, or twice as many.
  check(breaks: ["V09", "V29"]) { trace in
    for beat in 1...35 {
      trace.remove("heartbeat", beat + 1)
      if beat > 1 { trace.set("heartbeat", beat, "ibiMs", .number(1_600, places: 1)) }
    }
  }
  check(breaks: ["V09"]) { trace in for _ in 21...70 { trace.remove("heartbeat", 21) } }
  // A reader that begins late tells its first beats at once, and is regular from then on.
  let lump: Edit = { trace in for beat in 1...4 { trace.move("heartbeat", 1, by: 2.4 - 0.8 * Double(beat - 1)) } }
  check(breaks: []) { lump(&$0) }
  check(breaks: ["V09"]) {
    lump(&$0); $0.set("heartbeat", 5, "ibiMs", .number(2_500, places: 1))
  }
  // One frame more or less than the minute.
  for (shift, broken) in [(0.07, []), (0.08, ["V10"]), (-0.07, []), (-0.08, ["V10"])] as [(Double, [String])] {
    check(breaks: broken) { trace in
      trace.move("preview", 61, by: shift)
      trace.move("measurementComplete", by: shift)
      trace.move("buildResult", by: shift)
    }
  }
  check(.measuring(until: 64), breaks: ["V08", "V10"], endingAfter: 5) { _ in }
}

@Test func previewValues() {
  check(breaks: []) { $0.set("preview", 21, "rmssdMs", nil) }
  check(breaks: []) { trace in
    for second in 21...24 { trace.set("preview", second + 1, "rmssdMs", nil) }; trace.set("preview", 21, "rmssdMs", nil)
  }
  check(breaks: ["V29"]) { trace in for second in 20...25 { trace.set("preview", second + 1, "rmssdMs", nil) } }
  check(breaks: ["V29"]) { $0.set("preview", 40, "rmssdMs", nil) }
  check(breaks: ["V29"]) { $0.set("preview", 20, "rmssdMs", .number(40, places: 1)) }
  check(breaks: ["V29"]) { $0.set("preview", 12, "heartRateBpm", nil) }
  check(breaks: ["V29"]) { $0.set("preview", 30, "heartRateBpm", .number(150, places: 1)) }
  // Two intervals are there before the preview of the third second.
  check(breaks: ["V29"]) { $0.set("preview", 3, "heartRateBpm", .number(75, places: 1)) }
  check(breaks: []) { $0.set("preview", 4, "heartRateBpm", .number(75, places: 1)) }
  // It moves with the heartbeats, unless they are all alike.
  let uneven: Edit = { trace in
    for beat in 2...70 { trace.set("heartbeat", beat, "ibiMs", .number(beat.isMultiple(of: 2) ? 790 : 811, places: 1)) }
  }
  check(breaks: ["V29"]) { uneven(&$0) }
  check(breaks: []) {
    uneven(&$0); $0.set("preview", 61, "rmssdMs", .number(40.1, places: 1))
  }
  check(breaks: []) { trace in
    for beat in 2...70 { trace.set("heartbeat", beat, "ibiMs", .number(beat.isMultiple(of: 2) ? 790 : 810, places: 1)) }
  }
  for (end, broken) in [(39.2, ["V29"]), (38.2, [])] as [(Double, [String])] {
    check(breaks: broken, endingAfter: 0.1) {
      uneven(&$0)
      $0.call(end, "cancelReading")
      $0.cancelled(end, "cancelledByApp")
    }
  }
  // On a bad signal a heart rate may be missing.
  check(breaks: []) {
    $0.world(10, "motion", "fidgeting")
    $0.world(20, "motion", "still")
    $0.set("preview", 12, "heartRateBpm", nil)
  }
}

@Test func finalizing() {
  for (delay, broken) in [(10.0, []), (10.01, ["V11"])] as [(Double, [String])] {
    check(breaks: broken) { trace in
      for name in ["resultBuilt", "completed"] { trace.move(name, by: delay - 1.5) }
      trace.move("torch", 2, by: delay - 1.5)
      trace.move("camera", 2, by: delay - 1.5)
      // The order of the three is kept.
      trace.move("completed", by: 0)
    }
  }
  check(breaks: ["V11"]) { $0.move("torch", 2, by: -0.51) }
  check(breaks: ["V13"]) { $0.add(66, .command(ReadingTrace.switched("torch", on: true))) }
  check(breaks: ["V03", "V11"]) { $0.move("torch", 2, by: -20) }
  check(breaks: ["V11"]) {
    $0.move("torch", 2, by: 0); $0.move("completed", by: 0)
  }
  check(breaks: ["V12", "V50"]) { $0.set("completed", 1, "heartRateBpm", nil) }
  // A result that is built leads to it or to noHeartRate, and a good signal has a heart rate.
  for (error, motion, broken) in [
    ("noHeartRate", "still", ["V12"]), ("noHeartRate", "fidgeting", []), ("internalError", "fidgeting", ["V12"]),
    ("boredom", "fidgeting", ["V12", "V44"]),
  ] as [(String, String, [String])] {
    check(breaks: broken) { trace in
      trace.world(30, "motion", motion)
      trace.world(40, "motion", "still")
      trace.remove("completed")
      trace.remove("realised")
      trace.event(65.8, "failed", [Field("error", .text(error))])
    }
  }
  check(.measuring(until: 30), breaks: ["V12"]) {
    $0.add(30, .command(ReadingTrace.switched("torch", on: false)))
    $0.add(30, .command(ReadingTrace.switched("camera", on: false)))
    $0.event(30, "failed", [Field("error", .text("noHeartRate"))])
  }
  check(breaks: ["V11"], endingAfter: 10.1) { $0.cut(after: 65) }
}

@Test func theLightOfTheMinute() {
  // It waits for the result, unless the app or the system takes it.
  for (taker, broken) in [
    ({ _ in }, ["V11"]), ({ $0.call(64.9, "stop") }, ["V40"]), ({ $0.fact(64.9, "torch", "lost") }, []),
    ({ $0.world(64.9, "torch", "lost") }, []), ({ $0.fact(64.9, "app", "background") }, []),
    ({ $0.call(65.2, "stop") }, ["V11", "V40"]),
  ] as [(Edit, [String])] {
    check(breaks: broken) {
      taker(&$0)
      $0.move("torch", 2, by: -0.8)
    }
  }
  // Where the trace tells when it was built, not a moment sooner; and the end is told soon.
  check(breaks: ["V11"]) { $0.move("torch", 2, by: -0.01) }
  for (delay, broken) in [(1.5, []), (1.51, ["V11"])] as [(Double, [String])] {
    check(breaks: broken) {
      for name in ["torch", "camera"] { $0.move(name, 2, by: delay) }; $0.move("completed", by: delay)
    }
    check(breaks: broken, endingAfter: delay) {
      $0.remove("torch", 2); $0.remove("camera", 2); $0.remove("completed"); $0.remove("realised")
    }
  }
  // It never goes on again.
  for (what, stopped) in [("torch", 29.5), ("camera", 65)] {
    check(stopped < 60 ? .measuring(until: 30) : .whole(), breaks: stopped < 60 ? ["V39"] : ["V40"]) {
      if stopped > 60 { $0.remove("torch", 2); $0.remove("camera", 2) }
      $0.call(stopped, "stop", effects: ReadingTrace.off)
      $0.commands(stopped + 0.2, [ReadingTrace.switched(what, on: true)])
      if stopped > 60 { $0.commands(stopped + 0.4, ReadingTrace.off) }
    }
  }
}

@Test func theLightOfTheReading() {
  // It is on all the time, not only when something is told; what takes the camera as well is judged with it.
  for (back, broken) in [(29.85, []), (29.86, ["V03"])] as [(Double, [String])] {
    check(.measuring(until: 30), breaks: broken, endingAfter: 0.3) {
      $0.commands(29.75, [ReadingTrace.switched("torch", on: false)])
      $0.commands(back, [ReadingTrace.switched("torch", on: true)])
    }
  }
  check(.measuring(until: 30), breaks: [], endingAfter: 0.3) {
    $0.world(29.7, "torch", "lost")
    $0.commands(29.75, [ReadingTrace.switched("torch", on: false)])
  }
  // Camera off before the torch, or before the result is built.
  check(breaks: ["V11"]) {
    $0.move("camera", 2, by: -0.4); $0.call(65.6, "stop", effects: ReadingTrace.off)
  }
}

@Test func noFailureInPlaceOfACancel() {
  let half = ReadingTrace.measuring(until: 30)
  check(half, breaks: ["V25"], endingAfter: 1) {
    $0.world(27, "contact", "lost"); $0.failed(29.9, "internalError")
  }
  check(half, breaks: [], endingAfter: 1) {
    $0.world(28, "contact", "lost"); $0.failed(29.9, "internalError")
  }
  check(half, breaks: ["V26"], endingAfter: 1) {
    $0.world(25, "pulse", "absent"); $0.failed(29.9, "internalError")
  }
  check(half, breaks: ["V28"], endingAfter: 1) {
    $0.call(29.9, "cancelReading"); $0.failed(29.9, "internalError")
  }
  // Nor right after one, which is our choice.
  for (delay, broken) in [(0.1, ["V23"]), (0.11, [])] as [(Double, [String])] {
    check(half, breaks: broken, endingAfter: 1) {
      $0.call(29.5, "cancelReading")
      $0.cancelled(29.5, "cancelledByApp", guidances: 0)
      $0.failed(29.5 + delay, "internalError")
    }
  }
  var both = half
  both.cancelled(29, "interrupted", guidances: 0)
  both.failed(29, "cameraUnavailable")
  expectOurs("V23", both)
  var stopped = half
  stopped.call(29.5, "stop", effects: ReadingTrace.off)
  stopped.event(29.5, "cancelled", [Field("reason", .text("interrupted"))])
  expectOurs("V23", stopped)
  var none = ReadingTrace.positioning()
  none.event(4.3, "cancelled", [Field("reason", .text("interrupted"))])
  expectOurs("V23", none, is: false)
  var ignored = ReadingTrace.whole()
  ignored.call(65, "cancelReading", effects: [ReadingTrace.switched("camera", on: true)])
  expectOurs("V28", ignored)
}

@Test func cancelling() {
  let half = ReadingTrace.measuring(until: 30)
  check(half, breaks: [], endingAfter: 1) {
    $0.world(26, "contact", "lost"); $0.cancelled(29, "contactLost")
  }
  check(half, breaks: ["V23"], endingAfter: 1) { $0.cancelled(29, "boredom") }
  check(half, breaks: ["V01", "V23"], endingAfter: 1) {
    $0.call(29, "cancelReading"); $0.cancelled(29, "cancelledByApp")
    $0.event(29.5, "cancelled", [Field("reason", .text("poorSignal"))])
  }
  check(half, breaks: ["V14", "V23"], endingAfter: 1) { $0.guidance(29.5, "lowQuality", 0) }
  check(half, breaks: ["V24"], endingAfter: 1.6) {
    $0.call(29, "cancelReading"); $0.cancelled(29, "cancelledByApp", guidances: 0)
  }
  check(half, breaks: ["V24"], endingAfter: 1) {
    $0.call(29, "cancelReading"); $0.cancelled(29, "cancelledByApp", guidances: 0)
    $0.guidance(30.51, "lowQuality", 0)
  }
  // The window of a lost contact, at its edges.
  for (lost, broken) in [(27.0, []), (27.1, ["V25"]), (24.0, []), (23.9, ["V25"])] as [(Double, [String])] {
    check(half, breaks: broken, endingAfter: 1) {
      $0.world(lost, "contact", "lost"); $0.cancelled(29, "contactLost")
    }
  }
  check(half, breaks: ["V15", "V25"], endingAfter: 1) { $0.cancelled(29, "contactLost") }
  check(half, breaks: ["V25"], endingAfter: 1) { $0.world(24, "contact", "lost") }
  check(breaks: ["V25"]) {
    $0.world(20, "contact", "lost"); $0.world(25.1, "contact", "present")
  }
  check(breaks: []) {
    $0.world(20, "contact", "lost"); $0.world(21.9, "contact", "present")
  }
}

@Test func cancellingByTheApp() {
  let half = ReadingTrace.measuring(until: 30)
  check(half, breaks: [], endingAfter: 1) {
    $0.call(29, "cancelReading"); $0.cancelled(29.1, "cancelledByApp")
  }
  check(half, breaks: ["V28"], endingAfter: 1) { $0.call(29, "cancelReading") }
  check(half, breaks: ["V28"], endingAfter: 1) { $0.cancelled(29, "cancelledByApp") }
  check(half, breaks: [], endingAfter: 1) {
    $0.world(26, "contact", "lost")
    $0.call(29, "cancelReading")
    $0.cancelled(29.05, "contactLost")
  }
  check(.positioning(), breaks: ["V28"], endingAfter: 1) {
    $0.call(4.3, "cancelReading", effects: [ReadingTrace.switched("torch", on: false)])
  }
  check(breaks: []) { $0.call(2, "cancelReading") }
  check(breaks: []) { $0.call(65, "cancelReading") }
}

@Test func stopping() {
  let off = [ReadingTrace.switched("torch", on: false), ReadingTrace.switched("camera", on: false)]
  let half = ReadingTrace.measuring(until: 30)
  check(half, breaks: []) { $0.call(29.5, "stop", effects: off) }
  check(half, breaks: ["V39"]) { $0.call(29.5, "stop", effects: [off[0]]) }
  // What was on its way comes before it returns, but no beginning and no end.
  for (name, broken) in [
    ("heartbeat", []), ("started", ["V01", "V05", "V07", "V39"]), ("cancelled", ["V23", "V39"]), ("failed", ["V39"]),
  ] as [(String, [String])] {
    check(half, breaks: broken) {
      $0.add(29.9, .call(id: 99, Message("stop")))
      for command in off { $0.add(29.9, .command(command)) }
      $0.event(
        29.9, name,
        name == "heartbeat"
          ? [Field("ibiMs", .number(800, places: 1))]
          : [Field("error", .text("internalError")), Field("reason", .text("interrupted"))])
      $0.add(29.9, .reply(id: 99, .returned))
    }
  }
  check(half, breaks: ["V14", "V39"]) {
    $0.call(29.5, "stop", effects: off); $0.event(29.6, "heartbeat", [Field("ibiMs", .number(800, places: 1))])
  }
  check(half, breaks: ["V01", "V23", "V28", "V39"], endingAfter: 1) {
    $0.call(29.5, "stop", effects: off); $0.event(29.6, "cancelled", [Field("reason", .text("cancelledByApp"))])
  }
  // After the minute the end still comes, and the camera goes at once.
  let stopped: Edit = { trace in
    trace.remove("torch", 2)
    trace.remove("camera", 2)
    trace.call(65, "stop", effects: off)
  }
  check(breaks: []) { stopped(&$0) }
  check(breaks: ["V11", "V40"], endingAfter: 10) {
    stopped(&$0); $0.remove("completed")
  }
  check(breaks: ["V40"]) { trace in trace.call(65, "stop") }
  // Stopping twice is one stop.
  check(breaks: []) {
    stopped(&$0); $0.call(65.4, "stop")
  }
}
