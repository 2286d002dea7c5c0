import Testing
import VitalsModel

@testable import ReadingContract

/// A trace with an edit breaks exactly these rules. It ends soon, so that no guidance is missed.
private func check(
  _ base: ReadingTrace, on platform: String = "ios", breaks expected: [String],
  _ place: SourceLocation = #_sourceLocation, _ edit: (inout ReadingTrace) -> Void = { _ in }
) {
  var trace = base
  edit(&trace)
  #expect(trace.brokenRules(on: platform, endingAfter: 0.1) == expected, sourceLocation: place)
}

@Test func guidanceOfContact() {
  for (lost, broken) in [(5.8, ["V15"]), (5.81, [])] as [(Double, [String])] {
    check(.held("lccccwll"), breaks: broken) { $0.world(lost, "contact", "lost") }
  }
  check(.held("lccccwln"), breaks: []) { $0.world(5, "contact", "lost") }
  check(.held("lccccwlf"), breaks: ["V15"]) { $0.world(4.5, "contact", "lost") }
  check(.held("lccccnfnnfnf"), breaks: []) {
    $0.world(4.5, "contact", "lost"); $0.world(3, "frames", "slow")
    $0.add(6, .command(.init("adjustFrameRate")))
  }
  for (present, broken) in [(3.8, ["V15"]), (3.81, [])] as [(Double, [String])] {
    check(.held("nnnnnnl", contact: "lost"), breaks: broken) { $0.world(present, "contact", "present") }
  }
  // The lens is dark: nothing can be told of the fingertip.
  check(.held("lccccnnnn"), breaks: []) { $0.world(4.5, "torch", "lost") }
  check(.held("lccccccccccc"), breaks: ["V15"]) { $0.world(4.5, "torch", "lost") }
  // Without truths nothing is judged.
  check(.held("nnnnnnnnnnnn"), breaks: []) { $0.forgetTruths() }
}

@Test func guidanceOfFrames() {
  for (slow, broken) in [(4.8, ["V15", "V36"]), (4.81, [])] as [(Double, [String])] {
    check(.held("lccclcll"), breaks: broken) { $0.world(slow, "frames", "slow") }
  }
  check(.held("lccclclf"), breaks: []) { $0.world(4.8, "frames", "slow") }
  check(.held("lccclcln"), breaks: ["V15", "V36"]) { $0.world(4.8, "frames", "slow") }
  // A new rate begins a new count.
  check(.held("lccclcll"), breaks: []) {
    $0.world(4, "frames", "slow"); $0.add(5, .notice(.init("frameRateSelected")))
  }
  check(.held("lcccf"), breaks: ["V15"])
  check(.held("lccf"), breaks: [])
}

@Test func guidanceOfMotionAndPulse() {
  for (letters, broken) in [
    ("clcccccl", []), ("lcccccc", ["V15"]), ("cccccccl", ["V15"]), ("lcclcccc", ["V15"]), ("lcclcclllcc", []),
  ] as [(String, [String])] {
    check(.held(letters, motion: "fidgeting"), breaks: broken)
  }
  for (letters, broken) in [("wwwwwcc", ["V15"]), ("wwwwwcwc", []), ("wwwwccw", [])] as [(String, [String])] {
    check(.held(letters, pulse: "absent"), breaks: broken)
  }
  // A good signal from the first frame on, and after a disturbance.
  for (letters, broken) in [("lllllll", []), ("llllllll", ["V15"]), ("lllcllll", []), ("lllclllll", ["V15"])]
    as [(String, [String])]
  {
    check(.held(letters), breaks: broken)
  }
  for (count, broken) in [(34, []), (35, ["V15"])] as [(Int, [String])] {
    check(.held(String(repeating: "l", count: count), motion: "fidgeting"), breaks: broken) {
      $0.world(10.3, "motion", "still")
    }
  }
}

