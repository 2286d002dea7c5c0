import Scenarios
import Testing
import VitalsModel

/// Bytes that nobody meant as a scenario: the parser must answer, with places that exist, and soon.
@Suite struct HostileFileTests {
  /// Answers a file, and checks what must hold of any answer.
  private func check(_ bytes: [UInt8]) {
    do throws(ScenarioRefusal) {
      let scenario = try parseScenario(bytes, vocabulary: fixture)
      #expect(!scenario.timeline.isEmpty && !scenario.expectations.isEmpty)
    } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      let marks = error.diagnostics.map(\.mark)
      #expect(!marks.isEmpty)
      #expect(marks == marks.sorted())
      #expect(marks.allSatisfy { (1...lines + 1).contains($0.line) && $0.column >= 1 })
      let shown = render(error.diagnostics, file: "f", bytes: bytes)
      #expect(shown.hasSuffix("\n"))
      #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func survivesBytesThatWereChanged(seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "mutations")
    let marks = Array("[]{}:,-#&*!|>'\"%@`?~<= \n\t\r\\\u{7}é".utf8) + [0xff, 0x00]
    for _ in 0..<20 {
      var bytes = Array(contactLost.utf8)
      for _ in 0...Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = marks.randomElement(using: &random) ?? 0
        case 1: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes.remove(at: place)
        default:
          let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
          bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      check(bytes)
    }
  }

  @Test func survivesBeingCutAnywhere() {
    let whole = Array(contactLost.utf8)
    for length in stride(from: 0, to: whole.count, by: 3) { check(Array(whole.prefix(length))) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func survivesNoise(seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "noise")
    for _ in 0..<20 {
      let length = Int.random(in: 1...200, using: &random)
      check((0..<length).map { _ in UInt8.random(in: 1...255, using: &random) })
      check((0..<length).map { _ in UInt8.random(in: 0x20...0x7e, using: &random) })
    }
  }

  /// Nesting is answered at its 65th level, however much follows. libyaml's time grows with the square of the depth:
  /// reading all of this would take it minutes.
  @Test(.timeLimit(.minutes(1)), arguments: ["[", "{", "[\n", "- ", "? ", "a: {"])
  func answersDeepNestingAtOnce(level: String) {
    let told = mistakes(Array(String(repeating: level, count: 240_000).utf8))
    #expect(told.contains { $0.contains("nested more than 64 deep") })
  }

  @Test func allowsSixtyFourLevels() {
    func text(_ levels: Int) -> String {
      scenario().replacing(
        "about: y", with: "about: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels))
    }
    // The block of keys is the first level.
    #expect(mistakes(text(63)) == ["2:8 about must be one value, not a list"])
    #expect(mistakes(text(64)) == ["2:71 nested more than 64 deep | a scenario needs only a few levels"])
  }
}
