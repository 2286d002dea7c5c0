import Checks
import Foundation
import Testing
import Traces
import VitalsModel

@testable import Reporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Every character that means something to JSON, XML or a terminal, and some that are not allowed in XML.
private let nasty =
  (0...0x20).compactMap { Unicode.Scalar($0).map(String.init) }.joined()
  + "\"\\/<>&' ]]> \u{7F}\u{85}\u{2028}\u{FFFE}\u{FFFF} µ±😀 é"

private let nastyRuns = Verdict.allCases.map { verdict in
  RunReport(
    scenario: nasty, file: nasty, platform: nasty, seed: .max, verdict: verdict, traceHash: nil,
    result: Message("done", [Field(nasty, .text(nasty)), Field("in", .object([Field("b", .flag(true))]))]),
    checks: [
      CheckResult(
        name: nasty, rule: nasty, verdict: verdict, expected: nasty, actual: nasty, at: .zero, waiver: nasty)
    ],
    notes: [nasty], trace: [entry(nasty)], replayCommand: nasty)
}

@Suite struct JSONReportTests {
  @Test func looksLikeThis() {
    let report = library([
      RunReport(
        scenario: "gust", file: "doors/gust.yaml", platform: "oak", seed: 7, verdict: .failed,
        traceHash: "00ff00ff00ff00ff", virtualSeconds: 11.5, wallSeconds: 0.0125,
        result: Message(
          "shut",
          [
            Field("speedMps", .number(0.5, places: 2)), Field("turns", .integer(-2)),
            Field("withheld", .object([Field("angleDeg", .text("too \"dark\""))])),
          ]),
        truth: Message("realised", [Field("speedMps", .number(0.497, places: 2)), Field("isOiled", .flag(false))]),
        checks: [sight(.failed, slack: -1.4), breach], notes: ["a note"],
        replayCommand: "vitals-sim run doors/gust.yaml"),
      run("calm", .skipped),
    ])
    #expect(
      jsonText(of: report) == """
        {
          "schema": "vitals-sim report 1",
          "tool": "vitals-sim test",
          "disclaimer": "\(LibraryReport.disclaimer)",
          "source": "synthetic",
          "verdict": "failed",
          "counts": {
            "passed": 0,
            "marginal": 0,
            "failed": 1,
            "inconclusive": 0,
            "blocked": 0,
            "skipped": 1
          },
          "wallSeconds": 0.190000,
          "scenarios": [
            {
              "name": "gust",
              "file": "doors/gust.yaml",
              "platform": "oak",
              "seed": 7,
              "verdict": "failed",
              "traceHash": "00ff00ff00ff00ff",
              "virtualSeconds": 11.500000,
              "wallSeconds": 0.012500,
              "result": {
                "speedMps": 0.50,
                "turns": -2,
                "withheld": {
                  "angleDeg": "too \\"dark\\""
                }
              },
              "truth": {
                "speedMps": 0.50,
                "isOiled": false
              },
              "checks": [
                {
                  "name": "see shut(wind)",
                  "line": 9,
                  "column": 5,
                  "verdict": "failed",
                  "expected": "shut(wind) from 5.000 s to 7.000 s (0.000 s to 2.000 s after wind gust)",
                  "actual": "at 8.400 s, 1.400 s too late",
                  "margin": {
                    "value": -1.400,
                    "unit": "s"
                  },
                  "at": 8.400000
                },
                {
                  "name": "D2",
                  "rule": "D2",
                  "verdict": "failed",
                  "expected": "a shut door within 0.000 s to 2.000 s",
                  "actual": "3.400 s",
                  "at": 8.400000
                }
              ],
              "notes": [
                "a note"
              ],
              "replayCommand": "vitals-sim run doors/gust.yaml"
            },
            {
              "name": "calm",
              "file": "doors/calm.yaml",
              "platform": "oak",
              "seed": 1,
              "verdict": "skipped",
              "traceHash": "00ff00ff00ff00ff",
              "virtualSeconds": 11.500000,
              "wallSeconds": 0.012500,
              "checks": [],
              "replayCommand": "vitals-sim run doors/calm.yaml --platform oak --seed 1"
            }
          ]
        }

        """)
  }

  @Test func repeatsWaivers() throws {
    let report = library([run("gust", .passed, checks: [waivedBreach, unneededWaiver, breach])])
    let document = try JSONSerialization.jsonObject(with: Data(jsonText(of: report).utf8)) as? [String: Any]
    let runs = try #require(document?["scenarios"] as? [[String: Any]])
    let checks = try #require(runs.first?["checks"] as? [[String: Any]])
    #expect(checks.map { $0["waiver"] as? String } == ["the hinge is <new>", "ticket 3", nil])
    #expect(checks.map { $0["verdict"] as? String } == ["skipped", "passed", "failed"])
    #expect(checks.first?["actual"] as? String == waivedBreach.actual)
  }

  @Test func carriesAnyText() throws {
    let data = Data(jsonText(of: library(nastyRuns)).utf8)
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let runs = try #require(document["scenarios"] as? [[String: Any]])
    #expect(runs.count == nastyRuns.count)
    for run in runs {
      #expect(run["name"] as? String == nasty)
      #expect((run["result"] as? [String: Any])?[nasty] as? String == nasty)
      #expect(run["truth"] == nil)
      #expect(run["traceHash"] == nil)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func leavesOutWhatIsNotANumber(_ value: Double) {
    var json = JSONText()
    json.object { json in
      json.number("a", value, places: 3)
      json.integer("b", 1)
    }
    #expect(json.text == "{\n  \"b\": 1\n}")
  }
}

