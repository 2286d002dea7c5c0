import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// How well single beats are found in a clean light.
struct BeatScore: Codable {
  /// Beats that the synthetic hearts made, away from the ends of their records.
  let beats: Int
  /// From the foot of the pulse to the moment that a measured beat names, the median of all of them.
  let offsetMs: Double
  let within50Ms: BeatMatch
  let within150Ms: BeatMatch
}

/// Beats that were found within some distance, each matched once.
struct BeatMatch: Codable {
  let recall: Double
  let precision: Double
  let f1: Double
  let worstF1: Double
  let worstRun: String
}

func beatScore() -> BeatScore {
  var runs: [(name: String, beats: [Double], found: [Double])] = []
  var offsets: [Double] = []
  for bpm in syntheticRates {
    for seed in 1...3 as ClosedRange<UInt64> {
      let outcome = SyntheticMinute(subject: Subject(steadyBpm: bpm)).measured(seed: seed)
      let beats = outcome.truth.beats.map(\.foot.milliseconds)
      let found = outcome.result.beats.map(\.at.milliseconds)
      runs.append(("\(cell(bpm, 0)) bpm seed \(seed)", beats, found))
      var next = 0
      for beat in beats {
        while next < found.count, found[next] < beat { next += 1 }
        if next < found.count, found[next] - beat < 0.5 * 60_000 / bpm { offsets.append(found[next] - beat) }
      }
    }
  }
  let offset = median(offsets) ?? 0
  // A pulse at the very ends has no two sides: neither may be judged where the other cannot be.
  let judged = 500.0...SyntheticMinute.length.milliseconds - 500
  func match(_ toleranceMs: Double) -> BeatMatch {
    var (hits, beatCount, foundCount) = (0, 0, 0)
    var worst = (f1: 2.0, run: "none")
    for run in runs {
      let beats = run.beats.map { $0 + offset }
      let matched = pairs(beats, run.found, withinMs: toleranceMs)
      let inside = beats.indices.count { judged.contains(beats[$0]) }
      let recalled = matched.count { judged.contains(beats[$0.beat]) }
      let extra = run.found.indices.count { index in
        judged.contains(run.found[index]) && !matched.contains { $0.found == index }
      }
      hits += recalled
      beatCount += inside
      foundCount += recalled + extra
      let f1 = 2 * Double(recalled) / Double(max(inside + recalled + extra, 1))
      if f1 < worst.f1 { worst = (f1, run.name) }
    }
    return BeatMatch(
      recall: Double(hits) / Double(max(beatCount, 1)), precision: Double(hits) / Double(max(foundCount, 1)),
      f1: 2 * Double(hits) / Double(max(beatCount + foundCount, 1)), worstF1: worst.f1, worstRun: worst.run)
  }
  let count = runs.reduce(0) { total, run in total + run.beats.count { judged.contains($0 + offset) } }
  return BeatScore(beats: count, offsetMs: offset, within50Ms: match(50), within150Ms: match(150))
}

/// The most pairs of two sorted lists that lie within a distance, each member in one pair at most: taking the earliest
/// that fits leaves the most for the rest.
private func pairs(_ beats: [Double], _ found: [Double], withinMs: Double) -> [(beat: Int, found: Int)] {
  var result: [(beat: Int, found: Int)] = []
  var (beat, index) = (0, 0)
  while beat < beats.count, index < found.count {
    let distance = found[index] - beats[beat]
    if distance.magnitude <= withinMs {
      result.append((beat, index))
      beat += 1
      index += 1
    } else if distance < 0 {
      index += 1
    } else {
      beat += 1
    }
  }
  return result
}

extension Instant {
  /// Since zero, in milliseconds.
  fileprivate var milliseconds: Double { Double(microseconds) / 1_000 }
}
