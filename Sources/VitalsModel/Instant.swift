/// A moment of a session: whole microseconds since the run began.
///
/// Time is an integer, so that adding it up never drifts and a trace written with six decimals reads back exactly.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since the run began; negative before it.
  public let microseconds: Int64

  /// The moment `microseconds` after the run began.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The moment the run began.
  public static let zero = Instant(microseconds: 0)

  /// Seconds since the run began.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  /// Whether `left` comes before `right`.
  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  /// The moment a span later.
  public static func + (left: Instant, right: TimeSpan) -> Instant {
    Instant(microseconds: left.microseconds + right.microseconds)
  }

  /// The moment a span earlier.
  public static func - (left: Instant, right: TimeSpan) -> Instant {
    Instant(microseconds: left.microseconds - right.microseconds)
  }

  /// The span from `right` to `left`; negative when `left` comes first.
  public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(microseconds: left.microseconds - right.microseconds)
  }
}

/// A length of time in whole microseconds; may be negative.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in microseconds.
  public let microseconds: Int64

  /// A span of whole microseconds.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// No time at all.
  public static let zero = TimeSpan(microseconds: 0)

  /// A span of whole seconds.
  public static func seconds(_ seconds: Int64) -> TimeSpan { TimeSpan(microseconds: seconds * 1_000_000) }

  /// A span of whole milliseconds.
  public static func milliseconds(_ milliseconds: Int64) -> TimeSpan { TimeSpan(microseconds: milliseconds * 1_000) }

  /// A span of `seconds`, rounded to the nearest microsecond. `seconds` must be finite and under 2^43.
  public init(seconds: Double) {
    microseconds = Int64((seconds * 1_000_000).rounded())
  }

  /// The length in seconds.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  /// The length in milliseconds.
  public var milliseconds: Double { Double(microseconds) / 1_000 }

  /// Whether `left` is the shorter one; a negative span is shorter than none.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }

  /// The sum of two spans.
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: left.microseconds + right.microseconds)
  }

  /// The difference of two spans.
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: left.microseconds - right.microseconds)
  }

  /// A span taken `count` times.
  public static func * (left: TimeSpan, count: Int64) -> TimeSpan {
    TimeSpan(microseconds: left.microseconds * count)
  }

  /// The span turned round.
  public static prefix func - (span: TimeSpan) -> TimeSpan { TimeSpan(microseconds: -span.microseconds) }
}
