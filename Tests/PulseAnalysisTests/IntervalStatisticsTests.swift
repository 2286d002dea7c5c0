import Testing

@testable import PulseAnalysis

struct IntervalStatisticsTests {
  private func statistics(
    _ intervals: [Double], untrusted: Set<Int> = [], still: Set<Int> = [], weak: [Int: Double] = [:]
  ) -> IntervalStatistics {
    var times = [0.0]
    for interval in intervals { times.append(times[times.count - 1] + interval) }
    let trusted = times.indices.map { !untrusted.contains($0 - 1) }
    return IntervalStatistics(
      timesMs: times, isTrusted: trusted, isStill: times.indices.map { still.contains($0 - 1) },
      isSharp: times.map { _ in true }, heights: times.indices.map { weak[$0 - 1] ?? 1 })
  }

  /// Intervals, and the indices of those that are no NN intervals.
  @Test(
    arguments: [
      ([800, 810, 790, 805, 800, 795, 810], []),
      ([800, 810, 790, 400, 405, 800, 795, 810, 800, 805], [3, 4]),
      ([800, 810, 790, 1_600, 800, 795, 810, 800], [3]),
      // Every other beat unseen for a while, among intervals that were not seen well either.
      ([900, 910, 905, 900, 895, 1_850, 1_910, 1_830, 1_760, 905, 900, 890, 910, 900], [5, 6, 7, 8]),
      // A heart that slows down to twice its interval.
      ([500, 510, 540, 580, 620, 670, 720, 770, 830, 880, 930, 980, 1_010], []),
      ([1_000, 1_010, 990, 600, 1_400, 1_000, 995, 1_010, 1_005], [3, 4]),
      // A heart that speeds up and slows down again, as breathing makes it.
      ([960, 914, 907, 860, 781, 702, 683, 768, 990, 1_069, 1_039, 979, 1_001, 1_026], []),
      ([1_115, 892, 1_117, 836, 1_036, 909, 1_080, 830, 1_092, 895], []),
    ] as [([Double], [Int])])
  func artefacts(intervals: [Double], expected: [Int]) {
    let result = statistics(intervals).intervals
    #expect(result.indices.filter { !result[$0].isNN } == expected)
  }

  /// Intervals, those whose light was still, the heights of weak beats by the interval that they end, and how many beats may be
  /// hidden.
  @Test(
    arguments: [
      ([800, 810, 790, 800, 805, 795, 800, 810], [], [:], 0),
      // As long as two: a weak early beat and its pause, however still the light.
      ([800, 810, 790, 1_600, 805, 795, 800, 810], [3], [:], 1),
      ([800, 810, 790, 1_600, 805, 795, 800, 810], [], [:], 1),
      // A pause in still light hides nothing; where something stirs there may be as many beats as fit.
      ([800, 810, 790, 2_700, 805, 795, 800, 810], [3], [:], 0),
      ([800, 810, 790, 2_700, 805, 795, 800, 810], [], [:], 2),
      // The pause after an early beat that was seen.
      ([800, 810, 790, 480, 1_120, 795, 800, 810], [4], [3: 0.4], 0),
      // Every second beat early, and one of those not seen: its pair takes as long as any other.
      ([500, 900, 500, 900, 1_400, 500, 900, 500, 900], [4], [0: 0.4, 2: 0.4, 5: 0.4, 7: 0.4], 1),
      // Every third beat hidden: what remains is by turns one interval and two, all of it of strong beats.
      ([550, 1_100, 550, 1_100, 550, 1_100, 550, 1_100], [], [:], 4),
      ([550, 1_100, 550, 1_100, 550, 1_100, 550, 1_100], [], [0: 0.6, 2: 0.6, 4: 0.6, 6: 0.6], 4),
      // No order at all: an interval as long as two others is one of many lengths.
      ([730, 860, 690, 730, 800, 540, 640, 620, 1_250, 690, 800, 790, 660, 470, 840, 640], [], [:], 0),
      // Weaker still: every second beat is early.
      ([550, 1_100, 550, 1_100, 550, 1_100, 550, 1_100], [], [0: 0.4, 2: 0.4, 4: 0.4, 6: 0.4], 0),
    ] as [([Double], Set<Int>, [Int: Double], Double)])
  func hiddenBeats(intervals: [Double], still: Set<Int>, weak: [Int: Double], expected: Double) {
    #expect(statistics(intervals, still: still, weak: weak).hiddenBeats == expected)
  }

