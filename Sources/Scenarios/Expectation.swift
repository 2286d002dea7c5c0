import VitalsModel

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
    /// A measure of the result is as demanded.
    case result(measure: String, Demand)
    /// What really happened over the stretch that the result speaks of: the measure is within `tolerance` of `value`,
    /// both in the measure's base unit.
    case truth(measure: String, value: Double, tolerance: Double)
  }

  /// What is asked of a measure of a result. Tolerances are in the measure's base unit.
  public enum Demand: Hashable, Sendable {
    /// Its value is within this tolerance of the truth.
    case within(Double)
    /// The result withholds it, or its value is within this tolerance of the truth.
    case withinOrWithheld(Double)
    /// The result does not carry it, whatever the truth is.
    case withheld

    /// How a scenario writes that a measure is withheld.
    static let withheldWord = "withheld"
    /// What a scenario writes between a tolerance and that word.
    static let orWord = "or"
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
    /// The `occurrence`-th (from 1) change of this setting, to whatever value: `heartRate`.
    case quantity(word: String, occurrence: Int)
    /// The `occurrence`-th (from 1) call of this name: `call stop`.
    case call(String, occurrence: Int)

    /// As a scenario writes it.
    public var description: String {
      let (text, occurrence) =
        switch self {
        case .event(let pattern, let occurrence): (pattern.description, occurrence)
        case .world(let word, let state, let occurrence): ("\(word) \(state)", occurrence)
        case .quantity(let word, let occurrence): (word, occurrence)
        case .call(let name, let occurrence): ("call \(name)", occurrence)
        }
      return occurrence == 1 ? text : "\(text)#\(occurrence)"
    }
  }
}
