import VitalsModel

extension ScenarioSchema {
  // MARK: Words

  var eventPatterns: [String] { vocabulary.events.flatMap { patterns($0.name, $0.arguments) } }

  var commandPatterns: [String] { vocabulary.commands.flatMap { patterns($0.name, $0.arguments) } }

  /// The same as regular expressions, one for each event.
  var eventExpressions: [String] { vocabulary.events.map { expression($0.name, $0.arguments) } }

  var commandExpressions: [String] { vocabulary.commands.map { expression($0.name, $0.arguments) } }

  /// How calls may come back, each way once.
  var answers: [String] {
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

  var worldMoments: [String] {
    vocabulary.world.flatMap { word in word.states.map { "\(word.name) \($0)" } }
      + vocabulary.changeableFields.map(\.field.name)
  }

  func eventWords(_ event: EventWord) -> [SchemaValue] {
    patterns(event.name, event.arguments).map { word($0, event.about) }
  }

  func commandWords(_ command: CommandWord) -> [SchemaValue] {
    patterns(command.name, command.arguments).map { word($0, command.about) }
  }

  /// One of `words`, or what one of `expressions` matches with the number of its occurrence.
  func occurrence(of words: [String], _ expressions: [String]) -> SchemaValue {
    anyOf([choice(words), text(nil, "^(\(expressions.joined(separator: "|")))#[1-9][0-9]*$")])
  }

  // MARK: Quantities

  private var numberPattern: String { "[0-9]+(\\.[0-9]+)?" }

  private func quantityPattern(_ quantity: Quantity) -> String {
    let units = quantity.units.map { unit in
      "\(numberPattern) *\(unit.name)"
    }
    guard quantity == .time else { return units.count == 1 ? units[0] : "(" + units.joined(separator: "|") + ")" }
    return "(?=[0-9])" + units.map { "(\($0) *)?" }.joined()
  }

  func quantity(_ quantity: Quantity, _ about: String?, in range: ClosedRange<Double>? = nil) -> SchemaValue {
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

  /// A tolerance, that the measure is withheld, or either.
  func demand(_ quantity: Quantity, _ about: String) -> SchemaValue {
    let withheld = Expectation.Demand.withheldWord
    let tolerance = "(±|\\+-) *\(quantityPattern(quantity))"
    let example = "± \(quantity.text(1))"
    return text(
      about, "^(\(withheld)|\(tolerance)( +\(Expectation.Demand.orWord) +\(withheld))?)$",
      examples: [example, "\(example) \(Expectation.Demand.orWord) \(withheld)", withheld])
  }

  /// A value, of which the unit may stand behind the tolerance alone, and its tolerance.
  func truth(_ quantity: Quantity, _ about: String) -> SchemaValue {
    let pattern = quantityPattern(quantity)
    return text(
      about, "^(\(numberPattern)|\(pattern)) *(±|\\+-) *\(pattern)$",
      example: "\(quantity.example) ± \(quantity.text(1))")
  }

  // MARK: Pieces of a schema

  /// Small letters, digits and single hyphens between them, at most 80 characters, as the parser asks.
  var kebabCasePattern: String { "^(?!.{81})[a-z0-9]+(-[a-z0-9]+)*$" }

  func description(_ about: String?) -> [(key: String, value: SchemaValue)] {
    about.map { [("description", .text($0))] } ?? []
  }

  func text(_ about: String?, _ pattern: String, example: String? = nil) -> SchemaValue {
    text(about, pattern, examples: example.map { [$0] } ?? [])
  }

  func text(_ about: String?, _ pattern: String, examples: [String]) -> SchemaValue {
    .object(
      description(about) + [("type", .text("string")), ("pattern", .text(pattern))]
        + (examples.isEmpty ? [] : [("examples", words(examples))]))
  }

  func wholeNumber(_ about: String?, most: Int64) -> SchemaValue {
    .object(
      description(about) + [("type", .text("integer")), ("minimum", .integer(0)), ("maximum", .integer(most))])
  }

  func words(_ words: [String]) -> SchemaValue {
    .list(words.map { .text($0) })
  }

  func choice(_ known: [String], _ about: String? = nil) -> SchemaValue {
    .object(description(about) + [("enum", words(known))])
  }

  func word(_ word: String, _ about: String) -> SchemaValue {
    .object(description(about) + [("const", .text(word))])
  }

  func anyOf(_ schemas: [SchemaValue], _ about: String? = nil) -> SchemaValue {
    .object(description(about) + [("anyOf", .list(schemas))])
  }

  /// A shared part, with a description of its own where it is used: draft 7 reads nothing beside a plain `$ref`.
  func reference(_ name: String, _ about: String? = nil) -> SchemaValue {
    let plain = SchemaValue.object([("$ref", .text("#/definitions/\(name)"))])
    return about == nil ? plain : .object(description(about) + [("allOf", .list([plain]))])
  }

  func list(of items: SchemaValue, _ about: String, least: Int64 = 0, unique: Bool = true) -> SchemaValue {
    .object(
      description(about) + [("type", .text("array")), ("items", items)]
        + (least > 0 ? [("minItems", .integer(least))] : [])
        + (unique ? [("uniqueItems", .flag(true))] : []))
  }

  /// An object that has no keys but these.
  func closed(
    _ keys: [(key: String, value: SchemaValue)], _ about: String, _ more: [(key: String, value: SchemaValue)] = []
  ) -> SchemaValue {
    .object(
      description(about) + [("type", .text("object")), ("additionalProperties", .flag(false))]
        + [("properties", .object(keys))] + more)
  }

  func exclusive(_ keys: [String]) -> SchemaValue {
    .list(keys.map { .object([("required", words([$0]))]) })
  }

  func exactlyOne(_ keys: [String]) -> SchemaValue {
    .object([("oneOf", exclusive(keys))])
  }
}
