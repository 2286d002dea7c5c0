import CYAML

/// Builds the tree of a document from libyaml's events, and refuses what a scenario does not use of YAML: anchors,
/// aliases, tags, merge keys, directives, a key twice, a second document, and nesting over 64 deep.
///
/// After a syntax error the tree holds what came before it.
///
/// A class, because it owns a C parser: as a non-copyable struct Swift 6.3.1 releases its fields twice in release builds.
final class YAMLComposer {
  /// The deepest nesting of lists and keys. libyaml's time grows with the square of the depth, so the reader stops
  /// there instead of looking at the rest.
  static let deepest = 64

  /// The mistakes so far.
  private(set) var diagnostics: [Diagnostic]
  /// The mistake at which reading ended; nil: the whole document was read.
  private(set) var cut: Diagnostic?

  private let text: [UInt8]
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The first line that was not read, where the text was cut short before YAML saw it.
  private let missingLine: Int?
  private var depth = 0
  private var isStopped = false

  /// Composes the tree of `source`; nil where there is no document.
  static func compose(_ source: SourceText) -> (root: Node?, diagnostics: [Diagnostic], cut: Diagnostic?) {
    source.bytes.withUnsafeBufferPointer { bytes in
      let composer = YAMLComposer(bytes, source)
      let root = composer.document()
      return (root, composer.diagnostics, composer.cut)
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ source: SourceText) {
    // libyaml keeps a pointer to its own parser, so the parser must not move.
    parser = .allocate(capacity: 1)
    precondition(yaml_parser_initialize(parser) == 1, "out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    text = source.bytes
    diagnostics = source.diagnostics
    cut = source.cut
    missingLine = source.cut?.mark.line
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  // MARK: The document

  private func document() -> Node? {
    guard next() != nil, let start = next() else { return nil }
    guard case .documentStart(let hasDirective) = start.kind else { return nil }
    if hasDirective { report("a directive is not allowed", at: start.span, advice: "take the line out") }
    guard let event = next() else { return nil }
    let root = node(event)
    guard next() != nil, let after = next() else { return root }
    if case .documentStart = after.kind {
      report("a second document begins here", at: after.span, advice: "one file holds one scenario")
    }
    return root
  }

  private func node(_ event: YAMLEvent) -> Node {
    if let (sign, advice) = event.property.mistake {
      report("\(sign) is not allowed", at: event.span, advice: advice)
    }
    switch event.kind {
    case .scalar(let text, let isPlain):
      let isNull = isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
      return Node(content: isNull ? .null : .scalar(text), span: event.span)
    case .sequenceStart:
      return nested(event, sequence)
    case .mappingStart:
      return nested(event, mapping)
    case .alias:
      report("an alias is not allowed", at: event.span, advice: "write the value out")
      return Node(content: .broken, span: event.span)
    case .documentStart, .end, .other:
      preconditionFailure("libyaml gives a node here")
    }
  }

  private func nested(_ event: YAMLEvent, _ content: () -> (Node.Content, Span?)) -> Node {
    guard depth < Self.deepest else {
      stop(event.span.mistake("nested more than \(Self.deepest) deep", advice: "a scenario needs only a few levels"))
      return Node(content: .broken, span: event.span)
    }
    depth += 1
    defer { depth -= 1 }
    let (content, first) = content()
    var span = event.span
    // A block of keys begins at its first key, so a mistake of the block underlines that key.
    if let first, first.mark == span.mark { span.length = first.length }
    return Node(content: content, span: span)
  }

  private func sequence() -> (Node.Content, Span?) {
    var items: [Node] = []
    while let event = next() {
      if case .end = event.kind {
        if !isCutShort(event) { return (.sequence(items), nil) }
        break
      }
      items.append(node(event))
    }
    if case .null = items.last?.content { items.removeLast() }
    return (.sequence(items), nil)
  }

  private func mapping() -> (Node.Content, Span?) {
    var mapping = Mapping()
    var seen: [String: SourceMark] = [:]
    while let event = next() {
      if case .end = event.kind {
        if !isCutShort(event) { return (.mapping(mapping), mapping.entries.first?.keySpan) }
        break
      }
      let keyNode = node(event)
      var value = next().map { node($0) } ?? Node(content: .broken, span: keyNode.span)
      if case .null = value.content { value.span = keyNode.span }
      guard let key = keyText(keyNode) else { continue }
      if let first = seen[key] {
        report(
          "the key \(quoted(key)) is here twice", at: keyNode.span, advice: "the first is in line \(first.line)")
      } else {
        seen[key] = keyNode.span.mark
        mapping.entries.append(Mapping.Entry(key: key, keySpan: keyNode.span, value: value))
      }
    }
    mapping.isWhole = false
    // The value of the last key may stand in what was not read.
    if let last = mapping.entries.indices.last, case .null = mapping.entries[last].value.content {
      mapping.entries[last].value.content = .broken
    }
    return (.mapping(mapping), mapping.entries.first?.keySpan)
  }

  /// Whether a list or a block of keys ends only because the text was cut short there.
  private func isCutShort(_ end: YAMLEvent) -> Bool {
    missingLine.map { end.span.mark.line >= $0 } ?? false
  }

  /// The text of a key; nil, and reported, where it is none.
  private func keyText(_ node: Node) -> String? {
    switch node.content {
    case .scalar("<<"):
      report("a merge key is not allowed", at: node.span, advice: "write the keys out")
      return nil
    case .scalar(let text):
      return text
    case .null:
      report("a key is missing", at: node.span, advice: nil)
      return nil
    case .sequence, .mapping:
      report("a key must be a word", at: node.span, advice: nil)
      return nil
    case .broken:
      return nil
    }
  }

  private func report(_ message: String, at span: Span, advice: String?) {
    diagnostics.append(span.mistake(message, advice: advice))
  }

  /// Ends the reading. Where the text was cut short, an error at its very end comes from the cut.
  private func stop(_ mistake: Diagnostic) {
    isStopped = true
    if let missingLine, mistake.mark.line >= missingLine { return }
    cut = mistake
  }

  // MARK: Events

  /// The next event; nil at the end of the stream and from the first syntax error on.
  private func next() -> YAMLEvent? {
    if isStopped { return nil }
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else {
      stop(syntaxMistake(parser.pointee, in: text))
      return nil
    }
    defer { yaml_event_delete(&raw) }
    return YAMLEvent(raw)
  }
}

/// One of libyaml's events in Swift's words.
private struct YAMLEvent {
  let kind: Kind
  let span: Span
  let property: Property

  enum Kind {
    case documentStart(hasDirective: Bool)
    case scalar(String, isPlain: Bool)
    case alias
    case sequenceStart
    case mappingStart
    /// The end of a list or of a block of keys.
    case end
    /// The begin and end of the stream, the end of the document.
    case other
  }

  /// What stands before a value and says more about it.
  enum Property {
    case none
    case anchor
    case tag

    var mistake: (sign: String, advice: String)? {
      switch self {
      case .none: nil
      case .anchor: ("an anchor", "take it out")
      case .tag: ("a tag", "take it out")
      }
    }
  }

  /// The event, or nil at the end of the stream.
  init?(_ raw: yaml_event_t) {
    var property = Property.none
    func note(anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?) {
      property = anchor != nil ? .anchor : tag != nil ? .tag : .none
    }
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT:
      let start = raw.data.document_start
      kind = .documentStart(
        hasDirective: start.version_directive != nil || start.tag_directives.start != start.tag_directives.end)
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      note(anchor: scalar.anchor, tag: scalar.tag)
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    case YAML_ALIAS_EVENT:
      kind = .alias
    case YAML_SEQUENCE_START_EVENT:
      note(anchor: raw.data.sequence_start.anchor, tag: raw.data.sequence_start.tag)
      kind = .sequenceStart
    case YAML_MAPPING_START_EVENT:
      note(anchor: raw.data.mapping_start.anchor, tag: raw.data.mapping_start.tag)
      kind = .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      kind = .end
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
      return nil
    default:
      kind = .other
    }
    self.property = property
    span = Span(from: raw.start_mark, to: raw.end_mark)
  }
}
