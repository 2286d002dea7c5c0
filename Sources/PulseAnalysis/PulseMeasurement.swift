import VitalsModel

/// A measure that is not given, and why.
public struct Withheld: Sendable, Hashable {
  /// The measure, as the property of `PulseMeasurement` is called.
  public let measure: String
  /// Why, in a few plain words.
  public let reason: String

  /// A measure and the reason it is not given.
  public init(measure: String, reason: String) {
    self.measure = measure
    self.reason = reason
  }
}

/// A beat of a measured record and what is known of the interval that it ends.
public struct MeasuredBeat: Sendable, Hashable {
  /// What the interval since the beat before is good for.
  public enum Flag: String, Sendable, CaseIterable {
    /// It is an NN interval, which the statistics are made of.
    case normal
    /// Both its beats are beyond doubt and it is none: an early beat, a pause, one that was missed.
    case irregular
    /// One of its beats does not look like the others, or the light between them cannot be trusted.
    case doubtful
    /// There is none: no beat came before, or the frames paused or the finger left since.
    case first
  }

  /// When the pulse fits best, finer than the spacing of the frames: near the steepest place of its rise.
  public let at: Instant
  /// What the interval that it ends is good for.
  public let flag: Flag
}

/// What a whole record says. A number that cannot be trusted is absent, and `withheld` says why.
public struct PulseMeasurement: Sendable, Hashable {
  /// The measures by the names of their properties, in their order.
  public enum Measure: String, CaseIterable, Sendable {
    case heartRateBpm, rmssdMs, sdnnMs, meanNNMs, pnn50Percent, breathingRatePerMin, perfusionIndexPercent
  }

  /// Heart rate, beats per minute: 60,000 over the mean time from pulse to pulse in ms, over stretches of trusted
  /// intervals and those between them in which the pulses can be counted; of an irregular pulse, over those that were
  /// seen.
  public var heartRateBpm: Double?
  /// Root mean square of the differences of successive NN intervals, milliseconds.
  public var rmssdMs: Double?
  /// Standard deviation of the NN intervals (over n - 1), milliseconds.
  public var sdnnMs: Double?
  /// Mean of the NN intervals, milliseconds.
  public var meanNNMs: Double?
  /// Share of successive NN differences above 50 ms, percent.
  public var pnn50Percent: Double?
  /// Breathing rate from what breathing does to the pulse, breaths per minute.
  public var breathingRatePerMin: Double?
  /// Height of the pulse relative to the steady light (AC/DC), percent.
  public var perfusionIndexPercent: Double?
  /// How well the pulse could be read, 0...1.
  public var quality = 0.0
  /// Share of the record's time covered by trusted intervals, 0...1. Pauses of the frames are no part of that time.
  public var coverage = 0.0
  /// How long the trusted intervals are together, seconds.
  public var trustedSeconds = 0.0
  /// The colour that was read; nil where none could be.
  public var channel: MeasuredWave.Channel?
  /// The beats, in order; none where there is no heart rate.
  public var beats: [MeasuredBeat] = []
  /// What is not given and why, in the order of the properties.
  public var withheld: [Withheld] = []

  /// A measurement that says nothing yet.
  init() {}
}