@Suite struct JUnitReportTests {
  @Test func looksLikeThis() {
    let failed = run("gust", .failed, platform: "pine", checks: [sight(.failed, slack: -1.4)])
    let report = library([
      run("gust", .passed), failed, run("calm", .skipped, notes: ["runs only on <pine>"]),
      run("gust", .blocked, file: "./other.d/gust.yaml", notes: ["no door"]),
    ])
    let block = terminalBlock(of: failed, in: report, vocabulary: doorVocabulary)
    #expect(
      junitText(of: report, vocabulary: doorVocabulary) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="vitals-sim" tests="4" failures="1" errors="1" skipped="1" time="0.190000">
          <testsuite name="doors.gust" tests="2" failures="1" errors="0" skipped="0" time="0.025000">
            <testcase classname="doors.gust" name="gust [oak]" file="doors/gust.yaml" time="0.012500"/>
            <testcase classname="doors.gust" name="gust [pine]" file="doors/gust.yaml" time="0.012500">
              <failure message="see shut(wind): expected \(sight(.failed, slack: 0).expected), actual at 8.400 s, \
        1.400 s too late" type="failed">\(block)</failure>
            </testcase>
          </testsuite>
          <testsuite name="doors.calm" tests="1" failures="0" errors="0" skipped="1" time="0.012500">
            <testcase classname="doors.calm" name="calm [oak]" file="doors/calm.yaml" time="0.012500">
              <skipped message="runs only on &lt;pine&gt;"/>
            </testcase>
          </testsuite>
          <testsuite name="other_d.gust" tests="1" failures="0" errors="1" skipped="0" time="0.012500">
            <testcase classname="other_d.gust" name="gust [oak]" file="./other.d/gust.yaml" time="0.012500">
              <error message="no door" type="blocked">  BLOCKED  gust  oak  ./other.d/gust.yaml
                   no door
                   replay    vitals-sim run ./other.d/gust.yaml --platform oak --seed 1</error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func repeatsWaivers() {
    let text = junitText(
      of: library([
        run("gust", .passed, checks: [waivedBreach]),
        run("gust", .skipped, checks: [waivedBreach], notes: ["a draught"]),
      ]), vocabulary: doorVocabulary)
    let told = "D2 waived (the hinge is &lt;new&gt;): 3.400 s</system-out>"
    #expect(
      text.contains(
        """
         time="0.012500">
              <system-out>  passed  gust  oak  11.5 s
                  \(told)
            </testcase>
        """), "\(text)")
    #expect(
      text.contains(
        """
              <skipped message="a draught"/>
              <system-out>  skipped  gust  oak  a draught
                   \(told)
            </testcase>
        """), "\(text)")
  }

  /// Collects what a parser makes of the report.
  private final class Reader: NSObject, XMLParserDelegate {
    var names: [String] = []
    var places: Set<[String]> = []

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.append(element)
      if element == "testcase" { places.insert([attributes["classname"] ?? "", attributes["name"] ?? ""]) }
    }
  }

  private func read(_ report: LibraryReport) -> Reader? {
    let reader = Reader()
    let parser = XMLParser(data: Data(junitText(of: report, vocabulary: doorVocabulary).utf8))
    parser.delegate = reader
    return parser.parse() ? reader : nil
  }

  @Test func carriesAnyText() throws {
    let reader = try #require(read(library(nastyRuns)), "it is not valid XML")
    #expect(reader.names.filter { $0 == "testcase" }.count == nastyRuns.count)
    #expect(reader.names.filter { $0 == "failure" }.count == 2)
  }

  @Test func tellsCasesApart() throws {
    let runs = [
      run("gust", .passed, file: "a/gust.yaml"), run("gust", .passed, file: "b/gust.yaml"),
      run("gust", .passed, file: "b/gust.yaml", platform: "pine"),
      run("gust", .passed, file: "b/gust.yaml", platform: "pine", seed: 2),
      run("breeze", .passed, file: "b/gust.yaml"),
    ]
    let reader = try #require(read(library(runs)))
    #expect(reader.places.count == runs.count)
  }
}

@Suite struct LibraryReportTests {
  @Test(
    arguments: [
      ([], 0), ([.passed], 0), ([.passed, .marginal, .skipped], 0), ([.skipped], 0), ([.passed, .failed], 1),
      ([.inconclusive, .passed], 1), ([.failed, .blocked, .inconclusive], 3), ([.blocked], 3),
    ] as [([Verdict], Int32)])
  func givesTheWorstExitCode(_ verdicts: [Verdict], _ expected: Int32) {
    #expect(library(verdicts.map { run("gust", $0) }).exitCode == expected)
  }
}
