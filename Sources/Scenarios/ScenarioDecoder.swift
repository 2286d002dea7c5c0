import VitalsModel

/// Reads the tree of a scenario file against a vocabulary, and notes every mistake on the way.
///
/// Each reading function gives nil where there was a mistake, which is noted by then.
struct ScenarioDecoder {
  /// The words that the file may use.
  let vocabulary: Vocabulary
  /// Comments that were meant as the number of an occurrence, by line.
  let numberComments: [Int: Span]
  /// The line of the error that ended the reading; what reaches into it was not seen whole.
  let cutLine: Int
  /// The mistakes so far.
  private(set) var diagnostics: [Diagnostic] = []

  /// Where settings are written, whether they could be read or not.
  private(set) var settingSpans: [SettingName: Span] = [:]
  /// Settings that are written and could not be read: their standard stands in for them.
  private(set) var misreadSettings: Set<SettingName> = []
  /// The changes of settings in the timeline, with the place of the value.
  private(set) var settingChanges: [SettingChange] = []

  /// A value that the timeline gives to a setting, and where.
  typealias SettingChange = (name: SettingName, value: Double, span: Span)

  /// A text of the file with its place.
  struct Scalar {
    let text: String
    let span: Span
  }

  init(vocabulary: Vocabulary, numberComments: [Int: Span], cutLine: Int?) {
    self.vocabulary = vocabulary
    self.numberComments = numberComments
    self.cutLine = cutLine ?? .max
  }

  // MARK: Mistakes

  /// Notes a mistake, unless its place was not seen whole.
  mutating func report(_ message: String, at span: Span, advice: String? = nil) {
    if span.lastLine >= cutLine { return }
    diagnostics.append(span.mistake(message, advice: advice))
  }

  /// Notes that a setting is written, and whether it could be read.
  mutating func note(_ setting: SettingName, at span: Span, isRead: Bool) {
    settingSpans[setting] = span
    if !isRead { misreadSettings.insert(setting) }
  }

  /// Notes a change of a setting in the timeline.
  mutating func noteChange(of setting: SettingName, to value: Double, at span: Span) {
    settingChanges.append((setting, value, span))
  }

  /// The advice for a word that is not one of `words`.
  func advice(for word: String, among words: [String]) -> String? {
    isFlooded ? nil : suggestion(for: word, among: words)
  }

  /// The advice for a key that is not one of `keys`; one that is right in a section is told where it belongs.
  private func advice(forKey key: String, among keys: [String]) -> String? {
    if !isFlooded, nearest(to: key, among: keys) == nil {
      for section in vocabulary.sections {
        if let field = nearest(to: key, among: section.keys) {
          return "\(field) belongs under \(section.name)"
        }
      }
    }
    return advice(for: key, among: keys)
  }

  /// Whether there are more mistakes than anyone will be shown. Likely words are then no longer looked for, since that
  /// is by far the most work in a file that is wrong all through.
  var isFlooded: Bool { diagnostics.count >= 1_000 }

  // MARK: Values

  /// The text of a value called `what`.
  mutating func scalar(_ node: Node, _ what: String) -> Scalar? {
    switch node.content {
    case .scalar(let text):
      return Scalar(text: text, span: node.span)
    case .null:
      report("\(what) has no value", at: node.span)
    case .sequence:
      report("\(what) must be one value, not a list", at: node.span)
    case .mapping:
      report("\(what) must be one value, not a block of keys", at: node.span)
    case .broken:
      break
    }
    return nil
  }

  /// The items of a list called `what`. `example` shows how to write one.
  mutating func list(_ node: Node, _ what: String, example: String? = nil) -> [Node]? {
    switch node.content {
    case .sequence(let items):
      return items
    case .null:
      report("\(what) has no value", at: node.span, advice: example.map { "for instance \($0)" })
    case .scalar(let text):
      report("\(what) must be a list", at: node.span, advice: "write \(example ?? "[\(text)]")")
    case .mapping:
      report("\(what) must be a list", at: node.span, advice: "begin each item with \"- \"")
    case .broken:
      break
    }
    return nil
  }

  /// The keys of a value called `what`.
  mutating func mapping(_ node: Node, _ what: String) -> Mapping? {
    switch node.content {
    case .mapping(let mapping):
      return mapping
    case .null:
      report("\(what) has no value", at: node.span)
    case .scalar, .sequence:
      report("\(what) must be a block of keys", at: node.span, advice: "write \"key: value\"")
    case .broken:
      break
    }
    return nil
  }

