/// The person on the lens: what the body is asked to do. What it did is in ``PulseTruth``.
public struct Subject: Hashable, Sendable {
  /// The heart and its rhythm.
  public var heart: HeartSettings
  /// How it breathes.
  public var breathing: BreathingSettings
  /// The arteries on the way to the fingertip.
  public var vessels: Vessels
  /// The fingertip.
  public var finger: FingerSettings

  /// A subject; by default a resting adult. Settings with a ``contradiction`` are a programming error.
  public init(
    heart: HeartSettings = HeartSettings(), breathing: BreathingSettings = BreathingSettings(),
    vessels: Vessels = .adult, finger: FingerSettings = FingerSettings()
  ) {
    self.heart = heart
    self.breathing = breathing
    self.vessels = vessels
    self.finger = finger
    if let contradiction { preconditionFailure(contradiction.reason) }
  }

  /// A subject of whom only the plainest is said.
  public init(
    heartRateBpm: Double, rmssdMs: Double = 40, breathingRatePerMin: Double = 14, perfusionIndexPercent: Double = 2
  ) {
    self.init(
      heart: HeartSettings(rateBpm: heartRateBpm, rmssdMs: rmssdMs),
      breathing: BreathingSettings(ratePerMin: breathingRatePerMin),
      finger: FingerSettings(perfusionIndexPercent: perfusionIndexPercent))
  }
}
