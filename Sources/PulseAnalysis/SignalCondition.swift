/// What the last seconds of frames are good for; the first that applies, in this order.
public enum SignalCondition: Sendable, Hashable, CaseIterable {
  /// No fingertip covers the lens.
  case noContact
  /// A fingertip, but its pulse is too faint to be seen.
  case weak
  /// A fingertip that moves or changes its pressure, or whose light has just changed.
  case unsteady
  /// A fingertip held still, with a visible pulse.
  case steady
}