  /// The keys of a mapping that are known, by name. One that is not is noted; what it was meant for, if that is clear
  /// and not there itself, is read in its place, so that mistakes in its value are told too.
  /// - Parameter place: Where the keys stand, for the message: ` in subject`.
  mutating func fields(_ mapping: Mapping, known: [String], in place: String) -> Fields {
    var fields = Fields(isWhole: mapping.isWhole)
    var misspelt: [Mapping.Entry] = []
    for entry in mapping.entries {
      if known.contains(entry.key) {
        fields.entries[entry.key] = entry
        continue
      }
      report(
        "unknown key \(quoted(entry.key))\(place)", at: entry.keySpan, advice: advice(forKey: entry.key, among: known))
      if !isFlooded, let meant = nearest(to: entry.key, among: known) {
        misspelt.append(Mapping.Entry(key: meant, keySpan: entry.keySpan, value: entry.value))
      }
    }
    for entry in misspelt where fields.entries[entry.key] == nil {
      fields.entries[entry.key] = entry
    }
    return fields
  }

  /// Keys that were asked for, by name.
  struct Fields {
    /// Whether all keys were seen.
    let isWhole: Bool
    fileprivate(set) var entries: [String: Mapping.Entry] = [:]

    subscript(key: String) -> Mapping.Entry? { entries[key] }

    /// Those of `keys` that are there, in the order of the file.
    func inOrder(_ keys: [String]) -> [Mapping.Entry] {
      keys.compactMap { entries[$0] }.sorted { $0.keySpan.mark < $1.keySpan.mark }
    }

    /// Whether it is certain that a key was left out.
    func lacks(_ key: String) -> Bool { entries[key] == nil && isWhole }
  }

  /// A quantity in its base unit. `what` names the value where it leaves `range`.
  mutating func quantity(
    _ scalar: Scalar, _ quantity: Quantity, in range: ClosedRange<Double>, _ what: String
  ) -> Double? {
    do throws(QuantityMistake) {
      let value = try quantity.value(scalar.text, canBeNegative: range.lowerBound < 0)
      if range.contains(value) { return value }
      let bounds = "\(quantity.text(range.lowerBound)) to \(quantity.text(range.upperBound))"
      report("\(what) must be \(bounds), not \(scalar.text)", at: scalar.span)
    } catch {
      report(error.message, at: scalar.span, advice: error.advice)
    }
    return nil
  }

  /// A time of at most a day.
  mutating func time(_ node: Node, _ what: String) -> TimeSpan? {
    guard let scalar = scalar(node, what) else { return nil }
    return quantity(scalar, .time, in: 0...86_400, what).map { TimeSpan(seconds: $0) }
  }

  /// A time of more than nothing and at most a day.
  mutating func positiveTime(_ entry: Mapping.Entry) -> TimeSpan? {
    guard let time = time(entry.value, entry.key) else { return nil }
    if time > .zero { return time }
    report("\(entry.key) must be longer than no time", at: entry.value.span)
    return nil
  }

  /// A whole number of digits alone, at most `most`.
  mutating func wholeNumber(_ scalar: Scalar, upTo most: UInt64, _ what: String) -> UInt64? {
    let isDigits = !scalar.text.isEmpty && scalar.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if isDigits, let number = UInt64(scalar.text), number <= most { return number }
    let text = quoted(scalar.text)
    report("\(what) must be a whole number of at most \(most), not \(text)", at: scalar.span)
    return nil
  }

  /// The words of a list, all among `known`, none twice. Nil only where there is no list: a wrong word is noted and
  /// left out.
  mutating func words(_ node: Node, _ what: String, kind: String, known: [String]?) -> [Marked<String>]? {
    guard let items = list(node, what) else { return nil }
    var words: [Marked<String>] = []
    var seen: [String: SourceMark] = [:]
    for item in items {
      guard let scalar = scalar(item, "an item of \(what)") else { continue }
      if let first = seen[scalar.text] {
        report(
          "the \(kind) \(quoted(scalar.text)) is here twice", at: scalar.span,
          advice: "the first is in line \(first.line)")
        continue
      }
      seen[scalar.text] = scalar.span.mark
      if let known, !known.contains(scalar.text) {
        report(
          "unknown \(kind) \(quoted(scalar.text))", at: scalar.span, advice: advice(for: scalar.text, among: known))
      } else if known == nil, !isKebabCase(scalar.text) {
        report(
          "a \(kind) is made of a to z, 0 to 9 and single hyphens, not \(quoted(scalar.text))", at: scalar.span,
          advice: kebabCase(scalar.text).map { "write \"\($0)\"" })
      } else {
        words.append(Marked(scalar.text, at: scalar.span.mark))
      }
    }
    return words
  }
}

/// Whether a name is made of small letters, digits and single hyphens between them, and not over 80 long.
func isKebabCase(_ name: String) -> Bool {
  kebabCase(name) == name
}

/// The name in small letters, digits and hyphens that is nearest to `name`; nil where nothing is left of it.
func kebabCase(_ name: String) -> String? {
  var result = ""
  for scalar in name.unicodeScalars {
    switch scalar {
    case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
    case "A"..."Z": result += scalar.properties.lowercaseMapping
    default: if !result.isEmpty, !result.hasSuffix("-") { result += "-" }
    }
  }
  result = String(result.prefix(80))
  while result.hasSuffix("-") { result.removeLast() }
  return result.isEmpty ? nil : result
}
