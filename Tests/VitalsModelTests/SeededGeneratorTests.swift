import Testing
import VitalsModel

@Suite("Seeded random streams")
struct SeededGeneratorTests {
  /// Worked out with a second implementation of xoshiro256** and splitmix64, which gives their published vectors.
  static let known: [(seed: UInt64, stream: String, words: [UInt64])] = [
    (0, "", [0x2138_2ef0_92ed_7068, 0x5b54_c052_757a_df62, 0xa64c_b2cf_6879_5072, 0xd35c_15d5_9620_35af]),
    (1, "heart", [0x102e_ae9c_b7fe_92f5, 0x0f6d_6d72_a642_c3b9, 0x6828_73e8_ba8a_9d73, 0x5a72_6a64_4f41_201f]),
    (1, "camera", [0x260a_6d32_5e2b_5670, 0x3d6a_33da_6446_3d8b, 0xe615_ebaa_3b9e_1a98, 0x6512_f0ff_20b7_9c7a]),
    (.max, "heart", [0x0249_640e_b793_2b0f, 0x1625_ade7_65fa_72d4, 0x5913_1f1f_3b5b_a8c3, 0x005f_d63d_0ebe_181d]),
  ]

  @Test("A seed and a name give these words", arguments: known)
  func knownWords(_ row: (seed: UInt64, stream: String, words: [UInt64])) {
    var random = SeededGenerator(seed: row.seed, stream: row.stream)
    #expect((0..<4).map { _ in random.next() } == row.words)
  }

  @Test(
    "Two streams or two seeds have nothing in common", arguments: [(1, "heart", 1, "camera"), (1, "heart", 2, "heart")])
  func independence(_ seed: UInt64, _ stream: String, _ otherSeed: UInt64, _ otherStream: String) {
    var one = SeededGenerator(seed: seed, stream: stream)
    var two = SeededGenerator(seed: otherSeed, stream: otherStream)
    let count = 20_000
    var sum = 0.0
    for _ in 0..<count { sum += (one.uniform() - 0.5) * (two.uniform() - 0.5) * 12 }
    // The correlation of independent streams is normal with this standard deviation.
    #expect((sum / Double(count)).magnitude < 4 / Double(count).squareRoot())
  }

  @Test("Drawing from one stream moves nothing in another")
  func separation() {
    var heart = SeededGenerator(seed: 1, stream: "heart")
    var camera = SeededGenerator(seed: 1, stream: "camera")
    var mixed: [UInt64] = []
    for index in 0..<10 {
      for _ in 0..<index { _ = camera.gaussian() }
      mixed.append(heart.next())
    }
    var alone = SeededGenerator(seed: 1, stream: "heart")
    #expect(mixed == (0..<10).map { _ in alone.next() })
  }

  @Test("Uniform draws fill 0 up to 1 evenly", arguments: 0..<5)
  func uniform(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "uniform")
    var bins = [Int](repeating: 0, count: 64)
    let count = 64_000
    for _ in 0..<count {
      let draw = random.uniform()
      // A draw outside 0 up to 1 would have no bin.
      bins[Int((draw * 64).rounded(.down))] += 1
    }
    // Chi-square with 63 degrees of freedom: mean 63, standard deviation 11.2.
    let expected = Double(count) / 64
    let chiSquare = bins.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    #expect((20...115).contains(chiSquare))
  }

  @Test("Uniform draws stay between their bounds", arguments: [-3.0...5, 0...0, 1e-3...1e-3, -1e9...1e9])
  func bounds(_ bounds: ClosedRange<Double>) {
    var random = SeededGenerator(seed: 3, stream: "bounds")
    for _ in 0..<1_000 { #expect(bounds.contains(random.uniform(in: bounds))) }
  }
}
