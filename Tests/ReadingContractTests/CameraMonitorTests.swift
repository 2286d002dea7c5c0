import Testing

@testable import ReadingContract

/// Rules that an edit breaks at a time or not.
private typealias Edges = [(Double, [String])]

@Test func aFailedRecoveryEndsTheSession() {
  // After an interruption, silently or told again and again.
  var back = ReadingTrace.waiting(until: 9.5)
  back.began(9.5, "otherApp")
  back.commands(9.5, ReadingTrace.off)
  back.world(10, "camera", "failed")
  back.ended(20)
  back.commands(20, ReadingTrace.on)
  for isTold in [false, true] {
    var trying = back
    if isTold {
      for second in 0..<14 {
        trying.notice(20.3 + Double(second), "cameraFailed")
        trying.commands(21 + Double(second), [ReadingTrace.switched("camera", on: true)])
      }
    }
    for (delay, broken) in [(9, []), (8.99, ["V35"]), (12, []), (12.01, ["V35"])] as Edges {
      expectBroken(broken, trying, endingAfter: 1) {
        $0.cut(after: 20 + delay)
        $0.failed(20 + delay)
      }
    }
  }
  for (end, broken) in [(12, []), (12.1, ["V35"])] as Edges {
    expectBroken(broken, back, endingAfter: end) { _ in }
  }
  // A trip to the background, or another interruption, begins a new count.
  for (fail, broken) in [(40, []), (38, ["V35"]), (43, ["V35"])] as Edges {
    expectBroken(broken, back) {
      $0.fact(28, "app", "background")
      $0.commands(28, ReadingTrace.off)
      $0.fact(30, "app", "foreground")
      $0.commands(30, ReadingTrace.on)
      $0.failed(fail)
    }
  }
  // A camera that comes back late ends the try.
  expectBroken([], back) {
    $0.world(28, "camera", "working")
    $0.firstFrame(31.9)
    $0.guidances(33, until: 40)
  }
  // A session in which no frame ever came may end at once when the camera cannot be opened.
  for (fail, told, broken) in [(31, true, []), (31, false, ["V35"]), (40, true, [])] as [(Double, Bool, [String])] {
    expectBroken(broken, ReadingTrace()) {
      $0.world(0, "contact", "lost")
      $0.fact(0, "app", "background")
      $0.call(1, "start")
      $0.fact(30, "app", "foreground")
      $0.commands(30, ReadingTrace.on)
      if told { $0.notice(30.3, "cameraFailed") }
      $0.failed(fail)
    }
  }
}

@Test func whatTheCameraDidIsNoInternalError() {
  // A failed recovery, a first stall and a second.
  expectBroken(["V35"], .waiting(until: 9.5)) {
    $0.began(9.5, "otherApp")
    $0.commands(9.5, ReadingTrace.off)
    $0.world(10, "camera", "failed")
    $0.ended(20)
    $0.commands(20, ReadingTrace.on)
    $0.failed(30, "internalError")
  }
  expectBroken(["V37"], .waiting(until: 10)) {
    $0.world(9.5, "camera", "stalled")
    $0.failed(11.5, "internalError")
  }
  expectBroken(["V37"], stalled(.waiting(until: 10), at: 9.5, restart: 11.5, cancels: false, until: 20)) {
    $0.world(20, "camera", "stalled")
    $0.failed(22, "internalError")
  }
  for (fail, broken) in [(8.9, []), (9, ["V03"])] as Edges {
    expectBroken(broken, ReadingTrace()) {
      $0.world(0, "contact", "lost")
      $0.call(0, "start", effects: ReadingTrace.on)
      $0.failed(fail, "internalError")
    }
  }
}

