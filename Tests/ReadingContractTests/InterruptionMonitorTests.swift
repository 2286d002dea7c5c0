import Testing

@testable import ReadingContract

@Test func anInterruptionCancelsAndIsWaitedOut() {
  // The whole of it, with each trigger of each platform.
  for (platform, reasons) in [
    ("ios", ["phoneCall", "splitView", "otherApp", "systemPressure", "mediaServicesReset", "rotation"]),
    ("android", ["otherApp"]),
  ] {
    for reason in reasons {
      for delay in [0, 0.5] {
        expectBroken([], .half(), on: platform) {
          $0.began(29.5, reason)
          $0.interrupted(29.5 + delay)
          $0.commands(29.5 + delay, ReadingTrace.off)
          $0.ended(90, reason)
          $0.restored(91.5, until: 99)
        }
      }
      // No cancel at all, or one that is late, or for another reason.
      expectBroken(["V31", "V32"], .half(), on: platform, endingAfter: 1) { $0.began(29.5, reason) }
      expectBroken(["V31", "V32"], .half(), on: platform) {
        $0.began(29.2, reason)
        $0.interrupted(29.71)
        $0.commands(29.71, ReadingTrace.off)
      }
      expectBroken(["V26", "V27"], .half(), on: platform) {
        $0.began(29.5, reason)
        $0.event(29.65, "cancelled", [.init("reason", .text("poorSignal"))])
        $0.commands(29.65, ReadingTrace.off)
      }
    }
    // The background is one on both.
    expectBroken([], .half(), on: platform) {
      $0.fact(29.5, "app", "background")
      $0.interrupted(29.5)
      $0.commands(29.5, ReadingTrace.off)
      $0.fact(50, "app", "foreground")
      $0.restored(50, until: 57)
    }
  }
}

@Test func whatTakesNoCameraIsIgnored() {
  for reason in ["phoneCall", "splitView", "systemPressure", "mediaServicesReset", "rotation"] {
    expectBroken([], .measuring(until: 40), on: "android") {
      $0.began(20.1, reason)
      $0.ended(25.1)
    }
    for (delay, broken) in [(0.1, ["V27", "V31"]), (0.99, ["V27", "V31"]), (1.01, ["V27"])] {
      expectBroken(broken, .half(), on: "android", endingAfter: 0.2) {
        $0.began(28.9, reason)
        $0.cancelled(28.9 + delay, "interrupted", guidances: 0)
      }
    }
    // Positioning goes on, too.
    expectBroken(["V04"], .waiting(until: 10), on: "android", endingAfter: 2) { $0.began(9.5, reason) }
  }
  for (delay, broken) in [(0.5, ["V31", "V37"]), (1.1, ["V37"])] as [(Double, [String])] {
    expectBroken(broken, .waiting(until: 10), on: "android", endingAfter: 1.1) {
      $0.began(9.5, "phoneCall")
      $0.commands(9.5 + delay, ReadingTrace.off)
    }
  }
  // Something else at the same time is a cause.
  expectBroken([], .half(), on: "android") {
    $0.began(29.2, "phoneCall")
    $0.fact(29.5, "app", "background")
    $0.interrupted(29.5)
    $0.commands(29.5, ReadingTrace.off)
  }
}

