import PulseAnalysis
import Testing
import VitalsModel

/// Light without a pulse, whatever its colours: nothing that chance or a swing makes has a heart rate.
struct RefusalTests {
  /// How the light changes, relative to itself, about as much as 1.
  enum Change: CaseIterable, Sendable {
    case constant, pink, brown, band, narrowBand, wideBand, steps, jerks, walk, square, triangle, sine, twoTones,
      motion,
      hunting, fidgeting, drift
  }

  /// Whose colours change how much: alike, or as blood makes them.
  enum Colouring: CaseIterable, Sendable { case alike, blood }

  @Test(arguments: Change.allCases, Colouring.allCases)
  func nothingHasAHeartRate(change: Change, colouring: Colouring) {
    for seconds in [10.0, 30, 60] {
      for seed in 1...8 as ClosedRange<UInt64> {
        let frames = Self.frames(change, colouring, seconds: seconds, seed: seed)
        let result = measurement(of: frames)
        #expect(result.heartRateBpm == nil, "\(seconds) s, seed \(seed)")
        #expect(result.beats.isEmpty && result.rmssdMs == nil)
        #expect(result.withheld.first?.reason.hasPrefix("no heart rate: ") == true)
      }
    }
  }

  /// Of one colour there is none to compare; what repeats and is skewed is all there is to go by.
  @Test(arguments: Change.allCases)
  func oneColourHasNoHeartRateEither(change: Change) {
    for seed in 1...8 as ClosedRange<UInt64> {
      var record = PulseRecord(colours: .single)
      for frame in Self.frames(change, .alike, seconds: 30, seed: seed) { record.append(frame) }
      #expect(measurePulse(record).heartRateBpm == nil, "seed \(seed)")
    }
  }

  private static func frames(
    _ change: Change, _ colouring: Colouring, seconds: Double, seed: UInt64
  ) -> [FrameSample] {
    var chance = SeededGenerator(seed: seed, stream: "change")
    let course = course(change, &chance)
    let size = 0.001 * Maths.exp(chance.uniform(in: 0...4))
    let blood = SIMD3(1, chance.uniform(in: 1.25...2.2), chance.uniform(in: 1.1...1.6))
    let ratio = colouring == .alike ? SIMD3(repeating: 1) : blood
    var finger = SyntheticFinger(seconds: seconds, seed: seed, pulse: 0)
    finger.framesPerSecond = [30, 24, 60, 15][Int(4 * chance.uniform())]
    finger.jitterSeconds = chance.uniform() < 0.5 ? 0 : 0.003
    finger.noise = [0, 0.05, 0.15, 0.5][Int(4 * chance.uniform())]
    finger.colour = SIMD3(
      chance.uniform(in: 120...235), chance.uniform(in: 15...60), chance.uniform(in: 10...50))
    finger.disturb = { time, light in light *= 1 + size * course(time) * ratio }
    return finger.record().frames
  }

  private static func course(_ change: Change, _ chance: inout SeededGenerator) -> (Double) -> Double {
    let hertz = chance.uniform(in: 0.6...2.5)
    let phase = chance.uniform(in: 0...6)
    func turn(_ hertz: Double) -> (Double) -> Double { { 2 * .pi * hertz * $0 + phase } }
    switch change {
    case .constant: return { _ in 0 }
    case .pink: return tones(60, in: 0.02...12, fall: 1, &chance)
    case .brown: return tones(60, in: 0.02...12, fall: 2, &chance)
    case .band: return tones(64, in: 0.7...3, &chance)
    case .narrowBand: return tones(24, in: hertz - 0.1...hertz + 0.1, &chance)
    case .wideBand: return tones(64, in: 0.5...8, &chance)
    case .drift: return tones(12, in: 0.01...0.4, &chance)
    case .steps, .walk: return levels(every: change == .steps ? 0.9 : 0.033, isWalk: change == .walk, &chance)
    case .jerks, .fidgeting: return jolts(change == .jerks ? 0.8 : 0.2, &chance)
    case .square: return { Maths.sin(turn(hertz)($0)) < 0 ? -1 : 1 }
    case .triangle, .hunting:
      let levels = change == .hunting ? 5.0 : 1_000
      return { time in
        let part = (hertz * time).truncatingRemainder(dividingBy: 1)
        return ((part < 0.5 ? 4 * part - 1 : 3 - 4 * part) * levels).rounded() / levels
      }
    case .sine: return { Maths.sin(turn(hertz)($0)) }
    case .twoTones:
      // Neither of them the double of the other, which a pulse's harmonic would be.
      return { Maths.sin(turn(hertz)($0)) + 0.6 * Maths.sin(turn(1.37 * hertz)($0)) }
    case .motion:
      let drift = tones(6, in: 0.05...0.3, &chance)
      return { Maths.sin(turn(hertz)($0) + drift($0)) }
    }
  }

