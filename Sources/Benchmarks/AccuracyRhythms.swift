import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// How one measure came out where the rhythm or the light is not regular.
struct VerdictCount: Codable {
  private(set) var right = 0
  private(set) var withheld = 0
  private(set) var wrong = 0
  /// The first run that is wrong, with what was measured and what is true.
  private(set) var example: String?

  mutating func add(_ measured: Double?, _ truth: Double?, tolerance: Double, run: String) {
    switch (measured, truth) {
    case (nil, _): withheld += 1
    case (let measured?, let truth?) where (measured - truth).magnitude <= tolerance: right += 1
    case (let measured?, let truth):
      wrong += 1
      if example == nil { example = "\(run): \(cell(measured)) for \(cell(truth))" }
    }
  }
}

/// How the measures came out of one kind of minute.
struct RhythmScore: Codable {
  let title: String
  /// Within 2 bpm or 2 % of the mean of the intervals between the pulses that showed.
  var heartRate = VerdictCount()
  /// Within 10 ms or 10 % of the RMSSD of the true NN intervals.
  var rmssd = VerdictCount()
  /// Within 2 breaths a minute; wrong at any value where no breathing shows.
  var breathing = VerdictCount()
}

/// Irregular rhythms, single losses and single artefacts, of subjects who differ by seed.
func rhythmScores() -> [RhythmScore] {
  let half = Instant.zero + .seconds(30)
  func rhythm(_ title: String, _ rhythm: Rhythm) -> RhythmScore {
    score(title) { $0.changes = [(.zero, { $0.setRhythm(rhythm, at: $1) })] }
  }
  return [
    score("sinus rhythm") { _ in }, rhythm("ectopic beats", .ectopic), rhythm("bigeminy", .bigeminy),
    rhythm("atrial fibrillation", .fibrillation),
    score("one lost beat") { minute in
      // For as long as a beat takes, no pulse reaches the finger.
      let found = half + TimeSpan(seconds: 60 / minute.subject.heart.rateBpm)
      minute.changes = [(half, { $0.setRhythm(.missed, at: $1) }), (found, { $0.setRhythm(.sinus, at: $1) })]
    },
    score("one spike of 0.1 s, -10 %") { minute in
      minute.disturb = { (half..<(half + .milliseconds(100))).contains($0) ? $1 * 0.9 : $1 }
    },
    score("10 % of the frames lost") { $0.droppedPercent = 10 },
    score("three jerks a minute") { $0.disturbances = DisturbanceSettings(jerksPerMin: 3) },
    score("breathing that does not show", showsBreath: false) { minute in
      minute.subject.breathing.amplitudeModulation = 0
      minute.subject.breathing.baselineModulation = 0
      minute.subject.heart.respiratoryShare = 0
    },
    score("breath held", showsBreath: false) { $0.changes = [(.zero, { $0.setBreathing(.apnoea, at: $1) })] },
  ]
}

private func score(_ title: String, showsBreath: Bool = true, _ alter: (inout SyntheticMinute) -> Void) -> RhythmScore {
  var score = RhythmScore(title: title)
  for seed in 1...50 as ClosedRange<UInt64> {
    var chance = SeededGenerator(seed: seed, stream: "benchmark.subject")
    var minute = SyntheticMinute()
    minute.subject.heart.rateBpm = chance.uniform(in: 50...90)
    minute.subject.heart.rmssdMs = chance.uniform(in: 20...60)
    minute.subject.breathing.ratePerMin = chance.uniform(in: 10...20)
    minute.subject.finger.perfusionIndexPercent = chance.uniform(in: 1...4)
    alter(&minute)
    let outcome = minute.measured(seed: seed)
    let (result, truth) = (outcome.result, outcome.statistics)
    let run = "seed \(seed)"
    score.heartRate.add(
      result.heartRateBpm, truth.heartRateBpm, tolerance: max(2, 0.02 * (truth.heartRateBpm ?? 0)), run: run)
    score.rmssd.add(result.rmssdMs, truth.rmssdMs, tolerance: max(10, 0.1 * (truth.rmssdMs ?? 0)), run: run)
    score.breathing.add(
      result.breathingRatePerMin, showsBreath ? truth.breathingRatePerMin : nil, tolerance: 2, run: run)
  }
  return score
}

extension Light {
  fileprivate static func * (light: Light, factor: Double) -> Light {
    Light(red: light.red * factor, green: light.green * factor, blue: light.blue * factor)
  }
}