@Test func interruptedNeedsACause() {
  expectBroken(["V27"], .half(), endingAfter: 1) { $0.cancelled(29, "interrupted") }
  expectBroken(["V27"], .half()) { $0.cancelled(29, "interrupted", guidances: 0) }
  // An interruption that is over already.
  for (delay, broken) in [(0.5, []), (0.51, ["V27", "V31", "V32"])] as [(Double, [String])] {
    expectBroken(broken, .half(), endingAfter: 0.2) {
      $0.began(28.5, "rotation")
      $0.ended(28.5)
      $0.cancelled(28.5 + delay, "interrupted", guidances: 0)
    }
  }
  // An adjustment of the frame rate is one on iOS, in the same breath or before.
  for (platform, broken) in [("ios", []), ("android", ["V27", "V36"])] {
    expectBroken(broken, .half(), on: platform, endingAfter: 0.2) {
      $0.world(26, "frames", "slow")
      $0.cancelled(29, "interrupted", guidances: 0)
      if platform == "ios" { $0.commands(29, [.init("adjustFrameRate")]) }
    }
  }
  // What the truth does not tell of a replay, nobody judges.
  expectBroken([], .half(), endingAfter: 0.2) {
    $0.cancelled(29, "interrupted", guidances: 0)
    $0.forgetTruths()
  }
  // Another reason that was due as well is right.
  expectBroken([], .half()) {
    $0.world(26, "contact", "lost")
    $0.began(29.1, "phoneCall")
    $0.cancelled(29.25, "contactLost", guidances: 0)
    $0.commands(29.25, ReadingTrace.off)
  }
}

@Test func nothingIsToldWhileItWaits() {
  // What was on its way still comes.
  for (delay, broken) in [(0.1, []), (0.11, ["V32"])] as [(Double, [String])] {
    expectBroken(broken, .waiting(until: 10)) {
      $0.began(9.5, "phoneCall")
      $0.commands(9.5, ReadingTrace.off)
      $0.guidance(9.5 + delay + 0.5, "lowQuality", 0)
      $0.move("guidance", 10, by: -0.5)
    }
  }
  expectBroken(["V32"], .half()) {
    $0.began(29.5, "phoneCall")
    $0.interrupted(29.5)
    $0.commands(29.5, ReadingTrace.off)
    $0.guidance(30.5, "noContact", 0)
  }
  // One of two causes is over.
  for (ended, broken) in [("phoneCall", ["V32"]), (nil, [])] as [(String?, [String])] {
    expectBroken(broken, .waiting(until: 10)) {
      $0.began(9.5, "phoneCall")
      $0.commands(9.5, ReadingTrace.off)
      $0.began(10, "splitView")
      $0.ended(12, ended)
      $0.restored(12, until: 14)
    }
  }
  // The background is over only when the app is back.
  expectBroken(["V32"], .waiting(until: 10)) {
    $0.fact(9.5, "app", "background")
    $0.commands(9.5, ReadingTrace.off)
    $0.ended(12)
    $0.restored(12, until: 14)
  }
  // A start in the background waits as well.
  for (frames, broken) in [(true, []), (false, ["V33"])] as [(Bool, [String])] {
    expectBroken(broken, ReadingTrace(), endingAfter: frames ? 0 : 1.6) {
      $0.world(0, "motion", "fidgeting")
      $0.fact(0, "app", "background")
      $0.call(1, "start")
      $0.fact(30, "app", "foreground")
      if frames { $0.restored(30, until: 34) }
    }
  }
}

@Test func theCaptureIsLeftAloneMeanwhile() {
  // What was on its way when it began.
  for (what, delay, broken) in [
    ("camera", 0.1, []), ("camera", 0.11, ["V32"]), ("torch", 0.11, ["V32"]),
  ] as [(String, Double, [String])] {
    expectBroken(broken, .waiting(until: 9.5)) {
      $0.began(9.5, "phoneCall")
      $0.began(9.5, "otherApp")
      $0.commands(9.5, ReadingTrace.off)
      if delay > 0.1 { $0.ended(9.55, "otherApp") }
      $0.commands(9.5 + delay, [ReadingTrace.switched(what, on: true)])
    }
  }
  // A start in the background waits by our own choice.
  var early = ReadingTrace()
  early.fact(0, "app", "background")
  early.call(1, "start", effects: ReadingTrace.on)
  expectOurs("V46", early)
  var late = ReadingTrace()
  late.fact(0, "app", "background")
  late.call(1, "start")
  late.commands(2, ReadingTrace.on)
  expectOurs("V46", late)
  expectOurs("V32", late)
}

