import VitalsModel

/// The JSON Schema (draft 7) of scenario files in the words of a vocabulary, for editors that complete and check YAML.
///
/// It says what a schema can: keys, words, units and which keys go together. What only the parser sees (ranges of
/// quantities, an order of two times, moments that the timeline never makes) is left to it. The text is pretty printed,
/// in a fixed order, and ends with a newline.
public func scenarioSchema(_ vocabulary: Vocabulary) -> String {
  ScenarioSchema(vocabulary: vocabulary).root.text() + "\n"
}

/// The parts of the schema.
private struct ScenarioSchema {
  let vocabulary: Vocabulary

  var root: SchemaValue {
    let sections = vocabulary.sections.map { ($0.name, section($0)) }
    return .object([
      ("$schema", .text("http://json-schema.org/draft-07/schema#")),
      ("title", .text("A scenario")),
      ("type", .text("object")),
      ("required", words(["name", "about", "timeline", "expect"])),
      ("additionalProperties", .flag(false)),
      (
        "properties",
        .object(
          [
            ("name", text("The scenario's name, unique in its library.", kebabCasePattern)),
            ("about", text("What the scenario shows, in a sentence or two.", "[^ \\n]")),
            ("rules", list(of: choice(vocabulary.rules), "The rules that it is about.")),
            ("waive", waivers),
            ("platforms", list(of: choice(vocabulary.platforms), "Where it runs; everywhere if left out.", least: 1)),
            ("tags", list(of: text(nil, kebabCasePattern), "Words to select it by.")),
            ("seed", wholeNumber("The seed of every random stream; 1 if left out.", most: .max)),
          ] + source + sections + [
            ("timeline", list(of: reference("stimulus"), "What happens, in any order.", least: 1, unique: false)),
            ("expect", list(of: reference("expectation"), "What must come of it.", least: 1, unique: false)),
            ("until", reference("time", "When the run ends whatever happens.")),
          ])
      ),
      ("definitions", .object(definitions)),
    ])
  }

  private var definitions: [(key: String, value: SchemaValue)] {
    let calls = vocabulary.calls.map { "call \($0.name)" }
    return [
      ("time", quantity(.time, nil)),
      (
        "effect", anyOf(vocabulary.events.flatMap { eventWords($0) } + vocabulary.commands.flatMap { commandWords($0) })
      ),
      ("lifecycleEvent", anyOf(vocabulary.events.filter(\.isLifecycle).flatMap { eventWords($0) })),
      ("eventOccurrence", occurrence(of: eventPatterns, eventExpressions)),
      (
        "moment",
        occurrence(
          of: eventPatterns + commandPatterns + worldMoments + calls,
          eventExpressions + commandExpressions + worldMoments + calls)
      ),
      ("callOccurrence", occurrence(of: vocabulary.calls.map(\.name), vocabulary.calls.map(\.name))),
      ("stimulus", stimulus),
      ("expectation", expectation),
    ]
  }

  // MARK: The parts of a scenario

  private func section(_ section: SectionWord) -> SchemaValue {
    let fields = section.fields.map { field in
      let standard = field.standard.map { "\(field.quantity.text($0)) if left out" } ?? "none if left out"
      let about = "\(field.about) \(range(of: field)), \(standard)."
      return (field.name, quantity(field.quantity, about, in: field.range))
    }
    let choices = section.choices.map { word in
      (word.name, choice(word.choices, "\(word.about) \(word.standard) if left out."))
    }
    let states = section.states.compactMap { vocabulary.worldWord($0) }.map { word in
      (word.name, choice(word.states, "\(word.about) How the run begins: \(word.states.first ?? "") if left out."))
    }
    return closed(fields + choices + states, section.about)
  }

  private func range(of field: FieldWord) -> String {
    "\(field.quantity.text(field.range.lowerBound)) to \(field.quantity.text(field.range.upperBound))"
  }

  /// What is before the phone; nothing in a contract where there is no choice.
  private var source: [(key: String, value: SchemaValue)] {
    guard let first = vocabulary.sources.first else { return [] }
    return [
      (
        sourceKey,
        anyOf(
          vocabulary.sources.map { word($0.name, $0.about) }, "What is before the phone; \(first.name) if left out.")
      )
    ]
  }

  private var waivers: SchemaValue {
    let reason = SchemaValue.object([
      ("type", .text("string")), ("pattern", .text("^[^\\n]*[^ \\n][^\\n]*$")),
      ("maxLength", .integer(Int64(Waiver.longestReason))),
    ])
    return .object([
      ("description", .text("Rules whose breaches do not fail it, each with the reason.")), ("type", .text("object")),
      ("minProperties", .integer(1)), ("propertyNames", choice(vocabulary.rules)), ("additionalProperties", reason),
    ])
  }

