import PulseAnalysis
import Testing
import VitalsModel

/// Hearts that do not beat in order: what is told of them is right, or it is withheld.
struct RhythmTests {
  /// How the beats of a heart come.
  enum Order: CaseIterable, Sendable {
    case steady, oneEarly, onePaired, earlyNowAndThen, bigeminy, trigeminy, fibrillation, oneLost, weakByTurns,
      breathing, pauses

    /// Whether the variation must be told, and not only told right.
    var isTold: Bool {
      switch self {
      case .steady, .oneEarly, .onePaired, .oneLost, .breathing, .pauses: true
      case .earlyNowAndThen, .bigeminy, .trigeminy, .fibrillation, .weakByTurns: false
      }
    }
  }

  /// Heights and lengths of beats, in seconds, and the numbers of those that are none of the sinus node.
  private struct Heart {
    var lengths: [Double]
    var heights: [Double]
    var odd: Set<Int> = []

    /// How full a pulse is after a share of the mean interval: the ventricle fills with a time constant of 0.35 of it from 0.4
    /// on.
    static func fullness(_ share: Double) -> Double {
      (1 - Maths.exp(-max(share - 0.4, 0) / 0.35)) / (1 - Maths.exp(-0.6 / 0.35))
    }

    init(_ order: Order, bpm: Double, _ chance: inout SeededGenerator) {
      let mean = 60 / bpm
      let count = Int(66 / mean) + 10
      lengths = (0..<count).map { _ in mean * (1 + 0.03 * chance.gaussian()) }
      heights = lengths.map { _ in 1 }
      let middle = count / 2
      switch order {
      case .steady: break
      case .breathing:
        // A slow breath that moves a heart by 15 % either way.
        var time = 0.0
        for index in lengths.indices {
          lengths[index] = mean * (1 + 0.15 * Maths.sin(2 * .pi * 0.2 * time))
          time += lengths[index]
        }
      case .oneEarly: bringForward(middle, mean)
      case .onePaired:
        for beat in [middle, middle + 1] {
          lengths[beat - 1] = 0.6 * mean
          heights[beat] = Self.fullness(0.6)
          odd.insert(beat)
        }
        lengths[middle + 1] = 1.8 * mean
      case .earlyNowAndThen:
        var beat = 3
        while beat < count - 1 {
          if chance.uniform() < 0.12 {
            bringForward(beat, mean)
            beat += 1
          }
          beat += 2
        }
      case .bigeminy: for beat in stride(from: 2, to: count - 1, by: 2) { bringForward(beat, mean) }
      case .trigeminy: for beat in stride(from: 2, to: count - 1, by: 3) { bringForward(beat, mean) }
      case .fibrillation:
        for index in lengths.indices {
          let product = (0..<4).reduce(1.0) { product, _ in product * (1 - chance.uniform()) }
          lengths[index] = mean * min(0.55 - 0.1125 * Maths.log(product), 2.2)
          if index + 1 < count { heights[index + 1] = Self.fullness(lengths[index] / mean) }
        }
      case .pauses:
        for beat in [count / 4, middle, count * 3 / 4] {
          lengths[beat] = 2.5 + 0.3 * chance.uniform()
          odd.formUnion([beat, beat + 1])
        }
      case .oneLost: heights[middle] = 0
      case .weakByTurns: for index in stride(from: 0, to: count, by: 2) { heights[index] = 0.6 }
      }
    }

    /// A premature beat, weak, with a pause after it that makes up for it.
    private mutating func bringForward(_ beat: Int, _ mean: Double) {
      let cut = lengths[beat - 1] - 0.7 * mean
      lengths[beat - 1] -= cut
      lengths[beat] += cut
      heights[beat] = Self.fullness(0.7)
      odd.insert(beat)
    }
  }

  @Test(arguments: Order.allCases, [55.0, 75, 95])
  func whatIsToldIsRight(order: Order, bpm: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      for framesPerSecond in [24.0, 30, 60] {
        var chance = SeededGenerator(seed: seed, stream: "order")
        let heart = Heart(order, bpm: bpm, &chance)
        let frames = Self.frames(heart, bpm: bpm, framesPerSecond, seed: seed)
        let result = measurement(of: frames)
        let truth = Self.truth(heart)
        let place: Comment = "seed \(seed), \(framesPerSecond) fps"
        if let rate = result.heartRateBpm {
          // Without order, none can tell a weak beat from none.
          let leeway = order == .fibrillation ? 2.5 : 2
          #expect((truth.pulsesPerMin - leeway...truth.beatsPerMin + leeway).contains(rate), place)
        }
        if order.isTold { #expect(result.heartRateBpm != nil && result.rmssdMs != nil, place) }
        if let rmssd = result.rmssdMs {
          #expect((rmssd - truth.rmssdMs).magnitude < max(10, 0.2 * truth.rmssdMs), place)
        }
      }
    }
  }

