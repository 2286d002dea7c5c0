import PulseSynthesis
import Testing
import VitalsModel

/// The truth of a subject after `seconds`, with changes made on the way.
func truth(
  _ subject: Subject, seed: UInt64 = 1, after seconds: Double,
  _ changes: [(at: Double, make: (inout FingerScene, Instant) -> Void)] = []
) -> PulseTruth {
  var scene = FingerScene(subject: subject, seed: seed)
  for change in changes { change.make(&scene, at(change.at)) }
  _ = scene.light(at: at(seconds))
  return scene.truth
}

extension PulseTruth {
  func minute(_ number: Int) -> RealisedStatistics {
    statistics(from: at(60 * Double(number)), to: at(60 * Double(number + 1)))
  }
}

/// Whole minutes of a run realise what was asked.
@Suite struct RealisedMinuteTests {
  @Test(arguments: 30...220)
  func everyHeartRate(bpm: Int) throws {
    let limit = HeartSettings.rmssdLimitMs(rateBpm: Double(bpm))
    for (share, breaths) in [(0.0, 14.0), (0.05, 14), (0.2, 6), (0.5, 20), (0.8, 33), (0.95, 4), (1, 60)] {
      let rmssd = share * limit
      let subject = Subject(heartRateBpm: Double(bpm), rmssdMs: rmssd, breathingRatePerMin: breaths)
      let truth = truth(subject, seed: UInt64(bpm), after: 121)
      for number in 0...1 {
        let minute = truth.minute(number)
        #expect((try #require(minute.heartRateBpm) - Double(bpm)).magnitude <= 0.05)
        #expect((try #require(minute.rmssdMs) - rmssd).magnitude <= max(1, 0.02 * rmssd), "RMSSD \(rmssd)")
        #expect((try #require(minute.breathingRatePerMin) - breaths).magnitude <= 0.1, "\(breaths) breaths")
        #expect((minute.beatCount - bpm).magnitude <= 1 && minute.ectopicCount == 0)
      }
    }
  }

  @Test(arguments: [30.0, 45, 66, 90, 140, 220], [0.1, 0.4, 0.7, 0.95])
  func everySDNN(bpm: Double, share: Double) throws {
    for breaths in [4.0, 14, 33] {
      var heart = HeartSettings(rateBpm: bpm, rmssdMs: share * HeartSettings.rmssdLimitMs(rateBpm: bpm))
      let range = heart.sdnnRangeMs(breathsPerMin: breaths)
      for place in [0.02, 0.3, 0.6, 0.98] {
        let sdnn = range.lowerBound + place * (range.upperBound - range.lowerBound)
        heart.sdnnMs = sdnn
        let subject = Subject(heart: heart, breathing: BreathingSettings(ratePerMin: breaths))
        for seed: UInt64 in 0..<4 {
          let minute = truth(subject, seed: seed, after: 61).minute(0)
          #expect((try #require(minute.sdnnMs) - sdnn).magnitude <= max(1, 0.02 * sdnn))
          #expect((try #require(minute.rmssdMs) - heart.rmssdMs).magnitude <= max(1, 0.02 * heart.rmssdMs))
          #expect((try #require(minute.heartRateBpm) - bpm).magnitude <= 0.05)
        }
      }
    }
  }

  @Test(arguments: [4, 5.5, 6, 12, 14, 25, 40, 60], [BreathingPattern.steady, .paced, .irregular])
  func everyBreathingRate(perMinute: Double, pattern: BreathingPattern) throws {
    for seed: UInt64 in 0..<10 {
      let truth = truth(
        Subject(heartRateBpm: 80, breathingRatePerMin: perMinute), seed: seed, after: 240,
        [(0, { $0.setBreathing(pattern, at: $1) })])
      // The minute in which the pattern began holds a breath of another.
      for number in 1...2 {
        #expect((try #require(truth.minute(number).breathingRatePerMin) - perMinute).magnitude <= 0.1)
      }
    }
  }

