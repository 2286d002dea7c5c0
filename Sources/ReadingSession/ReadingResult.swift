import PulseAnalysis

/// The result of a completed reading. A measure that cannot be trusted is nil and named under `withheld` (V50).
public struct ReadingResult: Hashable, Sendable {
  /// Beats per minute over the attempt.
  public let heartRateBpm: Double
  /// Root mean square of successive NN differences, milliseconds.
  public let rmssdMs: Double?
  /// Standard deviation of the NN intervals, milliseconds.
  public let sdnnMs: Double?
  /// Mean NN interval, milliseconds.
  public let meanNNMs: Double?
  /// Breaths per minute.
  public let breathingRatePerMin: Double?
  /// AC/DC of the pulse, percent.
  public let perfusionIndexPercent: Double?
  /// 0...1 over the attempt.
  public let quality: Double
  /// What is withheld, and why.
  public let withheld: [Withheld]
}

/// What the frames of a minute came to.
public enum BuiltResult: Hashable, Sendable {
  /// A result.
  case result(ReadingResult)
  /// No heart rate could be recovered.
  case noHeartRate
}

/// The result of an attempt, from its frames alone: the same frames give the same result wherever this runs.
public func buildResult(_ record: PulseRecord) -> BuiltResult {
  let measured = measurePulse(record)
  guard let heartRateBpm = measured.heartRateBpm else { return .noHeartRate }
  return .result(
    ReadingResult(
      heartRateBpm: heartRateBpm, rmssdMs: measured.rmssdMs, sdnnMs: measured.sdnnMs, meanNNMs: measured.meanNNMs,
      breathingRatePerMin: measured.breathingRatePerMin, perfusionIndexPercent: measured.perfusionIndexPercent,
      quality: measured.quality, withheld: measured.withheld))
}
