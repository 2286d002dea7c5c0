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
  /// 60 over the mean interval between the pulses that showed, in seconds; nil with fewer than 2 beats.
  public let heartRateBpm: Double?
  /// Root mean square of the differences of NN intervals that follow each other, in ms; nil where there are none.
  public let rmssdMs: Double?
  /// Standard deviation of the NN intervals in ms, over their number less one; nil with fewer than 2.
  public let sdnnMs: Double?
  /// Breaths per minute; nil where less than one breath is known.
  public let breathingRatePerMin: Double?
  /// How many pulses showed.
  public let beatCount: Int
  /// How many of them came from premature beats.
  public let ectopicCount: Int
}

/// The truth behind the light: what a perfect reader would find.
///
/// It is known up to the latest moment the scene was asked for.
public struct PulseTruth: Sendable {
  /// The beats whose pulse showed at the fingertip, in order. The heart beats on while no finger is on the lens.
  public internal(set) var beats: [Beat] = []
  /// Where the pulse of a beat would have begun that did not reach the fingertip, in order.
  public internal(set) var missed: [Instant] = []
  /// When the finger lay on the lens: from the moment it has landed to the moment it begins to leave.
  public internal(set) var contact: [Stretch] = []
  /// When the pulse showed: from the moment it is back in full to the moment it begins to vanish.
  public internal(set) var visiblePulse: [Stretch] = []
  /// When the finger fidgeted: from the first move until it is at rest again.
  public internal(set) var fidgeting: [Stretch] = []
  /// When the finger slid: from the first move until it is back in its place.
  public internal(set) var sliding: [Stretch] = []
  /// Beginnings of inspirations, in order, from the one before the run on. The last is still to come, unless the
  /// breath is held; a held breath lasts until the next inspiration.
  public internal(set) var breathStarts: [Instant] = []

  /// The realised statistics of the beats from `from` up to but not including `to`.
  ///
  /// An NN interval lies between two beats of the sinus node, or two of a fibrillating heart, without a missed pulse
  /// between them. The breathing rate is the advance of the breathing phase over the window's length; of a window that
  /// reaches beyond the breaths that are known, the known part counts.
  public func statistics(from: Instant, to: Instant) -> RealisedStatistics {
    let window = beats[beats.firstIndex(\.foot, notBefore: from)..<beats.firstIndex(\.foot, notBefore: max(from, to))]
    var (count, mean, squares) = (0.0, 0.0, 0.0)
    var (stepCount, stepSquares) = (0.0, 0.0)
    var before: Double?
    for (one, next) in zip(window, window.dropFirst()) {
      guard isNN(from: one, to: next) else {
        before = nil
        continue
      }
      let interval = (next.foot - one.foot).milliseconds
      // Welford's running variance.
      count += 1
      let deviation = interval - mean
      mean += deviation / count
      squares += deviation * (interval - mean)
      if let before {
        stepCount += 1
        stepSquares += (interval - before) * (interval - before)
      }
      before = interval
    }
    return RealisedStatistics(
      heartRateBpm: heartRate(window), rmssdMs: stepCount > 0 ? (stepSquares / stepCount).squareRoot() : nil,
      sdnnMs: count > 1 ? (squares / (count - 1)).squareRoot() : nil, breathingRatePerMin: breathing(from, to),
      beatCount: window.count, ectopicCount: window.count { $0.kind == .ectopic })
  }

  /// Whether the interval between two beats that follow each other is an NN interval.
  public func isNN(from one: Beat, to next: Beat) -> Bool {
    guard one.isRegular, next.isRegular else { return false }
    let missing = missed.firstIndex(\.self, notBefore: one.foot)
    return missing == missed.count || missed[missing] > next.foot
  }

  /// Lets go of what is over before `moment`, so that a long run needs no more memory than a short one. Statistics of
  /// windows from `moment` on stay what they are.
  mutating func forget(before moment: Instant) {
    beats.removeFirst(beats.firstIndex(\.foot, notBefore: moment))
    missed.removeFirst(missed.firstIndex(\.self, notBefore: moment))
    // The breath during which the moment falls began before it.
    breathStarts.removeFirst(max(0, breathStarts.firstIndex(\.self, notBefore: moment) - 1))
    contact.forget(before: moment)
    visiblePulse.forget(before: moment)
    fidgeting.forget(before: moment)
    sliding.forget(before: moment)
  }

  private func heartRate(_ window: ArraySlice<Beat>) -> Double? {
    guard window.count > 1, let first = window.first, let last = window.last else { return nil }
    return 60 * Double(window.count - 1) / (last.foot - first.foot).seconds
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
    let next = breathStarts.firstIndex(\.self, notBefore: moment)
    if next == 0 { return 0 }
    let length = (breathStarts[next] - breathStarts[next - 1]).seconds
    return Double(next - 1) + (moment - breathStarts[next - 1]).seconds / length
  }
}

extension [Stretch] {
  /// Lets go of stretches that ended before `moment`, the last one excepted.
  fileprivate mutating func forget(before moment: Instant) {
    removeFirst(dropLast().prefix { stretch in stretch.to.map { $0 < moment } ?? false }.count)
  }
}

extension Array {
  /// The index of the first element, of those in order of time, whose time is not before `bound`.
  fileprivate func firstIndex(_ time: KeyPath<Element, Instant>, notBefore bound: Instant) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle][keyPath: time] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
