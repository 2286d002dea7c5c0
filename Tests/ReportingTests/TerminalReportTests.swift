import Checks
import Testing
import Traces
import VitalsModel

@testable import Reporting

@Suite struct TerminalReportTests {
  private func check(
    _ runs: [RunReport], quiet: Bool = false, color: Bool = false, _ expected: String,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let style = TerminalStyle(usesColor: color, isQuiet: quiet)
    let text = terminalText(of: library(runs), vocabulary: doorVocabulary, style: style)
    #expect(text == expected + "\n", sourceLocation: place)
  }

  private static let green = [
    run("gust", .passed, checks: [sight(.passed, slack: 0.42, at: 27)]),
    run("long-name-of-a-door", .passed, platform: "pine", seconds: 5_700.04),
  ]

  @Test func alignsGreenRuns() {
    check(
      Self.green,
      """
        passed  gust                 oak     11.5 s   least slack 0.420 s  (line 27)
        passed  long-name-of-a-door  pine  5700.0 s

      2 passed, 5,712 s of sessions in 0.19 s
      """)
  }

  @Test func keepsQuietAboutGreenRuns() {
    check(Self.green, quiet: true, "2 passed, 5,712 s of sessions in 0.19 s")
    check(
      Self.green + [run("breeze", .inconclusive)], quiet: true,
      """
        inconclusive  breeze  oak  doors/breeze.yaml
                      replay    vitals-sim run doors/breeze.yaml --platform oak --seed 1

      2 passed, 1 inconclusive, 5,723 s of sessions in 0.19 s
      """)
  }

  @Test func saysThatNothingRan() {
    check([], "0 passed, 0 s of sessions in 0.19 s")
  }

  @Test func warnsOfLittleSlack() {
    check(
      [run("gust", .marginal, checks: [sight(.passed, slack: 1), sight(.marginal, slack: 0.05, at: 12)])],
      """
        marginal  gust  oak  11.5 s   least slack 0.050 s  (line 12)
                  warning: doors/gust.yaml:12:5 see shut(wind): 0.050 s of 2.000 s left

      0 passed, 1 marginal, 12 s of sessions in 0.19 s
      """)
  }

  @Test func warnsOfOurOwnChoices() {
    let ours = CheckResult(
      name: "D1", rule: "D1", verdict: .marginal, expected: "quiet (ours)", actual: "a creak", at: moment(2))
    check(
      [run("gust", .marginal, checks: [ours])],
      """
        marginal  gust  oak  11.5 s
                  warning: doors/gust.yaml D1: expected quiet (ours), actual a creak

      0 passed, 1 marginal, 12 s of sessions in 0.19 s
      """)
  }

  @Test func repeatsWaiversWhateverTheVerdict() {
    let waivers = [waivedBreach, unneededWaiver]
    check(
      [
        run("gust", .passed, checks: [sight(.passed, slack: 1)] + waivers),
        run("gale", .marginal, checks: [sight(.marginal, slack: 0.05)] + waivers.dropFirst()),
        run("calm", .skipped, checks: [waivedBreach], notes: ["runs only on pine"]),
        run("storm", .failed, checks: [breach, unneededWaiver]),
        run("flood", .blocked, checks: [waivedBreach], notes: ["no door"]),
      ],
      """
        passed    gust   oak  11.5 s   least slack 1.000 s  (line 9)
                  D2 waived (the hinge is <new>): 3.400 s
                  D1 held 2 times, so the waiver was not needed (ticket 3)
        marginal  gale   oak  11.5 s   least slack 0.050 s  (line 9)
                  warning: doors/gale.yaml:9:5 see shut(wind): 0.050 s of 2.000 s left
                  D1 held 2 times, so the waiver was not needed (ticket 3)
        skipped   calm   oak  runs only on pine
                  D2 waived (the hinge is <new>): 3.400 s
        FAILED    storm  oak  doors/storm.yaml
                  D2
                  expected  a shut door within 0.000 s to 2.000 s
                  actual    3.400 s
                  D1 held 2 times, so the waiver was not needed (ticket 3)
                  replay    vitals-sim run doors/storm.yaml --platform oak --seed 1
        BLOCKED   flood  oak  doors/flood.yaml
                  no door
                  D2 waived (the hinge is <new>): 3.400 s
                  replay    vitals-sim run doors/flood.yaml --platform oak --seed 1
        note: no door

      1 passed, 1 marginal, 1 failed, 1 blocked, 1 skipped, 58 s of sessions in 0.19 s
      """)
  }

  @Test func showsAFailureWithItsMoment() {
    let count = CheckResult(
      name: "count creak", mark: .init(line: 11, column: 14), verdict: .failed, expected: "9 of creak", actual: "5",
      at: moment(11.4))
    check(
      [
        run(
          "gust", .failed, platform: "pine", seed: 7,
          checks: [sight(.passed, slack: 1, at: 8), sight(.failed, slack: -1.4), count, breach, breach],
          trace: doorTrace)
      ],
      """
        FAILED  gust  pine  doors/gust.yaml:9:5
                see shut(wind)
                expected  shut(wind) from 5.000 s to 7.000 s (0.000 s to 2.000 s after wind gust)
                actual    at 8.400 s, 1.400 s too late   (also breaks D2)
                      5.000  wind gust
                      5.500  creak(high)
                      7.000  notice latch isOiled false
                >     8.400  command bolt turns 2
                >     8.400  shut(wind)
                     11.400  truth end reason terminal
                doors/gust.yaml:11:14
                count creak
                expected  9 of creak
                actual    5
                replay    vitals-sim run doors/gust.yaml --platform pine --seed 7

      0 passed, 1 failed, 12 s of sessions in 0.19 s
      """)
  }

