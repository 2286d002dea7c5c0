import VitalsModel

/// The key of what is before the phone.
let sourceKey = "source"

extension ScenarioDecoder {
  /// The sections of a scenario: the values of their settings, and the words of the world that begin in them.
  mutating func settings(_ fields: Fields) -> Settings {
    var settings = vocabulary.standardSettings
    for section in vocabulary.sections {
      guard let entry = fields[section.name], let mapping = mapping(entry.value, section.name) else { continue }
      let written = self.fields(mapping, known: section.keys, in: " in \(section.name)")
      for field in section.fields {
        guard let entry = written[field.name] else { continue }
        let number = scalar(entry.value, field.name)
          .flatMap { quantity($0, field.quantity, in: field.range, field.name) }
        note(SettingName(section.name, field.name), at: entry.value.span, isRead: number != nil)
        if let number { settings[section.name, field.name] = number }
      }
      for word in section.choices {
        guard let entry = written[word.name] else { continue }
        let chosen = scalar(entry.value, word.name)
          .flatMap { self.word($0, among: word.choices, "\(word.name) cannot be \(quoted($0.text))") }
        note(SettingName(section.name, word.name), at: entry.value.span, isRead: chosen != nil)
        if let chosen { settings[choice: section.name, word.name] = chosen }
      }
      for word in section.states.compactMap({ vocabulary.worldWord($0) }) {
        guard let value = written[word.name]?.value, let scalar = scalar(value, word.name) else { continue }
        settings[state: word.name] = worldState(scalar.text, of: word, scalar.span)
      }
    }
    return settings
  }

  /// What is before the phone.
  mutating func source(_ node: Node) -> String? {
    guard let scalar = scalar(node, sourceKey) else { return nil }
    let usable = vocabulary.sources.filter { $0.refusal == nil }.map(\.name)
    if let reason = vocabulary.sources.first(where: { $0.name == scalar.text })?.refusal {
      // Those of its own kind come to mind first: what is before the colon.
      let kind = scalar.text.prefix { $0 != ":" }
      report(reason, at: scalar.span, advice: choice(of: usable.filter { $0.hasPrefix(kind) }))
      return nil
    }
    return word(scalar, among: usable, "unknown source \(quoted(scalar.text))")
  }

  /// Notes what the scenario says of things that are not there with its source.
  mutating func reportAbsent(_ fields: Fields, _ source: String?) {
    guard let source = vocabulary.source(source) else { return }
    let sections = vocabulary.sections.compactMap { fields[$0.name] }
    for section in sections {
      guard !reportAbsent(section, with: source), case .mapping(let mapping) = section.value.content else { continue }
      for entry in mapping.entries { _ = reportAbsent(entry, with: source) }
    }
    guard case .sequence(let items)? = fields["timeline"]?.value.content else { return }
    for case .mapping(let item) in items.map(\.content) {
      for entry in item.entries { _ = reportAbsent(entry, with: source) }
    }
  }

  /// Notes a key that speaks of what is not there; says whether it does.
  private mutating func reportAbsent(_ entry: Mapping.Entry, with source: SourceWord) -> Bool {
    if let lack = source.lack, lack.keys.contains(entry.key) {
      report(
        "\(entry.key) does not go with \(sourceKey): \(source.name): \(lack.reason)", at: entry.keySpan,
        advice: "take it out")
      return true
    }
    let owners = vocabulary.sources.filter { $0.words.contains(entry.key) }.map(\.name)
    guard let first = owners.first, !owners.contains(source.name) else { return false }
    report(
      "\(entry.key) does not go with \(sourceKey): \(source.name)", at: entry.keySpan,
      advice: "write \"\(sourceKey): \(first)\" for one")
    return true
  }

  /// The text if it is one of `known`; nil, and told with `message`, where it is not.
  private mutating func word(_ scalar: Scalar, among known: [String], _ message: String) -> String? {
    if known.contains(scalar.text) { return scalar.text }
    // A slip in a short word may have been meant for several, so that these are listed.
    let meant = isFlooded ? nil : nearest(to: scalar.text, among: known)
    let isClear = meant.map { $0.count > 3 || $0.lowercased() == scalar.text.lowercased() } ?? false
    report(
      message, at: scalar.span,
      advice: isClear ? meant.map { "did you mean \(quoted($0))?" } : isFlooded ? nil : choice(of: known))
    return nil
  }

  /// The rules that may break, each with its reason; what could not be read is noted and left out.
  /// - Parameter rules: Those that the scenario is about, none of which can be waived.
  mutating func waivers(_ node: Node, rules: [Marked<String>]) -> [Waiver]? {
    guard let mapping = mapping(node, "waive") else { return nil }
    if mapping.entries.isEmpty, mapping.isWhole {
      report("waive is empty", at: node.span, advice: "write \"\(vocabulary.rules.first ?? "RULE"): REASON\"")
    }
    return mapping.entries.compactMap { waiver($0, rules: rules) }
  }

  private mutating func waiver(_ entry: Mapping.Entry, rules: [Marked<String>]) -> Waiver? {
    let reason = reason(entry)
    guard vocabulary.rules.contains(entry.key) else {
      report(
        "unknown rule \(quoted(entry.key))", at: entry.keySpan, advice: advice(for: entry.key, among: vocabulary.rules))
      return nil
    }
    if let rule = rules.first(where: { $0.value == entry.key }) {
      report(
        "the scenario is about the rule \(entry.key) and cannot waive it", at: entry.keySpan,
        advice: "line \(rule.mark.line) names it under rules, take one of them out")
      return nil
    }
    return reason.map { Waiver(rule: entry.key, reason: $0, mark: entry.keySpan.mark) }
  }

  /// Why a rule may break: one line, since every report repeats it.
  private mutating func reason(_ entry: Mapping.Entry) -> String? {
    guard let scalar = scalar(entry.value, "the reason to waive \(entry.key)") else { return nil }
    let characters = scalar.text.unicodeScalars
    if characters.allSatisfy({ $0 == " " || $0 == "\n" }) {
      report("the waiver has no reason", at: scalar.span, advice: "say in a sentence why the rule may break")
    } else if characters.contains("\n") {
      report("a reason is one line", at: scalar.span, advice: "take the line breaks out")
    } else if let control = characters.first(where: { !SourceText.isText($0) }) {
      report(
        "the reason holds the control character \(quoted(String(control)))", at: scalar.span, advice: "take it out")
    } else if characters.count > Waiver.longestReason {
      report(
        "the reason has \(characters.count) characters", at: scalar.span, advice: "at most \(Waiver.longestReason)")
    } else {
      return scalar.text
    }
    return nil
  }
}
