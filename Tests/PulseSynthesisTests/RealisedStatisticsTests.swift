import PulseSynthesis
import Testing
import VitalsModel

/// The moment `seconds` after the run began.
func at(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

@Suite struct RealisedStatisticsTests {
  struct Row: CustomTestStringConvertible {
    let bpm: Double
    let rmssdMs: Double
    let bpmWithin: Double
    let rmssdWithinMs: Double
    var testDescription: String { "\(bpm) bpm, RMSSD \(rmssdMs) ms" }
  }

  /// Even a minute that begins anywhere is close to what was asked: largest error over seeds. A fast heart with a large RMSSD has the widest means,
  /// and a slow one the fewest intervals in a window.
  @Test(arguments: [
    Row(bpm: 40, rmssdMs: 20, bpmWithin: 0.15, rmssdWithinMs: 2.5),
    Row(bpm: 40, rmssdMs: 40, bpmWithin: 0.2, rmssdWithinMs: 4.5),
    Row(bpm: 55, rmssdMs: 60, bpmWithin: 0.45, rmssdWithinMs: 4),
    Row(bpm: 66, rmssdMs: 10, bpmWithin: 0.1, rmssdWithinMs: 0.7),
    Row(bpm: 66, rmssdMs: 40, bpmWithin: 0.3, rmssdWithinMs: 2.5),
    Row(bpm: 66, rmssdMs: 100, bpmWithin: 0.8, rmssdWithinMs: 7.5),
    Row(bpm: 90, rmssdMs: 30, bpmWithin: 0.35, rmssdWithinMs: 1.6),
    Row(bpm: 120, rmssdMs: 20, bpmWithin: 0.4, rmssdWithinMs: 1),
    Row(bpm: 150, rmssdMs: 15, bpmWithin: 0.5, rmssdWithinMs: 0.8),
    Row(bpm: 180, rmssdMs: 10, bpmWithin: 0.5, rmssdWithinMs: 0.6),
    Row(bpm: 200, rmssdMs: 10, bpmWithin: 0.6, rmssdWithinMs: 0.6),
    Row(bpm: 200, rmssdMs: 60, bpmWithin: 2, rmssdWithinMs: 3),
  ])
  func minuteRealisesWhatWasAsked(_ row: Row) throws {
    var sumOfBpm = 0.0
    var sumOfRmssdMs = 0.0
    for seed in 0..<60 {
      var scene = FingerScene(
        subject: Subject(heartRateBpm: row.bpm, rmssdMs: row.rmssdMs), seed: UInt64(seed))
      _ = scene.light(at: at(70))
      let start = Double(seed % 9)
      let realised = scene.truth.statistics(from: at(start), to: at(start + 60))
      let bpm = try #require(realised.heartRateBpm)
      let rmssdMs = try #require(realised.rmssdMs)
      let breathsPerMin = try #require(realised.breathingRatePerMin)
      #expect((bpm - row.bpm).magnitude <= row.bpmWithin, "seed \(seed)")
      #expect((rmssdMs - row.rmssdMs).magnitude <= row.rmssdWithinMs, "seed \(seed)")
      #expect((breathsPerMin - 14).magnitude <= 0.5, "seed \(seed)")
      sumOfBpm += bpm
      sumOfRmssdMs += rmssdMs
    }
    #expect((sumOfBpm / 60 - row.bpm).magnitude < 0.003 * row.bpm, "mean over seeds")
    #expect((sumOfRmssdMs / 60 - row.rmssdMs).magnitude < 0.03 * row.rmssdMs, "mean over seeds")
  }

  @Test func anHourStaysAtTheMean() throws {
    var scene = FingerScene(subject: Subject(heartRateBpm: 72), seed: 5)
    _ = scene.light(at: at(3_600))
    for start in stride(from: 0.0, to: 3_540, by: 177) {
      let bpm = try #require(scene.truth.statistics(from: at(start), to: at(start + 60)).heartRateBpm)
      #expect((bpm - 72).magnitude < 0.4)
    }
    let whole = scene.truth.statistics(from: .zero, to: at(3_600))
    #expect((try #require(whole.heartRateBpm) - 72).magnitude < 0.02)
    #expect((try #require(whole.rmssdMs) - 40).magnitude < 0.5)
    #expect((try #require(whole.breathingRatePerMin) - 14).magnitude < 0.1)
  }

  @Test(arguments: [30, 66, 123.4, 220])
  func noVariabilityMeansConstantIntervals(bpm: Double) {
    var scene = FingerScene(subject: Subject(heartRateBpm: bpm, rmssdMs: 0), seed: 2)
    _ = scene.light(at: at(120))
    let beats = scene.truth.beats.map(\.foot)
    for (one, next) in zip(beats, beats.dropFirst()) {
      #expect((Double((next - one).microseconds) - 60_000_000 / bpm).magnitude <= 1)
    }
  }

  /// Intervals are shorter while breathing in: the heart follows the same breaths that the light shows.
  @Test func heartFollowsBreathing() {
    var slow = 0.0
    var fast = 0.0
    for seed: UInt64 in 0..<10 {
      var scene = FingerScene(subject: Subject(heartRateBpm: 66, breathingRatePerMin: 12), seed: seed)
      _ = scene.light(at: at(300))
      let (truth, breaths) = (scene.truth, scene.truth.breathStarts)
      let feet = truth.beats.map(\.foot)
      for (one, next) in zip(feet, feet.dropFirst()) {
        guard let after = breaths.firstIndex(where: { $0 > one }), after > 0 else { continue }
        let phase = (one - breaths[after - 1]).seconds / (breaths[after] - breaths[after - 1]).seconds
        // Lungs are fullest at 0.4 of a breath and emptiest at its ends.
        if (0.25...0.55).contains(phase) { fast += (next - one).milliseconds - 60_000 / 66 }
        if phase < 0.15 || phase > 0.85 { slow += (next - one).milliseconds - 60_000 / 66 }
      }
    }
    #expect(slow > 2_000 && fast < -2_000, "sums of deviations: \(slow), \(fast) ms")
  }

  @Test func windowsWithTooLittleSayNothing() {
    var scene = FingerScene(subject: Subject(heartRateBpm: 60, rmssdMs: 0), seed: 1)
    let beforeAnything = scene.truth.statistics(from: .zero, to: at(60))
    #expect(beforeAnything.heartRateBpm == nil && beforeAnything.rmssdMs == nil)
    _ = scene.light(at: at(30))
    let first = scene.truth.beats[3].foot
    let rows: [(seconds: Double, hasRate: Bool, hasRmssd: Bool, hasBreathing: Bool)] = [
      (0, false, false, false), (0.9, false, false, false), (1.1, true, false, false), (2.1, true, true, false),
      (20, true, true, true), (-5, false, false, false),
    ]
    for row in rows {
      let realised = scene.truth.statistics(from: first, to: first + TimeSpan(seconds: row.seconds))
      #expect((realised.heartRateBpm != nil) == row.hasRate, "\(row)")
      #expect((realised.rmssdMs != nil) == row.hasRmssd, "\(row)")
      #expect((realised.breathingRatePerMin != nil) == row.hasBreathing, "\(row)")
    }
  }

  @Test func statisticsAreThoseOfThePublishedBeats() throws {
    var scene = FingerScene(subject: Subject(), seed: 77)
    _ = scene.light(at: at(64))
    let beats = scene.truth.beats.map(\.foot).filter { $0 >= at(4) && $0 < at(64) }
    let intervals = zip(beats, beats.dropFirst()).map { ($1 - $0).milliseconds }
    let steps = zip(intervals, intervals.dropFirst()).map { $1 - $0 }
    let realised = scene.truth.statistics(from: at(4), to: at(64))
    let bpm = 60_000 * Double(intervals.count) / intervals.reduce(0, +)
    let rmssdMs = (steps.map { $0 * $0 }.reduce(0, +) / Double(steps.count)).squareRoot()
    #expect((try #require(realised.heartRateBpm) - bpm).magnitude < 1e-9)
    #expect((try #require(realised.rmssdMs) - rmssdMs).magnitude < 1e-9)
  }
}
