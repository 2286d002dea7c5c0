import Testing
import VitalsModel

@Suite("Moments and spans")
struct InstantTests {
  @Test("Spans from every unit are whole microseconds")
  func units() {
    let rows: [(TimeSpan, Int64)] = [
      (.zero, 0), (.seconds(2), 2_000_000), (.seconds(-1), -1_000_000), (.milliseconds(40), 40_000),
      (TimeSpan(seconds: 1.5), 1_500_000), (TimeSpan(seconds: 0.000_000_4), 0), (TimeSpan(seconds: 0.000_000_6), 1),
      (TimeSpan(seconds: -0.000_000_6), -1), (TimeSpan(seconds: 1 / 30), 33_333),
      (TimeSpan(seconds: 86_400), 86_400_000_000),
    ]
    for (span, microseconds) in rows { #expect(span.microseconds == microseconds) }
    #expect(TimeSpan(microseconds: 1_500).milliseconds == 1.5)
    #expect(TimeSpan(microseconds: -250_000).seconds == -0.25)
    #expect(Instant(microseconds: 33_333).seconds == 0.033333)
    #expect(Instant.zero.microseconds == 0)
  }

  @Test("Moments and spans add up exactly", arguments: 0..<200)
  func arithmetic(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "instants")
    func any() -> Int64 { Int64.random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &random) }
    let (start, end) = (Instant(microseconds: any()), Instant(microseconds: any()))
    let (one, two) = (TimeSpan(microseconds: any()), TimeSpan(microseconds: any()))
    let count = Int64.random(in: -1_000...1_000, using: &random)
    #expect(start + (end - start) == end)
    #expect(end - (end - start) == start)
    #expect((start - end) == -(end - start))
    #expect((start + one) + two == start + (one + two))
    #expect((start + one) - one == start)
    #expect((start + one) - start == one)
    #expect(one - two == one + -two)
    #expect((one * count).microseconds == one.microseconds * count)
    #expect(one + one == one * 2)
    #expect((start < end) == (start.microseconds < end.microseconds))
    #expect((start < end) == (.zero < end - start))
    #expect((one < two) == (one.microseconds < two.microseconds))
    #expect(TimeSpan(seconds: one.seconds) == one)
  }
}
