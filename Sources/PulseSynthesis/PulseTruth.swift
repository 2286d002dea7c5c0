import VitalsModel

/// A stretch of time in which something held; without an end while it still does.
public struct Stretch: Hashable, Sendable {
  /// When it began to hold.
  public let from: Instant
  /// When it ceased to hold, or nil.
  public internal(set) var to: Instant?
}

/// What a body really did in a window, computed from its beats and breaths there.
public struct RealisedStatistics: Hashable, Sendable {
  /// 60 over the mean interval in seconds; nil with fewer than 2 beats.
  public let heartRateBpm: Double?
  /// Root mean square of successive interval differences in ms; nil with fewer than 3 beats.
  public let rmssdMs: Double?
  /// Breaths per minute; nil where less than one breath is known.
  public let breathingRatePerMin: Double?
}

/// The truth behind the light: what a perfect reader would find.
///
/// It is known up to the latest moment the scene was asked for.
public struct PulseTruth: Sendable {
  /// The foot of each pulse at the fingertip, in order. The heart beats on while no finger is on the lens.
  public internal(set) var beats: [Instant] = []
  /// When the finger lay on the lens: from the moment it has landed to the moment it begins to leave.
  public internal(set) var contact: [Stretch] = []
  /// When the pulse showed: from the moment it is back in full to the moment it begins to vanish.
  public internal(set) var visiblePulse: [Stretch] = []
  /// When the finger fidgeted: from the first move until it is at rest again.
  public internal(set) var fidgeting: [Stretch] = []
  /// When the finger slid: from the first move until it is back in its place.
  public internal(set) var sliding: [Stretch] = []
  /// Beginnings of inspirations, in order, from the one before the run on; the last is still to come.
  public internal(set) var breathStarts: [Instant] = []

  /// The realised statistics of the beats from `from` up to but not including `to`.
  ///
  /// The breathing rate is the advance of the breathing phase over the window's length; of a window that reaches
  /// beyond the breaths that are known, the known part counts.
  public func statistics(from: Instant, to: Instant) -> RealisedStatistics {
    let first = firstIndex(in: beats, notBefore: from)
    let last = firstIndex(in: beats, notBefore: to) - 1
    return RealisedStatistics(
      heartRateBpm: heartRate(first, last), rmssdMs: rmssd(first, last), breathingRatePerMin: breathing(from, to))
  }

  private func heartRate(_ first: Int, _ last: Int) -> Double? {
    if last - first < 1 { return nil }
    return 60 * Double(last - first) / (beats[last] - beats[first]).seconds
  }

  private func rmssd(_ first: Int, _ last: Int) -> Double? {
    if last - first < 2 { return nil }
    var sum = 0.0
    for index in (first + 1)..<last {
      let step = ((beats[index + 1] - beats[index]) - (beats[index] - beats[index - 1])).milliseconds
      sum += step * step
    }
    return (sum / Double(last - first - 1)).squareRoot()
  }

  private func breathing(_ from: Instant, _ to: Instant) -> Double? {
    guard let earliest = breathStarts.first, let latest = breathStarts.last else { return nil }
    let from = max(from, earliest)
    let to = min(to, latest)
    if to <= from { return nil }
    let count = breathPhase(at: to) - breathPhase(at: from)
    return count < 1 ? nil : 60 * count / (to - from).seconds
  }

  /// Breaths since the first known one; `moment` lies within the known ones.
  private func breathPhase(at moment: Instant) -> Double {
    let next = firstIndex(in: breathStarts, notBefore: moment)
    if next == 0 { return 0 }
    let length = (breathStarts[next] - breathStarts[next - 1]).seconds
    return Double(next - 1) + (moment - breathStarts[next - 1]).seconds / length
  }

  /// The index of the first of `moments`, which are in order, that is not before `bound`.
  private func firstIndex(in moments: [Instant], notBefore bound: Instant) -> Int {
    var low = 0
    var high = moments.count
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
