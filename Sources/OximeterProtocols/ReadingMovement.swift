/// How the values of a stream move from reading to reading, which tells what says the same.
///
/// Sixty times a second a value stays for many frames, so that readings say the same when they are equal. But a device
/// may give a new perfusion index with each frame, and a signal generator anything. A value that changed in many of the
/// latest readings may do so again: a little, or by anything if it changed in all of them.
struct ReadingMovement {
  /// The latest sixteen readings of one value, the last lowest: 1 where it was another than before.
  private struct Changes {
    private var bits: UInt16 = 0

    mutating func note(_ isChange: Bool) { bits = bits << 1 | (isChange ? 1 : 0) }

    /// How far apart two values may be, if `step` is a little.
    func tolerance(_ step: Int) -> Int {
      switch bits.nonzeroBitCount {
      case 15...: .max
      case 6...: step
      default: 0
      }
    }
  }

  private static let stepBpm = 5
  private static let stepPercent = 3
  private static let stepOfStrength = 2

  private var pulseRate = Changes()
  private var spo2 = Changes()
  private var perfusionIndex = Changes()
  private var strength = Changes()
  private var last: OximeterReading?

  /// Takes in the next reading that is beyond doubt.
  mutating func note(_ reading: OximeterReading) {
    let before = last ?? reading
    pulseRate.note(reading.pulseRateBpm != before.pulseRateBpm)
    spo2.note(reading.spo2Percent != before.spo2Percent)
    perfusionIndex.note(reading.perfusionIndexHundredths != before.perfusionIndexHundredths)
    strength.note(reading.signalStrength != before.signalStrength)
    last = reading
  }

  /// Whether readings say the same, as far as their values stand still.
  func areAlike(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    if one == other { return true }
    return one.flags == other.flags && one.isStale == other.isStale
      && Self.isNear(one.pulseRateBpm, other.pulseRateBpm, pulseRate.tolerance(Self.stepBpm))
      && Self.isNear(one.spo2Percent, other.spo2Percent, spo2.tolerance(Self.stepPercent))
      && Self.isNear(one.signalStrength, other.signalStrength, strength.tolerance(Self.stepOfStrength))
      && Self.isNear(
        one.perfusionIndexHundredths, other.perfusionIndexHundredths,
        perfusionIndex.tolerance(Self.stepOfPerfusionIndex(one)))
  }

  /// Whether readings differ in nothing but in what moves most in a finger.
  static func areAlikeButForPulse(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    one.flags == other.flags && one.isStale == other.isStale && isNear(one.spo2Percent, other.spo2Percent, stepPercent)
      && isNear(one.signalStrength, other.signalStrength, stepOfStrength)
  }

  /// A quarter of it, or 0.3 %.
  private static func stepOfPerfusionIndex(_ reading: OximeterReading) -> Int {
    max(30, (reading.perfusionIndexHundredths ?? 0) / 4)
  }

  private static func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= step
  }
}

extension OximeterReading {
  private static let stepBpm = 5
  private static let stepPercent = 3
  private static let stepOfPerfusionIndex = 30
  private static let stepOfStrength = 2

  /// Whether each of its values and flags is that of the reading before or after it, or lies between them where those
  /// are near each other: what is garbled just when the device says something else would lie anywhere between. A
  /// perfusion index may be near one of them, for it begins anywhere and moves at once.
  func isBetween(_ before: OximeterReading, _ after: OximeterReading) -> Bool {
    let indices = (before.perfusionIndexHundredths, perfusionIndexHundredths, after.perfusionIndexHundredths)
    return flags.isSuperset(of: before.flags.intersection(after.flags))
      && flags.isSubset(of: before.flags.union(after.flags))
      && Self.isBetween(before.pulseRateBpm, pulseRateBpm, after.pulseRateBpm, Self.stepBpm)
      && Self.isBetween(before.spo2Percent, spo2Percent, after.spo2Percent, Self.stepPercent)
      && Self.isBetween(before.signalStrength, signalStrength, after.signalStrength, Self.stepOfStrength)
      && (Self.isNear(indices.0, indices.1) || Self.isNear(indices.1, indices.2))
  }

  private static func isBetween(_ before: Int?, _ value: Int?, _ after: Int?, _ step: Int) -> Bool {
    if value == before || value == after { return true }
    guard let before, let value, let after, abs(before - after) <= step else { return false }
    return (min(before, after)...max(before, after)).contains(value)
  }

  private static func isNear(_ one: Int?, _ other: Int?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= stepOfPerfusionIndex
  }
}
