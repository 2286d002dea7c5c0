/// The intervals between the beats of a record and what they say once artefacts are set aside.
struct IntervalStatistics {
  /// One interval between neighbouring beats.
  struct Interval {
    /// Index of the beat that ends it.
    let beat: Int
    /// Length, milliseconds.
    let ms: Double
    /// Whether it is an NN interval.
    var isNN: Bool
  }

  private(set) var intervals: [Interval] = []

  /// Takes the beats' times in milliseconds and, for each, whether the stretch since the one before can be trusted.
  init(timesMs: [Double], isTrusted: [Bool]) {
    intervals.reserveCapacity(timesMs.count)
    for beat in timesMs.indices.dropFirst() {
      let ms = timesMs[beat] - timesMs[beat - 1]
      intervals.append(Interval(beat: beat, ms: ms, isNN: isTrusted[beat] && ms >= 270 && ms <= 2_200))
    }
    setArtefactsAside()
  }

  /// Lengths of the NN intervals, in order.
  var nn: [Double] { intervals.lazy.filter(\.isNN).map(\.ms) }

  /// Differences of NN intervals that follow each other directly.
  var differences: [Double] {
    var result: [Double] = []
    result.reserveCapacity(intervals.count)
    for index in intervals.indices.dropFirst() where intervals[index].isNN && intervals[index - 1].isNN {
      result.append(intervals[index].ms - intervals[index - 1].ms)
    }
    return result
  }

  /// Marks ectopic, missed and extra beats.
  ///
  /// As Lipponen and Tarvainen (2019) do, the limit adapts to the record: 5.2 quartile deviations of the successive
  /// differences, here with a floor of 60 ms, so that strong breathing arrhythmia passes and a lone early beat does not.
  private mutating func setArtefactsAside() {
    for _ in 0..<2 {
      let sizes = differences.map(\.magnitude).sorted()
      guard sizes.count >= 4 else { return }
      // For differences about zero, the quartile deviation is the median of their sizes.
      let limit = max(5.2 * sizes[sizes.count / 2], 60)
      markFar(limit)
    }
  }

  /// An interval is far when it differs from the middle of its neighbours by more than the limit and also from both.
  private mutating func markFar(_ limit: Double) {
    let before = intervals
    for index in before.indices where before[index].isNN {
      var near: [Double] = []
      for other in max(index - 3, 0)...min(index + 3, before.count - 1) where other != index && before[other].isNN {
        near.append(before[other].ms)
      }
      guard near.count >= 2 else { continue }
      near.sort()
      let middle = near.count % 2 == 1 ? near[near.count / 2] : 0.5 * (near[near.count / 2 - 1] + near[near.count / 2])
      let own = before[index].ms
      let isFar = (own - middle).magnitude > limit
      let isLone = own < near[0] - 0.5 * limit || own > near[near.count - 1] + 0.5 * limit
      if isFar && isLone { intervals[index].isNN = false }
    }
  }
}