@Test func theCaptureIsAskedForAsOftenAsItTakes() {
  var back = ReadingTrace.waiting(until: 9.5)
  back.began(9.5, "otherApp")
  back.commands(9.5, ReadingTrace.off)
  back.ended(20)
  // The torch once, unless the camera is opened anew or the light went out.
  expectBroken(["V33"], back) {
    $0.commands(20, ReadingTrace.on + [ReadingTrace.switched("torch", on: true)])
  }
  expectBroken([], back) {
    $0.commands(20, ReadingTrace.on)
    $0.world(20.2, "torch", "lost")
    $0.commands(20.2, [ReadingTrace.switched("torch", on: true)])
  }
  expectBroken([], back) {
    $0.commands(20, ReadingTrace.on)
    $0.notice(20.3, "cameraFailed")
    $0.commands(21, ReadingTrace.on)
  }
  // The camera again once it works.
  for (works, again, broken) in [
    (27.9, nil, ["V33"]), (28.1, nil, []), (22, 22.5, []), (20.2, nil, []),
  ] as [(Double, Double?, [String])] {
    expectBroken(broken, back) {
      $0.world(10, "camera", "failed")
      $0.commands(20, ReadingTrace.on)
      $0.world(works, "camera", "working")
      $0.notice(20.3, "cameraFailed")
      if let again {
        $0.commands(again, [ReadingTrace.switched("camera", on: true)])
        $0.world(again, "camera", "failed")
        $0.notice(again + 0.3, "cameraFailed")
      }
      $0.failed(30)
    }
  }
}

@Test func theCaptureComesBack() {
  var back = ReadingTrace.waiting(until: 9.5)
  back.began(9.5, "otherApp")
  back.commands(9.5, ReadingTrace.off)
  back.ended(20)
  for (delay, broken) in [(1.5, []), (1.51, ["V33"])] as [(Double, [String])] {
    // Camera, then guidance.
    expectBroken(broken, back) { $0.restored(20 + delay, until: 25) }
    expectBroken(broken, back) {
      $0.commands(20, ReadingTrace.on)
      $0.firstFrame(25)
      $0.guidances(25 + delay, until: 28)
    }
  }
  expectBroken(["V33"], back, endingAfter: 1.6) {
    $0.commands(20, ReadingTrace.on)
    $0.firstFrame(25)
  }
  // A torch that stays off.
  expectBroken(["V03", "V33"], back) {
    $0.commands(20, [ReadingTrace.switched("camera", on: true)])
    $0.firstFrame(20.3)
    $0.guidances(21, until: 24)
  }
  // Another interruption, or a stop(), ends the wait.
  expectBroken([], back, endingAfter: 5) { $0.fact(21, "app", "background") }
  expectBroken([], back, endingAfter: 5) { $0.call(21, "stop") }
  // A camera that was never switched off needs no command.
  expectBroken([], .waiting(until: 10)) {
    $0.began(9.5, "otherApp")
    $0.ended(20)
    $0.guidances(21.5, until: 25)
  }
}

