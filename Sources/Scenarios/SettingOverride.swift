/// A value that takes the place of one in a scenario, or is added to it: `subject.heartRate=72 bpm`.
///
/// It is read by the same rules as one in the file, and its mistakes are told together with the file's.
public struct SettingOverride: Hashable, Sendable {
  /// The section it is in; nil: it is a key of the scenario itself.
  let section: String?
  let key: String
  let value: String

  /// What it sets: `subject.heartRate`, or `source`.
  public var name: String { section.map { "\($0).\(key)" } ?? key }

  /// Takes a text apart, `SECTION.FIELD=VALUE`. Blanks around each part are passed over.
  /// - Throws: a `SettingOverrideMistake` where there is no such section, or one part is missing.
  public init(_ text: String, vocabulary: Vocabulary) throws(SettingOverrideMistake) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = sides[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    guard sides.count == 2, path.count == 2, !path[0].isEmpty, !path[1].isEmpty else {
      throw SettingOverrideMistake(
        message: "write SECTION.FIELD=VALUE", advice: Self.advice(forField: path[0], vocabulary))
    }
    let sections = vocabulary.sections.map(\.name)
    guard sections.contains(path[0]) else {
      throw SettingOverrideMistake(
        message: "unknown section \(quoted(path[0]))", advice: suggestion(for: path[0], among: sections))
    }
    (section, key, value) = (path[0], path[1], trimmed(sides[1]))
  }

  /// A value of a key of the scenario itself.
  public init(key: String, value: String) {
    (section, self.key, self.value) = (nil, key, value)
  }

  /// What to write where the section was left out, or anything else.
  private static func advice(forField name: String, _ vocabulary: Vocabulary) -> String? {
    for section in vocabulary.sections {
      if let key = nearest(to: name, among: section.keys) { return "did you mean \(section.name).\(key)=…?" }
    }
    guard let section = vocabulary.sections.first, let field = section.fields.first else { return nil }
    return "for instance \"\(section.name).\(field.name)=\(field.quantity.example)\""
  }
}

/// Why a text is no override.
public struct SettingOverrideMistake: Error, Hashable, Sendable {
  /// What is wrong.
  public let message: String
  /// What to write instead.
  public let advice: String?
}

extension Diagnostic {
  /// The place, from 0, of the override that the mistake is about; nil: it is about the file.
  public var override: Int? { mark.line < 0 ? -mark.line - 1 : nil }
}

extension Node {
  /// The document with the values of overrides in it; of two for one key the later counts. Their lines are below zero,
  /// which no file's are: -1 is the first override.
  func overridden(by overrides: [SettingOverride]) -> Node {
    guard case .mapping(var mapping) = content else { return self }
    for (index, override) in overrides.enumerated() {
      let line = -index - 1
      let span = Span(mark: SourceMark(line: line, column: 1), length: 1, lastLine: line)
      let value = Node(content: .scalar(override.value), span: span)
      guard let section = override.section else {
        mapping.set(Mapping.Entry(key: override.key, keySpan: span, value: value))
        continue
      }
      var fields = Mapping()
      switch mapping.entries.first(where: { $0.key == section })?.value.content {
      case .mapping(let written): fields = written
      case .null, nil: break
      // What is wrong with it is told, and nothing can be set in it.
      case .scalar, .sequence, .broken: continue
      }
      fields.set(Mapping.Entry(key: override.key, keySpan: span, value: value))
      mapping.set(
        Mapping.Entry(key: section, keySpan: span, value: Node(content: .mapping(fields), span: span)))
    }
    return Node(content: .mapping(mapping), span: span)
  }
}

extension Mapping {
  /// Puts an entry in the place of the one with its key, or at the end.
  fileprivate mutating func set(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }
}

/// A text without the blanks around it.
private func trimmed(_ text: Substring) -> String {
  String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}
