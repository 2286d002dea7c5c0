import Foundation
import Testing
import VitalsModel

@Suite("Numbers with fixed decimals")
struct FixedTests {
  static let texts: [(Double, Int, String)] = [
    (0, 0, "0"), (0, 3, "0.000"), (66.1, 2, "66.10"), (-0.5, 2, "-0.50"), (-0.004, 2, "0.00"), (0.005, 2, "0.01"),
    (0.5, 0, "1"), (-0.5, 0, "-1"), (1.5, 0, "2"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.25, 1, "0.3"), (-0.25, 1, "-0.3"),
    (999.9995, 3, "1000.000"), (1e-9, 9, "0.000000001"), (-1e-9, 9, "-0.000000001"), (123_456_789, 0, "123456789"),
    (9e9, 9, "9000000000.000000000"),
  ]

  @Test("A number is rounded half away from zero and keeps its places", arguments: texts)
  func text(_ number: Double, _ places: Int, _ expected: String) {
    #expect(Fixed.text(number, places: places) == expected)
  }

  static let units: [(Int64, Int, String)] = [
    (0, 0, "0"), (6610, 2, "66.10"), (-5, 1, "-0.5"), (-5, 3, "-0.005"), (.max, 0, "9223372036854775807"),
    (.max, 9, "9223372036.854775807"), (.min, 0, "-9223372036854775808"), (.min, 9, "-9223372036.854775808"),
  ]

  @Test("Units are written with their places", arguments: units)
  func unitText(_ units: Int64, _ places: Int, _ expected: String) {
    #expect(Fixed.text(units: units, places: places) == expected)
  }

  @Test("The text is within half a last unit of the number", arguments: 0...9)
  func rounding(_ places: Int) throws {
    var random = SeededGenerator(seed: UInt64(places), stream: "fixed")
    for _ in 0..<2_000 {
      let number = random.uniform(in: -5_000...5_000)
      let back = try #require(Double(Fixed.text(number, places: places)))
      #expect((back - number).magnitude <= 0.5 / Fixed.scale(places) + 1e-12)
      #expect(Fixed.units(back, places: places) == Fixed.units(number, places: places))
    }
  }

  @Test("The scale is a power of ten", arguments: 0...9)
  func scale(_ places: Int) {
    #expect(Fixed.scale(places) == pow(10, Double(places)))
  }
}
