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
  /// What is before the phone, where the scenario says it; nil: the vocabulary's first source.
  public let source: String?
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
    seed: UInt64, source: String? = nil, settings: Settings, timeline: [Stimulus], expectations: [Expectation],
    until: TimeSpan?
  ) {
    self.name = name
    self.about = about
    self.rules = rules
    self.waivers = waivers
    self.platforms = platforms
    self.tags = tags
    self.seed = seed
    self.source = source
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