@Test func whatOfTheCameraIsOurChoice() {
  // No first frame, in time or at all.
  var silent = ReadingTrace()
  silent.world(0, "contact", "lost")
  silent.call(0, "start", effects: ReadingTrace.on)
  expectOurs("V03", silent, endingAfter: 13)
  silent.failed(8)
  expectOurs("V03", silent)
  // A failure while finalizing for a stall, and for none.
  for state in ["stalled", "working"] {
    var minute = ReadingTrace.whole()
    minute.cut(after: 64.3)
    minute.world(65, "camera", state)
    minute.failed(65.8)
    expectOurs("V11", minute, is: state == "stalled")
  }
  // A failed recovery that is early only because of the interruption in between.
  for (cleared, isOurs) in [(20.0, true), (22, false)] {
    var back = ReadingTrace.waiting(until: 9.5)
    back.began(9.5, "otherApp")
    back.commands(9.5, ReadingTrace.off)
    back.world(10, "camera", "failed")
    back.ended(cleared)
    back.commands(cleared, ReadingTrace.on)
    back.fact(25, "app", "background")
    back.fact(30, "app", "foreground")
    back.failed(34)
    expectOurs("V35", back, is: isOurs)
  }
  // When slow frames are acted on, but not whether.
  for (end, isOurs) in [(7.0, true), (10.1, false)] {
    var slow = ReadingTrace.measuring(until: 45)
    slow.world(20, "frames", "slow")
    slow.cut(after: 20 + end)
    expectOurs("V36", slow, endingAfter: 0.7, is: isOurs)
  }
  // An adjustment interrupts.
  for (delay, broken) in [(0, []), (0.5, []), (0.51, ["V36"])] as Edges {
    expectBroken(broken, .half()) {
      $0.world(28, "frames", "slow")
      $0.commands(29.1, [.init("adjustFrameRate")])
      $0.cancelled(29.1 + delay, "interrupted", guidances: 0)
    }
  }
}

@Test func aCameraThatBreaksWhileItRuns() {
  for delay in [0, 5] {
    for (fail, broken) in [(10, []), (8, ["V35"]), (17.1, ["V35"])] as Edges {
      expectBroken(broken, .half()) {
        $0.world(29.5, "camera", "failed")
        $0.notice(29.5, "cameraFailed")
        $0.interrupted(29.5 + Double(delay))
        $0.commands(29.5 + Double(delay), ReadingTrace.restart)
        $0.notice(30 + Double(delay), "cameraFailed")
        $0.failed(29.5 + Double(delay) + fail)
      }
    }
  }
  // Without a restart, and without the cancel.
  expectBroken(["V37"], .half(), endingAfter: 5.1) {
    $0.world(29.5, "camera", "failed")
    $0.notice(29.5, "cameraFailed")
    $0.interrupted(29.5)
  }
  expectBroken(["V37"], .half(), endingAfter: 5.1) {
    $0.world(29.5, "camera", "failed")
    $0.notice(29.5, "cameraFailed")
    $0.commands(29.5, ReadingTrace.restart)
  }
  // The interruption that follows was the cause: it waits without limit, and the restart was none.
  expectBroken([], .half()) {
    $0.world(29.5, "camera", "busy")
    $0.notice(29.5, "cameraFailed")
    $0.interrupted(29.5)
    $0.commands(29.5, ReadingTrace.restart)
    $0.began(29.505, "otherApp")
    $0.commands(29.505, ReadingTrace.off)
    $0.world(80, "camera", "working")
    $0.ended(80, "otherApp")
    $0.world(80.1, "motion", "fidgeting")
    $0.restored(80, until: 90)
    // So this stall is the first.
    $0.world(90, "camera", "stalled")
    $0.commands(92, [ReadingTrace.switched("camera", on: false)])
    $0.restored(92, until: 95)
  }
}

@Test func slowFramesWhilePositioning() {
  for platform in ["ios", "android"] {
    // Guidance comes each second up to 9.3 s; the last one has to say so.
    for (slow, broken) in [(5.81, []), (5.8, ["V15", "V36"])] as Edges {
      expectBroken(broken, .waiting(until: 10), on: platform) { $0.world(slow, "frames", "slow") }
    }
    expectBroken([], .waiting(until: 10), on: platform) {
      $0.world(5.8, "frames", "slow")
      $0.set("guidance", 9, "guidance", .text("frameDrop"))
    }
    // Held against another rate.
    expectBroken([], .waiting(until: 10), on: platform) {
      $0.world(4, "frames", "slow")
      $0.notice(6, "frameRateSelected")
      if platform == "ios" { $0.commands(6, [.init("adjustFrameRate")]) }
    }
    // Without a fingertip noContact is right as well, and a shorter stretch may pass.
    expectBroken([], .waiting(until: 10), on: platform) {
      $0.world(4, "contact", "lost")
      $0.world(6, "frames", "slow")
      for index in 6...9 { $0.set("guidance", index, "guidance", .text("noContact")) }
      if platform == "ios" { $0.commands(9, [.init("adjustFrameRate")]) }
    }
    expectBroken([], .waiting(until: 10), on: platform) {
      $0.world(4, "frames", "slow")
      $0.world(7.4, "frames", "regular")
    }
    // It fails nothing.
    expectBroken(["V36", "V44"], .waiting(until: 10), on: platform) {
      $0.world(8, "frames", "slow")
      $0.failed(10)
    }
  }
  // The adjustment on iOS, and none on Android.
  for (delay, broken) in [(5, []), (5.01, ["V36"])] as Edges {
    expectBroken(broken, .waiting(until: 10)) {
      $0.world(9.9 - delay, "frames", "slow")
      for index in 7...9 { $0.set("guidance", index, "guidance", .text("frameDrop")) }
      $0.commands(9.9, [.init("adjustFrameRate")])
    }
  }
  expectBroken(["V36"], .waiting(until: 10), on: "android") { $0.commands(9.9, [.init("adjustFrameRate")]) }
}