  /// A fast heart's weak early beats are lost in the ebb before them, which leaves a rhythm of two thirds the rate; nothing stirs in a pause. Faint pulses, at which noise looks like a beat: the rate is right, or withheld.
  @Test(arguments: [Order.trigeminy, .pauses], [60.0, 90, 110])
  func noRateOfTheBeatsThatShow(order: Order, bpm: Double) {
    for seed in 1...4 as ClosedRange<UInt64> {
      for pulse in [0.007, 0.015] {
        var chance = SeededGenerator(seed: seed, stream: "order")
        let heart = Heart(order, bpm: bpm, &chance)
        let result = measurement(of: Self.frames(heart, bpm: bpm, 30, seed: seed, pulse: pulse))
        guard let rate = result.heartRateBpm else { continue }
        #expect((rate - Self.truth(heart).beatsPerMin).magnitude < 2.5, "seed \(seed), pulse \(pulse)")
      }
    }
  }

  /// A heart that pauses now and then has its rate, and no beat is made up in the gaps.
  @Test(arguments: [50.0, 60, 75, 90])
  func pausesHoldNoBeats(bpm: Double) throws {
    var chance = SeededGenerator(seed: 1, stream: "order")
    let heart = Heart(.pauses, bpm: bpm, &chance)
    let result = measurement(of: Self.frames(heart, bpm: bpm, 30, seed: 1))
    let rate = try #require(result.heartRateBpm)
    #expect((rate - Self.truth(heart).beatsPerMin).magnitude < 2)
  }

  /// A pulse that goes away for two seconds in every five has no rate: nobody knows whether the heart beat on.
  @Test(arguments: [60.0, 75, 90])
  func aPulseThatComesAndGoesHasNoRate(bpm: Double) {
    for seed in 1...4 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(bpm, spread: 0.03)
      finger.seed = seed
      finger.height = { $0.truncatingRemainder(dividingBy: 5) < 2.45 ? 0 : 1 }
      let result = finger.measured()
      #expect(result.heartRateBpm == nil && result.quality < 0.5, "seed \(seed)")
    }
  }

  /// Each beat's flag says what its interval is: one early beat leaves two that are irregular, and all others normal.
  @Test(arguments: [55.0, 75, 95])
  func flagsSayWhatTheIntervalsAre(bpm: Double) {
    for seed in 1...4 as ClosedRange<UInt64> {
      var chance = SeededGenerator(seed: seed, stream: "order")
      let frames = Self.frames(Heart(.oneEarly, bpm: bpm, &chance), bpm: bpm, 30, seed: seed)
      let flags = measurement(of: frames).beats.map(\.flag)
      #expect(flags.first == .first)
      #expect(flags.count { $0 == .irregular } == 2)
      #expect(flags.count { $0 == .normal } >= flags.count - 4)
    }
  }

  private static func frames(
    _ heart: Heart, bpm: Double, _ framesPerSecond: Double, seed: UInt64, pulse: Double = 0.015
  ) -> [FrameSample] {
    var finger = SyntheticFinger(framesPerSecond: framesPerSecond, seconds: 60, seed: seed, pulse: pulse)
    finger.jitterSeconds = seed % 2 == 0 ? 0.003 : 0
    finger.shapeSeconds = 60 / bpm
    finger.interval = { beat, _, _ in heart.lengths[min(beat, heart.lengths.count - 1)] }
    let starts = Self.starts(heart)
    finger.height = { time in
      let next = starts.firstIndex { $0 > time + 1e-9 } ?? starts.count
      return heart.heights[min(max(next - 1, 0), heart.heights.count - 1)]
    }
    return finger.record().frames
  }

  private static func starts(_ heart: Heart) -> [Double] {
    var start = -2.0
    return heart.lengths.map { length in
      defer { start += length }
      return start
    }
  }

  /// Rates of the beats and of those that show, and the RMSSD of sinus beats that follow each other.
  private static func truth(_ heart: Heart) -> (beatsPerMin: Double, pulsesPerMin: Double, rmssdMs: Double) {
    let starts = starts(heart)
    let inside = starts.indices.filter { (0..<60).contains(starts[$0]) }
    let seconds = starts[inside[inside.count - 1]] - starts[inside[0]]
    let shown = inside.filter { heart.heights[$0] > 0 }
    var squares = 0.0
    var number = 0.0
    for beat in inside.dropFirst(2) {
      let beats = beat - 2...beat
      guard beats.allSatisfy({ !heart.odd.contains($0) && heart.heights[$0] > 0 }) else { continue }
      let difference = 1_000 * (heart.lengths[beat - 1] - heart.lengths[beat - 2])
      squares += difference * difference
      number += 1
    }
    return (
      60 * Double(inside.count - 1) / seconds, 60 * Double(shown.count - 1) / seconds,
      number > 0 ? (squares / number).squareRoot() : 0
    )
  }
}
