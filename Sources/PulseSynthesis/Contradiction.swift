import VitalsModel

/// Why a subject cannot be: a setting outside its range, or one that another does not leave room for.
public struct Contradiction: Hashable, Sendable, Error {
  /// The setting that is at fault.
  public enum Field: String, CaseIterable, Sendable {
    /// ``HeartSettings/rateBpm``
    case heartRate
    /// ``HeartSettings/rmssdMs``
    case rmssd
    /// ``HeartSettings/sdnnMs``
    case sdnn
    /// ``HeartSettings/respiratoryShare``
    case respiratoryShare
    /// ``HeartSettings/lowFrequencyShare``
    case lowFrequencyShare
    /// ``BreathingSettings/ratePerMin``
    case breathingRate
    /// ``BreathingSettings/amplitudeModulation``
    case amplitudeModulation
    /// ``BreathingSettings/baselineModulation``
    case baselineModulation
    /// ``FingerSettings/perfusionIndexPercent``
    case perfusionIndex
  }

  /// Which setting does not fit.
  public let field: Field
  /// Why, and what the limit is, as a sentence without a full stop.
  public let reason: String
}

extension Subject {
  /// The first of these settings that cannot be, or nil: whatever is not refused here is realised.
  public static func contradiction(
    heart: HeartSettings, breathing: BreathingSettings, finger: FingerSettings
  ) -> Contradiction? {
    outOfRange(heart, breathing, finger) ?? misfit(heart, breathing)
  }

  /// The first setting that cannot be, or nil.
  public var contradiction: Contradiction? {
    Self.contradiction(heart: heart, breathing: breathing, finger: finger)
  }

  private static func outOfRange(
    _ heart: HeartSettings, _ breathing: BreathingSettings, _ finger: FingerSettings
  ) -> Contradiction? {
    let rows: [(field: Contradiction.Field, name: String, value: Double?, range: ClosedRange<Double>, text: String)] = [
      (.heartRate, "a heart rate", heart.rateBpm, 30...220, "30 to 220 bpm"),
      (.rmssd, "an RMSSD", heart.rmssdMs, 0...200, "0 to 200 ms"),
      (.sdnn, "an SDNN", heart.sdnnMs, 0...1_000, "0 to 1000 ms"),
      (.respiratoryShare, "a respiratory share", heart.respiratoryShare, 0...0.9, "0 to 90 %"),
      (.lowFrequencyShare, "a low-frequency share", heart.lowFrequencyShare, 0...0.9, "0 to 90 %"),
      (.breathingRate, "a breathing rate", breathing.ratePerMin, 4...60, "4 to 60 per minute"),
      (.amplitudeModulation, "an amplitude modulation", breathing.amplitudeModulation, 0...0.5, "0 to 50 %"),
      (.baselineModulation, "a baseline modulation", breathing.baselineModulation, 0...1, "0 to 100 %"),
      (.perfusionIndex, "a perfusion index", finger.perfusionIndexPercent, 0.02...20, "0.02 to 20 %"),
    ]
    for row in rows {
      if let value = row.value, !row.range.contains(value) {
        return Contradiction(field: row.field, reason: "\(row.name) is \(row.text)")
      }
    }
    return nil
  }

  private static func misfit(_ heart: HeartSettings, _ breathing: BreathingSettings) -> Contradiction? {
    let bpm = Fixed.shortest(heart.rateBpm, places: 1)
    let largest = HeartSettings.rmssdLimitMs(rateBpm: heart.rateBpm)
    if heart.rmssdMs > largest {
      return Contradiction(
        field: .rmssd,
        reason:
          "an RMSSD of \(Fixed.shortest(heart.rmssdMs, places: 1)) ms does not fit a heart rate of \(bpm) bpm: at most "
          + "\(floor(largest)) ms")
    }
    if let fault = misfit(shares: heart, breathing) { return fault }
    guard let sdnn = heart.sdnnMs else { return nil }
    let range = heart.sdnnRangeMs(breathsPerMin: breathing.ratePerMin)
    if range.contains(sdnn) { return nil }
    let side =
      sdnn < range.lowerBound ? "at least \(ceiling(range.lowerBound))" : "at most \(floor(range.upperBound))"
    return Contradiction(
      field: .sdnn,
      reason:
        "an SDNN of \(Fixed.shortest(sdnn, places: 1)) ms does not fit an RMSSD of \(Fixed.shortest(heart.rmssdMs, places: 1)) ms at \(bpm) bpm: "
        + "\(side) ms")
  }

  private static func misfit(shares heart: HeartSettings, _ breathing: BreathingSettings) -> Contradiction? {
    let (respiratory, lowFrequency) = (heart.respiratoryShare ?? 0, heart.lowFrequencyShare ?? 0)
    if respiratory + lowFrequency > 0.95 {
      return Contradiction(
        field: .respiratoryShare,
        reason: "the respiratory and the low-frequency share are \(percent(respiratory + lowFrequency)) together: "
          + "at most 95 %")
    }
    let largestRespiratory = heart.respiratoryShareLimit(breathsPerMin: breathing.ratePerMin)
    if respiratory > largestRespiratory {
      return Contradiction(
        field: .respiratoryShare,
        reason: "a respiratory share of \(percent(respiratory)) would swing the intervals by more than a quarter "
          + "at \(Fixed.shortest(breathing.ratePerMin, places: 1)) breaths per minute: at most \(floor(100 * largestRespiratory)) %"
      )
    }
    let largestLowFrequency = heart.lowFrequencyShareLimit
    if lowFrequency > largestLowFrequency {
      return Contradiction(
        field: .lowFrequencyShare,
        reason: "a low-frequency share of \(percent(lowFrequency)) would swing the intervals by more than a quarter "
          + "at \(Fixed.shortest(heart.rateBpm, places: 1)) bpm: at most \(floor(100 * largestLowFrequency)) %")
    }
    return nil
  }

  private static func percent(_ share: Double) -> String { Fixed.text(100 * share, places: 1) + " %" }

  /// A limit rounded to the inside, so that what is told does fit.
  private static func floor(_ limit: Double) -> String { Fixed.text((limit * 10).rounded(.down) / 10, places: 1) }
  private static func ceiling(_ limit: Double) -> String { Fixed.text((limit * 10).rounded(.up) / 10, places: 1) }
}
