import Checks
import Traces
import VitalsModel

@testable import ReadingContract

/// A hand-made trace of a reading that keeps every rule, and the edits that break one.
struct ReadingTrace {
  private(set) var entries: [TraceEntry] = []
  private var calls = 0

  static let startedAt = 4.3
  static let completeAt = 64.3
  static let endAt = 65.8

  /// Positioning from 0.3 s, measuring from 4.3 s, complete at 64.3 s, completed at 65.8 s.
  static func whole() -> ReadingTrace {
    var trace = measuring(until: completeAt)
    trace.add(completeAt, .event(preview(60)))
    trace.add(completeAt, .event(Message("measurementComplete")))
    trace.add(completeAt, .command(Message("buildResult", [Field("attempt", .integer(1))])))
    trace.add(endAt, .notice(Message("resultBuilt", [Field("attempt", .integer(1))])))
    trace.add(endAt, .command(switched("torch", on: false)))
    trace.add(endAt, .command(switched("camera", on: false)))
    trace.add(endAt, .event(Message("completed", result)))
    trace.add(
      endAt,
      .truth(
        RunTruth.realised([
          Field("heartRateBpm", .number(75, places: 2)), Field("rmssdMs", .number(10, places: 2)),
        ]).message))
    return trace
  }

  static let result = [
    Field("heartRateBpm", .number(75, places: 2)), Field("rmssdMs", .number(12, places: 2)),
    Field("breathingRatePerMin", .number(14, places: 2)), Field("quality", .number(0.9, places: 3)),
  ]

  /// The same, cut before `end` seconds.
  static func measuring(until end: Double) -> ReadingTrace {
    var trace = positioning()
    trace.add(startedAt, .event(Message("started")))
    trace.add(startedAt, .event(preview(0)))
    var beat = startedAt + 0.5
    for second in 1..<60 where startedAt + Double(second) < end {
      while beat < startedAt + Double(second) {
        let isFirst = beat == startedAt + 0.5
        trace.add(beat, .event(Message("heartbeat", isFirst ? [] : [Field("ibiMs", .number(800, places: 1))])))
        beat += 0.8
      }
      trace.add(startedAt + Double(second), .event(preview(second)))
    }
    return trace
  }

  static func positioning() -> ReadingTrace {
    var trace = ReadingTrace()
    for (word, state) in [("contact", "present"), ("pulse", "present"), ("motion", "still")] {
      trace.world(0, word, state)
    }
    trace.call(0, "start", effects: [switched("camera", on: true), switched("torch", on: true)])
    trace.add(0.3, .truth(Message("firstFrame")))
    for (index, progress) in [0.333, 0.667, 1].enumerated() {
      trace.guidance(2.3 + Double(index), "compliant", progress)
    }
    trace.guidance(1.3, "lowQuality", 0)
    return trace
  }

  /// Positioning with the start held and guidance each second from 1.3 s on, one for each letter: n noContact,
  /// f frameDrop, w weakSignal, l lowQuality, c compliant, whose startProgress is full with the third in a row.
  static func held(_ letters: String, contact: String = "present", pulse: String = "present", motion: String = "still")
    -> ReadingTrace
  {
    var trace = ReadingTrace()
    for (word, state) in [("contact", contact), ("pulse", pulse), ("motion", motion)] { trace.world(0, word, state) }
    trace.call(0, "setAutoStart", "false")
    trace.call(0, "start", effects: [switched("camera", on: true), switched("torch", on: true)])
    trace.add(0.3, .truth(Message("firstFrame")))
    trace.guidances(1.3, letters)
    return trace
  }

  static func preview(_ second: Int) -> Message {
    var fields = [Field("progress", .number(Double(second) / 60, places: 6))]
    if second >= 1 { fields.append(Field("signalLevel", .text("good"))) }
    if second >= 4 { fields.append(Field("heartRateBpm", .number(75, places: 1))) }
    if second >= 20 { fields.append(Field("rmssdMs", .number(40, places: 1))) }
    return Message("preview", fields)
  }

  static func switched(_ what: String, on isOn: Bool) -> Message { Message(what, [Field("on", .flag(isOn))]) }

  // MARK: Edits

  /// Puts something in after what happens at the same moment.
  mutating func add(_ seconds: Double, _ item: TraceItem) {
    let at = Instant.zero + TimeSpan(seconds: seconds)
    let index = entries.firstIndex { $0.at > at } ?? entries.endIndex
    entries.insert(TraceEntry(at: at, item), at: index)
  }

