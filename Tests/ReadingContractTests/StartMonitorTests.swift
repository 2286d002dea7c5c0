import Testing

@testable import ReadingContract

@Test func aCameraThatCannotBeOpened() {
  // Delivered on both platforms, in time.
  for platform in ["ios", "android"] {
    for (fail, broken) in [(0.3, []), (12.3, []), (12.31, ["V44"])] as [(Double, [String])] {
      expectBroken(broken, ReadingTrace(), on: platform) {
        $0.world(0, "camera", "failed")
        $0.call(0, "start", effects: ReadingTrace.on)
        $0.notice(0.3, "cameraFailed")
        if fail > 12.3 { $0.call(12, "setAutoStart", "true") }
        $0.failed(fail)
      }
    }
    // Not with another word.
    for (error, broken) in [("internalError", ["V44"]), ("noHeartRate", ["V12", "V44"])] as [(String, [String])] {
      expectBroken(broken, ReadingTrace(), on: platform) {
        $0.world(0, "camera", "failed")
        $0.call(0, "start", effects: ReadingTrace.on)
        $0.notice(0.3, "cameraFailed")
        $0.failed(0.3, error)
      }
    }
    // Frames in the end, an interruption and a stop() are none of it.
    for edit in [
      {
        $0.firstFrame(2); $0.guidances(3, until: 15)
      },
      {
        $0.fact(2, "app", "background"); $0.commands(2, ReadingTrace.off)
      },
      { $0.call(2, "stop", effects: ReadingTrace.off) },
    ] as [@Sendable (inout ReadingTrace) -> Void] {
      expectBroken([], ReadingTrace(), on: platform) {
        $0.world(0, "contact", "lost")
        $0.call(0, "start", effects: ReadingTrace.on)
        $0.notice(0.3, "cameraFailed")
        edit(&$0)
        if $0.entries.last?.at.seconds ?? 0 < 14 { $0.call(14, "setAutoStart", "true") }
      }
    }
    // cameraUnavailable of a camera that works, and errors that failed does not carry.
    expectBroken(["V44"], .waiting(until: 10), on: platform) { $0.failed(10) }
    expectBroken(["V12", "V44"], .waiting(until: 10), on: platform) { $0.failed(10, "cameraPermissionDenied") }
  }
  // Another app has it: iOS throws, Android never does.
  for (platform, broken) in [("ios", []), ("android", ["V44"])] as [(String, [String])] {
    expectBroken(broken, ReadingTrace(), on: platform) {
      $0.world(0, "contact", "lost")
      $0.fact(0, "cameraAccess", "busy")
      $0.refused(1, "start", "cameraUnavailable")
    }
    for (end, overdue) in [(12, []), (12.1, ["V44"])] as [(Double, [String])] {
      expectBroken(overdue, ReadingTrace(), on: platform, endingAfter: end) {
        $0.world(0, "contact", "lost")
        $0.fact(0, "cameraAccess", "busy")
        $0.call(1, "start", effects: ReadingTrace.on)
      }
    }
  }
  expectBroken(["V44"], ReadingTrace()) {
    $0.world(0, "contact", "lost")
    $0.refused(1, "start", "cameraUnavailable")
  }
}

@Test func aStartThatThrewCanBeCalledAgain() {
  let obstacles = [
    ("activation", "missing", "done", "notActivated"), ("permission", "declined", "granted", "cameraPermissionDenied"),
    ("permission", "blockedByPolicy", "granted", "cameraPermissionDenied"),
    ("device", "noRearCamera", "supported", "unsupportedDevice"),
    ("cameraAccess", "busy", "free", "cameraUnavailable"),
  ]
  for (word, bad, good, error) in obstacles {
    var refused = ReadingTrace()
    refused.world(0, "motion", "fidgeting")
    refused.fact(0, word, bad)
    refused.refused(1, "start", error)
    expectBroken([], refused) { $0.refused(2, "start", error) }
    refused.fact(3, word, good)
    expectBroken([], refused) {
      $0.call(4, "start", effects: ReadingTrace.on)
      $0.firstFrame(4.3)
      $0.guidances(5, until: 8)
    }
    expectBroken(error == "cameraUnavailable" ? ["V44", "V46"] : ["V46"], refused) { $0.refused(4, "start", error) }
    // Nothing is left behind.
    expectBroken([], refused) {
      $0.refused(3.5, "start", error, effects: ReadingTrace.on + ReadingTrace.off)
      $0.remove("camera", 1)
      $0.remove("camera", 1)
      $0.remove("torch", 1)
      $0.remove("torch", 1)
      $0.cut(after: 3)
    }
    expectBroken(["V46"], refused) { $0.commands(3, [ReadingTrace.switched("torch", on: true)]) }
    expectBroken(["V14", "V46"], refused) { $0.guidance(3, "noContact", 0) }
  }
  // Camera and torch that a start() has switched on are off again.
  for (off, broken) in [(1.1, []), (1.11, ["V46"])] as [(Double, [String])] {
    expectBroken(broken, ReadingTrace()) {
      $0.world(0, "camera", "failed")
      $0.refused(1, "start", "cameraUnavailable", effects: ReadingTrace.on)
      $0.commands(off, ReadingTrace.off)
    }
  }
  // A call activates, and one from another thread than the main one is refused on Android only.
  expectBroken([], ReadingTrace()) {
    $0.fact(0, "activation", "missing")
    $0.refused(1, "start", "notActivated")
    $0.refused(2, "activate", "licenseInvalid")
    $0.refused(3, "start", "notActivated")
  }
  expectBroken(["V46"], ReadingTrace()) {
    $0.fact(0, "activation", "missing")
    $0.refused(1, "start", "notActivated")
    $0.call(2, "activate")
    $0.refused(3, "start", "notActivated")
  }
  for (platform, broken) in [("android", []), ("ios", ["V46"])] as [(String, [String])] {
    expectBroken(broken, ReadingTrace(), on: platform) {
      $0.refused(1, "start", "internalError", "offMainThread")
      $0.refused(2, "start", "internalError", "offMainThread")
    }
  }
}

@Test func aSessionThatRunsCannotStart() {
  for running in [.waiting(until: 10), .half(), .measuring(until: 64)] as [ReadingTrace] {
    expectBroken([], running) { $0.refused(9.9, "start", "internalError") }
    expectBroken(["V46"], running) { $0.refused(9.9, "start", "notActivated") }
    expectBroken(["V46"], running) { $0.call(9.9, "start") }
  }
}

@Test func aSessionThatHasEndedCannotStart() {
  var failed = ReadingTrace.waiting(until: 10)
  failed.failed(10, "internalError")
  var stopped = ReadingTrace.waiting(until: 10)
  stopped.call(10, "stop", effects: ReadingTrace.off)
  for ended in [.whole(), failed, stopped] as [ReadingTrace] {
    expectBroken([], ended) { $0.refused(70, "start", "internalError") }
    expectBroken(["V46"], ended) { $0.refused(70, "start", "notActivated") }
    expectBroken(["V46"], ended) { $0.call(70, "start") }
    expectBroken([], ended) {
      $0.fact(69, "permission", "declined")
      $0.refused(70, "start", "cameraPermissionDenied")
    }
  }
  var destroyed = ReadingTrace.waiting(until: 10)
  destroyed.notice(10, "ownerDestroyed")
  destroyed.commands(10, ReadingTrace.off)
  expectBroken(["V46"], destroyed, on: "android") { $0.call(70, "start") }
}