@Test func weakSignal() {
  check(.held("lwl", pulse: "absent"), breaks: [])
  check(.held("lwl", pulse: "absent"), on: "android", breaks: ["V16"])
  for pulse in ["absent", "faint"] {
    check(.held("lllllll", pulse: pulse), breaks: [])
    check(.held("llllllll", pulse: pulse), breaks: ["V16"])
    check(.held("llwlllll", pulse: pulse), breaks: [])
    check(.held("lwllllll", pulse: pulse), breaks: ["V16"])
    check(.held("llllllll", pulse: pulse), on: "android", breaks: [])
  }
  check(.held("llcllllll", pulse: "faint"), breaks: [])
  check(.held("llllllllll", pulse: "absent", motion: "fidgeting"), breaks: [])
}

@Test func frameDrop() {
  check(.whole(), breaks: ["V05", "V17"]) {
    $0.set("guidance", 4, "guidance", .text("frameDrop"))
    $0.set("guidance", 4, "startProgress", .number(0, places: 3))
    $0.cut(after: 4.3)
  }
  // Whatever guidance says.
  for (slow, broken) in [(0.8, ["V15", "V17", "V36"]), (0.81, [])] as [(Double, [String])] {
    check(.whole(), breaks: broken) {
      $0.world(slow, "frames", "slow"); $0.cut(after: 4.3)
    }
  }
  let ruling = ReadingTrace.held("fcccf").rulings().first { $0.rule == "V17" }
  #expect(ruling?.occasions == 2 && ruling?.breaches == [])
}

@Test func liftsWhilePositioning() {
  // Half a second, and the guidance a second after it began, or the one before that, must show it.
  for (lost, back, letters, broken) in [
    (6.3, 6.8, "lcccccc", ["V05"]), (6.3, 6.79, "lcccccc", []), (6.31, 6.81, "lcccccc", ["V05"]),
    (6.31, 7.29, "lcccccc", ["V05"]), (6.31, 7.31, "lcccccc", []), (6.31, 7.31, "lccccccc", ["V05"]),
    // The worst that there was is the lift.
    (6.3, 6.8, "lcccccn", []), (6.3, 6.8, "lcccccl", ["V05"]), (6.3, 6.79, "lcccccl", []),
    (6.31, 7.31, "lcccccl", []), (6.31, 6.81, "lccccccn", ["V05"]), (6.31, 7.31, "lcccccll", ["V05"]),
    (6.31, 7.31, "lccccccn", []), (6.31, 7.31, "lccccclnl", []), (6.3, 6.8, "lcccclc", ["V05"]),
  ] as [(Double, Double, String, [String])] {
    check(.held(letters), breaks: broken) {
      $0.world(lost, "contact", "lost"); $0.world(back, "contact", "present")
    }
  }
  // Nor does startProgress go on from where it was.
  for (back, broken) in [(7.3, []), (7.31, ["V05"])] as [(Double, [String])] {
    check(.held("lccccl"), breaks: broken) {
      $0.world(6, "contact", "lost"); $0.world(back, "contact", "present")
      $0.guidance(7.3, "noContact", 0)
      $0.guidance(8.3, "compliant", 0.5)
      $0.guidance(9.3, "compliant", 1)
    }
  }
  // What takes the view away is judged elsewhere.
  check(.held("lccccccc"), breaks: []) {
    $0.world(6.3, "torch", "lost"); $0.world(6.8, "torch", "working")
  }
}

@Test func whatIsOurChoiceOnly() {
  // An external engine is only warned of these: where two words are true at once, and how a lift is told.
  for (trace, rule, isOurs) in [
    (.held("lccclcll", motion: "fidgeting"), "V15", true), (.held("lccclcll"), "V15", false),
  ] as [(ReadingTrace, String, Bool)] {
    var trace = trace
    trace.world(4.8, "frames", "slow")
    let breaches = trace.rulings(endingAfter: 0.1).first { $0.rule == rule }?.breaches ?? []
    #expect(!breaches.isEmpty && breaches.allSatisfy { $0.isOurs == isOurs })
  }
  var lift = ReadingTrace.held("lcccccc")
  lift.world(6.3, "contact", "lost")
  lift.world(6.8, "contact", "present")
  #expect(lift.rulings(endingAfter: 0.1).first { $0.rule == "V05" }?.breaches.map(\.isOurs) == [true])
}
