/// What the last seconds of frames are good for; the first that applies, in this order. The worst is the least.
public enum SignalCondition: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// No fingertip covers the lens.
  case noContact
  /// A fingertip, but its pulse is too faint to be seen.
  case weak
  /// A fingertip that moves or changes its pressure, or whose light has just changed.
  case unsteady
  /// A fingertip held still, with a visible pulse.
  case steady

  /// Whether the left one is worse.
  public static func < (left: SignalCondition, right: SignalCondition) -> Bool { left.rawValue < right.rawValue }
}
