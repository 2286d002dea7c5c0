import Scenarios
import VitalsModel

/// One contract as the harness sees it: its words, its rules and who judges them.
public struct Contract: Sendable {
  /// Its name, such as `vitals-reading`.
  public let name: String
  /// Its words.
  public let vocabulary: Vocabulary
  /// Its rules, in the order of their numbers.
  public let rules: [Rule]
  /// New monitors for a run on a platform.
  public let monitors: @Sendable (_ platform: String) -> [any RuleMonitor]

  /// A contract.
  public init(
    name: String, vocabulary: Vocabulary, rules: [Rule],
    monitors: @escaping @Sendable (_ platform: String) -> [any RuleMonitor]
  ) {
    self.name = name
    self.vocabulary = vocabulary
    self.rules = rules
    self.monitors = monitors
  }
}

/// A rule of a contract.
public struct Rule: Hashable, Sendable {
  /// Its number, such as `V08`.
  public let number: String
  /// What it says, in one or two sentences.
  public let sentence: String
  /// The time window that its monitor accepts, in words; nil when it has none.
  public let window: String?
  /// Who tells whether it is kept.
  public let judge: RuleJudge

  /// A rule; where nothing else is said, a trace shows whether it is kept.
  public init(_ number: String, _ sentence: String, window: String? = nil, judge: RuleJudge = .monitor) {
    self.number = number
    self.sentence = sentence
    self.window = window
    self.judge = judge
  }
}

/// Who tells whether a rule is kept.
public enum RuleJudge: Hashable, Sendable {
  /// A monitor, from the trace of every run in which the rule applies.
  case monitor
  /// Tests with these names, because no trace can show it.
  case tests([String])
}
