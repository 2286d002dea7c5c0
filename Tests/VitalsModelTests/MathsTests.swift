import Foundation
import Testing
import VitalsModel

@Suite("Maths against the C library")
struct MathsTests {
  /// The largest error over `count` seeded points, and where it was found.
  private func worst(
    _ stream: String, count: Int = 50_000, _ error: (inout SeededGenerator) -> (error: Double, at: String)
  ) -> (error: Double, at: String) {
    var random = SeededGenerator(seed: 1, stream: stream)
    var worst = (error: 0.0, at: "nowhere")
    for _ in 0..<count {
      let found = error(&random)
      // A NaN is not below any bound and must not be lost in a comparison.
      if !(found.error <= worst.error) { worst = found }
      if found.error.isNaN { return found }
    }
    return worst
  }

  private func relative(_ ours: Double, _ theirs: Double) -> Double {
    ours == theirs ? 0 : ((ours - theirs) / theirs).magnitude
  }

  /// A positive number of any size that keeps all its digits.
  private func anySize(_ random: inout SeededGenerator) -> Double {
    Double(sign: .plus, exponent: Int.random(in: -1_000...1_000, using: &random), significand: 1 + random.uniform())
  }

  @Test("exp", arguments: [-708.0...709.7, -1...1, -1e-8...1e-8])
  func exponential(_ range: ClosedRange<Double>) {
    let found = worst("exp") {
      let x = $0.uniform(in: range)
      return (relative(Maths.exp(x), exp(x)), "\(x)")
    }
    #expect(found.error < 1e-13, "exp \(found.at)")
  }

  @Test("log over every size, and near 1")
  func logarithm() {
    let everywhere = worst("log") {
      let x = anySize(&$0)
      return (relative(Maths.log(x), log(x)), "\(x)")
    }
    #expect(everywhere.error < 1e-13, "log \(everywhere.at)")
    let nearOne = worst("log near 1") {
      let x = 1 + $0.uniform(in: -1...1) * pow(10, $0.uniform(in: -15 ... -1))
      return (relative(Maths.log(x), log(x)), "\(x)")
    }
    #expect(nearOne.error < 1e-13, "log \(nearOne.at)")
  }

  @Test("sin and cos", arguments: [1.0, 10, 1e3, 1e6, 1e8])
  func circular(_ limit: Double) {
    let found = worst("sin") {
      let x = $0.uniform(in: -limit...limit)
      return (max((Maths.sin(x) - sin(x)).magnitude, (Maths.cos(x) - cos(x)).magnitude), "\(x)")
    }
    #expect(found.error < 1e-13, "sin, cos \(found.at)")
  }

  @Test("sin and cos at whole quarter turns, where the difference from pi / 2 cancels")
  func quarterTurns() {
    for turn in stride(from: -60_000_000, through: 60_000_000, by: 9_973) {
      let x = Double(turn) * Double.pi / 2
      #expect((Maths.sin(x) - sin(x)).magnitude < 1e-13 && (Maths.cos(x) - cos(x)).magnitude < 1e-13, "\(x)")
    }
  }

  @Test("pow")
  func power() {
    let found = worst("pow") {
      let base = exp($0.uniform(in: -20...20))
      let exponent = $0.uniform(in: -35...35)
      return (relative(Maths.pow(base, exponent), pow(base, exponent)), "\(base), \(exponent)")
    }
    #expect(found.error < 3e-13, "pow \(found.at)")
  }

  static let edges: [(String, Double, Double)] = [
    ("exp(0)", Maths.exp(0), 1),
    ("exp(-746)", Maths.exp(-746), 0),
    ("exp(710)", Maths.exp(710), .infinity),
    ("exp(infinity)", Maths.exp(.infinity), .infinity),
    ("exp(-infinity)", Maths.exp(-.infinity), 0),
    ("log(1)", Maths.log(1), 0),
    ("log(0)", Maths.log(0), -.infinity),
    ("log(infinity)", Maths.log(.infinity), .infinity),
    ("sin(0)", Maths.sin(0), 0),
    ("cos(0)", Maths.cos(0), 1),
    ("pow(0, 2)", Maths.pow(0, 2), 0),
    ("pow(0, -1)", Maths.pow(0, -1), .infinity),
    ("pow(0, 0)", Maths.pow(0, 0), 1),
    ("pow(7, 0)", Maths.pow(7, 0), 1),
    ("pow(1, 9)", Maths.pow(1, 9), 1),
  ]

  @Test("At the edges", arguments: edges)
  func edge(_ name: String, _ actual: Double, _ expected: Double) {
    #expect(actual == expected, "\(name)")
  }

  @Test("Close to the largest and the smallest results")
  func extremes() {
    for x in [709.75, 709.78, 709.7827128933] { #expect(relative(Maths.exp(x), exp(x)) < 1e-13, "\(x)") }
    // Below the normal range the last unit is all that can be asked for.
    for x in [-709.0, -720, -740, -744] {
      #expect((Maths.exp(x) - exp(x)).magnitude <= 2 * Double.leastNonzeroMagnitude, "\(x)")
    }
    for x in [Double.leastNonzeroMagnitude, Double.leastNormalMagnitude / 3, Double.greatestFiniteMagnitude] {
      #expect(relative(Maths.log(x), log(x)) < 1e-13, "\(x)")
    }
  }

  @Test("What is not a number stays so")
  func notANumber() {
    #expect(Maths.exp(.nan).isNaN)
    #expect(Maths.log(.nan).isNaN)
    #expect(Maths.log(-1).isNaN)
    #expect(Maths.pow(-2, 0.5).isNaN)
  }

  /// Pinned: another processor, optimiser or compiler that gives other bits would change every trace.
  @Test("The bits are the same everywhere")
  func bits() {
    var random = SeededGenerator(seed: 1, stream: "bits")
    var hash: UInt64 = 0
    for _ in 0..<2_000 {
      let x = random.uniform(in: -50...50)
      let y = random.uniform(in: 0...50)
      for value in [
        Maths.exp(x), Maths.log(y), Maths.sin(x), Maths.cos(x), Maths.pow(y, x / 10),
      ] {
        hash = (hash ^ value.bitPattern) &* 0x0000_0100_0000_01b3
      }
    }
    #expect(hash == 0xcc1f_df23_e6cd_83ad)
  }
}
