import Simulation
import Traces
import VitalsModel

// What inputs and effects are about, in a word.

extension SessionInput<FrameSample> {
  /// Whether the app calls this.
  func isCall(_ name: String, _ argument: String? = nil) -> Bool {
    guard case .call(_, let call) = self, call.name == name else { return false }
    return argument == nil || call["argument"]?.text == argument
  }

  /// Whether the host tells this, with this state or reason where one is named.
  func isNotice(_ name: String, _ word: String? = nil) -> Bool {
    guard case .notice(let notice) = self, notice.name == name else { return false }
    return word == nil || word == notice["state"]?.text || word == notice["reason"]?.text
  }

  /// The number of a call; nil for anything else.
  var callID: Int? {
    if case .call(let id, _) = self { id } else { nil }
  }

  /// Whether a frame is delivered.
  var isFrame: Bool {
    if case .sample = self { true } else { false }
  }

  /// A call that the app has not made; nobody hears how it comes back.
  static func ownCall(_ name: String, _ argument: String? = nil) -> Self {
    .call(id: -1, Message(name, argument.map { [Field("argument", .text($0))] } ?? []))
  }

  /// A notice with a state.
  static func state(_ name: String, _ state: String) -> Self {
    .notice(Message(name, [Field("state", .text(state))]))
  }

  /// The beginning or end of an interruption.
  static func interruption(_ name: String, _ reason: String) -> Self {
    .notice(Message(name, [Field("reason", .text(reason))]))
  }
}

extension SessionEffect {
  /// The event that the app is told; nil for anything else.
  var event: Message? {
    if case .event(let event) = self { event } else { nil }
  }

  /// Whether the app is told this, with this value, reason or error where one is named.
  func isEvent(_ name: String, _ word: String? = nil) -> Bool {
    guard let event, event.name == name else { return false }
    return word == nil
      || [event["guidance"], event["reason"], event["error"]].contains { $0?.text == word }
  }

  /// Whether the host is asked this.
  func isCommand(_ name: String, on: Bool? = nil) -> Bool {
    guard case .command(let command) = self, command.name == name else { return false }
    return on.map { command["on"] == .flag($0) } ?? true
  }

  /// Whether it is the last word of a session.
  var isEnd: Bool { isEvent("completed") || isEvent("failed") }

  /// Torch and camera off.
  static let release: [SessionEffect] = [.torch(false), .camera(false)]

  static func torch(_ isOn: Bool) -> SessionEffect { .command(Message("torch", [Field("on", .flag(isOn))])) }

  static func camera(_ isOn: Bool) -> SessionEffect { .command(Message("camera", [Field("on", .flag(isOn))])) }

  static func cancelled(_ reason: String) -> SessionEffect {
    .event(Message("cancelled", [Field("reason", .text(reason))]))
  }

  static func failed(_ error: String) -> SessionEffect {
    .event(Message("failed", [Field("error", .text(error))]))
  }

  static func guidance(_ value: String, progress: Double = 0) -> SessionEffect {
    .event(
      Message(
        "guidance", [Field("guidance", .text(value)), Field("startProgress", .number(progress, places: 3))]))
  }
}

extension Message {
  /// The same with another value in a field, which keeps its place or comes last; nil: without the field.
  func with(_ key: String, _ value: FieldValue?) -> Message {
    guard let value else { return Message(name, fields.filter { $0.key != key }) }
    guard self[key] != nil else { return Message(name, fields + [Field(key, value)]) }
    return Message(name, fields.map { $0.key == key ? Field(key, value) : $0 })
  }
}
