/// A call: `start`, or `setAutoStart` with one of its arguments.
public struct CallWord: Sendable {
  /// The call's name.
  public let name: String
  /// The arguments it may take; empty: it takes none.
  public let arguments: [String]
  /// Whether it cannot do without one of them.
  public let needsArgument: Bool
  /// The errors that it may throw.
  public let errors: [String]
  /// What it does, for the schema and the help.
  public let about: String

  /// A call, its arguments and its errors.
  public init(
    _ name: String, arguments: [String] = [], needsArgument: Bool = true, errors: [String] = [], about: String
  ) {
    self.name = name
    self.arguments = arguments
    self.needsArgument = needsArgument && !arguments.isEmpty
    self.errors = errors
    self.about = about
  }
}

/// An event that a session emits.
public struct EventWord: Sendable {
  /// The event's name.
  public let name: String
  /// Whether `sequence` counts it.
  public let isLifecycle: Bool
  /// Whether the session has ended with it.
  public let isTerminal: Bool
  /// The field that a pattern's argument is compared with, such as `reason`.
  public let argumentKey: String?
  /// The values which that field may have.
  public let arguments: [String]
  /// What it says, for the schema and the help.
  public let about: String

  /// An event and what may be said of it.
  public init(
    _ name: String, isLifecycle: Bool = true, isTerminal: Bool = false, argumentKey: String? = nil,
    arguments: [String] = [], about: String
  ) {
    self.name = name
    self.isLifecycle = isLifecycle
    self.isTerminal = isTerminal
    self.argumentKey = argumentKey
    self.arguments = arguments
    self.about = about
  }
}

/// Something that a session asks of the phone: `torch`, with the argument `on` or `off`.
public struct CommandWord: Sendable {
  /// The command's name.
  public let name: String
  /// The field that a pattern's argument is compared with; a flag is `on` or `off`.
  public let argumentKey: String?
  /// The values which that field may have.
  public let arguments: [String]
  /// What it asks for, for the schema and the help.
  public let about: String

  /// A command and what may be said of it.
  public init(_ name: String, argumentKey: String? = nil, arguments: [String] = [], about: String) {
    self.name = name
    self.argumentKey = argumentKey
    self.arguments = arguments
    self.about = about
  }
}

/// Something about the world that a timeline may change.
public struct WorldWord: Sendable {
  /// The key in the timeline, such as `contact`.
  public let name: String
  /// The states it may take. A run begins with the first, unless a section of the scenario names another.
  public let states: [String]
  /// What it means, for the schema and the help.
  public let about: String

  /// A word and its states.
  public init(_ name: String, states: [String], about: String) {
    self.name = name
    self.states = states
    self.about = about
  }
}

/// Something that may be before the phone, such as `finger` or `nothing/flicker`.
public struct SourceWord: Sendable {
  /// What `source:` says.
  public let name: String
  /// What it is, for the schema and the help.
  public let about: String
  /// What a scenario may say of it and of no other: words of the world.
  public let words: [String]
  /// What there is none of with it, such as a camera; nil: it goes with everything.
  public let lack: Lack?
  /// Why it can be no source, although somebody may think so; nil for one that is.
  public let refusal: String?

  /// What a source does without, and so a scenario must not speak of.
  public struct Lack: Sendable {
    /// Sections, words of the world and settings that change.
    public let keys: [String]
    /// Why, as the end of a sentence: `an oximeter is no camera`.
    public let reason: String

    /// Keys and the reason why they are none of it.
    public init(of keys: [String], reason: String) {
      self.keys = keys
      self.reason = reason
    }
  }

  /// A source.
  public init(_ name: String, about: String, words: [String] = [], lack: Lack? = nil) {
    self.name = name
    self.about = about
    self.words = words
    self.lack = lack
    refusal = nil
  }

  /// What is no source, for a reason.
  public init(_ name: String, refusal: String) {
    self.name = name
    self.refusal = refusal
    about = refusal
    words = []
    lack = nil
  }
}

/// A section of settings, such as `subject`.
public struct SectionWord: Sendable {
  /// The section's key.
  public let name: String
  /// What it is about.
  public let about: String
  /// Its numbers.
  public let fields: [FieldWord]
  /// Its choices.
  public let choices: [ChoiceWord]
  /// The words of the world whose state at the beginning of a run may be written here.
  public let states: [String]

  /// A section, its settings and the words that begin in it.
  public init(
    _ name: String, about: String, fields: [FieldWord], choices: [ChoiceWord] = [], states: [String] = []
  ) {
    self.name = name
    self.about = about
    self.fields = fields
    self.choices = choices
    self.states = states
    precondition(Set(keys).count == keys.count, "no key of a section is there twice")
  }

  /// All that may be written in it.
  var keys: [String] { fields.map(\.name) + choices.map(\.name) + states }
}

/// A setting with its unit, its range and its default.
public struct FieldWord: Sendable {
  /// The key.
  public let name: String
  /// What it measures.
  public let quantity: Quantity
  /// The values it may take, in the quantity's base unit.
  public let range: ClosedRange<Double>
  /// The value where a scenario gives none, in the base unit; nil: it is then absent.
  public let standard: Double?
  /// Whether a timeline may change it in the middle of a run.
  public let isChangeable: Bool
  /// Whether a change may take its time (`over`); one that may not comes at once.
  public let isRamped: Bool
  /// What it means.
  public let about: String

  /// A setting. One that may change has a standard value.
  public init(
    _ name: String, _ quantity: Quantity, in range: ClosedRange<Double>, standard: Double?, isChangeable: Bool = false,
    isRamped: Bool = true, about: String
  ) {
    self.name = name
    self.quantity = quantity
    self.range = range
    self.standard = standard
    self.isChangeable = isChangeable
    self.isRamped = isChangeable && isRamped
    self.about = about
  }
}

/// A setting that is one of several words, such as `skin: III`.
public struct ChoiceWord: Sendable {
  /// The key.
  public let name: String
  /// The words it may be.
  public let choices: [String]
  /// The one that it is where a scenario names none.
  public let standard: String
  /// What it means.
  public let about: String

  /// A choice, of which the standard is one.
  public init(_ name: String, _ choices: [String], standard: String, about: String) {
    precondition(choices.contains(standard), "what is standard can be chosen")
    self.name = name
    self.choices = choices
    self.standard = standard
    self.about = about
  }
}

/// What a result carries, and the stretch of the run that it speaks of.
public struct ResultWord: Sendable {
  /// The event that carries the result.
  public let event: String
  /// The event that opens the measured stretch; its last occurrence counts.
  public let opens: String
  /// The event that closes it.
  public let closes: String
  /// The measures.
  public let measures: [MeasureWord]

  /// A result and its measures.
  public init(event: String, opens: String, closes: String, measures: [MeasureWord]) {
    self.event = event
    self.opens = opens
    self.closes = closes
    self.measures = measures
  }
}

/// One measure of a result.
public struct MeasureWord: Sendable {
  /// The key under `result:`, such as `heartRate`.
  public let name: String
  /// The field of the event and of the truth, such as `heartRateBpm`.
  public let field: String
  /// What it measures.
  public let quantity: Quantity
  /// Decimals that a report shows.
  public let places: Int
  /// What it is.
  public let about: String

  /// A measure.
  public init(_ name: String, field: String, _ quantity: Quantity, places: Int, about: String) {
    self.name = name
    self.field = field
    self.quantity = quantity
    self.places = places
    self.about = about
  }
}
