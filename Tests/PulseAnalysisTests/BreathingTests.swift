import PulseAnalysis
import Testing
import VitalsModel

struct BreathingTests {
  /// How a finger shows its breathing.
  struct Breath {
    var perMin = 15.0
    /// How much of the interval comes and goes to either side, as a share.
    var interval = 0.0
    /// How much of the pulse's height, as a share.
    var height = 0.0
    /// How much of the light, in heights of a pulse.
    var light = 0.0
    /// When the breath is held, in seconds.
    var held = 0.0..<0.0
    /// By how much more the rate rises over the record than it begins with, a share.
    var rise = 0.0

    func sine(_ time: Double, _ seconds: Double) -> Double {
      if held.contains(time) { return 0 }
      return Maths.sin(2 * .pi * perMin / 60 * time * (1 + 0.5 * rise * time / seconds))
    }
  }

  /// A finger that breathes, its intervals otherwise spread by a share.
  static func finger(
    _ breath: Breath, bpm: Double = 66, perfusion: Double = 2, spread: Double = 0.01, seconds: Double = 60,
    seed: UInt64 = 1
  ) -> SyntheticFinger {
    var finger = SyntheticFinger(seconds: seconds, seed: seed, pulse: perfusion / 100)
    finger.interval = { _, time, generator in
      60 / bpm * (1 + breath.interval * breath.sine(time, seconds) + spread * generator.gaussian())
    }
    finger.height = { 1 + breath.height * breath.sine($0, seconds) }
    let light = breath.light * perfusion / 100
    finger.disturb = { time, colour in colour *= 1 + light * breath.sine(time, seconds) }
    return finger
  }

  /// Each sign alone and all together, where a person would see it in a plot.
  @Test(
    arguments: [
      Breath(interval: 0.05), Breath(height: 0.2), Breath(light: 0.4), Breath(interval: 0.03, height: 0.1, light: 0.2),
    ], [(9.0, 52.0), (12, 60), (15, 70), (18, 84), (24, 90), (30, 130)])
  func showsInAnySign(breath: Breath, rates: (perMin: Double, bpm: Double)) throws {
    var breath = breath
    breath.perMin = rates.perMin
    let result = Self.finger(breath, bpm: rates.bpm).measured()
    #expect((try #require(result.breathingRatePerMin) - rates.perMin).magnitude < 0.5)
  }

  /// Clockwork intervals: the height and the light say it alone.
  @Test(arguments: [1.0, 2, 5])
  func evenBeats(perfusion: Double) throws {
    let breath = Breath(height: 0.2, light: 1 / perfusion)
    let result = Self.finger(breath, bpm: 70, perfusion: perfusion, spread: 0).measured()
    #expect((try #require(result.breathingRatePerMin) - 15).magnitude < 0.5)
  }

  /// Every second beat is weak, as with a failing heart: nobody breathes once in two beats.
  @Test(arguments: [50.0, 60, 75, 90], [0.7, 0.8, 0.9])
  func alternansIsNoBreathing(bpm: Double, weak: Double) {
    var finger = Self.finger(Breath(), bpm: bpm, spread: 0)
    finger.height = { start in Int(((start + 2) * bpm / 60).rounded()).isMultiple(of: 2) ? 1 : weak }
    #expect(finger.measured().breathingRatePerMin == nil)
  }

  /// Whatever shows and how fast, no rate is wrong, and most are found.
  @Test func neverWrong() {
    var found = 0
    var asked = 0
    for seed in UInt64(1)...70 {
      var draw = SeededGenerator(seed: seed, stream: "breathing tests")
      let bpm = draw.uniform(in: 45...160)
      var breath = Breath(perMin: draw.uniform(in: 5...min(36, 0.45 * bpm)))
      let signs = Int(seed) % 7 + 1
      if signs & 1 != 0 { breath.interval = draw.uniform(in: 0.015...0.06) }
      if signs & 2 != 0 { breath.height = draw.uniform(in: 0.05...0.25) }
      if signs & 4 != 0 { breath.light = draw.uniform(in: 0.1...0.5) }
      let perfusion = 0.6 * Maths.exp(draw.uniform() * 2.8)
      let result = Self.finger(breath, bpm: bpm, perfusion: perfusion, seed: seed).measured()
      asked += 1
      guard let rate = result.breathingRatePerMin else { continue }
      found += 1
      #expect((rate - breath.perMin).magnitude < 1.5, "seed \(seed): \(rate) instead of \(breath.perMin)")
    }
    #expect(found >= asked * 3 / 4)
  }