  /// Where a beat may be hidden in still light, half a beat is never far from the truth.
  @Test func aBeatThatMayBeHiddenCountsHalf() {
    let intervals = [800.0, 800, 800, 1_600, 800, 800, 800]
    #expect(statistics(intervals, still: [3]).filledMeanMs { _, _ in nil } == 6_400 / 7.5)
    #expect(statistics(intervals).filledMeanMs { _, _ in nil } == 800)
  }

  /// Gaps longer than two intervals are those of a pulse that goes away.
  @Test func gapsAreLongerThanTwo() {
    #expect((statistics([800, 800, 800, 1_700, 800, 800]).gapSeconds - 0).magnitude < 1e-9)
    #expect((statistics([800, 800, 800, 2_500, 800, 800]).gapSeconds - 2.5).magnitude < 1e-9)
  }

  @Test func aDifferenceNeedsTwoNeighbours() {
    let result = statistics([800, 840, 800, 840, 800, 840, 800, 840], untrusted: [3])
    #expect(result.count == 7)
    #expect(result.sharpDifferences.map(\.magnitude) == [40, 40, 40, 40, 40])
  }

  /// Intervals of which some are unclear, how many pulses the light shows where those are, and the mean that is right.
  @Test(
    arguments: [
      // Slow while clear, a stretch of three beats in two intervals: a whole number needs no other witness.
      ([1_000, 1_000, 1_000, 1_500, 1_500, 1_000, 1_000, 1_000], [3, 4], nil, 1_000),
      // No whole number: the light's rhythm tells, or the stretch is left out.
      ([1_000, 1_000, 1_000, 1_700, 900, 1_000, 1_000, 1_000], [3, 4], 3, 8_600 / 9.0),
      ([1_000, 1_000, 1_000, 1_700, 1_900, 1_000, 1_000, 1_000], [3, 4], nil, 1_000),
      // A rhythm half as fast as its neighbours' is the rhythm of every other beat.
      ([1_000, 1_000, 1_000, 1_700, 1_900, 1_000, 1_000, 1_000], [3, 4], 1.8, 1_000),
      // A heart that is faster at first, or at last, and less clear.
      ([700, 500, 500, 1_700, 1_000, 1_000, 1_000], [0, 1, 2, 3], 4.1, 6_400 / 7.1),
      ([1_000, 1_000, 1_000, 700, 500, 500, 1_700], [3, 4, 5, 6], 4.1, 6_400 / 7.1),
      // Neither a whole number nor a rhythm: each of its intervals that is like its neighbours counts.
      ([800, 810, 790, 2_450, 1_000, 1_000, 1_000], [0, 1, 2, 3], nil, 5_400 / 6.0),
    ] as [([Double], Set<Int>, Double?, Double)])
  func aRateFillsWhatIsUnclear(intervals: [Double], untrusted: Set<Int>, pulses: Double?, expected: Double) {
    let mean = statistics(intervals, untrusted: untrusted).filledMeanMs { _, _ in pulses }
    #expect((mean - expected).magnitude < 1e-6)
  }

  /// The beats between which the light's rhythm is asked for are those around the stretch.
  @Test func aStretchIsNamedByItsBeats() {
    var asked: [[Int]] = []
    let result = statistics(
      [1_700, 1_000, 1_000, 1_700, 900, 1_000, 1_000, 1_000, 2_450], untrusted: [0, 3, 4, 8])
    _ = result.filledMeanMs { first, last in
      asked.append([first, last])
      return nil
    }
    #expect(asked == [[0, 1], [3, 5], [8, 9]])
  }

  /// Something between two beats makes two intervals of one; neither is beyond doubt.
  @Test func whatIsBetweenTwoBeatsIsNone() {
    let result = statistics([1_100, 1_150, 900, 1_120, 960, 435, 827, 1_110, 960, 1_050, 1_160, 870])
    #expect(result.intervals.indices.filter { !result.intervals[$0].isTrusted } == [5, 6])
    #expect(result.intervals.indices.filter { !result.intervals[$0].isNN } == [5, 6])
  }
}
