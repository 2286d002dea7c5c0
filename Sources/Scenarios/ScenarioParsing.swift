import VitalsModel

/// The scenario that a file holds, in the words of `vocabulary`.
///
/// Nothing is guessed or passed over: what the format does not know is a mistake, and all mistakes of a file are told
/// at once. After a YAML syntax error, or a byte that is no text, these are the mistakes before it and the error.
/// - Parameters:
///   - bytes: The whole file: YAML in UTF-8, with or without a byte order mark, at most 1 MB.
///   - overrides: Values that take the place of the file's.
/// - Throws: a `ScenarioRefusal` with every mistake, those of overrides first, then sorted by place.
public func parseScenario(
  _ bytes: [UInt8], vocabulary: Vocabulary, overriding overrides: [SettingOverride] = []
) throws(ScenarioRefusal) -> Scenario {
  let source = try SourceText(bytes)
  let (root, diagnostics, cut) = YAMLComposer.compose(source)
  var decoder = ScenarioDecoder(
    vocabulary: vocabulary, numberComments: source.numberComments, cutLine: cut?.mark.line)
  let scenario = root.flatMap { decoder.scenario($0.overridden(by: overrides)) }
  var mistakes = diagnostics + decoder.diagnostics
  if let cut { mistakes.append(cut) }
  if mistakes.isEmpty, let scenario { return scenario }
  mistakes = source.namingFalseBlanks(in: mistakes, cut: cut)
  if mistakes.isEmpty {
    let message = bytes.isEmpty ? "the file is empty" : "the file holds no scenario"
    mistakes = [
      Diagnostic(
        mark: SourceMark(line: 1, column: 1), length: 0, message: message, advice: "a scenario begins with \"name: \"")
    ]
  }
  throw ScenarioRefusal(mistakes)
}

extension ScenarioDecoder {
  /// The scenario of a document; nil where it has a mistake that leaves none.
  mutating func scenario(_ root: Node) -> Scenario? {
    let mapping: Mapping
    switch root.content {
    case .mapping(let found): mapping = found
    case .null, .broken: return nil
    case .scalar, .sequence:
      report("a scenario is a block of keys", at: root.span, advice: "it begins with \"name: \"")
      return nil
    }
    let sections = vocabulary.sections.map(\.name)
    let known =
      ["name", "about", "rules", "waive", "platforms", "tags", "seed"]
      + (vocabulary.sources.isEmpty ? [] : [sourceKey]) + sections + ["timeline", "expect", "until"]
    let fields = fields(mapping, known: known, in: "")
    let missing = ["name", "about", "timeline", "expect"].filter { fields.lacks($0) }
    if !missing.isEmpty {
      report("the scenario has no \(listed(missing, "or"))", at: root.span, advice: "no scenario can do without")
    }

    let name = fields["name"].flatMap { self.name($0.value) }
    let about = fields["about"].flatMap { self.about($0.value) }
    let rules = fields["rules"].flatMap { words($0.value, "rules", kind: "rule", known: vocabulary.rules) } ?? []
    let waivers = fields["waive"].flatMap { self.waivers($0.value, rules: rules) } ?? []
    let platforms = fields["platforms"].flatMap { self.platforms($0.value) } ?? vocabulary.platforms
    let tags = fields["tags"].flatMap { words($0.value, "tags", kind: "tag", known: nil) } ?? []
    let seed = fields["seed"].flatMap { entry in
      scalar(entry.value, "seed").flatMap { wholeNumber($0, upTo: UInt64(Int64.max), "seed") }
    }
    let source = fields[sourceKey].flatMap { self.source($0.value) }
    let settings = settings(fields)
    let timeline = fields["timeline"].flatMap { self.timeline($0.value, settings) }
    if source != nil || fields[sourceKey] == nil { reportAbsent(fields, source) }
    reportContradictions(in: settings, sections: fields, root.span)
    let expectations = fields["expect"].flatMap { self.expectations($0.value, timeline, settings) }
    let until = fields["until"].flatMap { positiveTime($0) }
    if let timeline, let until, let node = fields["timeline"]?.value { checkReach(of: node, timeline, until) }
    guard let name, let about, let timeline, let expectations else { return nil }
    return Scenario(
      name: name, about: about, rules: rules, waivers: waivers, platforms: platforms, tags: tags.map(\.value),
      seed: seed ?? 1, source: source, settings: settings, timeline: timeline, expectations: expectations,
      until: until)
  }

  private mutating func name(_ node: Node) -> String? {
    guard let scalar = scalar(node, "name") else { return nil }
    if isKebabCase(scalar.text) { return scalar.text }
    report(
      "a name is made of a to z, 0 to 9 and single hyphens, not \(quoted(scalar.text))", at: scalar.span,
      advice: kebabCase(scalar.text).map { "write \"\($0)\"" })
    return nil
  }

  private mutating func about(_ node: Node) -> String? {
    guard let scalar = scalar(node, "about") else { return nil }
    let characters = scalar.text.unicodeScalars
    if characters.allSatisfy({ $0 == " " || $0 == "\n" }) {
      report("about is empty", at: scalar.span, advice: "say in a sentence what the scenario shows")
      return nil
    }
    // Escapes such as "\e" reach the text although the file itself holds no control character.
    if let control = characters.first(where: { $0 != "\n" && !SourceText.isText($0) }) {
      report("about holds the control character \(quoted(String(control)))", at: scalar.span, advice: "take it out")
      return nil
    }
    return scalar.text
  }

  private mutating func platforms(_ node: Node) -> [String]? {
    guard let words = words(node, "platforms", kind: "platform", known: vocabulary.platforms) else { return nil }
    if case .sequence(let items) = node.content, items.isEmpty {
      let known = vocabulary.platforms
      report("platforms is empty", at: node.span, advice: choice(of: known))
    }
    let chosen = Set(words.map(\.value))
    return vocabulary.platforms.filter { chosen.contains($0) }
  }

  /// Notes each item of the timeline that comes after the end of the run.
  private mutating func checkReach(of node: Node, _ timeline: [Stimulus], _ until: TimeSpan) {
    guard case .sequence(let items) = node.content else { return }
    for (item, stimulus) in zip(items, timeline) {
      if case .at(let time) = stimulus.placement, time > until {
        report("this never happens: the run ends before, at its until", at: item.span)
      }
    }
  }
}
