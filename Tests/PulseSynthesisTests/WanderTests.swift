import Testing
import VitalsModel

@testable import PulseSynthesis

@Suite struct WanderTests {
  private func film(_ kind: Wander.Kind, everyMs: Int64, seconds: Double, seed: UInt64 = 1) -> [Double] {
    var wander = Wander(kind, spacing: .seconds(2), seed: seed, stream: "test")
    return stride(from: 0, to: at(seconds).microseconds, by: Int(everyMs) * 1_000).map {
      wander.value(at: Instant(microseconds: Int64($0)))
    }
  }

  @Test(arguments: [Wander.Kind.drift, .band])
  func isStandardAndSmooth(kind: Wander.Kind) {
    let values = film(kind, everyMs: 20, seconds: 20_000)
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.map { $0 * $0 }.reduce(0, +) / Double(values.count)
    #expect(mean.magnitude < 0.05 && (variance.squareRoot() - 1).magnitude < 0.05, "\(mean) \(variance)")
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    let bends = zip(steps, steps.dropFirst()).map { ($1 - $0).magnitude }
    #expect((steps.map(\.magnitude).max() ?? 1) < 0.08 && (bends.max() ?? 1) < 0.004)
  }

  /// What a band adds up to in a minute is next to nothing, so that it moves no minute's mean.
  @Test func bandsHaveNoMean() {
    func widestMean(_ kind: Wander.Kind) -> Double {
      let values = film(kind, everyMs: 100, seconds: 6_000)
      let minutes = stride(from: 0, to: values.count, by: 600).map { values[$0..<($0 + 600)].reduce(0, +) / 600 }
      return minutes.map(\.magnitude).max() ?? 0
    }
    #expect(widestMean(.band) < 0.25 && widestMean(.drift) > 0.4)
  }

  @Test(arguments: [Wander.Kind.drift, .band])
  func isAFunctionOfTime(kind: Wander.Kind) {
    let often = film(kind, everyMs: 10, seconds: 100)
    let seldom = film(kind, everyMs: 7_010, seconds: 100)
    for (index, value) in seldom.enumerated() { #expect(value == often[index * 701]) }
    #expect(film(kind, everyMs: 10, seconds: 100, seed: 2) != often)
  }
}
