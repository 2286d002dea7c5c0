/// What the heart is asked to do.
public struct HeartSettings: Hashable, Sendable {
  /// Mean heart rate, 30...220 beats per minute.
  public var rateBpm: Double
  /// Root mean square of successive interval differences of a sinus rhythm, 0...200 ms and at most
  /// ``rmssdLimitMs(rateBpm:)``.
  public var rmssdMs: Double
  /// Standard deviation of the intervals of a sinus rhythm over a minute in ms, within
  /// ``sdnnRangeMs(breathsPerMin:)``; nil for what follows from the rest.
  public var sdnnMs: Double?
  /// The share of squared RMSSD that comes with breathing (respiratory sinus arrhythmia), 0...0.9.
  ///
  /// Nil stands for 0.45, or less where breathing is so slow that it would have to move the beats too far for it.
  public var respiratoryShare: Double?
  /// The share of squared RMSSD that comes from the low-frequency part near 0.1 Hz, 0...0.9; together with the
  /// respiratory share at most 0.95.
  ///
  /// Nil stands for 0.1, or less where the heart is so fast that it would have to move the beats too far for it.
  public var lowFrequencyShare: Double?

  /// A heart; by default that of a resting adult.
  public init(
    rateBpm: Double = 66, rmssdMs: Double = 40, sdnnMs: Double? = nil, respiratoryShare: Double? = nil,
    lowFrequencyShare: Double? = nil
  ) {
    self.rateBpm = rateBpm
    self.rmssdMs = rmssdMs
    self.sdnnMs = sdnnMs
    self.respiratoryShare = respiratoryShare
    self.lowFrequencyShare = lowFrequencyShare
  }

  /// The largest RMSSD in ms that a heart at `rateBpm` reaches: 0.22 of its mean interval, at most 200 ms.
  ///
  /// Intervals stay within 0.6...1.4 of their mean, and random ones within that do not differ by more on the whole.
  public static func rmssdLimitMs(rateBpm: Double) -> Double {
    min(200, 0.22 * 60_000 / rateBpm)
  }

  /// The SDNN in ms that this heart can have over a minute, whatever ``sdnnMs`` says; a range of one value leaves no
  /// choice.
  ///
  /// The lower bound is that of intervals whose memoryless part swings back at once; the upper one that of slow waves
  /// under the asked RMSSD, and at most 0.18 of the mean interval.
  public func sdnnRangeMs(breathsPerMin: Double) -> ClosedRange<Double> {
    Variability(self, rateBpm: rateBpm, breathsPerMin: breathsPerMin).sdnnRangeMs
  }

  /// The largest respiratory share that this heart can have: more would swing the intervals by over a quarter.
  public func respiratoryShareLimit(breathsPerMin: Double) -> Double {
    let largest = Variability.share(
      swingMs: Variability.widestSwing * 60_000 / rateBpm, perMinute: breathsPerMin, rateBpm: rateBpm, rmssdMs: rmssdMs)
    return min(0.9, largest)
  }

  /// The largest low-frequency share that this heart can have: more would swing the intervals by over a quarter.
  public var lowFrequencyShareLimit: Double {
    let largest = Variability.share(
      swingMs: Variability.widestSwing * 60_000 / rateBpm, perMinute: Variability.lowFrequencyPerMin, rateBpm: rateBpm,
      rmssdMs: rmssdMs)
    return min(0.9, largest)
  }
}
