import PulseAnalysis
import Testing
import VitalsModel

/// Lights that change and have no blood in them: never steady for the three seconds that start a reading, and never a
/// heart rate.
struct NoPulseTests {
  enum Cause: CaseIterable, Sendable {
    case sine, lamp, rectified, slowLamp, noise, drift, ramp, steps, tremor, hunting, torch, sway, colouredSway
  }

  @Test(arguments: Cause.allCases, 1...2 as ClosedRange<UInt64>)
  func neverStartsNorMeasures(cause: Cause, seed: UInt64) {
    var finger = SyntheticFinger(seed: seed, pulse: 0)
    var chance = SeededGenerator(seed: seed, stream: "no pulse")
    finger.colour = SIMD3(
      chance.uniform(in: 120...235), chance.uniform(in: 20...60), chance.uniform(in: 15...50))
    let change = Self.change(cause, &chance)
    finger.disturb = { time, light in light *= 1 + change(time) }
    let frames = finger.record().frames
    #expect(Self.longestSteadySeconds(frames) < 3)
    let result = measurement(of: frames)
    #expect(result.heartRateBpm == nil && result.rmssdMs == nil && result.breathingRatePerMin == nil)
  }

  private static func longestSteadySeconds(_ frames: [FrameSample]) -> Double {
    var analyzer = PulseAnalyzer()
    var since: Instant?
    var longest = 0.0
    for frame in frames {
      let isSteady = analyzer.feed(frame).condition == .steady
      since = isSteady ? since ?? frame.captured : nil
      longest = max(longest, since.map { (frame.captured - $0).seconds } ?? 0)
    }
    return longest
  }

  /// The relative change of the light at a time, by colour.
  private static func change(_ cause: Cause, _ chance: inout SeededGenerator) -> @Sendable (Double) -> SIMD3<Double> {
    let size = 0.01 * Maths.exp(chance.uniform(in: 0...1.4))
    let phase = chance.uniform(in: 0...6)
    let all = SIMD3(repeating: 1.0)
    func turning(_ hertz: Double) -> @Sendable (Double) -> Double { { 2 * .pi * hertz * $0 + phase } }
    switch cause {
    case .sine:
      let turn = turning(1.2)
      return { all * size * Maths.sin(turn($0)) }
    case .lamp, .slowLamp:
      let turn = turning(cause == .lamp ? 1.2 : 0.25)
      return { time in
        let angle = turn(time)
        return all * size * (Maths.sin(angle) + 0.3 * Maths.sin(2 * angle + 0.8) + 0.1 * Maths.sin(3 * angle + 1.9))
      }
    case .rectified:
      let turn = turning(0.6)
      return { all * size * (2 * Maths.sin(turn($0)).magnitude - 1.3) }
    case .noise: return sum(of: 24, in: 0.7...3, size: size, &chance, share: all)
    case .drift: return sum(of: 8, in: 0.01...0.1, size: size, &chance, share: all)
    case .tremor:
      let hertz = chance.uniform(in: 4...12)
      return sum(of: 12, in: hertz - 0.5...hertz + 0.5, size: size, &chance, share: all)
    case .ramp: return { all * 0.004 * $0 }
    case .steps: return { all * ((0.3 * $0).truncatingRemainder(dividingBy: 1) < 0.5 ? size : 0) }
    case .hunting:
      return { time in
        let part = time.truncatingRemainder(dividingBy: 1)
        return all * size * ((part < 0.5 ? 4 * part - 1 : 3 - 4 * part) * 5).rounded() / 5
      }
    case .torch:
      return { time in
        let part = (1.1 * time).truncatingRemainder(dividingBy: 1)
        return all * -2 * size * (min(part / 0.04, 1) - min(max((part - 0.5) / 0.04, 0), 1))
      }
    case .sway, .colouredSway:
      let turn = turning(chance.uniform(in: 0.8...1.6))
      let share = cause == .sway ? all : SIMD3(0.64, 1, 1)
      return { share * 3 * size * Maths.sin(turn($0) + 0.4 * Maths.sin(0.7 * $0)) }
    }
  }

  private static func sum(
    of count: Int, in band: ClosedRange<Double>, size: Double, _ chance: inout SeededGenerator, share: SIMD3<Double>
  ) -> @Sendable (Double) -> SIMD3<Double> {
    let sines = (0..<count).map { _ in
      (turn: 2 * .pi * chance.uniform(in: band), phase: chance.uniform(in: 0...6), size: chance.gaussian())
    }
    let scale = size / (0.5 * Double(count)).squareRoot()
    return { time in
      var value = 0.0
      for sine in sines { value += sine.size * Maths.sin(sine.turn * time + sine.phase) }
      return share * scale * value
    }
  }

  /// A pulse as strong as they come, or at either end of the rates, is no exposure's jump and no movement.
  @Test(arguments: [
    (0.05, 45.0, 30.0), (0.1, 66, 30), (0.15, 66, 30), (0.15, 100, 24), (0.2, 45, 30), (0.2, 66, 60), (0.2, 100, 30),
    (0.02, 30, 30), (0.02, 30, 60), (0.02, 31, 15), (0.02, 220, 60), (0.02, 200, 30),
  ])
  func everyPulseStartsAndMeasures(perfusion: Double, bpm: Double, framesPerSecond: Double) throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(bpm, spread: 0.02)
      finger.seed = seed
      finger.pulse = perfusion / 1.45
      finger.framesPerSecond = framesPerSecond
      finger.ebb = 2.5
      finger.dicrotic = 0.2
      let (frames, beats) = finger.record()
      let run = LiveRun(frames)
      #expect(run.share(of: .steady, from: 10) > 0.85, "seed \(seed)")
      let rate = try #require(measurement(of: frames).heartRateBpm, "seed \(seed)")
      #expect((rate - truth(beats).heartRateBpm).magnitude < 2, "seed \(seed)")
    }
  }
}