  /// A rate that rises by half is counted, not picked.
  @Test(arguments: [10.0, 14, 18])
  func followsARisingRate(perMin: Double) throws {
    let breath = Breath(perMin: perMin, interval: 0.04, height: 0.15, light: 0.3, rise: 0.5)
    let rate = try #require(Self.finger(breath, bpm: 72).measured().breathingRatePerMin)
    #expect((rate - 1.25 * perMin).magnitude < 1)
  }

  /// Hearts without a breath to see, and what their intervals and heights do instead.
  struct Mute: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let interval: @Sendable (Int, Double, inout SeededGenerator) -> Double
  }

  static let mute = [
    Mute(testDescription: "clockwork") { _, _, _ in 0.83 },
    Mute(testDescription: "chance") { _, _, draw in 0.83 * (1 + 0.03 * draw.gaussian()) },
    Mute(testDescription: "little chance") { _, _, draw in 0.83 * (1 + 0.006 * draw.gaussian()) },
    Mute(testDescription: "blood pressure waves") { _, time, draw in
      0.83 * (1 + 0.04 * Maths.sin(2 * .pi * 0.1 * time + 0.8 * Maths.sin(0.13 * time)) + 0.01 * draw.gaussian())
    },
    Mute(testDescription: "early beats") { beat, _, draw in
      let place = beat % 11
      return 0.83 * (place == 4 ? 0.65 : place == 5 ? 1.35 : 1) * (1 + 0.02 * draw.gaussian())
    },
    Mute(testDescription: "no rhythm") { _, _, draw in 0.75 * (1 + 0.2 * min(max(draw.gaussian(), -2), 2)) },
  ]

  /// At most one in twenty, and a reason for all others.
  @Test(arguments: mute, [0.6, 2, 8])
  func seldomMadeUp(heart: Mute, perfusion: Double) {
    let results = (UInt64(1)...20).map { seed in
      var finger = SyntheticFinger(seconds: 60, seed: seed, pulse: perfusion / 100)
      finger.interval = heart.interval
      return finger.measured()
    }
    #expect(results.count { $0.breathingRatePerMin != nil } <= 1)
    for result in results where result.breathingRatePerMin == nil {
      #expect(result.withheld.contains { $0.measure == "breathingRatePerMin" && !$0.reason.isEmpty })
    }
  }

  /// What is faster than half the heart rate is not read as its alias.
  @Test(
    arguments: [(50.0, 30.0), (55, 38), (60, 34), (66, 44)],
    [Breath(interval: 0.02, light: 0.3), Breath(height: 0.15, light: 0.2)])
  func fasterThanSeen(rates: (bpm: Double, perMin: Double), breath: Breath) {
    var breath = breath
    breath.perMin = rates.perMin
    #expect(Self.finger(breath, bpm: rates.bpm).measured().breathingRatePerMin == nil)
  }

  /// A breath held for twenty seconds leaves no rate to speak of.
  @Test(arguments: [8.0, 20, 34])
  func heldBreath(from start: Double) {
    let breath = Breath(interval: 0.04, height: 0.15, light: 0.3, held: start..<start + 20)
    #expect(Self.finger(breath).measured().breathingRatePerMin == nil)
  }

  @Test(arguments: [12.0, 20, 24])
  func tooShort(seconds: Double) {
    let result = Self.finger(Breath(interval: 0.04, height: 0.15, light: 0.3), seconds: seconds).measured()
    #expect(result.breathingRatePerMin == nil)
    #expect(result.withheld.contains { $0.measure == "breathingRatePerMin" })
  }

  /// Half a minute, and a record that is read in pieces.
  @Test(arguments: [32.0, 45, 150, 400])
  func anyLength(seconds: Double) throws {
    let breath = Breath(perMin: 14, interval: 0.04, height: 0.15, light: 0.3)
    let rate = try #require(Self.finger(breath, seconds: seconds).measured().breathingRatePerMin)
    #expect((rate - 14).magnitude < 0.5)
  }
}
