import VitalsModel

extension ScenarioDecoder {
  /// An event by name and argument.
  /// - Parameters:
  ///   - place: What takes only events, for the message about a command: `a timeline item follows an event`.
  ///   - instead: What to write instead of a command.
  mutating func eventPattern(_ scalar: Scalar, in place: String, instead: String? = nil) -> EventPattern? {
    guard let parts = nameAndArgument(scalar) else { return nil }
    if let event = vocabulary.event(parts.name) { return pattern(of: event, parts, scalar) }
    if let command = vocabulary.command(parts.name) {
      report("\(place), and \(command.name) is a command", at: scalar.span, advice: instead.map { "use \"\($0)\"" })
      return nil
    }
    report(
      "unknown event \(quoted(parts.name))", at: scalar.span,
      advice: advice(for: parts.name, among: vocabulary.events.map(\.name)))
    return nil
  }

  /// An event or a command by name and argument.
  /// - Parameter others: What else may stand in its place, for the advice.
  mutating func effectPattern(_ scalar: Scalar, others: [String] = []) -> EventPattern? {
    guard let parts = nameAndArgument(scalar) else { return nil }
    if let event = vocabulary.event(parts.name) { return pattern(of: event, parts, scalar) }
    if let command = vocabulary.command(parts.name) { return pattern(of: command, parts, scalar) }
    report(
      "unknown event \(vocabulary.commands.isEmpty ? "" : "or command ")\(quoted(parts.name))", at: scalar.span,
      advice: advice(
        for: parts.name, among: vocabulary.events.map(\.name) + vocabulary.commands.map(\.name) + others))
    return nil
  }

  private mutating func pattern(
    of event: EventWord, _ parts: (name: String, argument: String?), _ scalar: Scalar
  ) -> EventPattern? {
    argument(
      parts, of: "the event \(event.name)", among: event.arguments, kind: event.argumentKey ?? "argument", scalar
    ).map { EventPattern(name: event.name, argument: $0.isEmpty ? nil : $0) }
  }

  private mutating func pattern(
    of command: CommandWord, _ parts: (name: String, argument: String?), _ scalar: Scalar
  ) -> EventPattern? {
    argument(parts, of: "the command \(command.name)", among: command.arguments, kind: "argument", scalar)
      .map { EventPattern(name: command.name, argument: $0.isEmpty ? nil : $0) }
  }

  /// An event and which of its occurrences.
  mutating func eventOccurrence(_ scalar: Scalar) -> (EventPattern, occurrence: Int)? {
    guard let (base, occurrence) = occurrence(scalar) else { return nil }
    return eventPattern(base, in: "a timeline item follows an event").map { ($0, occurrence) }
  }

  /// A call by its name alone, and which of its occurrences.
  mutating func callOccurrence(_ scalar: Scalar) -> (call: CallWord, occurrence: Int)? {
    guard let (base, occurrence) = occurrence(scalar) else { return nil }
    return bareCall(base.text, base.span, "the reply of a call", prefix: "").map { ($0, occurrence) }
  }

  /// How a call comes back.
  mutating func answer(_ scalar: Scalar, of call: CallWord) -> Expectation.Answer? {
    let returned = Expectation.Answer.returnedWord
    if scalar.text == returned { return .returned }
    if call.errors.contains(scalar.text) { return .threw(scalar.text) }
    report(
      "unknown reply \(quoted(scalar.text)) of the call \(call.name)", at: scalar.span,
      advice: advice(for: scalar.text, among: [returned] + call.errors))
    return nil
  }

  /// The moment that an expectation counts from: an event, a command, a change of the world or a call.
  mutating func anchor(_ scalar: Scalar) -> Expectation.Anchor? {
    guard let (base, occurrence) = occurrence(scalar) else { return nil }
    let words = base.text.split(separator: " ").map { String($0) }
    if let name = words.first, let (_, field) = vocabulary.changeableField(name) {
      if words.count == 1 { return .quantity(word: field.name, occurrence: occurrence) }
      report("the moment of a change of \(name) is named without its value", at: base.span, advice: "write \"\(name)\"")
      return nil
    }
    guard words.count > 1 else {
      return effectPattern(base, others: vocabulary.changeableFields.map(\.field.name))
        .map { .event($0, occurrence: occurrence) }
    }
    guard words.count == 2 else {
      report(
        "\(quoted(base.text)) is no moment", at: base.span, advice: "an event, a change of the world or \"call start\"")
      return nil
    }
    if words[0] == "call" {
      return bareCall(words[1], base.span, "the moment of a call", prefix: "call ")
        .map { .call($0.name, occurrence: occurrence) }
    }
    guard let word = vocabulary.worldWord(words[0]) else {
      report(
        "unknown word \(quoted(words[0]))", at: base.span,
        advice: advice(for: words[0], among: vocabulary.changingWords + ["call"]))
      return nil
    }
    guard let state = worldState(words[1], of: word, base.span) else { return nil }
    return .world(word: word.name, state: state, occurrence: occurrence)
  }

