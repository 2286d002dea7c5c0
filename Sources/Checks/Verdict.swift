import Scenarios
import VitalsModel

/// What a check came to.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// It holds.
  case passed
  /// It holds, with less slack than its band: a warning.
  case marginal
  /// It does not hold.
  case failed
  /// There was too little to judge.
  case inconclusive
  /// It could not run.
  case blocked
  /// It was not asked for.
  case skipped

  /// The verdict of a whole from its parts: blocked, failed, inconclusive, marginal, passed, in this order.
  public static func worst(of verdicts: some Sequence<Verdict>) -> Verdict {
    verdicts.max { $0.severity < $1.severity } ?? .inconclusive
  }

  private var severity: Int {
    switch self {
    case .skipped: 0
    case .passed: 1
    case .marginal: 2
    case .inconclusive: 3
    case .failed: 4
    case .blocked: 5
    }
  }
}

/// A number with its unit, where it has one; one that no body gives is written as it is.
func measured(_ value: Double, unit: String, places: Int) -> String {
  let digits = value.magnitude < 1e9 ? Fixed.text(value, places: places) : value.description
  return unit.isEmpty ? digits : "\(digits) \(unit)"
}

/// How far a value is from the nearest bound it must keep; negative beyond it.
public struct Margin: Hashable, Sendable {
  /// The slack.
  public let value: Double
  /// Its unit, `s` for times.
  public let unit: String
  /// Decimals to show.
  public let places: Int
  /// The whole width between the bounds, or the tolerance, in the same unit.
  public let width: Double

  /// A slack and the width that it is part of.
  public init(_ value: Double, unit: String, places: Int, width: Double) {
    self.value = value
    self.unit = unit
    self.places = places
    self.width = width
  }

  /// The slack of a span in its window. No span is shorter than zero, so a window from zero is open at that end.
  init(of span: TimeSpan, within window: ClosedRange<TimeSpan>) {
    let late = window.upperBound - span
    let slack = window.lowerBound == .zero && span >= .zero ? late : min(span - window.lowerBound, late)
    self.init(slack.seconds, unit: "s", places: 3, width: (window.upperBound - window.lowerBound).seconds)
  }

  /// Slack below this share of the width is marginal.
  public static let marginalShare = 0.05

  /// What a check with this margin came to.
  public var verdict: Verdict {
    if value < 0 { return .failed }
    return value < Self.marginalShare * width ? .marginal : .passed
  }

  /// The slack with its unit.
  public var text: String { measured(value, unit: unit, places: places) }

  /// The width with its unit.
  public var widthText: String { measured(width, unit: unit, places: places) }
}

/// One line of a verdict: what was checked, what was expected, what came.
public struct CheckResult: Hashable, Sendable {
  /// What was checked: `see cancelled(contactLost)`, or the rule's number.
  public let name: String
  /// The rule that it judges, for a monitor.
  public let rule: String?
  /// The line of the scenario, for an expectation.
  public let mark: SourceMark?
  /// What it came to.
  public let verdict: Verdict
  /// What should be.
  public let expected: String
  /// What is.
  public let actual: String
  /// The slack, where there is a number.
  public let margin: Margin?
  /// The moment that it is about.
  public let at: Instant?
  /// How often the rule applied, for a monitor; 0 where its occasion never came.
  public let occasions: Int
  /// Why the rule is waived, in the scenario's words; nil where it is not. The actual repeats it.
  public let waiver: String?

  /// A line of a verdict.
  public init(
    name: String, rule: String? = nil, mark: SourceMark? = nil, verdict: Verdict, expected: String, actual: String,
    margin: Margin? = nil, at: Instant? = nil, occasions: Int = 0, waiver: String? = nil
  ) {
    self.name = name
    self.rule = rule
    self.mark = mark
    self.verdict = verdict
    self.expected = expected
    self.actual = actual
    self.margin = margin
    self.at = at
    self.occasions = occasions
    self.waiver = waiver
  }
}

extension Sequence<CheckResult> {
  /// The numbers of the rules that applied in a run, whether they held, broke or are waived, each once and in the
  /// order of the checks.
  public var appliedRules: [String] {
    var rules: [String] = []
    for check in self where check.occasions > 0 {
      if let rule = check.rule, !rules.contains(rule) { rules.append(rule) }
    }
    return rules
  }
}
