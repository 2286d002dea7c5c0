import Traces
import VitalsModel

/// Watches a trace for breaches of one rule or of several. It sees what happened and what was true, never the
/// session's insides.
///
/// A monitor is fed every entry of a trace but samples and timers, in order, and then `finish`.
public protocol RuleMonitor: Sendable {
  /// What it has found so far, one ruling for each of its rules.
  var rulings: [Ruling] { get }
  /// Takes in the next entry.
  mutating func observe(_ entry: TraceEntry)
  /// The run ended at this moment: judges what was still open.
  mutating func finish(at end: Instant)
}

extension RuleMonitor {
  /// Most rules have nothing open at the end.
  public mutating func finish(at end: Instant) {}
}

/// What a monitor has found: how often its rule applied, what broke it, and the least slack in a window.
public struct Ruling: Sendable {
  /// The rule's number.
  public let rule: String
  /// How often the rule applied. A rule that never applied has not passed.
  public private(set) var occasions = 0
  /// What broke it, in order.
  public private(set) var breaches: [Breach] = []
  /// The least slack of all windows, nil when the rule has none or never applied.
  public private(set) var leastMargin: Margin?

  /// Nothing found yet.
  public init(rule: String) {
    self.rule = rule
  }

  /// The rule applies here and holds or not.
  /// - Parameter ours: Whether this is asked by our own choice, where the contract is silent.
  public mutating func judge(
    _ holds: Bool, at moment: Instant, expected: @autoclosure () -> String, actual: @autoclosure () -> String,
    ours: Bool = false
  ) {
    occasions += 1
    if !holds { breaches.append(Breach(at: moment, expected: expected(), actual: actual(), isOurs: ours)) }
  }

  /// The rule applies here and asks for a span within a window, both bounds included.
  /// - Parameter ours: Whether this is asked by our own choice, where the contract is silent.
  public mutating func judge(
    _ span: TimeSpan, within window: ClosedRange<TimeSpan>, of what: @autoclosure () -> String, at moment: Instant,
    ours: Bool = false
  ) {
    let margin = Margin(of: span, within: window)
    if leastMargin.map({ margin.value < $0.value }) ?? true { leastMargin = margin }
    judge(
      window.contains(span), at: moment,
      expected: "\(what()) within \(window.lowerBound.text) to \(window.upperBound.text)", actual: span.text, ours: ours
    )
  }
}

/// One breach of a rule.
public struct Breach: Hashable, Sendable {
  /// When.
  public let at: Instant
  /// What the rule asks for.
  public let expected: String
  /// What happened.
  public let actual: String
  /// Whether only our own choice is broken, where the contract is silent: from a session that is not ours, a warning.
  public let isOurs: Bool
}

extension TimeSpan {
  /// Seconds with three decimals: `3.033 s`.
  public var text: String { "\(Fixed.text(seconds, places: 3)) s" }
}

extension Instant {
  /// Seconds since the run began, with three decimals: `20.500 s`.
  public var text: String { "\(Fixed.text(seconds, places: 3)) s" }
}