  private var stimulus: SchemaValue {
    let calls = vocabulary.calls.flatMap { call in
      ((call.needsArgument ? [] : [call.name]) + call.arguments.map { "\(call.name)(\($0))" })
        .map { word($0, call.about) }
    }
    let world = vocabulary.world.map { word in (word.name, choice(word.states, word.about)) }
    let settings = vocabulary.changeableFields.map { _, field in
      (field.name, quantity(field.quantity, "\(field.about) \(range(of: field)).", in: field.range))
    }
    let ramp: [(key: String, value: SchemaValue)] =
      settings.isEmpty
      ? [] : [(overKey, reference("time", "How long a setting takes to come to its value; at once if left out."))]
    let ramps: [(key: String, value: SchemaValue)] =
      settings.isEmpty
      ? [] : [(overKey, .object([("anyOf", exclusive(vocabulary.changeableFields.map(\.field.name)))]))]
    let keys: [(key: String, value: SchemaValue)] =
      [
        ("at", reference("time", "When it happens, from the beginning of the run.")),
        (
          "after",
          reference("eventOccurrence", "The event that it follows: its first occurrence, or #2 for the second.")
        ),
        ("delay", reference("time", "How long after that event.")),
        ("call", anyOf(calls, "What the app calls.")),
      ] + world + settings + ramp + [("for", reference("time", "How long the change lasts before it turns back."))]
    return closed(
      keys, "One thing that happens, and when.",
      [
        ("allOf", .list([exactlyOne(["at", "after"]), exactlyOne(["call"] + vocabulary.changingWords)])),
        (
          "dependencies",
          .object(
            [
              ("delay", words(["after"])),
              ("for", .object([("not", .object([("required", words(["call"]))]))])),
            ] + ramps)
        ),
      ])
  }

  private var expectation: SchemaValue {
    var keys: [(key: String, value: SchemaValue)] = [
      (
        "sequence",
        list(of: reference("lifecycleEvent"), "The lifecycle events of the whole run, in order.", unique: false)
      ),
      ("see", reference("effect", "An event or a command that must come.")),
      ("never", reference("effect", "An event or a command that must not come.")),
      (
        "count",
        .object([
          ("description", .text("How often events or commands come.")), ("type", .text("object")),
          ("minProperties", .integer(1)), ("propertyNames", reference("effect")),
          ("additionalProperties", wholeNumber(nil, most: 1_000_000)),
        ])
      ),
      ("reply", reference("callOccurrence", "A call that must come back so: the first of its name, or #2.")),
    ]
    if let result = vocabulary.result {
      let measures = result.measures.map { ($0.name, tolerance($0.quantity, $0.about)) }
      keys.append(
        ("result", closed(measures, "How near the result comes to the truth.", [("minProperties", .integer(1))])))
    }
    keys += [
      ("after", reference("moment", "The moment to count from; the beginning of the run if left out.")),
      (
        "within",
        .object([
          ("description", .text("The earliest and the latest time, from that moment.")), ("type", .text("array")),
          ("items", reference("time")), ("minItems", .integer(2)), ("maxItems", .integer(2)),
        ])
      ),
      ("is", choice(answers, "How the call comes back: it returned, or the error that it threw.")),
    ]
    let withEvent = SchemaValue.object([
      ("anyOf", .list(["see", "never"].map { .object([("required", words([$0]))]) }))
    ])
    return closed(
      keys, "One thing that must hold.",
      [
        ("oneOf", exclusive(ScenarioDecoder.forms(vocabulary))),
        (
          "dependencies",
          .object([
            ("after", withEvent), ("within", words(["see"])), ("reply", words(["is"])), ("is", words(["reply"])),
          ])
        ),
      ])
  }

  // MARK: Words

  private var eventPatterns: [String] { vocabulary.events.flatMap { patterns($0.name, $0.arguments) } }

  private var commandPatterns: [String] { vocabulary.commands.flatMap { patterns($0.name, $0.arguments) } }

  /// The same as regular expressions, one for each event.
  private var eventExpressions: [String] { vocabulary.events.map { expression($0.name, $0.arguments) } }

  private var commandExpressions: [String] { vocabulary.commands.map { expression($0.name, $0.arguments) } }

  /// How calls may come back, each way once.
  private var answers: [String] {
    vocabulary.calls.flatMap(\.errors).reduce(into: [Expectation.Answer.returnedWord]) { known, error in
      if !known.contains(error) { known.append(error) }
    }
  }

  /// A name, alone and with each of its arguments.
  private func patterns(_ name: String, _ arguments: [String]) -> [String] {
    [name] + arguments.map { "\(name)(\($0))" }
  }

  private func expression(_ name: String, _ arguments: [String]) -> String {
    arguments.isEmpty ? name : "\(name)(\\((\(arguments.joined(separator: "|")))\\))?"
  }

