/// The beats of the last seconds of a stretch: what an interval usually is, and how alike the pulses are.
struct RecentBeats: Sendable {
  private var places = SIMD16<Double>()
  private var likenesses = SIMD16<Double>()
  private var clean = SIMD16<Double>()
  /// Beats seen in this stretch.
  private(set) var count = 0
  private var intervals = SIMD8<Double>()
  private var intervalCount = 0
  private var lastLookedUsual = false

  /// The median of the last five intervals, in cells; nil before the third.
  var usualInterval: Double? {
    intervalCount >= 3 ? median(of: intervals, count: min(intervalCount, 5)) : nil
  }

  /// Takes a beat and says whether the interval to it can be trusted.
  mutating func add(_ place: Double, looksUsual: Bool, likeness: Double) -> (isClean: Bool, isLinked: Bool) {
    let isLinked = count > 0
    var isClean = looksUsual
    if isLinked {
      let interval = place - places[(count - 1) & 15]
      if let usual = usualInterval {
        isClean = isClean && interval > 0.68 * usual && interval < 1.36 * usual
      }
      intervals[intervalCount % 5] = interval
      intervalCount += 1
    }
    let trusted = isClean && (lastLookedUsual || !isLinked)
    lastLookedUsual = looksUsual
    places[count & 15] = place
    likenesses[count & 15] = likeness
    clean[count & 15] = trusted ? 1 : 0
    count += 1
    return (trusted, isLinked)
  }

  /// Mean likeness of the pulses of the last five seconds before `now`, 0 when there is none.
  func meanLikeness(_ now: Double) -> Double { mean(likenesses, now) }

  /// Share of clean beats in the last five seconds, or `cells`, before `now`, 0 when there is none.
  func cleanShare(_ now: Double, cells: Double = 160) -> Double { mean(clean, now, cells: cells) }

  /// Whether the beats of the last five seconds before `now`, four or more, have hardly one among them that is clean: less
  /// than one in eight.
  func isDisorderly(_ now: Double) -> Bool {
    var number = 0.0
    var trusted = 0.0
    for index in max(count - 12, 0)..<count where now - places[index & 15] < 160 {
      trusted += clean[index & 15]
      number += 1
    }
    return number >= 4 && trusted * 8 < number
  }

  /// Whether more than a third of the intervals of the last five seconds before `now`, six or more, are shorter than a
  /// heart's at 240 beats a minute: what comes as often is a tremor.
  func isTooFast(_ now: Double) -> Bool {
    var number = 0
    var short = 0
    for index in max(count - 12, 1)..<max(count, 1) where now - places[(index - 1) & 15] < 160 {
      if places[index & 15] - places[(index - 1) & 15] < 8 { short += 1 }
      number += 1
    }
    return number >= 6 && short * 3 > number
  }

  private func mean(_ values: SIMD16<Double>, _ now: Double, cells: Double = 160) -> Double {
    var sum = 0.0
    var number = 0.0
    for index in max(count - 12, 0)..<count where now - places[index & 15] < cells {
      sum += values[index & 15]
      number += 1
    }
    return number > 0 ? sum / number : 0
  }
}
