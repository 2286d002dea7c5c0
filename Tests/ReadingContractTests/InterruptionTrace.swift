import Testing
import Traces
import VitalsModel

@testable import ReadingContract

/// The edits of a reading's trace that interruptions, broken cameras and refused starts need.
extension ReadingTrace {
  static let on = [switched("camera", on: true), switched("torch", on: true)]
  static let off = [switched("torch", on: false), switched("camera", on: false)]
  static let restart = [switched("camera", on: false), switched("camera", on: true), switched("torch", on: true)]

  mutating func notice(_ seconds: Double, _ name: String, _ fields: [Field] = []) {
    add(seconds, .notice(Message(name, fields)))
  }

  mutating func fact(_ seconds: Double, _ word: String, _ state: String) {
    notice(seconds, word, [Field("state", .text(state))])
  }

  mutating func began(_ seconds: Double, _ reason: String) {
    notice(seconds, "interruptionBegan", [Field("reason", .text(reason))])
  }

  mutating func ended(_ seconds: Double, _ reason: String? = nil) {
    notice(seconds, "interruptionEnded", reason.map { [Field("reason", .text($0))] } ?? [])
  }

  mutating func commands(_ seconds: Double, _ commands: [Message]) {
    for command in commands { add(seconds, .command(command)) }
  }

  mutating func firstFrame(_ seconds: Double) { add(seconds, .truth(Message("firstFrame"))) }

  mutating func interrupted(_ seconds: Double) {
    event(seconds, "cancelled", [Field("reason", .text("interrupted"))])
  }

  mutating func failed(_ seconds: Double, _ error: String = "cameraUnavailable") {
    commands(seconds, Self.off)
    event(seconds, "failed", [Field("error", .text(error))])
  }

  /// Guidance about once a second from `first` to before `end`.
  mutating func guidances(_ first: Double, until end: Double, _ value: String = "lowQuality") {
    var seconds = first
    while seconds < end {
      guidance(seconds, value, 0)
      seconds += 1
    }
  }

  /// The capture comes back: camera and torch on at `seconds`, a frame 0.3 s later, guidance until `end`.
  mutating func restored(_ seconds: Double, until end: Double) {
    commands(seconds, Self.on)
    firstFrame(seconds + 0.3)
    guidances(seconds + 1.3, until: end)
  }

  /// A call that throws, what it does first.
  mutating func refused(
    _ seconds: Double, _ name: String, _ error: String, _ argument: String? = nil, effects: [Message] = []
  ) {
    let id = 1_000 + entries.count
    add(seconds, .call(id: id, Message(name, argument.map { [Field("argument", .text($0))] } ?? [])))
    for effect in effects { add(seconds, .command(effect)) }
    add(seconds, .reply(id: id, .threw(Message(error))))
  }

  /// Measuring up to 30 s, and then whatever comes.
  static func half() -> ReadingTrace { measuring(until: 30) }

  /// Positioning on a fingertip that moves, so that nothing starts, up to `end` seconds.
  static func waiting(until end: Double) -> ReadingTrace {
    var trace = ReadingTrace()
    for (word, state) in [("contact", "present"), ("pulse", "present"), ("motion", "fidgeting")] {
      trace.world(0, word, state)
    }
    trace.call(0, "start", effects: on)
    trace.firstFrame(0.3)
    trace.guidances(1.3, until: end)
    return trace
  }
}

/// A trace breaks a rule, and only where that is our own choice (or, with `false`, not only there).
func expectOurs(
  _ rule: String, _ trace: ReadingTrace, on platform: String = "ios", endingAfter seconds: Double = 0,
  is isOurs: Bool = true, _ place: SourceLocation = #_sourceLocation
) {
  let breaches = trace.rulings(on: platform, endingAfter: seconds).filter { $0.rule == rule }.flatMap(\.breaches)
  #expect(!breaches.isEmpty && breaches.allSatisfy(\.isOurs) == isOurs, "\(breaches)", sourceLocation: place)
}

/// A trace with an edit breaks exactly these rules; an edit at the edge of a window breaks none. The run ends with the
/// last entry unless it goes on for longer.
func expectBroken(
  _ expected: [String], _ base: ReadingTrace, on platform: String = "ios", endingAfter seconds: Double = 0,
  _ place: SourceLocation = #_sourceLocation, _ edit: (inout ReadingTrace) -> Void
) {
  var trace = base
  edit(&trace)
  let broken = trace.rulings(on: platform, endingAfter: seconds).filter { !$0.breaches.isEmpty }
  #expect(
    broken.map(\.rule).sorted() == expected,
    "\(broken.flatMap(\.breaches).map { "\($0.at.text) \($0.expected): \($0.actual)" })", sourceLocation: place)
}
