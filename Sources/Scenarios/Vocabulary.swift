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
  /// The sections of settings.
  public let sections: [SectionWord]
  /// What a result carries; nil for a contract without one.
  public let result: ResultWord?

  /// The words of a contract. No event has the name of a command, and the words that begin in a section are words of
  /// the world.
  public init(
    platforms: [String], rules: [String], calls: [CallWord], events: [EventWord],
    commands: [CommandWord] = [], world: [WorldWord], sections: [SectionWord], result: ResultWord?
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
    self.sections = sections
    self.result = result
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
}

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
  /// The states it may take; the first is how a run begins, and what `for` turns back to.
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

/// A section of settings, such as `subject`.
public struct SectionWord: Sendable {
  /// The section's key.
  public let name: String
  /// What it is about.
  public let about: String
  /// Its fields.
  public let fields: [FieldWord]
  /// The words of the world whose state at the beginning of a run may be written here.
  public let states: [String]

  /// A section, its fields and the words that begin in it.
  public init(_ name: String, about: String, fields: [FieldWord], states: [String] = []) {
    self.name = name
    self.about = about
    self.fields = fields
    self.states = states
  }

  /// All that may be written in it.
  var keys: [String] { fields.map(\.name) + states }
}

/// A setting with its unit, its range and its default.
public struct FieldWord: Sendable {
  /// The key.
  public let name: String
  /// What it measures.
  public let quantity: Quantity
  /// The values it may take, in the quantity's base unit.
  public let range: ClosedRange<Double>
  /// The value where a scenario gives none, in the base unit.
  public let standard: Double
  /// What it means.
  public let about: String

  /// A setting.
  public init(_ name: String, _ quantity: Quantity, in range: ClosedRange<Double>, standard: Double, about: String) {
    self.name = name
    self.quantity = quantity
    self.range = range
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

/// A kind of quantity; each has one base unit, in which its values are kept.
public enum Quantity: String, CaseIterable, Sendable {
  /// Beats per minute: `66 bpm`.
  case heartRate
  /// A length of time in seconds: `1m30s`, `40 ms`, `20 s`.
  case time
  /// A difference between intervals in milliseconds: `40 ms`.
  case milliseconds
  /// Per minute: `14 /min`.
  case perMinute
  /// Percent: `2 %`.
  case percent
  /// Frames per second: `30 fps`.
  case frameRate
  /// A plain number without a unit.
  case number
}

extension Quantity {
  /// A tolerance beyond this, in the base unit, would let any result of a living person pass.
  var widestTolerance: Double {
    switch self {
    case .heartRate, .percent: 100
    case .time, .perMinute, .frameRate: 60
    case .milliseconds: 1_000
    case .number: 1e9
    }
  }

  /// The unit of its base values, as a person writes it; empty for a plain number.
  public var unit: String {
    switch self {
    case .heartRate: "bpm"
    case .time: "s"
    case .milliseconds: "ms"
    case .perMinute: "/min"
    case .percent: "%"
    case .frameRate: "fps"
    case .number: ""
    }
  }
}
