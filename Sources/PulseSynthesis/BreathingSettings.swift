/// How a subject is asked to breathe, and how much of it shows in the light.
///
/// How much of it shows in the intervals is ``HeartSettings/respiratoryShare``.
public struct BreathingSettings: Hashable, Sendable {
  /// Mean breathing rate, 4...60 breaths per minute.
  public var ratePerMin: Double
  /// How much full lungs raise the height of the pulse and empty ones lower it, as a share of it, 0...0.5.
  public var amplitudeModulation: Double
  /// How much breathing moves the brightness to either side, as a share of the height of the pulse, 0...1.
  public var baselineModulation: Double

  /// Breathing; by default that of a resting adult.
  public init(ratePerMin: Double = 14, amplitudeModulation: Double = 0.12, baselineModulation: Double = 0.15) {
    self.ratePerMin = ratePerMin
    self.amplitudeModulation = amplitudeModulation
    self.baselineModulation = baselineModulation
  }
}

/// How regularly breaths follow each other.
public enum BreathingPattern: String, CaseIterable, Sendable {
  /// As at rest: a few percent of change from breath to breath.
  case steady
  /// Breaths of exactly the same length, as with a metronome.
  case paced
  /// Breaths whose length varies by about a quarter.
  case irregular
  /// The breath is held after breathing out, once the breath that has begun is over.
  case apnoea
}
