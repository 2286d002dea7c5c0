import PulseAnalysis
import Testing
import VitalsModel

/// A clean minute with stretches in which the finger lifts, fidgets or the exposure steps.
struct DisturbedMinuteTests {
  enum Kind: CaseIterable, Sendable { case lift, fidget, step }
  enum Place: CaseIterable, Sendable { case beginning, anywhere, end }

  /// Four stretches or fewer, of up to 20 s together, wherever they lie: the heart rate is that of the minute.
  @Test(arguments: Place.allCases, 1...40 as ClosedRange<UInt64>)
  func heartRateIsThatOfTheMinute(place: Place, seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed, stream: "disturbances")
    var finger = SyntheticFinger.beating(chance.uniform(in: 50...110), spread: 0.025)
    finger.seed = seed
    finger.seconds = 60
    let stretches = Self.stretches(place, total: chance.uniform(in: 0.4...20), &chance)
    let noise = chance.next()
    finger.disturb = { time, light in
      for stretch in stretches where (stretch.from..<stretch.to).contains(time) {
        Self.disturb(&light, stretch.kind, time, seed: noise)
      }
    }
    let (frames, beats) = finger.record()
    let truth = truth(beats)
    let result = measurement(of: frames)
    #expect((try #require(result.heartRateBpm, "\(stretches)") - truth.heartRateBpm).magnitude < 1, "\(stretches)")
    // A beat right beside a stretch may be placed a tenth of a second early by it.
    if let rmssd = result.rmssdMs { #expect((rmssd - truth.rmssdMs).magnitude < 12, "\(stretches)") }
  }

  private struct Stretch {
    let kind: Kind
    let from: Double
    let to: Double
  }

  private static func stretches(_ place: Place, total: Double, _ chance: inout SeededGenerator) -> [Stretch] {
    let number = place == .anywhere ? 1 + Int(4 * chance.uniform()) : 1
    let length = total / Double(number)
    let room = 60 / Double(number)
    return (0..<number).map { index in
      let from =
        switch place {
        case .beginning: -0.2
        case .anywhere: room * Double(index) + chance.uniform(in: 0...max(room - length, 0))
        case .end: 60 - length
        }
      let kind = Kind.allCases[Int(3 * chance.uniform())]
      return Stretch(kind: kind, from: from, to: from + length)
    }
  }

  private static func disturb(_ light: inout SIMD3<Double>, _ kind: Kind, _ time: Double, seed: UInt64) {
    switch kind {
    case .lift: light = SIMD3(110, 108, 102)
    case .fidget:
      // A new place every fifth of a second, a straight way between.
      let move = (5 * time).rounded(.down)
      func place(_ move: Double) -> Double {
        var jolt = SeededGenerator(seed: seed &+ UInt64(max(move, 0)), stream: "jolt")
        return 0.1 * min(max(jolt.gaussian(), -2), 2)
      }
      light *= 1 + place(move) + (place(move + 1) - place(move)) * (5 * time - move)
    case .step: light *= 0.8
    }
  }

  /// A longer beat has a longer pulse, which is steepest later; most of that must not enter the intervals. A typical pulse
  /// laid over them finds an eighth less variation than there is.
  @Test(arguments: [50.0, 66, 80, 100], [40.0, 70])
  func variationIsThatOfTheIntervals(bpm: Double, rmssd: Double) throws {
    var shares: [Double] = []
    for seed in 1...6 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(bpm, spread: rmssd / 2.0.squareRoot() * bpm / 60_000)
      finger.seed = seed
      let (frames, beats) = finger.record()
      shares.append(try #require(measurement(of: frames).rmssdMs) / truth(beats).rmssdMs)
    }
    let share = shares.reduce(0, +) / Double(shares.count)
    #expect((0.93...1.05).contains(share), "\(share)")
  }
}
