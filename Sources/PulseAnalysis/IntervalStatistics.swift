/// The intervals between the beats of a record and what they say once artefacts are set aside.
struct IntervalStatistics {
  /// One interval between neighbouring beats.
  struct Interval {
    /// Index of the beat that ends it.
    let beat: Int
    /// Length, milliseconds.
    let ms: Double
    /// Whether both its beats were seen beyond doubt, however odd its length.
    var isTrusted: Bool
    /// Whether both its beats were seen and nothing disturbed the light between, however long it is.
    let isClear: Bool
    /// Whether the light was still between its beats, so that the heart paused and no beat was overlooked.
    let isPause: Bool
    /// Whether it is an NN interval.
    var isNN: Bool
    /// Beats that may lie hidden in it although its light was clear: too weak to see, or none.
    var hidden = 0.0
  }

  var intervals: [Interval] = []
  /// Time in gaps longer than two intervals in which nothing disturbed the light, seconds.
  var gapSeconds = 0.0

  /// Intervals of a beating heart, milliseconds: 220 beats a minute with some variation, and 27.
  private static let possibleMs = 220.0...2_200
  /// A stillness longer than this is no pause of a heart but a pulse that is not seen.
  private static let longestPauseMs = 4_500.0

  /// A premature beat: it comes before this share of the intervals around, and its pulse has less than this share of theirs,
  /// since the heart had no time to fill. It also comes as much before the intervals on either side: a heart that breathing
  /// moves as far goes there and back by degrees.
  static let premature = (interval: 0.84, height: 0.82)

  /// What an interval is longer by than those around it that may hold a beat.
  static let long = 1.55
  /// Two intervals, of those around, where one beat was not seen.
  static let asTwo = 1.7...2.3

  /// Of a full pulse's height, more than that of a beat whose pause is as long as two such intervals as it came after.
  static let earliest = 0.72

  /// Of a strong pulse's height after a pause, less than that of the usual beat that follows.
  static let weakestUsual = 0.53

  var areThirdsHidden = false
  var isDisordered = false
  private let isSharp: [Bool]
  let heights: [Double]

  /// Takes the beats' times in milliseconds and, for each, whether the stretch since the one before can be trusted,
  /// whether the light was still in it, whether its own time is sharp enough for beat-to-beat variation, and the height of its
  /// pulse relative to those around.
  init(timesMs: [Double], isTrusted: [Bool], isStill: [Bool], isSharp: [Bool], heights: [Double]) {
    self.isSharp = isSharp
    self.heights = heights
    intervals.reserveCapacity(timesMs.count)
    for beat in timesMs.indices.dropFirst() {
      let ms = timesMs[beat] - timesMs[beat - 1]
      let isPossible = isTrusted[beat] && Self.possibleMs.contains(ms)
      let isPause = isTrusted[beat] && isStill[beat] && ms <= Self.longestPauseMs
      intervals.append(
        Interval(
          beat: beat, ms: ms, isTrusted: isPossible, isClear: isTrusted[beat], isPause: isPause, isNN: isPossible))
    }
    setArtefactsAside()
  }

  /// Whether the heart paused somewhere, or beats are hidden.
  var hasPause: Bool { intervals.contains { !$0.isNN && ($0.isPause || $0.hidden > 0) } }

  /// Beats that may lie hidden in long intervals whose light was clear: too weak to see, or none.
  var hiddenBeats: Double {
    var sum = 0.0
    for interval in intervals { sum += interval.hidden }
    return sum
  }

  /// How many NN intervals there are.
  var count: Int { intervals.count(where: \.isNN) }

  /// Of the intervals whose beats were seen beyond doubt, the share that is set aside, 0...1.
  var asideShare: Double {
    let trusted = intervals.filter(\.isTrusted)
    return trusted.isEmpty ? 0 : Double(trusted.count { !$0.isNN }) / Double(trusted.count)
  }

  /// Whether NN intervals are long and short by turns, by more than a tenth, as where every second beat is early: such
  /// beats outnumber the jumps that would set them aside.
  ///
  /// Each difference then takes back the one before: the product of neighbours is minus their square. Without any order it
  /// is minus a half of it.
  var isAlternating: Bool {
    let differences = differences()
    guard differences.count >= 8 else { return false }
    var squares = 0.0
    var products = 0.0
    for index in differences.indices.dropFirst() {
      squares += differences[index] * differences[index]
      products += differences[index] * differences[index - 1]
    }
    return products < -0.8 * squares && (squares / Double(differences.count)).squareRoot() > 0.1 * meanMs
  }

  /// Time covered by intervals whose beats were seen beyond doubt, seconds.
  var trustedSeconds: Double {
    var sum = 0.0
    for interval in intervals where interval.isTrusted || interval.isPause { sum += interval.ms }
    return sum * 1e-3
  }

  /// Time covered by NN intervals, seconds.
  var nnSeconds: Double {
    var sum = 0.0
    for interval in intervals where interval.isNN { sum += interval.ms }
    return sum * 1e-3
  }