@Test func noInterruptionFails() {
  // What was due before it came is on its way for 0.1 s: with frames missing for 1 s, or still awaited.
  for (delay, broken) in [(0, []), (0.1, []), (0.11, ["V34"]), (3_600, ["V34"])] as [(Double, [String])] {
    for (silent, excuse) in [(8.5, true), (8.51, false)] {
      expectBroken(excuse ? broken : ["V34"], .waiting(until: 10)) {
        $0.world(silent, "camera", "stalled")
        $0.began(9.5, "otherApp")
        $0.failed(9.5 + delay, "internalError")
      }
    }
    expectBroken(broken, ReadingTrace()) {
      $0.world(0, "contact", "lost")
      $0.call(0, "start", effects: ReadingTrace.on)
      $0.began(9, "otherApp")
      $0.failed(9 + delay, "cameraUnavailable")
    }
  }
  // With frames flowing nothing was due.
  for base in [ReadingTrace.waiting(until: 30), .half()] {
    for error in ["internalError", "cameraUnavailable"] {
      expectBroken(["V34"], base) {
        $0.began(29.6, "otherApp")
        $0.failed(29.6, error)
      }
    }
  }
  // After the minute it changes nothing.
  expectBroken([], .whole(), endingAfter: 1) {
    $0.began(65, "phoneCall")
    $0.fact(65.1, "app", "background")
  }
  expectBroken([], .whole(), endingAfter: 1) {
    $0.began(65, "phoneCall")
    $0.move("camera", 2, by: -0.8)
    $0.move("torch", 2, by: -0.8)
  }
  expectBroken(["V11", "V12", "V34"], .whole(), endingAfter: 1) {
    $0.began(65, "phoneCall")
    $0.remove("completed")
    $0.remove("realised")
    $0.event(65.8, "failed", [.init("error", .text("cameraUnavailable"))])
  }
  expectBroken(["V11", "V34"], .whole(), endingAfter: 9.5) {
    $0.cut(after: 64.9)
    $0.began(65, "phoneCall")
  }
}

@Test func theOwnersEndIsAStop() {
  for platform in ["android", "ios"] {
    let isAndroid = platform == "android"
    expectBroken(isAndroid ? [] : ["V08"], .half(), on: platform, endingAfter: 3) {
      $0.notice(29.5, "ownerDestroyed")
      if isAndroid { $0.commands(29.6, ReadingTrace.off) }
    }
  }
  expectBroken(["V38"], .half(), on: "android") {
    $0.notice(29.5, "ownerDestroyed")
    $0.commands(29.61, ReadingTrace.off)
  }
  expectBroken(["V23", "V38"], .half(), on: "android", endingAfter: 1) {
    $0.notice(29.5, "ownerDestroyed")
    $0.interrupted(29.5)
    $0.commands(29.5, ReadingTrace.off)
  }
  expectBroken(["V01", "V13", "V38"], .half(), on: "android", endingAfter: 1) {
    $0.notice(29.5, "ownerDestroyed")
    $0.failed(29.7)
    $0.commands(29.8, [ReadingTrace.switched("torch", on: true)])
  }
  // What comes in the same moment finds no attempt.
  expectBroken([], .half(), on: "android", endingAfter: 6) {
    $0.notice(29.5, "ownerDestroyed")
    $0.commands(29.5, ReadingTrace.off)
    $0.world(29.5, "contact", "lost")
    $0.call(29.5, "cancelReading")
  }
  // After the minute the end is still delivered.
  for (delivers, broken) in [(true, []), (false, ["V11", "V38"])] as [(Bool, [String])] {
    expectBroken(broken, .whole(), on: "android", endingAfter: 10) {
      $0.remove("torch", 2)
      $0.remove("camera", 2)
      $0.notice(65, "ownerDestroyed")
      $0.commands(65, ReadingTrace.off)
      if !delivers {
        $0.remove("completed")
        $0.remove("realised")
      }
    }
  }
  expectBroken(["V38"], .whole(), on: "android") { $0.notice(65, "ownerDestroyed") }
}

@Test func aStopInTheLastMomentFindsTheMinuteFull() {
  for (early, broken) in [(0, []), (0.1, []), (0.11, ["V39"])] as [(Double, [String])] {
    var trace = ReadingTrace.measuring(until: 64.2)
    trace.add(64.3 - early, .call(id: 9, .init("stop")))
    trace.event(64.3, "preview", ReadingTrace.preview(60).fields)
    trace.event(64.3, "measurementComplete")
    trace.commands(64.3 - early, ReadingTrace.off)
    trace.add(64.3, .reply(id: 9, .returned))
    expectBroken(broken, trace) { $0.event(65.8, "completed", ReadingTrace.result) }
  }
}
