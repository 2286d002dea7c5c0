import PulseSynthesis
import Testing
import VitalsModel

@Suite struct RhythmTests {
  private func intervals(_ beats: [Beat]) -> [Double] {
    zip(beats, beats.dropFirst()).map { ($1.foot - $0.foot).seconds }
  }

  private func played(
    _ rhythm: Rhythm, bpm: Double = 60, rmssdMs: Double = 10, seed: UInt64 = 1, from: Double = 10.3, until: Double = 400
  ) -> PulseTruth {
    truth(
      Subject(heartRateBpm: bpm, rmssdMs: rmssdMs), seed: seed, after: until,
      [(from, { $0.setRhythm(rhythm, at: $1) })])
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func bigeminyAlternates(seed: UInt64) {
    let beats = played(.bigeminy, seed: seed).beats.drop { $0.foot < at(11.5) }
    for (one, next) in zip(beats, beats.dropFirst()) { #expect((one.kind == .ectopic) != (next.kind == .ectopic)) }
    let lengths = intervals(Array(beats))
    for (beat, length) in zip(beats, lengths) {
      #expect((beat.kind == .ectopic ? 1.25...1.55 : 0.52...0.68).contains(length), "\(length)")
    }
    for (one, next) in zip(lengths, lengths.dropFirst()) { #expect((one + next - 2).magnitude < 0.15) }
  }

  @Test func ectopicBeatsComeAtOnceAndThenNowAndThen() throws {
    var (count, ectopic) = (0, 0)
    for seed: UInt64 in 0..<10 {
      let truth = played(.ectopic, seed: seed)
      let first = try #require(truth.beats.firstIndex { $0.kind == .ectopic })
      #expect((10.3...12.6).contains(truth.beats[first].foot.seconds))
      let lengths = intervals(truth.beats)
      for index in truth.beats.indices.dropFirst().dropLast() where truth.beats[index].kind == .ectopic {
        #expect((0.55...0.66).contains(lengths[index - 1]), "the coupling")
        // A full compensatory pause: the next sinus beat comes when it would have come.
        #expect((lengths[index - 1] + lengths[index] - 2).magnitude < 0.1)
        #expect(truth.beats[index - 1].kind == .normal && truth.beats[index + 1].kind == .normal)
      }
      let realised = truth.statistics(from: at(60), to: at(360))
      (count, ectopic) = (count + realised.beatCount, ectopic + realised.ectopicCount)
      // Premature beats leave the minute's mean rate and the statistics of the other intervals alone.
      #expect((try #require(truth.minute(2).heartRateBpm) - 60).magnitude <= 0.05)
      #expect((try #require(realised.rmssdMs) - 10).magnitude < 2)
    }
    #expect((0.07...0.13).contains(Double(ectopic) / Double(count)))
  }

  @Test func fibrillationIsIrregularAndSkewed() throws {
    for bpm in [60.0, 110, 180] {
      var (lengths, steps): ([Double], [Double]) = ([], [])
      for seed: UInt64 in 0..<6 {
        let beats = played(.fibrillation, bpm: bpm, seed: seed).beats.filter { $0.kind == .fibrillation }
        let own = intervals(beats)
        lengths += own
        steps += zip(own, own.dropFirst()).map { $0 * $1 }
      }
      let mean = lengths.reduce(0, +) / Double(lengths.count)
      let variance = lengths.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(lengths.count)
      let skew = lengths.map { ($0 - mean) * ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(lengths.count)
      let product = steps.reduce(0, +) / Double(steps.count) - mean * mean
      #expect((mean - 60 / bpm).magnitude < 0.01 * mean)
      #expect((0.19...0.25).contains(variance.squareRoot() / mean))
      #expect(skew / (variance * variance.squareRoot()) > 0.6)
      #expect((product / variance).magnitude < 0.1, "successive intervals are independent")
      #expect((lengths.min() ?? 0) > 0.5 * mean && (lengths.max() ?? 9) < 3 * mean)
    }
  }

  @Test func aPauseEndsWithAnEscapeBeat() throws {
    for seed: UInt64 in 0..<10 {
      let truth = truth(
        Subject(heartRateBpm: 60, rmssdMs: 10), seed: seed, after: 90,
        [(20.2, { $0.setRhythm(.paused, at: $1) }), (24, { $0.setRhythm(.sinus, at: $1) })])
      #expect(!truth.beats.contains { (20.2..<24).contains($0.foot.seconds) })
      let escape = try #require(truth.beats.first { $0.foot >= at(20.2) })
      #expect(escape.kind == .escape && escape.foot == at(24))
      #expect(truth.beats.filter { $0.kind != .normal } == [escape])
      let after = intervals(truth.beats.filter { $0.foot >= at(24) })
      #expect(after.allSatisfy { (0.9...1.1).contains($0) })
      // Neither interval that touches the pause is one of the rhythm's.
      #expect((try #require(truth.statistics(from: .zero, to: at(60)).sdnnMs)) < 15)
    }
  }

  @Test func aPauseWithinAnIntervalIsNone() {
    let plain = truth(Subject(heartRateBpm: 40), after: 20)
    let foot = plain.beats[5].foot.seconds
    let paused = truth(
      Subject(heartRateBpm: 40), after: 20,
      [(foot + 0.2, { $0.setRhythm(.paused, at: $1) }), (foot + 0.6, { $0.setRhythm(.sinus, at: $1) })])
    #expect(paused.beats[6].foot == plain.beats[6].foot && paused.beats.allSatisfy { $0.kind == .normal })
  }

  @Test func missedPulsesDoNotShow() throws {
    let changes: [(at: Double, make: (inout FingerScene, Instant) -> Void)] = [
      (20, { $0.setRhythm(.missed, at: $1) }), (22, { $0.setRhythm(.sinus, at: $1) }),
    ]
    let subject = Subject(heartRateBpm: 60, rmssdMs: 10)
    let truth = truth(subject, after: 60, changes)
    let plain = PulseSynthesisTests.truth(subject, after: 60)
    #expect(truth.missed == plain.beats.map(\.foot).filter { $0 >= at(20) && $0 < at(22) })
    #expect(truth.beats == plain.beats.filter { $0.foot < at(20) || $0.foot >= at(22) })
    #expect((try #require(truth.minute(0).sdnnMs)) < 15)
    #expect((try #require(truth.minute(0).heartRateBpm)) < 59)

    var scene = FingerScene(subject: subject, seed: 1)
    let lights = film(
      &scene, every: 10_000, until: at(30), rhythms: [(20, .missed), (22, .sinus)])
    func swing(_ from: Double, _ to: Double) -> Double {
      let greens = lights.filter { at(from) <= $0.0 && $0.0 < at(to) }.map(\.1.green)
      return (greens.max() ?? 0) - (greens.min() ?? 0)
    }
    // The pulse that began before runs its course, the vessels drain and breathing goes on.
    #expect(swing(21, 22) < 0.5 * swing(18, 19))
    // Nothing jumps, there or where the pulse is back.
    let steps = zip(lights, lights.dropFirst()).map { ($1.1.green - $0.1.green).magnitude }
    let usual = steps.prefix(1_500).max() ?? 0
    #expect((steps.max() ?? 9) < 1.5 * usual)
  }

  private func film(
    _ scene: inout FingerScene, every step: Int64, until end: Instant, rhythms: [(Double, Rhythm)]
  ) -> [(Instant, Light)] {
    var left = rhythms[...]
    return stride(from: 0, through: end.microseconds, by: Int(step)).map { time in
      let moment = Instant(microseconds: time)
      while let next = left.first, at(next.0) <= moment {
        scene.setRhythm(next.1, at: at(next.0))
        left = left.dropFirst()
      }
      return (moment, scene.light(at: moment))
    }
  }

  /// Premature beats are weak and the beats after them strong.
  @Test func pulsesFollowTheirFilling() {
    var scene = FingerScene(subject: Subject(heartRateBpm: 60, rmssdMs: 0), seed: 2)
    scene.setRhythm(.bigeminy, at: at(2))
    let heights = stride(from: at(2).microseconds, to: at(60).microseconds, by: 10_000).map { time in
      _ = scene.light(at: Instant(microseconds: time))
      return scene.frameTruth.pulseHeight
    }
    let beats = scene.truth.beats.filter { (4..<58).contains($0.foot.seconds) }
    func height(_ beat: Beat) -> Double { heights[Int((beat.peak - at(2)).microseconds / 10_000)] }
    let weak = beats.filter { $0.kind == .ectopic }.map(height)
    let strong = beats.filter { $0.kind == .normal }.map(height)
    #expect(weak.count > 20 && (weak.max() ?? 9) < 0.6 * (strong.min() ?? 0))
    #expect((strong.min() ?? 0) > 1 && (weak.min() ?? 0) > 0.3, "\(strong.min() ?? 0) \(weak.min() ?? 0)")
  }

  /// The light is one function of time whatever the frame rate, through every change.
  @Test func askingRateChangesNothing() {
    let changes: [(at: Double, make: (inout FingerScene, Instant) -> Void)] = [
      (3, { $0.setRhythm(.ectopic, at: $1) }), (7.7, { $0.setBreathing(.apnoea, at: $1) }),
      (9, { $0.turnHeartRate(to: 150, at: $1, over: .seconds(7)) }), (12, { $0.setRhythm(.paused, at: $1) }),
      (13, { $0.turnRmssd(to: 5, at: $1) }), (14.2, { $0.setRhythm(.fibrillation, at: $1) }),
      (19, { $0.setBreathing(.irregular, at: $1) }), (21, { $0.turnBreathingRate(to: 30, at: $1, over: .seconds(3)) }),
      (40, { $0.setRhythm(.missed, at: $1) }), (44, { $0.setRhythm(.bigeminy, at: $1) }),
      (70, { $0.setRhythm(.sinus, at: $1) }),
    ]
    func film(every step: Int64) -> ([Int64: Light], PulseTruth) {
      var scene = FingerScene(subject: Subject(), seed: 5)
      var left = changes[...]
      var lights: [Int64: Light] = [:]
      for time in stride(from: 0, through: 100_000_000 as Int64, by: Int(step)) {
        while let next = left.first, at(next.at) <= Instant(microseconds: time) {
          next.make(&scene, at(next.at))
          left = left.dropFirst()
        }
        lights[time] = scene.light(at: Instant(microseconds: time))
      }
      return (lights, scene.truth)
    }
    let (many, truth) = film(every: 10_000)
    let (few, same) = film(every: 500_000)
    #expect(truth.beats == same.beats && truth.breathStarts == same.breathStarts && truth.missed == same.missed)
    #expect(few.allSatisfy { many[$0.key] == $0.value })
    for (one, next) in zip(truth.beats, truth.beats.dropFirst()) { #expect(one.foot < next.foot) }
    for (one, next) in zip(truth.breathStarts, truth.breathStarts.dropFirst()) { #expect(one < next) }
  }

  @Test func changesLeaveThePastAndTheOtherPartAlone() {
    let plain = truth(Subject(), after: 100)
    let rows: [(inout FingerScene, Instant) -> Void] = [
      { $0.turnHeartRate(to: 90, at: $1, over: .seconds(5)) }, { $0.turnRmssd(to: 60, at: $1) },
      { $0.setRhythm(.bigeminy, at: $1) }, { $0.setRhythm(.paused, at: $1) },
    ]
    for change in rows {
      let changed = truth(Subject(), after: 100, [(50, change)])
      #expect(changed.breathStarts == plain.breathStarts)
      #expect(changed.beats.filter { $0.foot < at(50) } == plain.beats.filter { $0.foot < at(50) })
      #expect(changed.beats != plain.beats)
    }
  }

  /// Power of the intervals: breathing has its line, and 0.1 Hz its band.
  @Test(arguments: [(66.0, 14.0), (66, 20), (90, 24)])
  func spectrumHasBothParts(bpm: Double, breathsPerMin: Double) {
    var heart = HeartSettings(rateBpm: bpm, rmssdMs: 0.03 * 60_000 / bpm, respiratoryShare: 0.5, lowFrequencyShare: 0.2)
    func power(_ perMinute: ClosedRange<Double>) -> Double {
      var sum = 0.0
      for seed: UInt64 in 0..<4 {
        let subject = Subject(heart: heart, breathing: BreathingSettings(ratePerMin: breathsPerMin))
        let beats = truth(subject, seed: seed, after: 300).beats.map(\.foot)
        for rate in stride(from: perMinute.lowerBound, through: perMinute.upperBound, by: 0.1) {
          var (sine, cosine) = (0.0, 0.0)
          for (one, next) in zip(beats, beats.dropFirst()) {
            let deviation = (next - one).seconds - 60 / bpm
            sine += deviation * Maths.sin(2 * .pi * rate / 60 * one.seconds)
            cosine += deviation * Maths.cos(2 * .pi * rate / 60 * one.seconds)
          }
          sum += sine * sine + cosine * cosine
        }
      }
      return sum
    }
    let width = 3.0
    let high = power((breathsPerMin - 1.5)...(breathsPerMin + 1.5))
    let low = power(4.5...7.5)
    let between = power(9...(9 + width))
    #expect(high > 4 * between && low > 4 * between, "\(high), \(low), \(between)")
    heart.respiratoryShare = 0
    heart.lowFrequencyShare = 0
    #expect(power((breathsPerMin - 1.5)...(breathsPerMin + 1.5)) < 0.5 * high && power(4.5...7.5) < 0.3 * low)
  }

  @Test func apnoeaHoldsTheBreath() throws {
    let held = truth(
      Subject(heartRateBpm: 70), after: 120,
      [(20, { $0.setBreathing(.apnoea, at: $1) }), (45, { $0.setBreathing(.steady, at: $1) })])
    // The breath that has begun is ended; the next inspiration begins when the breath is let go.
    let last = try #require(held.breathStarts.last { $0 < at(40) })
    #expect((14...20).contains(last.seconds))
    #expect(held.breathStarts.first { $0 > last } == at(45))
    let rate = try #require(held.statistics(from: at(0), to: at(60)).breathingRatePerMin)
    #expect((8...10.5).contains(rate))
    #expect((try #require(held.minute(1).breathingRatePerMin) - 14).magnitude <= 0.1)
    let ongoing = truth(Subject(heartRateBpm: 70), after: 40, [(20, { $0.setBreathing(.apnoea, at: $1) })])
    #expect(try #require(ongoing.breathStarts.last) < at(20))
  }

  @Test func patternsDifferInRegularity() {
    func spread(_ pattern: BreathingPattern) -> Double {
      let starts = truth(
        Subject(heartRateBpm: 70), after: 1_200, [(0, { $0.setBreathing(pattern, at: $1) })]
      ).breathStarts.filter { $0 > at(60) }
      let lengths = zip(starts, starts.dropFirst()).map { ($1 - $0).seconds * 14 / 60 - 1 }
      return (lengths.map { $0 * $0 }.reduce(0, +) / Double(lengths.count)).squareRoot()
    }
    #expect(spread(.paced) < 1e-6)
    #expect((0.03...0.05).contains(spread(.steady)))
    #expect((0.18...0.3).contains(spread(.irregular)))
  }
}