@Test func slowFramesWhileMeasuring() {
  for (delay, broken) in [(0.4, []), (0.39, ["V36"]), (5, []), (5.01, ["V36"])] as Edges {
    expectBroken(broken, .half(), endingAfter: 0.2) {
      $0.world(29.5 - delay, "frames", "slow")
      $0.commands(29.5, [.init("adjustFrameRate")])
      $0.cancelled(29.5, "interrupted", guidances: 0)
    }
  }
  // A stretch of three seconds counts, a shorter one may.
  for (length, broken) in [(3, ["V36"]), (2.99, [])] as Edges {
    expectBroken(broken, .half()) {
      $0.world(20, "frames", "slow")
      $0.world(20 + length, "frames", "regular")
    }
  }
  // On Android the reading goes on.
  expectBroken([], .whole(), on: "android", endingAfter: 3) {
    $0.world(20, "frames", "slow")
    $0.world(40, "frames", "regular")
  }
  // What interrupts it besides is no matter of the frames.
  for platform in ["ios", "android"] {
    expectBroken([], .half(), on: platform) {
      $0.world(28, "frames", "slow")
      $0.fact(29.5, "app", "background")
      $0.interrupted(29.5)
      $0.commands(29.5, ReadingTrace.off)
    }
  }
}

/// A stall at `stall` seconds that a restart ends at `restart`.
private func stalled(
  _ base: ReadingTrace, at stall: Double, restart: Double, cancels: Bool, until end: Double
) -> ReadingTrace {
  var trace = base
  trace.world(stall, "camera", "stalled")
  trace.world(stall, "motion", "fidgeting")
  if cancels { trace.interrupted(restart) }
  trace.commands(restart, ReadingTrace.restart)
  trace.world(restart, "camera", "working")
  trace.firstFrame(restart + 0.3)
  trace.guidances(restart + 1, until: end)
  return trace
}

@Test func aStallRestartsTheCamera() {
  for (delay, broken) in [(1, []), (5, [])] as Edges {
    expectBroken(broken, stalled(.half(), at: 29.5, restart: 29.5 + delay, cancels: true, until: 40)) { _ in }
    expectBroken(broken, stalled(.waiting(until: 10), at: 9.5, restart: 9.5 + delay, cancels: false, until: 20)) { _ in
    }
  }
  expectBroken(["V37"], stalled(.half(), at: 29.5, restart: 30.49, cancels: true, until: 40)) { _ in }
  expectBroken(["V37"], stalled(.waiting(until: 10), at: 9.5, restart: 10.49, cancels: false, until: 20)) { _ in }
  expectBroken(["V37"], stalled(.waiting(until: 10), at: 9.5, restart: 14.51, cancels: false, until: 20)) { _ in }
  expectBroken(["V37"], stalled(.half(), at: 29.5, restart: 31.5, cancels: false, until: 31), endingAfter: 3) { _ in }
  // Guidance may go on meanwhile, must come after, and a stall that is over soon changes nothing.
  expectBroken([], stalled(.waiting(until: 12), at: 9.5, restart: 11.5, cancels: false, until: 20)) { _ in }
  expectBroken(
    ["V37"], stalled(.waiting(until: 10), at: 9.5, restart: 11.5, cancels: false, until: 0), endingAfter: 1.6
  ) {
    _ in
  }
  expectBroken([], .measuring(until: 40)) {
    $0.world(20.2, "camera", "stalled")
    $0.world(21.1, "camera", "working")
  }
  expectBroken(["V37"], .waiting(until: 12)) {
    $0.world(8.2, "camera", "stalled")
    $0.world(9.1, "camera", "working")
    $0.commands(9.7, ReadingTrace.restart)
    $0.firstFrame(10)
  }
  expectBroken(["V37"], .waiting(until: 12)) {
    $0.commands(9.7, ReadingTrace.restart)
    $0.firstFrame(10)
  }
  // Once is enough.
  expectBroken(["V37"], .waiting(until: 9.5)) {
    $0.world(9.5, "camera", "stalled")
    $0.commands(11, ReadingTrace.restart)
    $0.commands(12, ReadingTrace.restart)
    $0.world(12, "camera", "working")
    $0.firstFrame(12.3)
    $0.guidances(13, until: 15)
  }
}

