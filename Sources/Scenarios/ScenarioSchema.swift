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
struct ScenarioSchema {
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
          vocabulary.sources.filter { $0.refusal == nil }.map { word($0.name, $0.about) },
          "What is before the phone; \(first.name) if left out.")
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
      let measures = result.measures.map { ($0.name, demand($0.quantity, $0.about)) }
      keys.append(
        (
          "result",
          closed(
            measures, "How near the result comes to the truth, or what it withholds.", [("minProperties", .integer(1))])
        ))
    }
    if !vocabulary.truths.isEmpty {
      let measures = vocabulary.truths.map { ($0.name, truth($0.quantity, $0.about)) }
      keys.append(
        (
          truthForm,
          closed(
            measures, "What really happened over the stretch that the result speaks of.",
            [("minProperties", .integer(1))])
        ))
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
}
