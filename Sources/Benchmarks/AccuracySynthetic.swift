import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// One row of the synthetic tables: what was asked, and how it was read.
struct SyntheticScore: Codable {
  let title: String
  let measure: ScoredMeasure
  let score: AccuracyScore
  /// The largest error, measured less true, and the run that has it.
  let worstError: Double?
  let worstRun: String?

  init(_ title: String, _ measure: ScoredMeasure, _ runs: [(name: String, pair: ScoredPair)], tolerance: Double) {
    self.title = title
    self.measure = measure
    score = AccuracyScore(runs.map(\.pair), tolerance: tolerance)
    let worst = score.worst.map { runs[$0] }
    worstError = worst.flatMap { run in run.pair.measured.map { $0 - run.pair.reference } }
    worstRun = worst?.name
  }
}

/// All synthetic figures.
struct SyntheticDocument: Codable {
  var heartRate: [SyntheticScore]
  var rmssd: [SyntheticScore]
  /// Share of the answers of `rmssd` that are within 3 ms or 8 %.
  var rmssdWithinPercent: Double?
  var beats: BeatScore
  var rhythms: [RhythmScore]
  var controls: ControlScore
  /// Wall time of all of it.
  var seconds: Double
}

/// Measures all synthetic minutes.
func scoreSynthetic() -> SyntheticDocument {
  let clock = ContinuousClock()
  let begun = clock.now
  let (rmssd, within) = rmssdScores()
  var document = SyntheticDocument(
    heartRate: heartRateScores(), rmssd: rmssd, rmssdWithinPercent: within, beats: beatScore(), rhythms: rhythmScores(),
    controls: controlScore(), seconds: 0)
  document.seconds = (clock.now - begun) / .seconds(1)
  return document
}

/// Rates from the slowest to the fastest heart that is asked for.
private let rates: [Double] = [
  36, 40, 45, 50, 55, 60, 66, 72, 80, 88, 96, 105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205,
]

/// The lights that the heart rate is scored in: the standard camera on a finger of perfusion 2 %, and a faint, noisy one.
private let lights: [(title: String, perfusionPercent: Double, sensor: SyntheticMinute.Sensor)] = [
  ("camera, PI 2 %", 2, .camera), ("noise 0.15, PI 1 %", 1, .noise(counts: 0.15)),
]

/// A heart of a rate; the faster it is the steadier, as hearts are: RMSSD 40 ms or 4 % of the interval.
private func subject(_ bpm: Double, rmssdMs: Double? = nil, perfusionPercent: Double) -> Subject {
  Subject(
    heartRateBpm: bpm, rmssdMs: rmssdMs ?? min(40, 0.04 * 60_000 / bpm), perfusionIndexPercent: perfusionPercent)
}

private func heartRateScores() -> [SyntheticScore] {
  var scores: [SyntheticScore] = []
  for light in lights {
    for fps in [15.0, 20, 24, 30, 60] {
      var runs: [(String, ScoredPair)] = []
      for bpm in rates {
        for seed in 1...5 as ClosedRange<UInt64> {
          var minute = SyntheticMinute(
            subject: subject(bpm, perfusionPercent: light.perfusionPercent), sensor: light.sensor)
          minute.frameRateFps = fps
          let outcome = minute.measured(seed: seed)
          guard let truth = outcome.statistics.heartRateBpm else { continue }
          runs.append(
            ("\(cell(bpm, 0)) bpm seed \(seed)", ScoredPair(measured: outcome.result.heartRateBpm, reference: truth)))
        }
      }
      scores.append(SyntheticScore("\(cell(fps, 0)) fps, \(light.title)", .heartRateBpm, runs, tolerance: 0.5))
    }
  }
  return scores
}

private func rmssdScores() -> ([SyntheticScore], withinPercent: Double?) {
  var scores: [SyntheticScore] = []
  var within: [Double] = []
  for rmssd in [15.0, 25, 40, 60, 80] {
    var runs: [(String, ScoredPair)] = []
    for bpm in [50.0, 66, 90] {
      for seed in 1...10 as ClosedRange<UInt64> {
        let minute = SyntheticMinute(
          subject: subject(bpm, rmssdMs: rmssd, perfusionPercent: 1), sensor: .noise(counts: 0.15))
        let outcome = minute.measured(seed: seed)
        guard let truth = outcome.statistics.rmssdMs else { continue }
        let measured = outcome.result.rmssdMs
        if let measured { within.append((measured - truth).magnitude <= max(3, 0.08 * truth) ? 100 : 0) }
        runs.append(("\(cell(bpm, 0)) bpm seed \(seed)", ScoredPair(measured: measured, reference: truth)))
      }
    }
    scores.append(SyntheticScore("\(cell(rmssd, 0)) ms asked", .rmssdMs, runs, tolerance: max(3, 0.08 * rmssd)))
  }
  return (scores, mean(within))
}

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

private func beatScore() -> BeatScore {
  var runs: [(name: String, beats: [Double], found: [Double])] = []
  var offsets: [Double] = []
  for bpm in rates {
    for seed in 1...3 as ClosedRange<UInt64> {
      let outcome = SyntheticMinute(subject: subject(bpm, perfusionPercent: 2)).measured(seed: seed)
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