  @Test func rampsAndSteps() throws {
    struct Row {
      let from: Double
      let to: Double
      let at: Double
      let over: Double
      /// Mean rates of the whole minutes, by integration.
      let minutes: [Double?]
    }
    let rows = [
      Row(from: 60, to: 120, at: 60, over: 60, minutes: [60, 90, 120]),
      Row(from: 150, to: 50, at: 90, over: 20, minutes: [150, nil, 50]),
      Row(from: 60, to: 180, at: 61, over: 0, minutes: [60, nil, 180]),
      Row(from: 200, to: 40, at: 59, over: 0, minutes: [nil, 40, 40]),
      Row(from: 70, to: 100, at: 0, over: 150, minutes: [76, 88, nil]),
    ]
    for row in rows {
      for seed: UInt64 in 0..<10 {
        let truth = truth(
          Subject(heartRateBpm: row.from), seed: seed, after: 181,
          [(row.at, { $0.turnHeartRate(to: row.to, at: $1, over: TimeSpan(seconds: row.over)) })])
        for (number, asked) in row.minutes.enumerated() {
          guard let asked else { continue }
          // The intervals of a ramp are not spread evenly around their mean.
          let within = asked == row.from || asked == row.to ? 0.05 : 1
          #expect((try #require(truth.minute(number).heartRateBpm) - asked).magnitude <= within, "\(row) \(number)")
        }
      }
    }
  }

  @Test func breathingRatesRampAndStep() throws {
    let minutes = truth(
      Subject(heartRateBpm: 70, breathingRatePerMin: 12), after: 241,
      [(60, { $0.turnBreathingRate(to: 24, at: $1, over: TimeSpan(seconds: 60)) })])
    for (number, asked, within) in [(0, 12.0, 0.1), (1, 18, 1), (2, 24, 0.1)] {
      #expect((try #require(minutes.minute(number).breathingRatePerMin) - asked).magnitude <= within)
    }
  }

  @Test func rmssdTurns() throws {
    let truth = truth(Subject(heartRateBpm: 66), after: 181, [(70, { $0.turnRmssd(to: 90, at: $1) })])
    #expect((try #require(truth.minute(0).rmssdMs) - 40).magnitude <= 1)
    #expect((try #require(truth.minute(2).rmssdMs) - 90).magnitude <= 1.8)
    #expect((try #require(truth.minute(2).heartRateBpm) - 66).magnitude <= 0.05)
  }

  @Test func peaksLieWithinTheirPulse() {
    for vessels in Vessels.allCases {
      for bpm in [30.0, 66, 150, 220] {
        let heart = HeartSettings(rateBpm: bpm, rmssdMs: HeartSettings.rmssdLimitMs(rateBpm: bpm))
        let beats = truth(Subject(heart: heart, vessels: vessels), after: 60).beats
        for (one, next) in zip(beats, beats.dropFirst()) {
          #expect(one.foot < one.peak && one.peak < next.foot)
          #expect((0.04...0.4).contains((one.peak - one.foot).seconds))
        }
      }
    }
  }

  @Test func forgettingChangesNoLaterStatistics() {
    var scene = FingerScene(subject: Subject(), seed: 3)
    scene.setContact(false, at: at(5))
    scene.setContact(true, at: at(9))
    _ = scene.light(at: at(200))
    let before = scene.truth
    scene.forget(before: at(100))
    #expect(scene.truth.statistics(from: at(100), to: at(160)) == before.statistics(from: at(100), to: at(160)))
    #expect(scene.truth.beats.first == before.beats.first { $0.foot >= at(100) })
    #expect(scene.truth.contact.count == 1 && scene.truth.breathStarts.count < before.breathStarts.count)
    scene.setContact(false, at: at(210))
    #expect(scene.truth.contact.last?.to == at(210))
  }
}
