/// How the values of a stream move from reading to reading, which tells what says the same.
///
/// Sixty times a second a value stays for many frames, so that readings say the same when they are equal. But a device
/// may give a new perfusion index with each frame, and a signal generator anything. A value that moved in many of the
/// latest readings may do so again, as far as it did.
struct ReadingMovement {
  /// The latest sixteen readings of one value, the last lowest.
  private struct Changes {
    /// 1 where it was another than before.
    private var all: UInt16 = 0
    /// 1 where it was not even near.
    private var far: UInt16 = 0

    private static let many = 6

    mutating func note(_ before: Int?, _ value: Int?, step: Int) {
      all = all << 1 | (value == before ? 0 : 1)
      far = far << 1 | (isNear(before, value, step) ? 0 : 1)
    }

    /// Whether two values say the same.
    func areAlike(_ one: Int?, _ other: Int?, step: Int) -> Bool {
      if one == other { return true }
      if all.nonzeroBitCount < Self.many { return false }
      return isNear(one, other, far.nonzeroBitCount < Self.many ? step : .max)
    }
  }

  fileprivate static let stepBpm = 5
  fileprivate static let stepPercent = 3
  fileprivate static let stepOfStrength = 2

  private var pulseRate = Changes()
  private var spo2 = Changes()
  private var perfusionIndex = Changes()
  private var strength = Changes()
  private var last: OximeterReading?

  /// Takes in the next reading that is beyond doubt.
  mutating func note(_ reading: OximeterReading) {
    let before = last ?? reading
    pulseRate.note(before.pulseRateBpm, reading.pulseRateBpm, step: Self.stepBpm)
    spo2.note(before.spo2Percent, reading.spo2Percent, step: Self.stepPercent)
    strength.note(before.signalStrength, reading.signalStrength, step: Self.stepOfStrength)
    perfusionIndex.note(
      before.perfusionIndexHundredths, reading.perfusionIndexHundredths, step: Self.stepOfPerfusionIndex(before))
    last = reading
  }

  /// Whether readings say the same, as far as their values stand still.
  func areAlike(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    if one == other { return true }
    return one.flags == other.flags && one.isStale == other.isStale
      && pulseRate.areAlike(one.pulseRateBpm, other.pulseRateBpm, step: Self.stepBpm)
      && spo2.areAlike(one.spo2Percent, other.spo2Percent, step: Self.stepPercent)
      && strength.areAlike(one.signalStrength, other.signalStrength, step: Self.stepOfStrength)
      && perfusionIndex.areAlike(
        one.perfusionIndexHundredths, other.perfusionIndexHundredths, step: Self.stepOfPerfusionIndex(one))
  }

  /// Whether readings differ in nothing but in what moves most in a finger.
  static func areAlikeButForPulse(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    one.flags == other.flags && one.isStale == other.isStale && isNear(one.spo2Percent, other.spo2Percent, stepPercent)
      && isNear(one.signalStrength, other.signalStrength, stepOfStrength)
  }

  /// A quarter of it, or 0.3 %.
  fileprivate static func stepOfPerfusionIndex(_ reading: OximeterReading) -> Int {
    max(30, (reading.perfusionIndexHundredths ?? 0) / 4)
  }
}

private func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  return abs(one - other) <= step
}

extension OximeterReading {
  /// Whether each of its values and flags is that of the reading before or after it, or lies between them where those
  /// are near each other: what is garbled just when the device says something else would lie anywhere between. A
  /// perfusion index may be near one of them, for it begins anywhere and moves at once.
  func isBetween(_ before: OximeterReading, _ after: OximeterReading) -> Bool {
    let indices = (before.perfusionIndexHundredths, perfusionIndexHundredths, after.perfusionIndexHundredths)
    let step = ReadingMovement.stepOfPerfusionIndex(self)
    return flags.isSuperset(of: before.flags.intersection(after.flags))
      && flags.isSubset(of: before.flags.union(after.flags))
      && Self.isBetween(before.pulseRateBpm, pulseRateBpm, after.pulseRateBpm, ReadingMovement.stepBpm)
      && Self.isBetween(before.spo2Percent, spo2Percent, after.spo2Percent, ReadingMovement.stepPercent)
      && Self.isBetween(before.signalStrength, signalStrength, after.signalStrength, ReadingMovement.stepOfStrength)
      && (isNear(indices.0, indices.1, step) || isNear(indices.1, indices.2, step))
  }

  private static func isBetween(_ before: Int?, _ value: Int?, _ after: Int?, _ step: Int) -> Bool {
    if value == before || value == after { return true }
    guard let before, let value, let after, abs(before - after) <= step else { return false }
    return (min(before, after)...max(before, after)).contains(value)
  }
}
