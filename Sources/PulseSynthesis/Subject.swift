/// The person on the lens: what the body is asked to do. What it did is in ``PulseTruth``.
public struct Subject: Hashable, Sendable {
  /// Mean heart rate, 30...220 beats per minute.
  public let heartRateBpm: Double
  /// Root mean square of successive interval differences, 0...200 ms.
  ///
  /// Intervals stay within 0.6...1.4 of their mean, so a large value at a high heart rate is reached in part only.
  public let rmssdMs: Double
  /// Mean breathing rate, 4...60 breaths per minute.
  public let breathingRatePerMin: Double
  /// Pulse height, peak to trough, over mean brightness in green, 0...20 %. Red and blue follow (see `Tissue`).
  public let perfusionIndexPercent: Double

  /// A subject; by default a resting adult. Values outside their range are a programming error.
  public init(
    heartRateBpm: Double = 66, rmssdMs: Double = 40, breathingRatePerMin: Double = 14,
    perfusionIndexPercent: Double = 2
  ) {
    precondition((30...220).contains(heartRateBpm), "heart rate is 30...220 bpm")
    precondition((0...200).contains(rmssdMs), "RMSSD is 0...200 ms")
    precondition((4...60).contains(breathingRatePerMin), "breathing rate is 4...60 per minute")
    precondition((0...20).contains(perfusionIndexPercent), "perfusion index is 0...20 %")
    self.heartRateBpm = heartRateBpm
    self.rmssdMs = rmssdMs
    self.breathingRatePerMin = breathingRatePerMin
    self.perfusionIndexPercent = perfusionIndexPercent
  }
}
