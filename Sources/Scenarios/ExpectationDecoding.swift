import VitalsModel

/// The form of an expectation of what really happened.
let truthForm = "truth"

extension ScenarioDecoder {
  /// The forms that an item of `expect` may have in a vocabulary.
  static func forms(_ vocabulary: Vocabulary) -> [String] {
    ["sequence", "see", "never", "count", "reply"] + (vocabulary.result == nil ? [] : ["result"])
      + (vocabulary.truths.isEmpty ? [] : [truthForm])
  }

  /// The items of `expect`; what could not be read is noted and left out.
  /// - Parameters:
  ///   - timeline: What happens in the run; nil where that could not be read.
  ///   - settings: How the run begins.
  mutating func expectations(_ node: Node, _ timeline: [Stimulus]?, _ settings: Settings) -> [Expectation]? {
    guard let items = list(node, "expect") else { return nil }
    if items.isEmpty {
      report("expect is empty", at: node.span, advice: "a scenario that expects nothing proves nothing")
      return nil
    }
    let run = timeline.map { ExpectedRun(timeline: $0, settings: settings) }
    return items.flatMap { expectation($0, run) }
  }

  /// What is known beforehand of the run that expectations speak of.
  private struct ExpectedRun {
    let timeline: [Stimulus]
    let settings: Settings
  }

  private mutating func expectation(_ node: Node, _ run: ExpectedRun?) -> [Expectation] {
    guard let mapping = mapping(node, "an expect item") else { return [] }
    let forms = Self.forms(vocabulary)
    let fields = fields(mapping, known: forms + ["after", "within", "is"], in: " in an expect item")
    let written = fields.inOrder(forms)
    guard let entry = written.first else {
      if forms.allSatisfy({ fields.lacks($0) }) {
        report("the item does not say what to expect", at: node.span, advice: "one of \(listed(forms, "or"))")
      }
      return []
    }
    for other in written.dropFirst() {
      report(
        "an item expects one thing, and \(other.key) is the second", at: other.keySpan,
        advice: "write an item of its own")
    }
    refuse("after", of: fields, unlessWith: ["see", "never"], form: entry.key)
    refuse("within", of: fields, unlessWith: ["see"], form: entry.key)
    refuse("is", of: fields, unlessWith: ["reply"], form: entry.key)
    let mark = node.span.mark
    switch entry.key {
    case "sequence": return sequence(entry.value).map { [Expectation(.sequence($0), at: mark)] } ?? []
    case "count": return counts(entry.value)
    case "reply": return reply(entry, fields, run).map { [Expectation($0, at: mark)] } ?? []
    case "result": return demands(entry.value)
    case truthForm: return truths(entry.value)
    default: return effect(entry, fields, run).map { [Expectation($0, at: mark)] } ?? []
    }
  }

  private mutating func refuse(_ key: String, of fields: Fields, unlessWith forms: [String], form: String) {
    if let entry = fields[key], !forms.contains(form) {
      report("\(key) goes with \(listed(forms, "or")), not with \(form)", at: entry.keySpan)
    }
  }

  /// The demand of a `see` or a `never`.
  private mutating func effect(_ entry: Mapping.Entry, _ fields: Fields, _ run: ExpectedRun?) -> Expectation.Kind? {
    let pattern = scalar(entry.value, entry.key).flatMap { effectPattern($0) }
    let anchor = fields["after"].flatMap { after in scalar(after.value, "after").flatMap { self.anchor($0) } }
    if let anchor, let run, let after = fields["after"] { check(anchor, after.value.span, run) }
    let window = entry.key == "see" ? fields["within"].flatMap { self.window($0) } : nil
    guard let pattern else { return nil }
    return entry.key == "see" ? .see(pattern, after: anchor, within: window) : .never(pattern, after: anchor)
  }

