/// How a subject is asked to breathe.
public struct BreathingSettings: Hashable, Sendable {
  /// Mean breathing rate, 4...60 breaths per minute.
  public var ratePerMin: Double

  /// Breathing; by default that of a resting adult.
  public init(ratePerMin: Double = 14) {
    self.ratePerMin = ratePerMin
  }
}