  /// A call that is named without its argument. `what` is named so, with `prefix` before it.
  private mutating func bareCall(_ text: String, _ span: Span, _ what: String, prefix: String) -> CallWord? {
    let name = text.prefix { $0 != "(" }
    guard let call = knownCall(String(name), span) else { return nil }
    if name.count < text.count {
      report("\(what) is named without its argument", at: span, advice: "write \"\(prefix)\(call.name)\"")
      return nil
    }
    return call
  }

  /// A call with its argument, as the timeline makes it.
  mutating func call(_ scalar: Scalar) -> Stimulus.Action? {
    guard let parts = nameAndArgument(scalar), let call = knownCall(parts.name, scalar.span) else { return nil }
    if parts.argument == nil, call.needsArgument, let first = call.arguments.first {
      report(
        "the call \(call.name) needs its argument", at: scalar.span, advice: "write \"\(call.name)(\(first))\"")
      return nil
    }
    guard
      let argument = argument(
        parts, of: "the call \(call.name)", among: call.arguments, kind: "argument", scalar)
    else { return nil }
    return .call(call.name, argument: argument.isEmpty ? nil : argument)
  }

  /// A state of a word of the world.
  mutating func worldState(_ text: String, of word: WorldWord, _ span: Span) -> String? {
    if word.states.contains(text) { return text }
    report(
      "unknown state \(quoted(text)) of \(word.name)", at: span, advice: advice(for: text, among: word.states))
    return nil
  }

  private mutating func knownCall(_ name: String, _ span: Span) -> CallWord? {
    if let call = vocabulary.call(name) { return call }
    report(
      "unknown call \(quoted(name))", at: span, advice: advice(for: name, among: vocabulary.calls.map(\.name)))
    return nil
  }

  // MARK: The parts of a text

  /// `started#2` as `started` and 2; without a number, 1.
  private mutating func occurrence(_ scalar: Scalar) -> (base: Scalar, occurrence: Int)? {
    guard let hash = scalar.text.firstIndex(of: "#") else {
      if let comment = numberComments[scalar.span.lastLine], comment.mark > scalar.span.mark {
        report(
          "after a space, \"#\" begins a comment", at: comment,
          advice: "the number of an occurrence follows without a space, as in \"started#2\"")
        return nil
      }
      return (scalar, 1)
    }
    let digits = scalar.text[scalar.text.index(after: hash)...]
    let base = Scalar(text: String(scalar.text[..<hash]), span: scalar.span)
    if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      (1...1_000_000).contains(number)
    {
      return (base, number)
    }
    report(
      "\(quoted("#" + digits)) is not the number of an occurrence", at: scalar.span,
      advice: "the first is #1, the second #2")
    return nil
  }

  /// `cancelled(contactLost)` as its name and argument.
  private mutating func nameAndArgument(_ scalar: Scalar) -> (name: String, argument: String?)? {
    let text = scalar.text
    guard let open = text.firstIndex(of: "(") else { return (text, nil) }
    let name = trimmed(text[..<open])
    guard text.hasSuffix(")") else {
      report("the bracket is not closed", at: scalar.span, advice: "expected \")\" at the end")
      return nil
    }
    let argument = trimmed(text[text.index(after: open)...].dropLast())
    let missing = vocabulary.call(name).flatMap { $0.needsArgument ? $0.arguments.first : nil }
    let canonical = argument.isEmpty ? missing.map { "\(name)(\($0))" } ?? name : "\(name)(\(argument))"
    if canonical != text {
      report("\(quoted(text)) is not written as it should be", at: scalar.span, advice: "write \"\(canonical)\"")
      return nil
    }
    return (name, argument)
  }

  /// The argument if it is one of `known`, empty where none was given; nil, and noted, where it is not.
  private mutating func argument(
    _ parts: (name: String, argument: String?), of owner: String, among known: [String], kind: String, _ scalar: Scalar
  ) -> String? {
    guard let argument = parts.argument else { return "" }
    if known.isEmpty {
      report("\(owner) has no argument", at: scalar.span, advice: "write \"\(parts.name)\"")
      return nil
    }
    if known.contains(argument) { return argument }
    report(
      "unknown \(kind) \(quoted(argument)) of \(owner)", at: scalar.span, advice: advice(for: argument, among: known))
    return nil
  }

  private func trimmed(_ text: Substring) -> String {
    let front = text.drop { $0 == " " }
    return String(front.reversed().drop { $0 == " " }.reversed())
  }
}
