import VitalsModel

/// A place in a scenario file: line and column count from 1, columns in characters.
public struct SourceMark: Hashable, Comparable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// A place in a file.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// By line, then by column.
  public static func < (left: SourceMark, right: SourceMark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A value with the place where it was written.
public struct Marked<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public let value: Value
  /// Where the file says so.
  public let mark: SourceMark

  /// A value and its place.
  public init(_ value: Value, at mark: SourceMark) {
    self.value = value
    self.mark = mark
  }
}

/// One scenario: what the world does to a session and what must come of it.
public struct Scenario: Hashable, Sendable {
  /// Its name, unique in a library.
  public let name: String
  /// What it shows, in a sentence or two.
  public let about: String
  /// The rules that it is about. One that was never triggered makes the run inconclusive.
  public let rules: [Marked<String>]
  /// The rules whose breaches do not fail it, each with the reason.
  public let waivers: [Waiver]
  /// The platforms it runs on, in the contract's order.
  public let platforms: [String]
  /// Words to select it by.
  public let tags: [String]
  /// The seed of every random stream.
  public let seed: UInt64
  /// The values of its sections; what is not written has the vocabulary's default.
  public let settings: Settings
  /// What happens to the session and around it, in the order of the file.
  public let timeline: [Stimulus]
  /// What must come of it, in the order of the file.
  public let expectations: [Expectation]
  /// When the run ends whatever happens; nil: a few seconds after the terminal event.
  public let until: TimeSpan?

  /// A scenario from its parts. The settings are taken as they are: defaults are the caller's to fill in.
  public init(
    name: String, about: String, rules: [Marked<String>], waivers: [Waiver] = [], platforms: [String], tags: [String],
    seed: UInt64, settings: Settings, timeline: [Stimulus], expectations: [Expectation], until: TimeSpan?
  ) {
    self.name = name
    self.about = about
    self.rules = rules
    self.waivers = waivers
    self.platforms = platforms
    self.tags = tags
    self.seed = seed
    self.settings = settings
    self.timeline = timeline
    self.expectations = expectations
    self.until = until
  }
}

/// A rule that may break in a scenario, and why that is accepted.
public struct Waiver: Hashable, Sendable {
  /// The rule's number.
  public let rule: String
  /// Why its breach is accepted, in a line of at most 200 characters.
  public let reason: String
  /// Where the file says so.
  public let mark: SourceMark

  /// The most characters of a reason.
  public static let longestReason = 200

  /// A rule and why its breach is accepted.
  public init(rule: String, reason: String, mark: SourceMark) {
    self.rule = rule
    self.reason = reason
    self.mark = mark
  }
}

/// The values of a scenario's sections (`subject`, `camera`), each in its quantity's base unit.
public struct Settings: Hashable, Sendable {
  private var values: [String: Double] = [:]
  private var states: [String: String] = [:]

  /// No values yet.
  public init() {}

  /// Every word of the world that begins in a state of its own, by name.
  public var firstStates: [(word: String, state: String)] {
    states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The state in which a word of the world begins; nil: its first.
  public subscript(state word: String) -> String? {
    get { states[word] }
    set { states[word] = newValue }
  }

  /// The value of a field; nil when neither the file nor the vocabulary gives one.
  public subscript(section: String, field: String) -> Double? {
    get { values[section + "." + field] }
    set { values[section + "." + field] = newValue }
  }
}

/// Something that happens to the session or around it.
public struct Stimulus: Hashable, Sendable {
  /// When it happens.
  public let placement: Placement
  /// What happens.
  public let action: Action
  /// How long a state of the world lasts before it turns back; nil: until something else changes it.
  public let duration: TimeSpan?
  /// Where the file says so.
  public let mark: SourceMark

  /// Something that happens at its place in time.
  public init(placement: Placement, action: Action, duration: TimeSpan?, mark: SourceMark) {
    self.placement = placement
    self.action = action
    self.duration = duration
    self.mark = mark
  }

