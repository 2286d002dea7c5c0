import Checks
import Scenarios
import Simulation
import Traces
import VitalsModel

// A contract with two events and one rule, which has nothing to do with a pulse: what runs it knows no contract.

/// A temperature in degrees.
struct Temperature: SessionSample, Hashable {
  static let channels = ["degrees"]
  let captured: Instant
  let degrees: Double

  var values: [Double] { [degrees] }

  init(captured: Instant, degrees: Double) {
    self.captured = captured
    self.degrees = degrees
  }

  init(captured: Instant, values: [Double]) {
    self.init(captured: captured, degrees: values[0])
  }
}

/// Says `warm` at 40 degrees and `boiled` at 100, which a broken one forgets to wait for.
struct Kettle: SessionUnderTest {
  var isBroken = false
  /// A clock that never moves on, as a broken deadline would.
  var isStuck = false
  private var isOn = false
  private var isWarm = false
  private var givesUpAt: Instant?

  init(isBroken: Bool = false, isStuck: Bool = false) {
    self.isBroken = isBroken
    self.isStuck = isStuck
  }

  var deadline: Instant? { isStuck && isOn ? .zero : givesUpAt }

  mutating func feed(_ input: SessionInput<Temperature>, at now: Instant) -> [SessionEffect] {
    switch input {
    case .call(let id, let call):
      guard call.name == "switchOn", !isOn else {
        return [.reply(id: id, .threw(Message("nonsense", [Field("call", .text(call.name))])))]
      }
      isOn = true
      givesUpAt = now + .seconds(300)
      return [.command(Message("heat", [Field("on", .flag(true))])), .reply(id: id, .returned)]
    case .sample(let sample):
      guard isOn else { return [] }
      if sample.degrees >= (isBroken ? 40 : 100) { return finish("boil") }
      if sample.degrees >= 40, !isWarm {
        isWarm = true
        return [.event(Message("warm", [Field("degrees", .number(sample.degrees, places: 1))]))]
      }
      return []
    case .timer:
      return givesUpAt.map { now >= $0 } ?? false ? finish("cold") : []
    case .notice:
      return []
    }
  }

  private mutating func finish(_ how: String) -> [SessionEffect] {
    isOn = false
    givesUpAt = nil
    return [
      .command(Message("heat", [Field("on", .flag(false))])),
      .event(Message("boiled", [Field("how", .text(how))])),
    ]
  }
}

/// Heats by one degree a second while asked to, from 20 degrees, unless the lid is open; by more or less where the power
/// is another, which takes effect at once however long it is meant to take.
struct Stove: Phone {
  private var power = 100.0
  private var heatsFrom: Instant?
  private var degrees = 20.0
  private var isOpen: Bool
  private var nextAt = Instant.zero

  init(isOpen: Bool = false, powerPercent: Double = 100) {
    self.isOpen = isOpen
    power = powerPercent
  }

  var exhaustion: String? { nil }

  mutating func next(before limit: Instant) -> Delivery<Temperature>? {
    guard heatsFrom != nil, nextAt < limit else { return nil }
    degrees += isOpen ? 0 : power / 100
    defer { nextAt = nextAt + .seconds(1) }
    return Delivery(at: nextAt, .sample(Temperature(captured: nextAt, degrees: degrees)))
  }

  mutating func obey(_ command: Message, at now: Instant) {
    heatsFrom = command["on"] == .flag(true) ? now : nil
    nextAt = now + .seconds(1)
  }

  mutating func change(_ change: WorldChange, at now: Instant) {
    switch change {
    case .state(_, let state): isOpen = state == "open"
    case .quantity(_, let value, _): power = value
    }
  }

  func truth(from start: Instant, to end: Instant) -> [Field] { [] }
}

/// K01: it is warm before it boils.
struct WarmBeforeBoiled: RuleMonitor {
  private var ruling = Ruling(rule: "K01")
  private var wasWarm = false

  var rulings: [Ruling] { [ruling] }

  mutating func observe(_ entry: TraceEntry) {
    guard case .event(let event) = entry.item else { return }
    if event.name == "warm" { wasWarm = true }
    if event.name == "boiled" {
      ruling.judge(wasWarm, at: entry.at, expected: "warm before boiled", actual: "boiled at once")
    }
  }
}

let kettleContract = Contract(
  name: "kettle",
  vocabulary: Vocabulary(
    platforms: ["gas", "electric"], rules: ["K01"],
    calls: [
      CallWord("switchOn", arguments: ["gently"], needsArgument: false, errors: ["nonsense"], about: "Heats.")
    ],
    events: [
      EventWord("warm", about: "It is warm."),
      EventWord("boiled", isTerminal: true, argumentKey: "how", arguments: ["boil", "cold"], about: "It is done."),
    ],
    commands: [CommandWord("heat", argumentKey: "on", arguments: ["on", "off"], about: "The hob.")],
    world: [WorldWord("lid", states: ["closed", "open"], about: "The lid.")],
    sections: [
      SectionWord(
        "kitchen", about: "Around the kettle.",
        fields: [
          FieldWord("power", .percent, in: 0...200, standard: 100, isChangeable: true, about: "How strong the hob is.")
        ], states: ["lid"])
    ], result: nil),
  rules: [Rule("K01", "It is warm before it boils.")],
  monitors: { _ in [WarmBeforeBoiled()] })
