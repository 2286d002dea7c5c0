import Testing

@testable import PulseAnalysis

struct IntervalStatisticsTests {
  private func statistics(_ intervals: [Double], untrusted: Set<Int> = []) -> IntervalStatistics {
    var times = [0.0]
    for interval in intervals { times.append(times[times.count - 1] + interval) }
    let trusted = times.indices.map { !untrusted.contains($0 - 1) }
    return IntervalStatistics(
      timesMs: times, isTrusted: trusted, isStill: times.map { _ in false }, isSharp: times.map { _ in true },
      heights: times.map { _ in 1 })
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

  @Test func aDifferenceNeedsTwoNeighbours() {
    let result = statistics([800, 840, 800, 840, 800, 840, 800, 840], untrusted: [3])
    #expect(result.count == 7)
    #expect(result.sharpDifferences.map(\.magnitude) == [40, 40, 40, 40, 40])
  }

  @Test func aRateFillsWhatIsUnclear() {
    // Slow while clear, a stretch of three beats unclear.
    let result = statistics([1_000, 1_000, 1_000, 1_500, 1_500, 1_000, 1_000, 1_000], untrusted: [3, 4])
    #expect(result.meanMs == 1_000)
    #expect(result.filledMeanMs == 1_000)
  }
}
