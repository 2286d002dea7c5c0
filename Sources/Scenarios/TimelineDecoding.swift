import VitalsModel

/// The keys of a timeline item that stand for nothing that changes.
let timelineKeys = ["at", "after", "delay", "call", "for"]
/// The key of how long a setting takes to change, known where there is a setting that may.
let overKey = "over"

extension ScenarioDecoder {
  /// The items of `timeline`; nil where one of them could not be read, or was perhaps not seen.
  /// - Parameter settings: How the run begins, and what `for` turns back to.
  mutating func timeline(_ node: Node, _ settings: Settings) -> [Stimulus]? {
    guard let items = list(node, "timeline") else { return nil }
    if items.isEmpty {
      report("timeline is empty", at: node.span, advice: "a run needs at least one call")
      return nil
    }
    let stimuli = items.map { stimulus($0) }
    for (index, item) in stimuli.enumerated() { reportIdle(item, among: stimuli, node: items[index], settings) }
    return stimuli.contains(nil) || cutLine < .max ? nil : stimuli.compactMap { $0 }
  }

  private mutating func stimulus(_ node: Node) -> Stimulus? {
    guard let mapping = mapping(node, "a timeline item") else { return nil }
    let known =
      timelineKeys + vocabulary.changingWords + (vocabulary.changeableFields.isEmpty ? [] : [overKey])
    let fields = fields(mapping, known: known, in: " in a timeline item")
    let placement = placement(fields, node.span)
    let action = action(fields, node.span)
    let (duration, durationIsRight) = duration(fields, action)
    guard durationIsRight, let placement, let action else { return nil }
    return Stimulus(placement: placement, action: action, duration: duration, mark: node.span.mark)
  }

  private mutating func placement(_ fields: Fields, _ span: Span) -> Stimulus.Placement? {
    switch (fields["at"], fields["after"]) {
    case (let at?, nil):
      if let delay = fields["delay"] {
        report("delay goes with after, not with at", at: delay.keySpan)
        return nil
      }
      return time(at.value, "at").map { .at($0) }
    case (nil, let after?):
      let event = scalar(after.value, "after").flatMap { eventOccurrence($0) }
      let delay: TimeSpan? = if let entry = fields["delay"] { time(entry.value, "delay") } else { .zero }
      guard let (pattern, occurrence) = event, let delay else { return nil }
      return .after(pattern, occurrence: occurrence, delay: delay)
    case (_?, let after?):
      report("at and after exclude each other", at: after.keySpan, advice: "take one of them out")
    case (nil, nil):
      if let delay = fields["delay"], fields.lacks("after") {
        report("delay goes with after", at: delay.keySpan, advice: "name the event that it counts from")
      } else if fields.lacks("at"), fields.lacks("after") {
        report("the item does not say when", at: span, advice: "write \"at: 0 s\" or \"after: EVENT\"")
      }
    }
    return nil
  }

  private mutating func action(_ fields: Fields, _ span: Span) -> Stimulus.Action? {
    let words = ["call"] + vocabulary.changingWords
    let written = fields.inOrder(words)
    guard let entry = written.first else {
      if words.allSatisfy({ fields.lacks($0) }) {
        report("the item does not say what happens", at: span, advice: "one of \(listed(words, "or"))")
      }
      return nil
    }
    for other in written.dropFirst() {
      report(
        "an item does one thing, and \(other.key) is the second", at: other.keySpan, advice: "write an item of its own")
    }
    if let (section, field) = vocabulary.changeableField(entry.key) {
      let change = change(of: field, in: section, entry, fields)
      return written.count == 1 ? change.map { .world($0) } : nil
    }
    if let over = fields[overKey] {
      let other = entry.key == "call" ? "a call is none" : "\(entry.key) is a state"
      report("over goes with a setting that changes, and \(other)", at: over.keySpan, advice: "take it out")
    }
    guard let text = scalar(entry.value, entry.key) else { return nil }
    guard let word = vocabulary.worldWord(entry.key) else { return call(text) }
    guard let state = worldState(text.text, of: word, text.span), written.count == 1 else { return nil }
    return .world(.state(word: word.name, state: state))
  }

