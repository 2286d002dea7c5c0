/// The person on the lens: what the body is asked to do. What it did is in ``PulseTruth``.
public struct Subject: Hashable, Sendable {
  /// The heart and its rhythm.
  public var heart: HeartSettings
  /// How it breathes.
  public var breathing: BreathingSettings
  /// The fingertip.
  public var finger: FingerSettings

  /// A subject; by default a resting adult. Values outside their range are a programming error.
  public init(
    heart: HeartSettings = HeartSettings(), breathing: BreathingSettings = BreathingSettings(),
    finger: FingerSettings = FingerSettings()
  ) {
    precondition((30...220).contains(heart.rateBpm), "heart rate is 30...220 bpm")
    precondition((0...200).contains(heart.rmssdMs), "RMSSD is 0...200 ms")
    precondition((4...60).contains(breathing.ratePerMin), "breathing rate is 4...60 per minute")
    precondition((0...20).contains(finger.perfusionIndexPercent), "perfusion index is 0...20 %")
    self.heart = heart
    self.breathing = breathing
    self.finger = finger
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
