import PulseSynthesis
import Testing
import VitalsModel

/// Reads the light as someone would who knows nothing of how it was made, and compares with the published truth.
@Suite struct IndependentReadingTests {
  static let step: Int64 = 5_000

  /// Colour values of a clean minute, every 5 ms.
  private func minute(_ scene: inout FingerScene, _ colour: KeyPath<Light, Double>) -> [Double] {
    (0...(60_000_000 / Self.step)).map { index in
      scene.light(at: Instant(microseconds: index * Self.step))[keyPath: colour]
    }
  }

  /// Indices that are the darkest within `reach` on either side.
  private func darkest(_ values: [Double], reach: Int) -> [Int] {
    values.indices.filter { index in
      let from = index - reach
      let to = index + reach
      if from < 0 || to >= values.count { return false }
      return !values[from...to].contains { $0 < values[index] }
    }
  }

  @Test(
    arguments: [(40, 40), (52, 60), (66, 40), (75, 0), (100, 30), (140, 15), (180, 10), (205, 5)] as [(Double, Double)])
  func darkMomentsMatchBeats(bpm: Double, rmssdMs: Double) throws {
    for seed: UInt64 in 0..<4 {
      var scene = FingerScene(subject: Subject(heartRateBpm: bpm, rmssdMs: rmssdMs), seed: seed)
      let reach = Int(0.35 * 60_000_000 / bpm) / Int(Self.step)
      let troughs = darkest(minute(&scene, \.red), reach: reach)
      let beats = scene.truth.beats.map(\.foot).filter { $0 > at(2) && $0 < at(58) }
      var delays: [Double] = []
      for beat in beats {
        let next = troughs.first { Int64($0) * Self.step > beat.microseconds }
        delays.append((Instant(microseconds: Int64(try #require(next)) * Self.step) - beat).seconds)
      }
      // Every beat has its dark moment, a physiological rise after its foot, and always the same within a little.
      let rise = delays.reduce(0, +) / Double(delays.count)
      #expect((0.07...0.25).contains(rise), "\(rise) s")
      #expect(delays.allSatisfy { ($0 - rise).magnitude < 0.15 * 60 / bpm }, "seed \(seed)")
      let inside = troughs.filter { (2..<58).contains(Double(Int64($0) * Self.step) / 1_000_000 - rise) }
      #expect((inside.count - beats.count).magnitude <= 1, "\(inside.count) dark moments, \(beats.count) beats")
    }
  }

  @Test func lightIsSmooth() {
    for bpm in [40.0, 66, 180] {
      var scene = FingerScene(subject: Subject(heartRateBpm: bpm), seed: 8)
      let values = minute(&scene, \.red)
      let steps = zip(values, values.dropFirst()).map { $1 - $0 }
      let bends = zip(steps, steps.dropFirst()).map { ($1 - $0).magnitude }
      let steepest = steps.map(\.magnitude).max() ?? 0
      // A corner or a jump would bend within one step by as much as the steepest slope itself.
      #expect((bends.max() ?? 1) < 0.25 * steepest, "\(bpm) bpm")
      #expect(steepest < 0.4)
    }
  }

  @Test(arguments: [0.02, 0.5, 2, 8, 20])
  func pulseHeightIsThePerfusionIndex(percent: Double) {
    var scene = FingerScene(subject: Subject(heartRateBpm: 66, perfusionIndexPercent: percent), seed: 3)
    let green = minute(&scene, \.green)
    let mean = green.reduce(0, +) / Double(green.count)
    var heights = 0.0
    var count = 0.0
    let feet = scene.truth.beats.map(\.foot)
    for (one, next) in zip(feet, feet.dropFirst()) {
      let beat = green[Int(one.microseconds / Self.step)...Int(next.microseconds / Self.step)]
      heights += (beat.max() ?? 0) - (beat.min() ?? 0)
      count += 1
    }
    #expect((heights / count / mean * 100 - percent).magnitude <= 0.06 * percent + 1e-9)
  }

  /// Each of the three ways in which breathing shows, alone, tells the rate.
  @Test(arguments: [8.0, 12, 14, 18, 22])
  func breathingCanBeRead(breathsPerMin: Double) throws {
    for seed: UInt64 in 0..<4 {
      var scene = FingerScene(subject: Subject(heartRateBpm: 70, breathingRatePerMin: breathsPerMin), seed: seed)
      let red = minute(&scene, \.red)
      let truth = scene.truth
      let beats = truth.beats.map(\.foot)
      var series: [[(at: Double, value: Double)]] = [[], [], []]
      for (one, next) in zip(beats, beats.dropFirst()) {
        let beat = red[Int(one.microseconds / Self.step)...Int(next.microseconds / Self.step)]
        let middle = (one.seconds + next.seconds) / 2
        series[0].append((middle, (beat.max() ?? 0) - (beat.min() ?? 0)))
        series[1].append((middle, beat.max() ?? 0))
        series[2].append((one.seconds, (next - one).seconds))
      }
      let realised = try #require(truth.statistics(from: .zero, to: at(60)).breathingRatePerMin)
      for (points, within) in zip(series, [1.0, 1, 1.5]) {
        #expect((strongestRate(points, from: max(7, breathsPerMin - 8)) - realised).magnitude <= within, "seed \(seed)")
      }
    }
  }

  /// The rate per minute, up to 26, at which a series swings most, by projection on sines. It begins above the
  /// low-frequency part, which may outdo breathing in the intervals.
  private func strongestRate(_ points: [(at: Double, value: Double)], from lowest: Double) -> Double {
    let mean = points.map(\.value).reduce(0, +) / Double(points.count)
    var best = (power: 0.0, rate: 0.0)
    for rate in stride(from: lowest, through: 26, by: 0.25) {
      var (sine, cosine) = (0.0, 0.0)
      for point in points {
        let angle = 2 * .pi * rate / 60 * point.at
        sine += (point.value - mean) * Maths.sin(angle)
        cosine += (point.value - mean) * Maths.cos(angle)
      }
      let power = sine * sine + cosine * cosine
      if power > best.power { best = (power, rate) }
    }
    return best.rate
  }
}
