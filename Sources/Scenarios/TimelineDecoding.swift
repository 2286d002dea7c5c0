import VitalsModel

/// The keys of a timeline item that are not words of the world.
let timelineKeys = ["at", "after", "delay", "call", "for"]

extension ScenarioDecoder {
  /// The items of `timeline`; nil where one of them could not be read, or was perhaps not seen.
  mutating func timeline(_ node: Node) -> [Stimulus]? {
    guard let items = list(node, "timeline") else { return nil }
    if items.isEmpty {
      report("timeline is empty", at: node.span, advice: "a run needs at least one call")
      return nil
    }
    let stimuli = items.map { stimulus($0) }
    return stimuli.contains(nil) || cutLine < .max ? nil : stimuli.compactMap { $0 }
  }

  private mutating func stimulus(_ node: Node) -> Stimulus? {
    guard let mapping = mapping(node, "a timeline item") else { return nil }
    let known = timelineKeys + vocabulary.world.map(\.name)
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
    let words = ["call"] + vocabulary.world.map(\.name)
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
    guard let text = scalar(entry.value, entry.key) else { return nil }
    guard let word = vocabulary.world.first(where: { $0.name == entry.key }) else { return call(text) }
    guard let state = worldState(text.text, of: word, text.span), written.count == 1 else { return nil }
    return .world(word: word.name, state: state)
  }

  /// How long the state lasts, and whether what is written of it was right.
  private mutating func duration(_ fields: Fields, _ action: Stimulus.Action?) -> (TimeSpan?, Bool) {
    guard let entry = fields["for"] else { return (nil, true) }
    let duration = positiveTime(entry)
    switch action {
    case .call:
      report("for goes with a state of the world, and a call has none", at: entry.keySpan, advice: "take it out")
      return (nil, false)
    case .world(let word, let state):
      if let first = vocabulary.world.first(where: { $0.name == word })?.states.first, state == first {
        report(
          "for turns back to \(first), which this item sets already", at: entry.keySpan, advice: "take it out")
        return (nil, false)
      }
    case nil:
      break
    }
    return (duration, duration != nil)
  }
}
