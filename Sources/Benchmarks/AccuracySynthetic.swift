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
  /// The RMSSD in ms that the sensor's noise alone would make of an even heart, at the least.
  var timingNoiseMs: Double?

  init(
    _ title: String, _ measure: ScoredMeasure, _ runs: [(name: String, pair: ScoredPair)],
    tolerance: (Double) -> Double
  ) {
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
  var document = SyntheticDocument(
    heartRate: heartRateScores(), rmssd: rmssdScores(), beats: beatScore(), rhythms: rhythmScores(),
    controls: controlScore(), seconds: 0)
  document.seconds = (clock.now - begun) / .seconds(1)
  return document
}

/// Rates from the slowest to the fastest heart that is asked for.
let syntheticRates: [Double] = [
  36, 40, 45, 50, 55, 60, 66, 72, 80, 88, 96, 105, 115, 125, 135, 145, 155, 165, 175, 185, 195, 205,
]

extension Subject {
  /// A subject whose heart is the steadier the faster it is, as hearts are: RMSSD 40 ms, or 4 % of the interval.
  init(steadyBpm bpm: Double, perfusionIndexPercent: Double = 2) {
    self.init(
      heartRateBpm: bpm, rmssdMs: min(40, 0.04 * 60_000 / bpm), perfusionIndexPercent: perfusionIndexPercent)
  }
}

/// A finger and what the sensor makes of it. Perfusion is that of green; red pulses by 0.3 of it.
private struct SyntheticLight {
  let title: String
  let perfusionIndexPercent: Double
  let sensor: SyntheticMinute.Sensor

  static let standard = SyntheticLight(title: "camera, PI 2 %", perfusionIndexPercent: 2, sensor: .camera)
  static let weak = SyntheticLight(title: "camera, PI 1 %", perfusionIndexPercent: 1, sensor: .camera)
  /// Red, the brightest colour, pulses by 1 %.
  static let noisy = SyntheticLight(
    title: "noise 0.15, red PI 1 %", perfusionIndexPercent: 1 / 0.3, sensor: .noise(counts: 0.15))
  static let faint = SyntheticLight(
    title: "noise 0.15, green PI 1 %", perfusionIndexPercent: 1, sensor: .noise(counts: 0.15))
}

private func heartRateScores() -> [SyntheticScore] {
  var scores: [SyntheticScore] = []
  for light in [SyntheticLight.standard, .noisy, .faint] {
    for fps in [15.0, 20, 24, 30, 60] {
      var runs: [(String, ScoredPair)] = []
      for bpm in syntheticRates {
        for seed in 1...5 as ClosedRange<UInt64> {
          let subject = Subject(steadyBpm: bpm, perfusionIndexPercent: light.perfusionIndexPercent)
          let outcome = SyntheticMinute(subject: subject, sensor: light.sensor, frameRateFps: fps).measured(seed: seed)
          guard let truth = outcome.statistics.heartRateBpm else { continue }
          runs.append(
            ("\(cell(bpm, 0)) bpm seed \(seed)", ScoredPair(measured: outcome.result.heartRateBpm, reference: truth)))
        }
      }
      scores.append(SyntheticScore("\(cell(fps, 0)) fps, \(light.title)", .heartRateBpm, runs) { _ in 0.5 })
    }
  }
  return scores
}

private func rmssdScores() -> [SyntheticScore] {
  var scores: [SyntheticScore] = []
  for light in [SyntheticLight.weak, .noisy, .faint] {
    for rmssd in [15.0, 25, 40, 60, 80] {
      func minute(_ bpm: Double) -> SyntheticMinute {
        let subject = Subject(
          heartRateBpm: bpm, rmssdMs: rmssd, perfusionIndexPercent: light.perfusionIndexPercent)
        return SyntheticMinute(subject: subject, sensor: light.sensor)
      }
      var runs: [(String, ScoredPair)] = []
      for bpm in [50.0, 66, 90] {
        for seed in 1...10 as ClosedRange<UInt64> {
          let outcome = minute(bpm).measured(seed: seed)
          guard let truth = outcome.statistics.rmssdMs else { continue }
          runs.append(
            ("\(cell(bpm, 0)) bpm seed \(seed)", ScoredPair(measured: outcome.result.rmssdMs, reference: truth)))
        }
      }
      var score = SyntheticScore("\(cell(rmssd, 0)) ms, \(light.title)", .rmssdMs, runs) { max(3, 0.08 * $0) }
      score.timingNoiseMs = minute(66).timingNoiseMs(seed: 1)
      scores.append(score)
    }
  }
  return scores
}
