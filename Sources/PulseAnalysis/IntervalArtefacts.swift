/// Which intervals are no NN intervals: ectopic, missed, extra and halved beats.
extension IntervalStatistics {
  /// Marks ectopic, missed and extra beats.
  ///
  /// As Lipponen and Tarvainen (2019) do, the limit adapts to the record: 5.2 quartile deviations of the successive
  /// differences, here with a floor of 60 ms, so that strong breathing arrhythmia passes and a lone early beat does not.
  mutating func setArtefactsAside() {
    areThirdsHidden = findHiddenThirds()
    isDisordered = findDisorder()
    setMissedBeatsAside()
    setExtraBeatsAside()
    setHalvedRunsAside()
    setPrematureBeatsAside()
    // What is set aside narrows the limit for the rest.
    for _ in 0..<2 {
      let sizes = differences().map(\.magnitude)
      guard sizes.count >= 4 else { return }
      // For differences about zero, the quartile deviation is the median of their sizes.
      let limit = max(5.2 * sizes.ranked(sizes.count / 2), 60)
      if !markFar(limit) { return }
    }
  }

  /// The interval that a premature beat ends and the one that it begins are not NN.
  private mutating func setPrematureBeatsAside() {
    var near = SortedFew()
    var early: [Int] = []
    for index in intervals.indices where intervals[index].isTrusted {
      guard heights[intervals[index].beat] < Self.premature.height else { continue }
      near.clear()
      for other in max(index - 4, 0)...min(index + 4, intervals.count - 1)
      where other != index && intervals[other].isTrusted { near.add(intervals[other].ms) }
      guard near.count >= 2 else { continue }
      let middle = near.middle
      let before = index > 0 ? intervals[index - 1].ms : middle
      let after = index + 1 < intervals.count ? intervals[index + 1].ms : middle
      if intervals[index].ms < Self.premature.interval * min(middle, before, after) { early.append(index) }
    }
    for index in early {
      intervals[index].isNN = false
      if index + 1 < intervals.count { intervals[index + 1].isNN = false }
    }
  }

  /// An interval half as long again as the middle of its neighbours may hold a beat that was not seen.
  private mutating func setMissedBeatsAside() {
    let before = intervals
    var near: [Double] = []
    for index in before.indices {
      let start = max(min(index - 4, before.count - 9), 0)
      near.removeAll(keepingCapacity: true)
      for other in start...min(start + 8, before.count - 1) where other != index {
        near.append(before[other].ms)
      }
      guard !near.isEmpty else { continue }
      near.sort()
      let middle = near[(near.count - 1) / 2]
      let share = before[index].ms / middle
      guard before[index].isClear, share > Self.long else { continue }
      if share > Self.asTwo.upperBound { gapSeconds += before[index].ms * 1e-3 }
      intervals[index].isNN = false
      let mean = near.reduce(0, +) / Double(near.count)
      if isPauseAfterEarlyBeat(index, mean: mean) || (isDisordered && share < Self.asTwo.upperBound) { continue }
      // A weak early beat and its pause take as long as two others, and its rise may be lost in the ebb before it.
      if before[index].isPause {
        if Self.asTwo.contains(share) || Self.asTwo.contains(before[index].ms / mean) { intervals[index].hidden = 1 }
      } else {
        intervals[index].hidden = max(share.rounded() - 1, 1)
      }
    }
  }

  /// Whether an interval, twice as long as the short ones around, is the pause after an early beat that was seen. Such a beat
  /// comes before 0.71 of the mean interval, so that its pulse has less than as much of a full one.
  private func isPauseAfterEarlyBeat(_ index: Int, mean: Double) -> Bool {
    guard index > 0, !areThirdsHidden else { return false }
    let early = intervals[index - 1]
    return early.ms < Self.premature.interval * mean && heights[early.beat] < Self.earliest
  }

  /// Whether intervals are long and short without order, as where the atria fibrillate: then one that is twice as long as its
  /// neighbours is nothing odd. Hardly an interval is like the one before, and each difference takes back a half of the last;
  /// by turns it would take back all, and with the breath none.
  private func findDisorder() -> Bool {
    var sizes: [Double] = []
    var squares = 0.0
    var products = 0.0
    var sum = 0.0
    var before = 0.0
    for index in intervals.indices.dropFirst() where intervals[index].isTrusted && intervals[index - 1].isTrusted {
      let difference = intervals[index].ms - intervals[index - 1].ms
      sizes.append(difference.magnitude)
      squares += difference * difference
      products += difference * before
      sum += intervals[index].ms
      before = difference
    }
    guard sizes.count >= 12 else { return false }
    sizes.sort()
    // Of a normal law a quarter is below 0.47 of the middle; where beats come early by plan, most differences are one size.
    let quarter = sizes[sizes.count / 4]
    return quarter > 0.06 * sum / Double(sizes.count) && quarter < 0.65 * sizes[sizes.count / 2]
      && (-0.7 * squares...(-0.25 * squares)).contains(products)
  }