  /// Tones of random size and phase, as strong in each part of the band, or falling by a power of their frequency.
  private static func tones(
    _ count: Int, in band: ClosedRange<Double>, fall: Double = 0, _ chance: inout SeededGenerator
  ) -> (Double) -> Double {
    let width = band.upperBound / band.lowerBound
    let tones = (0..<count).map { index in
      let octave = (Double(index) + chance.uniform()) / Double(count) * Maths.log(width)
      let hertz = fall == 0 ? chance.uniform(in: band) : band.lowerBound * Maths.exp(octave)
      let size = fall == 0 ? 1 : Maths.exp(0.5 * (1 - fall) * Maths.log(hertz))
      return (turn: 2 * .pi * hertz, phase: chance.uniform(in: 0...6.283), size: size * chance.gaussian())
    }
    let power = tones.map { 0.5 * $0.size * $0.size }.reduce(0, +)
    return { time in
      var value = 0.0
      for tone in tones { value += tone.size * Maths.sin(tone.turn * time + tone.phase) }
      return value / power.squareRoot()
    }
  }

  /// A new level now and then, or a walk from one to the next.
  private static func levels(
    every seconds: Double, isWalk: Bool, _ chance: inout SeededGenerator
  ) -> (Double) -> Double {
    var level = 0.0
    let levels = (0..<2_400).map { _ in
      level = isWalk ? level + 0.15 * chance.gaussian() : chance.gaussian()
      return level
    }
    return { levels[min(Int($0 / seconds), 2_399)] }
  }

  /// Straight ways between random places.
  private static func jolts(_ seconds: Double, _ chance: inout SeededGenerator) -> (Double) -> Double {
    let places = (0..<400).map { _ in chance.gaussian() }
    return { time in
      let move = min(Int(time / seconds), 398)
      return places[move] + (places[move + 1] - places[move]) * (time / seconds - Double(move))
    }
  }

  /// Why there is none: what the record lacks, in a few plain words.
  @Test func everyRefusalHasItsReason() {
    func reason(_ frames: [FrameSample]) -> String? { measurement(of: frames).withheld.first?.reason }
    #expect(reason([]) == "no heart rate: no fingertip in the record")
    let table = SyntheticFinger(seconds: 20, colour: SIMD3(110, 108, 102))
    #expect(reason(table.record().frames) == "no heart rate: no fingertip in the record")
    #expect(reason(SyntheticFinger(seconds: 2).record().frames) == "no heart rate: the record is too short")
    #expect(
      reason(SyntheticFinger(pulse: 0, noise: 0).record().frames)
        == "no heart rate: the light does not repeat as a pulse does")
    var lamp = SyntheticFinger(pulse: 0)
    lamp.disturb = { time, light in light *= 1 + 0.02 * Maths.sin(7.5 * time) + 0.01 * Maths.sin(15 * time + 1) }
    #expect(
      reason(lamp.record().frames)
        == "no heart rate: all colours change alike, as a lamp or a camera makes them and blood does not")
    var swing = SyntheticFinger(pulse: 0)
    swing.disturb = { time, light in light *= 1 + 0.02 * Maths.sin(7.5 * time) * SIMD3(1, 1.5, 1.2) }
    #expect(
      reason(swing.record().frames)
        == "no heart rate: the light swings as evenly as noise or a movement, not as a pulse")
  }
}
