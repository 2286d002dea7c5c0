import Scenarios
import Traces
import VitalsModel

/// Traces as a person reads them: one line for each thing, and the few lines around a moment.
public struct TraceExcerpt: Sendable {
  private let vocabulary: Vocabulary

  /// Reads traces of a contract with these words.
  public init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  /// How far before the moment an excerpt reaches: far enough to show what led to it.
  static let before = TimeSpan.seconds(5)
  /// How far after the moment an excerpt reaches.
  static let after = TimeSpan.seconds(3)
  /// The most lines of an excerpt.
  static let mostLines = 12
  /// The most characters of a line of an excerpt.
  static let mostColumns = 110

  /// What happened, as a scenario would write it where it can: `cancelled(contactLost)`, `contact lost`, `call start`,
  /// `command torch(off)`.
  public func text(_ item: TraceItem) -> String {
    switch item {
    case .call(_, let message):
      "call \(message.name)\(message["argument"]?.text.map { "(\($0))" } ?? "")"
    case .reply(let id, .returned): "call \(id) returned"
    case .reply(let id, .threw(let error)): "call \(id) threw \(error.name)\(Self.list(error.fields))"
    case .notice(let message): "notice \(message.name)\(Self.list(message.fields))"
    case .sample(let captured, let values):
      "sample \(values.map(Self.text).joined(separator: " "))"
        + " captured \(Fixed.text(captured.seconds, places: 3))"
    case .capture(let bytes): "capture of \(bytes.count) bytes"
    case .reference(let message): "reference \(message.name)\(Self.list(message.fields))"
    case .timer: "timer"
    case .event(let message): patternText(message, argumentKey: vocabulary.event(message.name)?.argumentKey)
    case .command(let message):
      "command " + patternText(message, argumentKey: vocabulary.command(message.name)?.argumentKey)
    case .stimulus(let message): stimulusText(message)
    case .truth(let message): "truth \(message.name)\(Self.list(message.fields))"
    }
  }

  /// One entry with its time in seconds, right-aligned: `    20.500  contact lost`. A text from a file cannot steer
  /// the terminal that shows it.
  public func line(_ entry: TraceEntry) -> String {
    let moment = Fixed.text(entry.at.seconds, places: 3).padded(toAtLeast: 10, side: .left)
    return "\(moment)  \(text(entry.item))".withoutControls
  }

  /// The lines around a moment, each with whether it belongs to the moment itself.
  ///
  /// Samples, timers and calls that simply returned are left out; events that come all the time are shown when they
  /// say something new or belong to the moment. What does not fit is cut at the far ends.
  func around(_ moment: Instant, of trace: [TraceEntry]) -> [(line: String, isMoment: Bool)] {
    var lastRegular: [String: String] = [:]
    var shown: [TraceEntry] = []
    for entry in trace where entry.at <= moment + Self.after {
      let isNew = isTelling(entry.item, isMoment: entry.at == moment, lastRegular: &lastRegular)
      guard isNew, entry.at >= moment - Self.before else { continue }
      shown.append(entry)
    }
    while shown.count > Self.mostLines, let first = shown.first, let last = shown.last {
      if moment - first.at >= last.at - moment { shown.removeFirst() } else { shown.removeLast() }
    }
    return shown.map { (clipped(line($0)), $0.at == moment) }
  }

  private func clipped(_ line: String) -> String {
    line.count <= Self.mostColumns ? line : line.prefix(Self.mostColumns - 1) + "…"
  }

  private func isTelling(_ item: TraceItem, isMoment: Bool, lastRegular: inout [String: String]) -> Bool {
    switch item {
    case .sample, .capture, .reference, .timer, .reply(_, .returned): return false
    case .call, .reply(_, .threw), .notice, .command, .stimulus, .truth: return true
    case .event(let message):
      guard let word = vocabulary.event(message.name), !word.isLifecycle else { return true }
      let pattern = pattern(of: message, argumentKey: word.argumentKey).description
      return lastRegular.updateValue(pattern, forKey: message.name) != pattern || isMoment
    }
  }

  private func pattern(of message: Message, argumentKey: String?) -> EventPattern {
    EventPattern(name: message.name, argument: argumentKey.flatMap { message[$0]?.word })
  }

  /// A change of the world: `contact lost`, or `heartRate 120 bpm over 30 s`.
  private func stimulusText(_ message: Message) -> String {
    if let state = message["state"]?.text { return "\(message.name) \(state)" }
    guard let value = message["value"]?.number, value.magnitude < 1e12, message["over"]?.number ?? 0 < 1e9,
      let field = vocabulary.changeableField(message.name)?.field
    else { return message.name + Self.list(message.fields) }
    let over = message["over"]?.number.map { " over \(Quantity.time.text($0))" } ?? ""
    return "\(message.name) \(field.quantity.text(value))\(over)"
  }

  private func patternText(_ message: Message, argumentKey: String?) -> String {
    pattern(of: message, argumentKey: argumentKey).description
      + Self.list(message.fields.filter { $0.key != argumentKey })
  }

  /// Fields behind a name: ` progress 0.500, ibiMs 870`.
  private static func list(_ fields: [Field]) -> String {
    fields.isEmpty ? "" : " " + fields.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
  }

  /// A sample's value: three decimals, unless it is no value that a camera gives.
  private static func text(_ value: Double) -> String {
    value.magnitude < 1e9 ? Fixed.text(value, places: 3) : value.description
  }

  private static func text(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .fixed(let units, let places): Fixed.text(units: units, places: places)
    case .flag(let flag): flag ? "true" : "false"
    case .object(let fields): "{\(list(fields).dropFirst())}"
    }
  }
}
