import VitalsModel

/// How an asked variability divides among what moves the intervals.
///
/// A swing A sin(2 pi f t) read once an interval T has successive differences of mean square 2 A^2 sin^2(pi f T), a
/// variance of A^2 / 2, and moves the beats by up to A / (2 sin(pi f T)).
struct Variability: Sendable {
  /// The low-frequency part lies near 0.1 Hz (Task Force, "Heart rate variability", Circulation 93, 1996).
  static let lowFrequencyPerMin = 6.0
  /// No swing is wider than this share of the mean interval, whatever is asked.
  static let widestSwing = 0.25
  /// Shares where nothing is asked, and what they may do, in shares of the mean interval: swing it, and move a beat. A
  /// beat moved by 0.06 changes the mean rate of a window that it begins by 0.06 beats.
  private static let usualRespiratoryShare = 0.45
  private static let usualLowFrequencyShare = 0.1
  private static let usualWidestSwing = 0.15
  private static let usualDisplacement = 0.06

  /// Amplitude of the respiratory part in ms.
  let respiratoryMs: Double
  /// Amplitude of the low-frequency part in ms.
  let lowFrequencyMs: Double
  /// RMSSD of the memoryless part in ms.
  let memorylessMs: Double
  private let rmssdMs: Double
  private let rateBpm: Double

  init(_ heart: HeartSettings, rateBpm: Double, breathsPerMin: Double) {
    func swing(_ asked: Double?, usual: Double, perMinute: Double) -> Double {
      let perShare = Self.share(swingMs: 1, perMinute: perMinute, rateBpm: rateBpm, rmssdMs: heart.rmssdMs)
      if heart.rmssdMs == 0 { return 0 }
      if let asked { return (asked / perShare).squareRoot() }
      let step = Maths.sin(.pi * perMinute / rateBpm).magnitude
      let widest = min(Self.usualWidestSwing, 2 * Self.usualDisplacement * step) * 60_000 / rateBpm
      return perShare == 0 ? 0 : min((usual / perShare).squareRoot(), widest)
    }
    func meanSquare(_ swing: Double, perMinute: Double) -> Double {
      let step = Maths.sin(.pi * perMinute / rateBpm)
      return 2 * swing * swing * step * step
    }
    // An asked share leaves the other part what is left of the whole.
    let respiratory = min(Self.usualRespiratoryShare, 0.95 - (heart.lowFrequencyShare ?? 0))
    let lowFrequency = min(Self.usualLowFrequencyShare, 0.95 - (heart.respiratoryShare ?? 0))
    respiratoryMs = swing(heart.respiratoryShare, usual: respiratory, perMinute: breathsPerMin)
    lowFrequencyMs = swing(heart.lowFrequencyShare, usual: lowFrequency, perMinute: Self.lowFrequencyPerMin)
    let rhythmic =
      meanSquare(respiratoryMs, perMinute: breathsPerMin)
      + meanSquare(lowFrequencyMs, perMinute: Self.lowFrequencyPerMin)
    memorylessMs = max(heart.rmssdMs * heart.rmssdMs - rhythmic, 0).squareRoot()
    rmssdMs = heart.rmssdMs
    self.rateBpm = rateBpm
  }

  /// The share of squared RMSSD that a swing of `swingMs` at `perMinute` makes; infinite where there is no RMSSD.
  static func share(swingMs: Double, perMinute: Double, rateBpm: Double, rmssdMs: Double) -> Double {
    if rmssdMs == 0 { return .infinity }
    let step = Maths.sin(.pi * perMinute / rateBpm)
    return 2 * swingMs * swingMs * step * step / (rmssdMs * rmssdMs)
  }

  /// The SDNN that can be had with these parts in ms.
  var sdnnRangeMs: ClosedRange<Double> {
    if rmssdMs == 0 { return 0...0 }
    // Intervals between independently displaced beats: RMSSD^2 = 3 SDNN^2. A little more for what chance adds, most of it
    // where a minute has few beats.
    let swings = (respiratoryMs * respiratoryMs + lowFrequencyMs * lowFrequencyMs) / 2
    let lowest = (1.04 + 2 / rateBpm) * (swings + memorylessMs * memorylessMs / 3).squareRoot()
    // Slow waves of up to two in a minute, whose own steps use up nine tenths of the RMSSD.
    let slow = 0.9 * rmssdMs / (2 * Maths.sin(.pi * SlowWave.mostPerMin / rateBpm))
    return lowest...max(lowest, min(slow, 0.18 * 60_000 / rateBpm))
  }
}