  /// Mean of the NN intervals; 0 when there is none.
  var meanMs: Double { count > 0 ? nnSeconds * 1e3 / Double(count) : 0 }

  /// Mean interval with the stretches that are not NN filled in, so that a rate does not favour the moments in which the
  /// pulse was clear.
  ///
  /// A stretch whose beats are beyond doubt, as of an irregular heart or one that pauses, or whose intervals all lie near
  /// those around it counts as it is, and where beats may be hidden in clear light as half of them, which is never far from
  /// either truth; another one of up to four beats counts as the whole number of intervals that it
  /// holds, if it holds a whole number. Any other, and what comes before the first NN interval and after the last, counts
  /// as the pulses that `pulses` finds between two beats by other means; where that says nothing, only those of its intervals
  /// count that lie near those around it.
  func filledMeanMs(pulses: (_ first: Int, _ last: Int) -> Double?) -> Double {
    var sum = 0.0
    var beats = 0.0
    var before = 0.0
    var stretch = Stretch()
    func fill(near usual: Double, through last: Int) {
      guard stretch.count > 0 else { return }
      // A rhythm that is far from its neighbours' may be the half or the double of it.
      let others = pulses(last - Int(stretch.count), last).flatMap { number in
        Stretch.isLike(stretch.total / number, usual) ? number : nil
      }
      if let held = stretch.beats(near: usual) ?? others {
        sum += stretch.total
        beats += held
        return
      }
      for interval in intervals[last - Int(stretch.count)..<last]
      where Stretch.isLike(interval.ms, usual) {
        sum += interval.ms
        beats += 1
      }
    }
    for interval in intervals {
      guard interval.isNN else {
        stretch.add(interval)
        continue
      }
      fill(near: before > 0 ? 0.5 * (before + interval.ms) : interval.ms, through: interval.beat - 1)
      sum += interval.ms
      beats += 1
      before = interval.ms
      stretch = Stretch()
    }
    if before > 0, let last = intervals.last { fill(near: before, through: last.beat) }
    return beats > 0 ? sum / beats : 0
  }

  /// Intervals in a row that are not NN.
  private struct Stretch {
    var total = 0.0
    var count = 0.0
    var shortest = Double.infinity
    var longest = 0.0
    var isTrusted = true
    var hasPause = false
    var hidden = 0.0
    var isSeen = true

    mutating func add(_ interval: Interval) {
      total += interval.ms
      count += 1
      shortest = min(shortest, interval.ms)
      longest = max(longest, interval.ms)
      isTrusted = isTrusted && interval.isTrusted
      hasPause = hasPause || interval.isPause
      hidden += interval.hidden
      isSeen = isSeen && (interval.isPause || interval.isTrusted || interval.hidden > 0)
    }

    static func isLike(_ ms: Double, _ usual: Double) -> Bool { ms > 0.65 * usual && ms < 1.5 * usual }

    func beats(near usual: Double) -> Double? {
      guard count > 0 else { return nil }
      if isSeen, hasPause { return count + 0.5 * hidden }
      if isSeen, hidden > 0 {
        let held = (total / usual).rounded()
        return held == 2 && held == count + hidden && (total - held * usual).magnitude < 0.15 * usual
          ? held : count + 0.5 * hidden
      }
      if longest < 1.5 * usual, isTrusted || shortest > 0.65 * usual { return count }
      let held = (total / usual).rounded()
      // Where as many beats were seen as fit, their number is surer.
      let leeway = held == count ? 0.3 : 0.15
      return held >= 1 && held <= 4 && (total - held * usual).magnitude < leeway * usual ? held : nil
    }
  }

  /// Mean of all intervals whose beats were seen beyond doubt, half of the beats that may be hidden counted; 0 when there is
  /// none.
  var seenMeanMs: Double {
    let number = Double(intervals.count { $0.isTrusted || $0.isPause }) + 0.5 * hiddenBeats
    return number > 0 ? trustedSeconds * 1e3 / number : 0
  }

  /// Variance of the NN intervals over n - 1, square milliseconds; 0 for fewer than two.
  var varianceMs2: Double {
    let mean = meanMs
    var sum = 0.0
    for interval in intervals where interval.isNN { sum += (interval.ms - mean) * (interval.ms - mean) }
    return count > 1 ? sum / Double(count - 1) : 0
  }

  /// Differences of NN intervals that follow each other directly and whose three beats are sharp.
  var sharpDifferences: [Double] {
    differences { isSharp[$0] && isSharp[$0 - 1] && isSharp[$0 - 2] }
  }

  /// Differences of NN intervals that follow each other directly, where `accepts` takes the last beat's index.
  func differences(where accepts: (Int) -> Bool = { _ in true }) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(intervals.count)
    for index in intervals.indices.dropFirst()
    where intervals[index].isNN && intervals[index - 1].isNN && accepts(intervals[index].beat) {
      result.append(intervals[index].ms - intervals[index - 1].ms)
    }
    return result
  }
}