  /// Whether long intervals after a short one and a weaker beat are twice as long as those: they may as well be the two of a
  /// heart whose every third beat is hidden, and be followed by a strong beat and a usual one. An early beat that shows
  /// with such a pause is weaker still: half filled, it rises in the ebb of the one before.
  private func findHiddenThirds() -> Bool {
    var ratios: [Double] = []
    var sizes: [Double] = []
    for index in intervals.indices.dropFirst() where heights[intervals[index - 1].beat] < Self.earliest {
      let ratio = intervals[index].ms / intervals[index - 1].ms
      guard ratio > 1.3 else { continue }
      ratios.append(ratio)
      sizes.append(heights[intervals[index - 1].beat])
    }
    guard !ratios.isEmpty else { return false }
    ratios.sort()
    sizes.sort()
    return (1.9...2.2).contains(ratios[ratios.count / 2]) && sizes[sizes.count / 2] > Self.weakestUsual
  }

  /// Two intervals that are short and together like the middle of their neighbours are one, with something in it that is
  /// no beat: after an early beat the heart pauses, so that its two intervals are together nearly two others.
  private mutating func setExtraBeatsAside() {
    let before = intervals
    var near = SlidingRanks()
    for index in before.indices.dropFirst() where before[index].isNN && before[index - 1].isNN {
      near.move(to: max(index - 5, 0)...min(index + 4, before.count - 1)) { before[$0].ms }
      let middle = near[near.count / 2]
      let pair = (before[index - 1].ms, before[index].ms)
      guard max(pair.0, pair.1) < 0.8 * middle, (0.75...1.25).contains((pair.0 + pair.1) / middle) else { continue }
      for part in index - 1...index { (intervals[part].isNN, intervals[part].isTrusted) = (false, false) }
    }
  }

  /// Several intervals in a row that are half as long again as the record's middle one, and are come to and left by a
  /// jump, lack every other beat. A heart that slows down comes to long intervals by degrees.
  private mutating func setHalvedRunsAside() {
    let possible = intervals.filter(\.isTrusted).map(\.ms)
    guard !possible.isEmpty else { return }
    let usual = possible.ranked((possible.count - 1) / 2)
    let long = Self.long * usual
    var first = 0
    while first < intervals.count {
      guard intervals[first].ms > long else {
        first += 1
        continue
      }
      let end = intervals[first...].firstIndex { $0.ms <= long } ?? intervals.count
      let middle = intervals[first..<end].map(\.ms).sorted()[(end - first - 1) / 2]
      let neighbours = [first - 1, end].filter(intervals.indices.contains)
      if !neighbours.isEmpty, neighbours.allSatisfy({ 1.45 * intervals[$0].ms < middle }) {
        for index in first..<end {
          intervals[index].isNN = false
          if intervals[index].isClear, intervals[index].hidden == 0, Self.asTwo.contains(intervals[index].ms / usual),
            !isDisordered, !isPauseAfterEarlyBeat(index, mean: 0.5 * (usual + intervals[index].ms))
          {
            intervals[index].hidden = 1
          }
        }
      }
      first = end
    }
  }

  /// An artefact is far from the middle of its neighbours and comes or goes abruptly; a heart that speeds up over some
  /// beats is far but does not jump.
  ///
  /// Returns whether there was one.
  private mutating func markFar(_ limit: Double) -> Bool {
    let before = intervals
    var hasMarked = false
    var near = SortedFew()
    for index in before.indices where before[index].isNN {
      near.clear()
      for other in max(index - 3, 0)...min(index + 3, before.count - 1) where other != index && before[other].isNN {
        near.add(before[other].ms)
      }
      guard near.count >= 2 else { continue }
      let middle = near.middle
      let own = before[index].ms
      func jumps(_ other: Int) -> Bool {
        guard before.indices.contains(other), before[other].isNN else { return true }
        return (own - before[other].ms).magnitude > limit
      }
      if (own - middle).magnitude > limit, jumps(index - 1) || jumps(index + 1) {
        intervals[index].isNN = false
        hasMarked = true
      }
    }
    return hasMarked
  }
}
