import VitalsModel

/// Something that happens to the session or around it.
public struct Stimulus: Hashable, Sendable {
  /// When it happens.
  public let placement: Placement
  /// What happens.
  public let action: Action
  /// How long a change of the world lasts before it turns back, at once, to what the scenario begins with; nil: until
  /// something else changes it.
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
    /// The world changes.
    case world(WorldChange)
  }
}

/// A change of the world.
public enum WorldChange: Hashable, Sendable {
  /// A word takes a state: `contact: lost`.
  case state(word: String, state: String)
  /// A setting comes to a value in its base unit, evenly over a time; over none it is there at once.
  case quantity(word: String, value: Double, over: TimeSpan)

  /// The word or the setting that changes.
  public var word: String {
    switch self {
    case .state(let word, _), .quantity(let word, _, _): word
    }
  }
}