  mutating func event(_ seconds: Double, _ name: String, _ fields: [Field] = []) {
    add(seconds, .event(Message(name, fields)))
  }

  mutating func guidance(_ seconds: Double, _ value: String, _ progress: Double) {
    event(
      seconds, "guidance", [Field("guidance", .text(value)), Field("startProgress", .number(progress, places: 3))])
  }

  /// Guidance each second from `seconds` on, in the letters of `held`.
  mutating func guidances(_ seconds: Double, _ letters: String) {
    let names: [Character: String] = [
      "n": "noContact", "f": "frameDrop", "w": "weakSignal", "l": "lowQuality", "c": "compliant",
    ]
    var steady = 0
    for (second, letter) in letters.enumerated() {
      steady = letter == "c" ? steady + 1 : 0
      guidance(seconds + Double(second), names[letter] ?? "", min(1, Double(steady) / 3))
    }
  }

  mutating func world(_ seconds: Double, _ word: String, _ state: String) {
    add(seconds, .truth(Message(word, [Field("state", .text(state))])))
  }

  /// A call, what it does, and that it returns.
  mutating func call(_ seconds: Double, _ name: String, _ argument: String? = nil, effects: [Message] = []) {
    calls += 1
    let id = calls
    add(seconds, .call(id: id, Message(name, argument.map { [Field("argument", .text($0))] } ?? [])))
    for effect in effects { add(seconds, .command(effect)) }
    add(seconds, .reply(id: id, .returned))
  }

  /// Goes back to positioning with guidance every second from one second after `seconds`, `count` times: noContact
  /// after a lost contact, else lowQuality.
  mutating func cancelled(_ seconds: Double, _ reason: String, guidances count: Int = 2) {
    entries.removeAll { $0.at > Instant.zero + TimeSpan(seconds: seconds) }
    event(seconds, "cancelled", [Field("reason", .text(reason))])
    guidances(seconds + 1, String(repeating: reason == "contactLost" ? "n" : "l", count: count))
  }

  /// Leaves out what only a simulated phone knows.
  mutating func forgetTruths() {
    entries.removeAll { if case .truth = $0.item { true } else { false } }
  }

  mutating func remove(_ name: String, _ occurrence: Int = 1) {
    entries.remove(at: index(of: name, occurrence))
  }

  mutating func cut(after seconds: Double) {
    entries.removeAll { $0.at > Instant.zero + TimeSpan(seconds: seconds) }
  }

  /// Moves the n-th message of a name to another time, after what is there.
  mutating func move(_ name: String, _ occurrence: Int = 1, by seconds: Double) {
    let entry = entries.remove(at: index(of: name, occurrence))
    add((entry.at + TimeSpan(seconds: seconds)).seconds, entry.item)
  }

  /// Writes a field of the n-th event of a name anew; nil takes it out.
  mutating func set(_ name: String, _ occurrence: Int = 1, _ key: String, _ value: FieldValue?) {
    let index = index(of: name, occurrence)
    guard case .event(let event) = entries[index].item else { return }
    let others = event.fields.filter { $0.key != key }
    let field = value.map { [Field(key, $0)] } ?? []
    entries[index] = TraceEntry(at: entries[index].at, .event(Message(name, others + field)))
  }

  private func index(of name: String, _ occurrence: Int) -> Int {
    let indices = entries.indices.filter { index in
      switch entries[index].item {
      case .event(let message), .command(let message), .truth(let message), .notice(let message): message.name == name
      case .call, .reply, .sample, .capture, .reference, .timer, .stimulus: false
      }
    }
    precondition(indices.count >= occurrence, "there are \(indices.count) of \(name)")
    return indices[occurrence - 1]
  }

  // MARK: Judging

  /// The rulings of every monitor, with the run ending `seconds` after its last entry.
  func rulings(on platform: String = "ios", endingAfter seconds: Double = 3) -> [Ruling] {
    var monitors = ReadingMonitors(platform: platform)
    for entry in entries { monitors.observe(entry) }
    monitors.finish(at: (entries.last?.at ?? .zero) + TimeSpan(seconds: seconds))
    return monitors.rulings
  }

  /// The numbers of the rules that the trace breaks, in the order of their monitors.
  func brokenRules(on platform: String = "ios", endingAfter seconds: Double = 3) -> [String] {
    rulings(on: platform, endingAfter: seconds).filter { !$0.breaches.isEmpty }.map(\.rule)
  }
}
