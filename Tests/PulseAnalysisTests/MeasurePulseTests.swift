import PulseAnalysis
import Testing
import VitalsModel

struct MeasurePulseTests {
  @Test(arguments: [36.0, 40, 50, 60, 75, 90, 104, 120, 150, 180, 190, 205], [24.0, 30, 60])
  func cleanRecord(bpm: Double, framesPerSecond: Double) throws {
    var finger = SyntheticFinger.beating(bpm, spread: 0.03)
    finger.framesPerSecond = framesPerSecond
    finger.jitterSeconds = 0.003
    let (frames, beats) = finger.record()
    let truth = truth(beats)
    let result = measurement(of: frames)
    #expect((try #require(result.heartRateBpm) - truth.heartRateBpm).magnitude < 1)
    #expect((try #require(result.rmssdMs) - truth.rmssdMs).magnitude < max(8, 0.15 * truth.rmssdMs))
    #expect(result.quality > 0.8)
    #expect(result.coverage > 0.9)
    #expect(abs(result.beats.count - beats.count) <= 3)
    #expect((0.9...1.8).contains(try #require(result.perfusionIndexPercent)))
  }

  /// Disturbed records: the heart rate and the largest error allowed; nil where there must be none.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let heartRate: Double?
    var tolerance = 1.0
    var rmssd: ClosedRange<Double> = 0...20
    let make: @Sendable () -> SyntheticFinger
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "a ramp from 60 to 140", heartRate: 97.1, tolerance: 3) {
      var finger = SyntheticFinger()
      finger.interval = { _, time, _ in 60 / (60 + 80 * min(max((time - 4) / 60, 0), 1)) }
      return finger
    },
    Case(name: "a faint beat and a spike", heartRate: 75) {
      var finger = SyntheticFinger()
      finger.height = { ($0 - 25).magnitude < 0.4 ? 0.2 : 1 }
      finger.disturb = { time, light in
        let place = (time - 40) / 0.06
        light *= 1 - 0.06 * Maths.exp(-place * place / 2)
      }
      return finger
    },
    Case(name: "one ectopic pair", heartRate: 60, rmssd: 12...28) {
      var finger = SyntheticFinger()
      finger.interval = { beat, _, _ in
        beat == 30 ? 0.6 : beat == 31 ? 1.4 : 1 + 0.02 * Maths.sin(.pi * Double(beat) / 2)
      }
      return finger
    },
    Case(name: "20.23 frames a second", heartRate: 72) {
      var finger = SyntheticFinger.beating(72)
      finger.framesPerSecond = 20.23
      return finger
    },
    Case(name: "25 frames a second", heartRate: 72) {
      var finger = SyntheticFinger.beating(72)
      finger.framesPerSecond = 25
      return finger
    },
    Case(name: "two steps of exposure", heartRate: 72) {
      var finger = SyntheticFinger.beating(72)
      finger.disturb = { time, light in light *= time > 40 ? 1 : time > 20 ? 1.25 : 1 }
      return finger
    },
    Case(name: "six seconds of fidgeting", heartRate: 75) {
      var finger = SyntheticFinger()
      finger.disturb = { time, light in
        if (20..<26).contains(time) { light *= 1 + 0.08 * Maths.sin(7 * time) * Maths.sin(2.3 * time) }
      }
      return finger
    },
    Case(name: "red clipped", heartRate: 72) {
      var finger = SyntheticFinger.beating(72)
      finger.colour = SIMD3(300, 60, 25)
      return finger
    },
    Case(name: "60, then suddenly 90", heartRate: 71.1, rmssd: 0...40) {
      var finger = SyntheticFinger()
      finger.interval = { _, time, _ in time < 40 ? 1 : 60 / 90 }
      return finger
    },
    // Its beats lie 60 s / 77.96 apart on average, an early one now and then too close to another to be told apart;
    // their intervals differ by 196 ms, those early beats' included.
    Case(name: "an irregular heart", heartRate: 77.96, tolerance: 2, rmssd: 160...230) {
      var finger = SyntheticFinger()
      finger.interval = { _, _, generator in 0.75 * (1 + 0.2 * min(max(generator.gaussian(), -2), 2)) }
      return finger
    },
    Case(name: "a finger that comes after ten seconds", heartRate: 75) {
      var finger = SyntheticFinger(seconds: 60)
      finger.disturb = { time, light in if time < 10 { light = SIMD3(110, 108, 102) } }
      return finger
    },
    Case(name: "constant", heartRate: nil) { SyntheticFinger(pulse: 0, noise: 0) },
    Case(name: "noise only", heartRate: nil) { SyntheticFinger(pulse: 0) },
    Case(name: "a table", heartRate: nil) { SyntheticFinger(colour: SIMD3(110, 108, 102), pulse: 0, noise: 2) },
    Case(name: "a light that blinks by 3 %", heartRate: nil) { blinking(by: 0.03) },
    Case(name: "a light that blinks by 1 %", heartRate: nil) { blinking(by: 0.01) },
    Case(name: "a pulse for a third of the time", heartRate: nil) {
      var finger = SyntheticFinger()
      finger.height = { $0 < 22 ? 1 : 0 }
      return finger
    },
    Case(name: "two seconds", heartRate: nil) { SyntheticFinger(seconds: 2) },
  ]

  private static func blinking(by share: Double) -> SyntheticFinger {
    var finger = SyntheticFinger(pulse: 0)
    finger.disturb = { time, light in
      light *= (2 * time).truncatingRemainder(dividingBy: 1) < 0.5 ? 1 + share : 1 - share
    }
    return finger
  }

  @Test(arguments: cases)
  func disturbedRecord(row: Case) throws {
    let result = row.make().measured()
    guard let expected = row.heartRate else {
      #expect(result.heartRateBpm == nil && result.rmssdMs == nil && result.breathingRatePerMin == nil)
      #expect(result.withheld.first?.measure == "heartRateBpm")
      #expect(result.withheld.count == 7)
      #expect(result.quality < 0.5)
      return
    }
    #expect((try #require(result.heartRateBpm) - expected).magnitude <= row.tolerance)
    if let rmssd = result.rmssdMs { #expect(row.rmssd.contains(rmssd), "RMSSD \(rmssd)") }
  }

  @Test func invertedLightMeasuresTheSame() throws {
    var finger = SyntheticFinger.beating(70, spread: 0.04)
    let upright = finger.measured()
    finger.isInverted = true
    let inverted = finger.measured()
    #expect((try #require(upright.heartRateBpm) - (try #require(inverted.heartRateBpm))).magnitude <= 0.5)
    #expect((try #require(upright.rmssdMs) - (try #require(inverted.rmssdMs))).magnitude <= 15)
    #expect(abs(upright.beats.count - inverted.beats.count) <= 1)
  }

  @Test func repeatedAndBackwardTimesAreSetAside() throws {
    var record = PulseRecord()
    for (index, frame) in SyntheticFinger.beating(72).record().frames.enumerated() {
      record.append(frame)
      if index % 100 == 99 { record.append(frame) }
      if index == 700 {
        record.append(FrameSample(captured: frame.captured - .milliseconds(50), red: 0, green: 255, blue: 0))
      }
    }
    #expect(record.setAsideFrames == 20)
    #expect(record.count == 1_920)
    #expect((try #require(measurePulse(record).heartRateBpm) - 72).magnitude < 0.5)
  }

  @Test func anEmptyRecordSaysNothing() {
    let result = measurePulse(PulseRecord())
    #expect(result.heartRateBpm == nil && result.beats.isEmpty && result.quality == 0 && result.coverage == 0)
  }

  /// No noise, of whatever colour, passes for a pulse.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func noiseHasNoHeartRate(seed: UInt64) {
    var generator = SeededGenerator(seed: seed, stream: "walk")
    var fast = 0.0
    var slow = 0.0
    let memory = generator.uniform(in: 0...0.97)
    let frames = (0..<1_800).map { index in
      fast = memory * fast + generator.gaussian()
      slow = 0.97 * slow + 0.1 * fast
      let light = 1 + 0.002 * (seed % 2 == 0 ? fast : slow)
      return FrameSample(
        captured: Instant(microseconds: Int64(index) * 33_333), red: 200 * light, green: 30 * light, blue: 25 * light)
    }
    let result = measurement(of: frames)
    #expect(result.heartRateBpm == nil)
    #expect(result.quality < 0.3)
  }

  @Test(arguments: [10.0, 12, 15, 18, 22])
  func breathingShows(perMin: Double) throws {
    var finger = SyntheticFinger.beating(70)
    finger.breathing = (perMin, 0.2, 0.01)
    finger.interval = { _, time, _ in 60 / 70 * (1 + 0.03 * Maths.sin(2 * .pi * perMin / 60 * time)) }
    #expect((try #require(finger.measured().breathingRatePerMin) - perMin).magnitude < 1)
  }

  /// Without breathing there is seldom a rate: at most one record in five.
  @Test func absentBreathingIsWithheld() {
    let answers = (1...20 as ClosedRange<UInt64>).count { seed in
      var finger = SyntheticFinger.beating(70, spread: 0.03)
      finger.seed = seed
      let result = finger.measured()
      return result.breathingRatePerMin != nil
    }
    #expect(answers <= 4)
  }
}