  /// The demand of a `reply`.
  private mutating func reply(_ entry: Mapping.Entry, _ fields: Fields, _ run: ExpectedRun?) -> Expectation.Kind? {
    let called = scalar(entry.value, "reply").flatMap { callOccurrence($0) }
    if let called, let run {
      check(.call(called.call.name, occurrence: called.occurrence), entry.value.span, run)
    }
    if fields.lacks("is") {
      report(
        "the item does not say what the reply is", at: entry.keySpan,
        advice: "write \"is: \(Expectation.Answer.returnedWord)\" or the error")
    }
    guard let written = fields["is"].flatMap({ scalar($0.value, "is") }), let called,
      let answer = answer(written, of: called.call)
    else { return nil }
    return .reply(call: called.call.name, occurrence: called.occurrence, is: answer)
  }

  /// Notes a moment that the timeline never makes.
  private mutating func check(_ anchor: Expectation.Anchor, _ span: Span, _ run: ExpectedRun) {
    var advice: String?
    let (made, occurrence, description): (Int, Int, String)
    switch anchor {
    case .event:
      return
    case .world(let word, let state, let number):
      let beginning = WorldChange.state(word: word, state: state)
      let turnsBack = vocabulary.beginning(of: word, in: run.settings) == beginning
      made = run.timeline.reduce(0) { count, stimulus in
        guard case .world(.state(word, let reached)) = stimulus.action else { return count }
        return count + (reached == state ? 1 : 0) + (stimulus.duration != nil && turnsBack ? 1 : 0)
      }
      (occurrence, description) = (number, "makes \(word) \(state)")
      if turnsBack { advice = "the run begins so: take after out" }
    case .quantity(let word, let number):
      made = run.timeline.reduce(0) { count, stimulus in
        guard case .world(.quantity(word, _, _)) = stimulus.action else { return count }
        return count + (stimulus.duration == nil ? 1 : 2)
      }
      (occurrence, description) = (number, "changes \(word)")
    case .call(let name, let number):
      made = run.timeline.count { if case .call(name, _) = $0.action { true } else { false } }
      (occurrence, description) = (number, "calls \(name)")
    }
    if made == 0 {
      report("nothing in the timeline \(description)", at: span, advice: advice)
    } else if made < occurrence {
      let times = made == 1 ? "once" : "\(made) times"
      report("the timeline \(description) \(times), not \(occurrence) times", at: span)
    }
  }

  private mutating func window(_ entry: Mapping.Entry) -> ClosedRange<TimeSpan>? {
    let example = "[2 s, 5 s]"
    guard let items = list(entry.value, "within", example: example) else { return nil }
    guard items.count == 2 else {
      report("within needs two times, the first and the last", at: entry.keySpan, advice: "for instance \(example)")
      return nil
    }
    let times = items.map { time($0, "a time of within") }
    guard let first = times[0], let last = times[1] else { return nil }
    guard first <= last else {
      report("the window ends before it begins", at: items[0].span, advice: "the earlier time comes first")
      return nil
    }
    return first...last
  }

  private mutating func sequence(_ node: Node) -> [EventPattern]? {
    guard let items = list(node, "sequence") else { return nil }
    return items.compactMap { item in
      guard let scalar = scalar(item, "an item of sequence"),
        let pattern = eventPattern(scalar, in: "sequence lists events", instead: "see: \(scalar.text)")
      else { return nil }
      if let event = vocabulary.event(pattern.name), !event.isLifecycle {
        report(
          "sequence lists lifecycle events, and \(event.name) is none", at: scalar.span,
          advice: "use \"see: \(pattern)\"")
        return nil
      }
      return pattern
    }
  }

  private mutating func counts(_ node: Node) -> [Expectation] {
    guard let mapping = mapping(node, "count") else { return [] }
    if mapping.entries.isEmpty, mapping.isWhole {
      report("count is empty", at: node.span, advice: "write \"EVENT: 1\"")
    }
    return mapping.entries.compactMap { entry in
      let pattern = effectPattern(Scalar(text: entry.key, span: entry.keySpan))
      let number = scalar(entry.value, entry.key).flatMap { wholeNumber($0, upTo: 1_000_000, "a count") }
      guard let pattern, let number else { return nil }
      return Expectation(.count(pattern, Int(number)), at: entry.keySpan.mark)
    }
  }
}