  @Test func showsARuleThatBreaksOverAndOver() {
    check(
      [run("gust", .failed, checks: [breach] + Array(repeating: Self.otherBreach, count: 30))],
      """
        FAILED  gust  oak  doors/gust.yaml
                D2
                expected  a shut door within 0.000 s to 2.000 s
                actual    3.400 s
                doors/gust.yaml
                D1
                expected  quiet
                actual    a creak   (30 times)
                replay    vitals-sim run doors/gust.yaml --platform oak --seed 1

      0 passed, 1 failed, 12 s of sessions in 0.19 s
      """)
  }

  private static let otherBreach = CheckResult(
    name: "D1", rule: "D1", verdict: .failed, expected: "quiet", actual: "a creak", at: moment(2))

  @Test func countsWhatIsLeftOut() {
    let many = (1...8).map { sight(.inconclusive, slack: -1, at: $0) }
    let text = terminalText(
      of: library([run("gust", .inconclusive, checks: many, trace: doorTrace)]), vocabulary: doorVocabulary,
      style: TerminalStyle(usesColor: false, isQuiet: false))
    #expect(text.contains("doors/gust.yaml:6:5\n"))
    #expect(!text.contains("doors/gust.yaml:7:5\n"))
    #expect(text.contains("and 2 more\n"))
    #expect(!text.contains("wind gust\n"), "an inconclusive check has no moment to show")
  }

  @Test func tellsSeedsApartAndSaysWhyItSkipped() {
    check(
      [
        run("gust", .passed, seed: 9), run("gust", .passed, seed: 10),
        run("calm", .skipped, seconds: 0, notes: ["runs only on pine"]),
      ],
      """
        passed   gust  oak  seed 9   11.5 s
        passed   gust  oak  seed 10  11.5 s
        skipped  calm  oak  seed 1   runs only on pine

      2 passed, 1 skipped, 23 s of sessions in 0.19 s
      """)
  }

  @Test func saysANoteOnce() {
    check(
      [run("a", .passed, notes: ["time read as ms"]), run("b", .passed, notes: ["time read as ms"])],
      """
        passed  a  oak  11.5 s
        passed  b  oak  11.5 s
        note: time read as ms

      2 passed, 23 s of sessions in 0.19 s
      """)
  }

  @Test func coloursOnlyWhenAsked() {
    check(
      [run("gust", .passed, checks: [])], color: true,
      "  \u{1B}[32mpassed\u{1B}[0m  gust  oak  11.5 s\n\n\u{1B}[32m1 passed\u{1B}[0m, 12 s of sessions in 0.19 s")
  }

  @Test func letsNoTextSteerTheTerminal() {
    let nasty = "\u{1B}[2J\r\u{7}\u{202E}\n"
    let checks = [
      CheckResult(name: nasty, verdict: .failed, expected: nasty, actual: nasty, at: .zero),
      CheckResult(name: nasty, verdict: .marginal, expected: nasty, actual: nasty),
    ]
    let shown = entry(nasty)
    for verdict in Verdict.allCases {
      let report = library([run(nasty, verdict, checks: checks, notes: [nasty], trace: [shown])])
      let text = terminalText(
        of: report, vocabulary: doorVocabulary, style: TerminalStyle(usesColor: false, isQuiet: false))
      for character in ["\u{1B}", "\r", "\u{7}", "\u{202E}"] {
        #expect(!text.unicodeScalars.contains { String($0) == character }, "\(verdict)")
      }
    }
  }

  @Test(
    arguments: [
      ("wind", [Field("state", .text("gust"))], "wind gust"),
      ("sag", [Field("value", .integer(-20))], "sag -20 ppm"),
      ("sag", [Field("value", .fixed(units: 25, places: 1)), Field("over", .integer(30))], "sag 2.5 ppm over 30 s"),
      ("sag", [Field("value", .integer(.max))], "sag value 9223372036854775807"),
      ("tide", [Field("value", .integer(3))], "tide value 3"),
    ] as [(String, [Field], String)])
  func showsAChangeOfTheWorld(word: String, fields: [Field], expected: String) {
    #expect(TraceExcerpt(vocabulary: doorVocabulary).text(.stimulus(Message(word, fields))) == expected)
  }

  @Test func cutsAnExcerptAroundItsMoment() {
    let events = (0..<100).map { entry("e\($0)", at: 10 + Double($0) / 100) }
    let lines = TraceExcerpt(vocabulary: doorVocabulary).around(moment(10.5), of: events)
    #expect(lines.count == TraceExcerpt.mostLines)
    #expect(lines.contains { $0.isMoment && $0.line.hasSuffix("e50") })
    #expect(lines.first?.line.hasSuffix("e45") == true)
  }
}