@Test func theFirstStallFailsOnlyADeadCamera() {
  expectBroken(["V37"], .waiting(until: 10)) {
    $0.world(9.5, "camera", "stalled")
    $0.failed(11.5)
  }
  // A camera that stays silent may be taken for a second stall or for a failed recovery.
  for (delay, broken) in [(1, []), (0.99, ["V37"]), (12, []), (12.01, ["V35"])] as Edges {
    expectBroken(broken, .waiting(until: 10)) {
      $0.world(9.5, "camera", "dead")
      $0.commands(11.5, ReadingTrace.restart)
      $0.failed(11.5 + delay)
    }
  }
  expectBroken(["V35"], .waiting(until: 10), endingAfter: 12.1) {
    $0.world(9.5, "camera", "dead")
    $0.commands(11.5, ReadingTrace.restart)
  }
  // One that would deliver, but opens slowly, gets its time.
  for (delay, broken) in [(9, []), (8.99, ["V37"])] as Edges {
    expectBroken(broken, .waiting(until: 10)) {
      $0.world(9.5, "camera", "stalled")
      $0.commands(11.5, ReadingTrace.restart)
      $0.world(11.5, "camera", "working")
      $0.failed(11.5 + delay)
    }
  }
  // And no failure once it delivers.
  expectBroken(["V37"], stalled(.waiting(until: 10), at: 9.5, restart: 11.5, cancels: false, until: 15)) {
    $0.failed(15)
  }
}

@Test func aStallThatIsOverAsItIsSeenCounts() {
  for (delay, broken) in [(0, []), (0.5, []), (0.51, ["V37"])] as Edges {
    expectBroken(broken, .waiting(until: 9.5)) {
      $0.world(9.5, "camera", "stalled")
      $0.world(11.5, "camera", "working")
      $0.commands(11.5 + delay, ReadingTrace.restart)
      $0.firstFrame(12.3)
      $0.guidances(13, until: 20)
      if delay > 0.5 { return }
      $0.world(20, "camera", "stalled")
      $0.failed(22)
    }
  }
}

@Test func theSecondStallFails() {
  let once = stalled(.waiting(until: 10), at: 9.5, restart: 11.5, cancels: false, until: 20)
  for (delay, broken) in [(1, []), (0.99, ["V37"]), (5, []), (5.01, ["V37"])] as Edges {
    expectBroken(broken, once) {
      $0.world(20, "camera", "stalled")
      $0.failed(20 + delay)
    }
  }
  expectBroken(["V37"], once, endingAfter: 5.1) { $0.world(20, "camera", "dead") }
  expectBroken(["V37"], once) {
    $0.world(20, "camera", "stalled")
    $0.commands(22, ReadingTrace.restart)
    $0.world(22, "camera", "working")
    $0.firstFrame(22.3)
    $0.guidances(23, until: 24)
  }
  expectBroken([], once) {
    $0.world(20, "camera", "failed")
    $0.notice(20, "cameraFailed")
    $0.failed(20)
  }
  // A camera that is switched off without a cause, and stays so.
  for (end, broken) in [(1, []), (1.1, ["V37"])] as Edges {
    expectBroken(broken, once, endingAfter: end) { $0.commands(20, ReadingTrace.off) }
  }
  // After the minute a stall is ignored, and what follows an interruption is none.
  expectBroken([], .whole(), endingAfter: 3) { $0.world(65, "camera", "stalled") }
  expectBroken(["V11"], .measuring(until: 64.3), endingAfter: 1) {
    $0.event(64.3, "preview", ReadingTrace.preview(60).fields)
    $0.event(64.3, "measurementComplete")
    $0.world(65, "camera", "stalled")
    $0.failed(66)
  }
  expectBroken([], once, endingAfter: 1) {
    $0.world(20, "camera", "stalled")
    $0.began(21, "phoneCall")
    $0.commands(21, ReadingTrace.off)
    $0.world(30, "camera", "working")
    $0.ended(30)
    $0.restored(30, until: 35)
  }
}

