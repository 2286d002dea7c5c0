import PulseAnalysis
import Testing
import VitalsModel

/// What went wrong in other readers of the pulse, as their users reported it: none of it goes wrong here.
struct FieldBugTests {
  private static let rooms = SIMD3(110.0, 108, 102)

  /// How large the pulse is in each colour beside red: as blood makes it, alike in parts or in counts, in red alone.
  static let bloods = [SIMD3(1, 1.45, 1.2), SIMD3(1, 1, 1), SIMD3(1, 200 / 30.0, 8), SIMD3(1, 0, 0)]

  /// No finger on the lens: no beat, no rate, now or later.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aRoomHasNoPulse(seed: UInt64) {
    let finger = SyntheticFinger(seconds: 120, seed: seed, colour: Self.rooms, pulse: 0, noise: 2)
    let frames = finger.record().frames
    let run = LiveRun(frames)
    #expect(run.beats.isEmpty && run.share(of: .noContact, from: 0.5) == 1)
    let result = measurement(of: frames)
    #expect(result.heartRateBpm == nil && result.beats.isEmpty)
  }

  /// Fast hearts are not halved and slow ones not doubled, at any frame rate and strength.
  @Test(
    arguments: [36.0, 40, 52, 75, 104, 120, 150, 180, 190, 205], bloods)
  func neitherHalvedNorDoubled(bpm: Double, blood: SIMD3<Double>) throws {
    for framesPerSecond in [20.0, 24, 30, 60] {
      for (seed, strength) in [(1, 0.008), (2, 0.015), (3, 0.05)] as [(UInt64, Double)] {
        var finger = SyntheticFinger.beating(bpm, spread: seed == 1 ? 0 : 0.02)
        finger.framesPerSecond = framesPerSecond
        finger.pulse = strength
        finger.seed = seed
        finger.blood = blood
        let (frames, beats) = finger.record()
        let rate = try #require(measurement(of: frames).heartRateBpm, "\(framesPerSecond), seed \(seed)")
        #expect((rate - truth(beats).heartRateBpm).magnitude < 1.5, "\(framesPerSecond), seed \(seed)")
        // A session that has the pulse in one colour of three may choose another for its first seconds.
        guard blood.y > 0 || bpm < 200 else { continue }
        let previews = Self.previews(frames)
        #expect(previews.allSatisfy { ($0 / bpm - 0.5).magnitude > 0.05 }, "\(framesPerSecond), seed \(seed)")
      }
    }
  }

  /// A heart that goes from 60 to 140 in a minute: its mean at the end, and never a half on the way.
  @Test(arguments: bloods)
  func aRampIsFollowed(blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger()
    finger.blood = blood
    finger.interval = { _, time, _ in 60 / (60 + 80 * min(max((time - 4) / 60, 0), 1)) }
    let (frames, beats) = finger.record()
    #expect((try #require(measurement(of: frames).heartRateBpm) - truth(beats).heartRateBpm).magnitude < 3)
    #expect(Self.previews(frames).allSatisfy { $0 > 55 })
  }

  /// One weak beat and one strong spike: a few wrong intervals must not make the variation hundreds of milliseconds.
  @Test(arguments: 1...10 as ClosedRange<UInt64>, bloods)
  func fewWrongBeatsLeaveTheVariation(seed: UInt64, blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger(seed: seed)
    finger.blood = blood
    finger.height = { ($0 - 25).magnitude < 0.4 ? 0.2 : 1 }
    finger.disturb = { time, light in
      let place = (time - 40) / 0.06
      light *= 1 - 0.06 * Maths.exp(-place * place / 2)
    }
    let result = finger.measured()
    #expect((try #require(result.heartRateBpm) - 75).magnitude < 1)
    if let rmssd = result.rmssdMs { #expect(rmssd <= 20) }
  }

  /// One early beat with its pause, and the variation around it.
  @Test(arguments: 1...10 as ClosedRange<UInt64>, bloods)
  func oneEctopicPairIsSetAside(seed: UInt64, blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger(seed: seed)
    finger.blood = blood
    finger.interval = { beat, _, _ in
      beat == 30 ? 0.6 : beat == 31 ? 1.4 : 1 + 0.02 * Maths.sin(.pi * Double(beat) / 2)
    }
    let result = finger.measured()
    #expect((try #require(result.heartRateBpm) - 60).magnitude < 1)
    if let rmssd = result.rmssdMs { #expect((rmssd - 20).magnitude < 8) }
  }

  /// The rate of the frames is what their times say, whatever anyone declares.
  @Test(arguments: [15.0, 20.23, 25, 29.97], bloods)
  func framesComeWhenTheySay(framesPerSecond: Double, blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger.beating(72)
    finger.blood = blood
    finger.framesPerSecond = framesPerSecond
    #expect((try #require(finger.measured().heartRateBpm) - 72).magnitude < 0.5)
  }

  /// Breathing that moves height and light and not the rate: its rate, or nothing, and never a number that is none.
  @Test(arguments: bloods)
  func breathingWithoutArrhythmia(blood: SIMD3<Double>) {
    var finger = SyntheticFinger.beating(70)
    finger.blood = blood
    finger.breathing = (15, 0.2, 0.01)
    if let rate = finger.measured().breathingRatePerMin { #expect((rate - 15).magnitude < 1.5) }
  }

  /// Light that rises with the blood, as a negative shows it.
  @Test(arguments: bloods)
  func aNegativeIsRead(blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger.beating(72)
    finger.blood = blood
    finger.isInverted = true
    #expect((try #require(finger.measured().heartRateBpm) - 72).magnitude < 1)
  }

  /// Steps of the exposure cost a beat or two, and without a pulse they are none.
  @Test(arguments: 1...6 as ClosedRange<UInt64>, bloods)
  func exposureIsNoPulse(seed: UInt64, blood: SIMD3<Double>) throws {
    var finger = SyntheticFinger.beating(72)
    finger.seed = seed
    finger.blood = blood
    finger.colour.x = 190
    finger.disturb = { time, light in light *= time > 40 ? 1.04 : time > 20 ? 1.3 : 1 }
    let result = finger.measured()
    #expect((try #require(result.heartRateBpm) - 72).magnitude < 1)
    #expect(result.beats.count { $0.flag == .normal } >= 71)
    var lamp = SyntheticFinger(seed: seed, pulse: 0)
    lamp.disturb = { time, light in light *= (2 * time).truncatingRemainder(dividingBy: 1) < 0.5 ? 1.03 : 0.97 }
    #expect(lamp.measured().heartRateBpm == nil)
  }

  /// Nothing but one value, for as long as you like: no number, and no crash.
  @Test(arguments: [1.0, 10, 90])
  func constantFramesSayNothing(seconds: Double) {
    let result = SyntheticFinger(seconds: seconds, pulse: 0, noise: 0).measured()
    #expect(result.heartRateBpm == nil && result.quality < 0.3 && result.withheld.count == 7)
  }

  /// A session starts and goes on, whatever the colours' shares.
  @Test(arguments: [50.0, 72, 95], bloods)
  func aSessionIsSteady(bpm: Double, blood: SIMD3<Double>) {
    var finger = SyntheticFinger.beating(bpm, spread: 0.02)
    finger.blood = blood
    #expect(LiveRun(finger.record().frames).share(of: .steady, from: 10) > 0.85)
  }

  /// Red is full; green carries the pulse.
  @Test func greenIsReadWhereRedIsFull() throws {
    var finger = SyntheticFinger.beating(72)
    finger.colour = SIMD3(300, 60, 25)
    #expect((try #require(finger.measured().heartRateBpm) - 72).magnitude < 1)
  }

  private static func previews(_ frames: [FrameSample]) -> [Double] {
    var analyzer = PulseAnalyzer()
    var rates = LiveRates()
    return frames.compactMap { frame in
      if let beat = analyzer.feed(frame).beat { rates.add(beat) }
      return rates.heartRateBpm(at: frame.captured)
    }
  }
}
