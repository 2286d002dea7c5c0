import Testing
import Traces
import VitalsModel

@Suite("Where two traces part")
struct TraceDifferenceTests {
  /// A trace of events, one for each letter, a second apart.
  private func trace(_ letters: String) -> [TraceEntry] {
    letters.enumerated().map { index, letter in
      TraceEntry(at: .zero + .seconds(Int64(index)), .event(Message(String(letter))))
    }
  }

  static let rows: [(left: String, right: String, index: Int, sides: String, context: String)] = [
    ("a", "b", 0, "ab", ""),
    ("abcde", "abcxe", 3, "dx", "abc"),
    ("abcdefg", "abcdefh", 6, "gh", "def"),
    ("ab", "abc", 2, "·c", "ab"),
    ("abc", "ab", 2, "c·", "ab"),
    ("", "a", 0, "·a", ""),
  ]

  @Test("The first difference comes with what went before", arguments: rows)
  func difference(_ row: (left: String, right: String, index: Int, sides: String, context: String)) throws {
    let found = try #require(firstDifference(trace(row.left), trace(row.right)))
    #expect(found.index == row.index)
    let sides = [found.left, found.right].map { entry in
      if case .event(let message)? = entry?.item { message.name } else { "·" }
    }
    #expect(sides.joined() == row.sides)
    #expect(found.context == Array(trace(row.left)[..<row.index].suffix(3)))
    #expect(found.context.count == row.context.count)
  }

  @Test("Equal traces do not differ", arguments: ["", "a", "abc"])
  func equal(_ letters: String) {
    #expect(firstDifference(trace(letters), trace(letters)) == nil)
  }

  @Test("A moment alone is a difference")
  func moment() {
    let later = [TraceEntry(at: Instant(microseconds: 1), .timer)]
    #expect(firstDifference([TraceEntry(at: .zero, .timer)], later)?.index == 0)
  }

  @Test("It reads like a text difference")
  func description() throws {
    let found = try #require(firstDifference(trace("ab"), trace("a")))
    #expect(
      found.description == """
          {"t":0.000000,"event":"a"}
        - {"t":1.000000,"event":"b"}
        + (the trace ends)

        """)
  }
}
