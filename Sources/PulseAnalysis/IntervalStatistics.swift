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

  private let isSharp: [Bool]

  /// Takes the beats' times in milliseconds and, for each, whether the stretch since the one before can be trusted and
  /// whether its own time is sharp enough for beat-to-beat variation.
  init(timesMs: [Double], isTrusted: [Bool], isSharp: [Bool]) {
    self.isSharp = isSharp
    intervals.reserveCapacity(timesMs.count)
    for beat in timesMs.indices.dropFirst() {
      let ms = timesMs[beat] - timesMs[beat - 1]
      intervals.append(Interval(beat: beat, ms: ms, isNN: isTrusted[beat] && ms >= 270 && ms <= 2_200))
    }
    setArtefactsAside()
  }

  /// How many NN intervals there are.
  var count: Int { intervals.count(where: \.isNN) }

  /// Time covered by NN intervals, seconds.
  var nnSeconds: Double {
    var sum = 0.0
    for interval in intervals where interval.isNN { sum += interval.ms }
    return sum * 1e-3
  }

  /// Mean of the NN intervals; 0 when there is none.
  var meanMs: Double { count > 0 ? nnSeconds * 1e3 / Double(count) : 0 }

  /// Mean interval with short stretches between NN intervals filled in, so that a rate does not favour the moments in
  /// which the pulse was clear: a stretch of up to five beats counts as the whole number of its neighbours'
  /// intervals that it holds, if it holds a whole number.
  var filledMeanMs: Double {
    var sum = 0.0
    var beats = 0.0
    var stretch = 0.0
    var before = 0.0
    for interval in intervals {
      guard interval.isNN else {
        stretch += interval.ms
        continue
      }
      if stretch > 0, before > 0 {
        let near = 0.5 * (before + interval.ms)
        let held = (stretch / near).rounded()
        if held >= 1, held <= 5, (stretch - held * near).magnitude < 0.25 * near {
          sum += stretch
          beats += held
        }
      }
      sum += interval.ms
      beats += 1
      before = interval.ms
      stretch = 0
    }
    return beats > 0 ? sum / beats : 0
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
  private func differences(where accepts: (Int) -> Bool = { _ in true }) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(intervals.count)
    for index in intervals.indices.dropFirst()
    where intervals[index].isNN && intervals[index - 1].isNN && accepts(intervals[index].beat) {
      result.append(intervals[index].ms - intervals[index - 1].ms)
    }
    return result
  }

  /// Marks ectopic, missed and extra beats.
  ///
  /// As Lipponen and Tarvainen (2019) do, the limit adapts to the record: 5.2 quartile deviations of the successive
  /// differences, here with a floor of 60 ms, so that strong breathing arrhythmia passes and a lone early beat does not.
  private mutating func setArtefactsAside() {
    setMissedBeatsAside()
    for _ in 0..<2 {
      let sizes = differences().map(\.magnitude).sorted()
      guard sizes.count >= 4 else { return }
      // For differences about zero, the quartile deviation is the median of their sizes.
      let limit = max(5.2 * sizes[sizes.count / 2], 60)
      markFar(limit)
    }
  }

  /// An interval half as long again as the middle of its neighbours holds a beat that was not seen.
  private mutating func setMissedBeatsAside() {
    let before = intervals
    for index in before.indices where before[index].isNN {
      let near = before[max(index - 4, 0)...min(index + 4, before.count - 1)].map(\.ms).sorted()
      if before[index].ms > 1.55 * near[(near.count - 1) / 2] { intervals[index].isNN = false }
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
      let isLone =
        own < near[near.count > 3 ? 1 : 0] - 0.5 * limit
        || own > near[near.count - (near.count > 3 ? 2 : 1)] + 0.5 * limit
      if isFar && isLone { intervals[index].isNN = false }
    }
  }
}