@Test func theDarkCountsAsALostFingertip() {
  // As soon as a lost fingertip may, and as late as a session gives up its light.
  for (dark, broken) in [(27, []), (27.1, ["V25"]), (15, [])] as Edges {
    expectBroken(broken, .half()) {
      $0.world(dark, "torch", "lost")
      $0.cancelled(29, "contactLost", guidances: 0)
    }
  }
  // It must not cancel, unless the finger is really off.
  expectBroken([], .half()) { $0.world(15, "torch", "lost") }
  expectBroken(["V25"], .half()) {
    $0.world(15, "torch", "lost")
    $0.world(20, "contact", "lost")
  }
  // Whichever of the two came first, its time counts; and the light is back only with both.
  for (lost, broken) in [(24.9, []), (24.1, []), (23.9, ["V25"])] as Edges {
    expectBroken(broken, .half()) {
      $0.world(lost, "contact", "lost")
      $0.world(lost + 1, "torch", "lost")
      $0.world(lost + 2, "torch", "working")
      $0.cancelled(29, "contactLost", guidances: 0)
    }
  }
  // A camera that is silent meanwhile leaves open what was seen, but not a fingertip that was never gone.
  for (contact, broken) in [("lost", []), ("present", ["V25"])] as [(String, [String])] {
    expectBroken(broken, .half()) {
      $0.world(20, "contact", contact)
      $0.world(20.5, "camera", "stalled")
      $0.world(21.4, "camera", "working")
      $0.cancelled(29, "contactLost", guidances: 0)
    }
  }
}

@Test func missingFramesExcuseWhatNeedsThem() {
  // A beat that was due while the camera was silent comes late, and no later than that.
  for (late, broken) in [(1.75, []), (1.85, ["V09"])] as Edges {
    expectBroken(broken, .half()) { trace in
      trace.cut(after: 28.01)
      trace.world(28.02, "camera", "stalled")
      trace.world(28.82, "camera", "working")
      trace.event(28 + 0.8 + late, "heartbeat", [.init("ibiMs", .number(800, places: 1))])
    }
  }
  // The minute may be full late after slow frames on Android, or a short silence.
  for (word, state) in [("frames", "slow"), ("camera", "stalled")] {
    for (shift, broken) in [(0.4, []), (-0.1, ["V10"])] as Edges {
      expectBroken(broken, .whole(), on: "android", endingAfter: 3) { trace in
        trace.world(63.5, word, state)
        trace.world(64.2, word, state == "slow" ? "regular" : "working")
        trace.move("preview", 61, by: shift)
        trace.move("measurementComplete", by: shift)
        trace.move("buildResult", by: shift)
      }
    }
  }
}

@Test func withoutTruthsTheCameraIsNotJudged() {
  let once = stalled(.waiting(until: 10), at: 9.5, restart: 11.5, cancels: false, until: 20)
  for edit in [
    { $0.failed(20) },
    {
      $0.world(20, "camera", "stalled"); $0.commands(20.5, ReadingTrace.restart)
    },
    {
      $0.world(20, "camera", "stalled"); $0.world(24, "camera", "working"); $0.guidances(21, until: 25)
    },
    { $0.world(15, "frames", "slow") },
  ] as [@Sendable (inout ReadingTrace) -> Void] {
    expectBroken([], once) {
      edit(&$0)
      $0.forgetTruths()
    }
  }
  // What notices and commands tell is.
  expectBroken(["V33"], once, endingAfter: 2) {
    $0.began(20, "phoneCall")
    $0.commands(20, ReadingTrace.off)
    $0.ended(30)
    $0.forgetTruths()
  }
}