  private var worldMoments: [String] {
    vocabulary.world.flatMap { word in word.states.map { "\(word.name) \($0)" } }
      + vocabulary.changeableFields.map(\.field.name)
  }

  private func eventWords(_ event: EventWord) -> [SchemaValue] {
    patterns(event.name, event.arguments).map { word($0, event.about) }
  }

  private func commandWords(_ command: CommandWord) -> [SchemaValue] {
    patterns(command.name, command.arguments).map { word($0, command.about) }
  }

  /// One of `words`, or what one of `expressions` matches with the number of its occurrence.
  private func occurrence(of words: [String], _ expressions: [String]) -> SchemaValue {
    anyOf([choice(words), text(nil, "^(\(expressions.joined(separator: "|")))#[1-9][0-9]*$")])
  }

  // MARK: Quantities

  private let numberPattern = "[0-9]+(\\.[0-9]+)?"

  private func quantityPattern(_ quantity: Quantity) -> String {
    let units = quantity.units.map { unit in
      "\(numberPattern) *\(unit.name)"
    }
    guard quantity == .time else { return units.count == 1 ? units[0] : "(" + units.joined(separator: "|") + ")" }
    return "(?=[0-9])" + units.map { "(\($0) *)?" }.joined()
  }

  private func quantity(_ quantity: Quantity, _ about: String?, in range: ClosedRange<Double>? = nil) -> SchemaValue {
    if quantity == .number {
      var keys = description(about) + [("type", .text("number"))]
      if let range {
        keys.append(("minimum", .number(quantity.text(range.lowerBound))))
        keys.append(("maximum", .number(quantity.text(range.upperBound))))
      }
      return .object(keys)
    }
    let sign = (range?.lowerBound ?? 0) < 0 ? "[-+\u{2212}]?" : ""
    return text(about, "^\(sign)\(quantityPattern(quantity))$", example: quantity.example)
  }

  private func tolerance(_ quantity: Quantity, _ about: String) -> SchemaValue {
    text(about, "^(±|\\+-) *\(quantityPattern(quantity))$", example: "± \(quantity.example)")
  }

  // MARK: Pieces of a schema

  /// Small letters, digits and single hyphens between them, at most 80 characters, as the parser asks.
  private let kebabCasePattern = "^(?!.{81})[a-z0-9]+(-[a-z0-9]+)*$"

  private func description(_ about: String?) -> [(key: String, value: SchemaValue)] {
    about.map { [("description", .text($0))] } ?? []
  }

  private func text(_ about: String?, _ pattern: String, example: String? = nil) -> SchemaValue {
    let examples: [(key: String, value: SchemaValue)] = example.map { [("examples", words([$0]))] } ?? []
    return .object(description(about) + [("type", .text("string")), ("pattern", .text(pattern))] + examples)
  }

  private func wholeNumber(_ about: String?, most: Int64) -> SchemaValue {
    .object(
      description(about) + [("type", .text("integer")), ("minimum", .integer(0)), ("maximum", .integer(most))])
  }

  private func words(_ words: [String]) -> SchemaValue {
    .list(words.map { .text($0) })
  }

  private func choice(_ known: [String], _ about: String? = nil) -> SchemaValue {
    .object(description(about) + [("enum", words(known))])
  }

  private func word(_ word: String, _ about: String) -> SchemaValue {
    .object(description(about) + [("const", .text(word))])
  }

  private func anyOf(_ schemas: [SchemaValue], _ about: String? = nil) -> SchemaValue {
    .object(description(about) + [("anyOf", .list(schemas))])
  }

  /// A shared part, with a description of its own where it is used: draft 7 reads nothing beside a plain `$ref`.
  private func reference(_ name: String, _ about: String? = nil) -> SchemaValue {
    let plain = SchemaValue.object([("$ref", .text("#/definitions/\(name)"))])
    return about == nil ? plain : .object(description(about) + [("allOf", .list([plain]))])
  }

  private func list(of items: SchemaValue, _ about: String, least: Int64 = 0, unique: Bool = true) -> SchemaValue {
    .object(
      description(about) + [("type", .text("array")), ("items", items)]
        + (least > 0 ? [("minItems", .integer(least))] : [])
        + (unique ? [("uniqueItems", .flag(true))] : []))
  }

  /// An object that has no keys but these.
  private func closed(
    _ keys: [(key: String, value: SchemaValue)], _ about: String, _ more: [(key: String, value: SchemaValue)] = []
  ) -> SchemaValue {
    .object(
      description(about) + [("type", .text("object")), ("additionalProperties", .flag(false))]
        + [("properties", .object(keys))] + more)
  }

  private func exclusive(_ keys: [String]) -> SchemaValue {
    .list(keys.map { .object([("required", words([$0]))]) })
  }

  private func exactlyOne(_ keys: [String]) -> SchemaValue {
    .object([("oneOf", exclusive(keys))])
  }
}
