import VitalsModel

/// The words of one contract: everything that a scenario for it may say.
///
/// The parser, its suggestions, the JSON Schema and the checks all read this one table.
public struct Vocabulary: Sendable {
  /// The platforms, in the order in which they run.
  public let platforms: [String]
  /// The numbers of the rules (`V01`), for `rules:`.
  public let rules: [String]
  /// What the app may call.
  public let calls: [CallWord]
  /// What the session may say.
  public let events: [EventWord]
  /// What the session may ask of the phone, which `see`, `never` and `count` know as well: `torch(off)`.
  public let commands: [CommandWord]
  /// What may happen to the world.
  public let world: [WorldWord]
  /// What may be before the phone, for `source:`; the first is the standard, which goes with everything. Empty: a scenario
  /// has no `source`.
  public let sources: [SourceWord]
  /// The sections of settings.
  public let sections: [SectionWord]
  /// What a result carries; nil for a contract without one.
  public let result: ResultWord?
  /// What `truth:` may demand of what really happened over the stretch that a result speaks of; empty without a result.
  public let truths: [MeasureWord]
  /// What in settings, each in its range, cannot be together. The standard settings have none.
  public let contradictions: @Sendable (Settings) -> [Contradiction]

  /// The words of a contract. No event has the name of a command, the words that begin in a section are words of the
  /// world, and a setting that a timeline may change shares its name with nothing else that can stand there.
  public init(
    platforms: [String], rules: [String], calls: [CallWord], events: [EventWord],
    commands: [CommandWord] = [], world: [WorldWord], sources: [SourceWord] = [], sections: [SectionWord],
    result: ResultWord?, truths: [MeasureWord] = [],
    contradictions: @escaping @Sendable (Settings) -> [Contradiction] = { _ in [] }
  ) {
    precondition(
      commands.allSatisfy { command in !events.contains { $0.name == command.name } },
      "a name is that of an event or of a command")
    precondition(
      sections.flatMap(\.states).allSatisfy { state in world.contains { $0.name == state } },
      "what begins in a section is a word of the world")
    self.platforms = platforms
    self.rules = rules
    self.calls = calls
    self.events = events
    self.commands = commands
    self.world = world
    self.sources = sources
    self.sections = sections
    self.result = result
    self.truths = truths
    self.contradictions = contradictions
    precondition(truths.isEmpty || result != nil, "a truth is that of the stretch of a result")
    let changeable = changeableFields.map(\.field.name)
    let others = timelineKeys + [overKey] + world.map(\.name) + events.map(\.name) + commands.map(\.name)
    precondition(
      Set(changeable).count == changeable.count && changeable.allSatisfy { !others.contains($0) },
      "a setting that may change has a name of its own")
    precondition(
      changeableFields.allSatisfy { $0.field.standard != nil },
      "a setting that may change always has a value to change from")
    precondition(contradictions(standardSettings).isEmpty, "what is standard goes together")
  }

  /// The event of that name.
  public func event(_ name: String) -> EventWord? {
    events.first { $0.name == name }
  }

  /// The command of that name.
  public func command(_ name: String) -> CommandWord? {
    commands.first { $0.name == name }
  }

  /// The call of that name.
  public func call(_ name: String) -> CallWord? {
    calls.first { $0.name == name }
  }

  /// The word of the world of that name.
  public func worldWord(_ name: String) -> WorldWord? {
    world.first { $0.name == name }
  }

  /// The source of that name, the first where there is no name; nil also for one that is refused.
  func source(_ name: String?) -> SourceWord? {
    sources.first { $0.refusal == nil && $0.name == name ?? $0.name }
  }

  /// The words of the world that go with every source.
  public var commonWorld: [WorldWord] {
    world.filter { word in !sources.contains { $0.words.contains(word.name) } }
  }

  /// Every setting that a timeline may change, with the section it belongs to.
  public var changeableFields: [(section: String, field: FieldWord)] {
    sections.flatMap { section in section.fields.filter(\.isChangeable).map { (section.name, $0) } }
  }

  /// The setting of that name that a timeline may change, with its section.
  public func changeableField(_ name: String) -> (section: String, field: FieldWord)? {
    changeableFields.first { $0.field.name == name }
  }

  /// The settings of a scenario that writes none.
  public var standardSettings: Settings {
    var settings = Settings()
    for section in sections {
      for field in section.fields { settings[section.name, field.name] = field.standard }
      for word in section.choices { settings[choice: section.name, word.name] = word.standard }
    }
    return settings
  }
}

/// Values of a scenario's settings that exclude each other, although each is in its range.
public struct Contradiction: Hashable, Sendable {
  /// The settings that take part, the one that is most likely wrong first: the mistake is shown at the first of them
  /// that the scenario writes.
  public let fields: [SettingName]
  /// What is wrong, with the limit: `an rmssd of 200 ms needs a heart rate of at most 90 bpm`.
  public let message: String
  /// What to write instead; nil where nothing can be said.
  public let advice: String?

  /// Values that exclude each other.
  public init(_ fields: [SettingName], _ message: String, advice: String? = nil) {
    self.fields = fields
    self.message = message
    self.advice = advice
  }
}

/// A setting by its section and its key.
public struct SettingName: Hashable, Sendable {
  /// The section's key.
  public let section: String
  /// The key in it, of a number or of a choice.
  public let field: String

  /// A setting of a section.
  public init(_ section: String, _ field: String) {
    self.section = section
    self.field = field
  }
}
