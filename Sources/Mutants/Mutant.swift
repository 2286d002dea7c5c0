import ReadingSession

/// A session of the vitals reading that is broken in one way: a library of scenarios and its judges should tell.
public struct Mutant: Sendable {
  /// Its name, such as `cancel-ignored`.
  public let name: String
  /// The number of the rule that it breaks.
  public let rule: String
  /// What of the session is broken.
  public let kind: Kind
  /// What it does, in one sentence.
  public let about: String
  private let spoil: @Sendable (inout Fault) -> Void

  /// What of a session is broken.
  public enum Kind: String, CaseIterable, Sendable {
    /// It decides otherwise.
    case decision
    /// It acts too early, too late or never.
    case timer
    /// It does not hear, or hears something else.
    case input
    /// It decides rightly and says something else.
    case output
  }

  init(
    _ name: String, breaks rule: String, _ kind: Kind, _ about: String, spoil: @escaping @Sendable (inout Fault) -> Void
  ) {
    self.name = name
    self.rule = rule
    self.kind = kind
    self.about = about
    self.spoil = spoil
  }

  /// A new session with this fault.
  public func session(on platform: Platform) -> BrokenSession {
    var fault = Fault(platform: platform)
    spoil(&fault)
    return BrokenSession(fault)
  }

  /// All mutants, in the order of the rules that they break.
  public static let all: [Mutant] =
    (positioning + holding + measuring + cancelling + interruptions + cameraHealth + ends + errors)
    .enumerated().sorted { ($0.element.rule, $0.offset) < ($1.element.rule, $1.offset) }.map(\.element)
}
