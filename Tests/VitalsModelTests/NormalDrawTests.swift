import Testing
import VitalsModel

/// The noise that the scene and the camera are made of is normal, out to its tails.
@Suite struct NormalDrawTests {
  private static let draws: [Double] = {
    var generator = SeededGenerator(seed: 20, stream: "normal")
    return (0..<400_000).map { _ in generator.gaussian() }
  }()

  @Test(arguments: [(1, 0), (2, 1), (3, 0), (4, 3), (6, 15)] as [(Int, Double)])
  func moments(power: Int, expected: Double) {
    var sum = 0.0
    var sumOfSquares = 0.0
    for draw in Self.draws {
      var term = 1.0
      for _ in 0..<power { term *= draw }
      sum += term
      sumOfSquares += term * term
    }
    let count = Double(Self.draws.count)
    let mean = sum / count
    let error = ((sumOfSquares / count - mean * mean) / count).squareRoot()
    #expect((mean - expected).magnitude < 4 * error, "\(mean) ± \(error)")
  }

  /// Shares below a bound, from tables of the normal distribution.
  @Test(
    arguments: [
      (-3, 0.001_349_9), (-2, 0.022_750_1), (-1, 0.158_655_3), (-0.5, 0.308_537_5), (-0.1, 0.460_172_2), (0, 0.5),
      (0.25, 0.598_706_3), (0.75, 0.773_372_6), (1.5, 0.933_192_8), (2.5, 0.993_790_3), (3.7, 0.999_892_2),
    ] as [(Double, Double)])
  func shares(bound: Double, expected: Double) {
    let count = Double(Self.draws.count)
    let share = Double(Self.draws.filter { $0 < bound }.count) / count
    #expect((share - expected).magnitude < 4 * (expected * (1 - expected) / count).squareRoot(), "\(share)")
  }

  /// Draws lie beyond the lowest layer's edge at 3.654 as often as they should (2.58e-4 of them), on both sides.
  @Test func tails() {
    let beyond = Self.draws.filter { $0.magnitude > 3.654_152_9 }
    #expect((70...140).contains(beyond.count), "\(beyond.count)")
    #expect(beyond.contains { $0 > 0 } && beyond.contains { $0 < 0 })
    #expect(beyond.allSatisfy { $0.magnitude < 6.5 })
  }
}