  /// A setting that comes to a value, at once or over a time.
  private mutating func change(
    of field: FieldWord, in section: String, _ entry: Mapping.Entry, _ fields: Fields
  ) -> WorldChange? {
    let over: TimeSpan? = if let over = fields[overKey] { positiveTime(over) } else { .zero }
    let value = scalar(entry.value, entry.key).flatMap { quantity($0, field.quantity, in: field.range, entry.key) }
    guard let value else { return nil }
    noteChange(of: SettingName(section, field.name), to: value, at: entry.value.span)
    if let over = fields[overKey], !field.isRamped {
      report("\(field.name) changes at once and has no ramp", at: over.keySpan, advice: "take over out")
      return nil
    }
    return over.map { .quantity(word: field.name, value: value, over: $0) }
  }

  /// Notes a `for` that can change nothing: the item sets what the run begins with, and no other item has changed that.
  private mutating func reportIdle(_ item: Stimulus?, among items: [Stimulus?], node: Node, _ settings: Settings) {
    guard let item, item.duration != nil, case .world(let change) = item.action,
      let beginning = vocabulary.beginning(of: change.word, in: settings), change.isNothing(after: beginning),
      items.count(where: { $0?.changes(change.word) ?? false }) == 1
    else { return }
    report(
      "for turns back to \(vocabulary.text(of: beginning)), which this item sets already", at: durationSpan(node),
      advice: "take it out")
  }

  /// Where an item says how long it lasts.
  private func durationSpan(_ node: Node) -> Span {
    guard case .mapping(let mapping) = node.content, let entry = mapping.entries.first(where: { $0.key == "for" })
    else {
      return node.span
    }
    return entry.keySpan
  }

  /// How long the change lasts, and whether what is written of it was right.
  private mutating func duration(_ fields: Fields, _ action: Stimulus.Action?) -> (TimeSpan?, Bool) {
    guard let entry = fields["for"] else { return (nil, true) }
    let duration = positiveTime(entry)
    switch action {
    case .call:
      report("for goes with a change of the world, and a call is none", at: entry.keySpan, advice: "take it out")
      return (nil, false)
    case .world(let change):
      if case .quantity(_, _, let over) = change, let duration, duration <= over {
        let (ramp, end) = (Quantity.time.text(over.seconds), Quantity.time.text(duration.seconds))
        report(
          "the ramp takes \(ramp), and for turns back after \(end): before it is over", at: entry.value.span,
          advice: "for must be longer than over")
        return (nil, false)
      }
    case nil:
      break
    }
    return (duration, duration != nil)
  }
}

extension Vocabulary {
  /// What a timeline may change: the words of the world, then the settings.
  var changingWords: [String] { world.map(\.name) + changeableFields.map(\.field.name) }

  /// The change that brings a word or a setting, at once, to what a run with these settings begins with; nil for one
  /// that nothing changes.
  public func beginning(of word: String, in settings: Settings) -> WorldChange? {
    if let (section, field) = changeableField(word) {
      return settings[section, field.name].map { .quantity(word: word, value: $0, over: .zero) }
    }
    return (settings[state: word] ?? worldWord(word)?.states.first).map { .state(word: word, state: $0) }
  }

  /// What a change comes to, as a scenario writes it: `lost`, `120 bpm`.
  func text(of change: WorldChange) -> String {
    switch change {
    case .state(_, let state): state
    case .quantity(let word, let value, _): changeableField(word)?.field.quantity.text(value) ?? ""
    }
  }
}

extension Stimulus {
  /// Whether it changes this word or setting.
  fileprivate func changes(_ word: String) -> Bool {
    if case .world(let change) = action { change.word == word } else { false }
  }
}

extension WorldChange {
  /// Whether it comes to what is there before it.
  fileprivate func isNothing(after beginning: WorldChange) -> Bool {
    switch (self, beginning) {
    case (.state(_, let state), .state(_, let first)): state == first
    case (.quantity(_, let value, _), .quantity(_, let first, _)): value == first
    case (.state, .quantity), (.quantity, .state): false
    }
  }
}