  /// When a stimulus happens.
  public enum Placement: Hashable, Sendable {
    /// This long after the run begins.
    case at(TimeSpan)
    /// This long after the `occurrence`-th (from 1) event that the pattern matches.
    case after(EventPattern, occurrence: Int, delay: TimeSpan)
  }

  /// What happens.
  public enum Action: Hashable, Sendable {
    /// The app calls the session: `start`, or `setAutoStart` with the argument `false`.
    case call(String, argument: String?)
    /// The world changes: the word `contact` takes the state `lost`.
    case world(word: String, state: String)
  }
}

/// An event or, in an expectation, a command, by name and, if given, by its argument: `cancelled` or
/// `cancelled(contactLost)`, `torch(off)`.
public struct EventPattern: Hashable, Sendable, CustomStringConvertible {
  /// The name of the event or the command.
  public let name: String
  /// The value of its argument; nil matches any.
  public let argument: String?

  /// An event or a command by name and argument.
  public init(name: String, argument: String?) {
    self.name = name
    self.argument = argument
  }

  /// As a scenario writes it.
  public var description: String { argument.map { "\(name)(\($0))" } ?? name }

  /// Whether the pattern means an event or a command of this name and argument.
  public func matches(name: String, argument: String?) -> Bool {
    self.name == name && (self.argument == nil || self.argument == argument)
  }
}

/// One line under `expect`.
public struct Expectation: Hashable, Sendable {
  /// What must hold.
  public let kind: Kind
  /// Where the file says so.
  public let mark: SourceMark

  /// A demand and its place.
  public init(_ kind: Kind, at mark: SourceMark) {
    self.kind = kind
    self.mark = mark
  }

  /// The forms of a demand.
  public enum Kind: Hashable, Sendable {
    /// The lifecycle events of the whole run are exactly these, in order.
    case sequence([EventPattern])
    /// The event or command comes after the anchor, the first time, within the window; nil: at any time.
    case see(EventPattern, after: Anchor?, within: ClosedRange<TimeSpan>?)
    /// The event or command does not come, after the anchor where there is one.
    case never(EventPattern, after: Anchor?)
    /// The event or command comes exactly this often.
    case count(EventPattern, Int)
    /// The `occurrence`-th (from 1) call of this name comes back so.
    case reply(call: String, occurrence: Int, is: Answer)
    /// A measure of the result is within `tolerance` of the truth, in the measure's base unit.
    case result(measure: String, tolerance: Double)
  }

  /// How a call comes back.
  public enum Answer: Hashable, Sendable, CustomStringConvertible {
    /// It does what it says.
    case returned
    /// It throws the error of this name.
    case threw(String)

    /// In words: `returned`, or `threw notActivated`.
    public var description: String {
      switch self {
      case .returned: Self.returnedWord
      case .threw(let error): "threw \(error)"
      }
    }

    /// How a scenario writes that a call returned; any other word is the name of an error.
    static let returnedWord = "returned"
  }

  /// The moment from which a window counts.
  public enum Anchor: Hashable, Sendable, CustomStringConvertible {
    /// The `occurrence`-th (from 1) event or command that the pattern matches.
    case event(EventPattern, occurrence: Int)
    /// The `occurrence`-th (from 1) time that the world takes this state: `contact lost`.
    case world(word: String, state: String, occurrence: Int)
    /// The `occurrence`-th (from 1) call of this name: `call stop`.
    case call(String, occurrence: Int)

    /// As a scenario writes it.
    public var description: String {
      let (text, occurrence) =
        switch self {
        case .event(let pattern, let occurrence): (pattern.description, occurrence)
        case .world(let word, let state, let occurrence): ("\(word) \(state)", occurrence)
        case .call(let name, let occurrence): ("call \(name)", occurrence)
        }
      return occurrence == 1 ? text : "\(text)#\(occurrence)"
    }
  }
}
