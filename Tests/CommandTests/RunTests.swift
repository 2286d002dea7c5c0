import Foundation
import Testing

@Suite struct RunTests {
  private func library() throws -> Program {
    let program = try Program()
    try program.write("lib/b.yaml", shortScenario("b", tags: "[quick, odd]"))
    try program.write("lib/sub/a.yaml", shortScenario("a", tags: "[quick]"))
    try program.write("lib/a.yaml", shortScenario("a").replacingOccurrences(of: "tags", with: "platforms: [ios]\ntags"))
    try program.write("lib/refused/x.yaml", "wibble: 1\n")
    try program.write("lib/.hidden/x.yaml", "wibble: 1\n")
    try program.write("lib/notes.txt", "wibble")
    return program
  }

  /// The report without what differs from run to run.
  private func stable(_ json: String) -> [Substring] {
    json.split(separator: "\n").filter { !$0.contains("\"wallSeconds\"") }
  }

  private func names(_ json: String) throws -> [String] {
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let runs = try #require(document?["scenarios"] as? [[String: Any]])
    return runs.map { run in
      "\(run["file"] ?? "") \(run["platform"] ?? "") \(run["seed"] ?? "") \(run["verdict"] ?? "")"
    }
  }

  @Test(arguments: [
    (
      "",
      [
        "lib/a.yaml ios 1 passed", "lib/b.yaml ios 1 passed", "lib/b.yaml android 1 passed",
        "lib/sub/a.yaml ios 1 passed", "lib/sub/a.yaml android 1 passed",
      ]
    ),
    (
      "--platform android",
      ["lib/a.yaml android 1 skipped", "lib/b.yaml android 1 passed", "lib/sub/a.yaml android 1 passed"]
    ),
    ("--tag odd", ["lib/b.yaml ios 1 passed", "lib/b.yaml android 1 passed"]),
    (
      "--tag odd --tag quick --platform ios",
      ["lib/b.yaml ios 1 passed", "lib/sub/a.yaml ios 1 passed"]
    ),
    ("--tag odd --platform ios --seed 3..4", ["lib/b.yaml ios 3 passed", "lib/b.yaml ios 4 passed"]),
    ("--shard 1/3", ["lib/a.yaml ios 1 passed", "lib/sub/a.yaml ios 1 passed"]),
    ("--shard 3/3", ["lib/b.yaml android 1 passed"]),
    ("--shard 7/9", []),
  ]) func choosesRuns(_ options: String, _ expected: [String]) throws {
    let outcome = try library().call(["run", "lib", "--json", "-"] + options.split(separator: " ").map(String.init))
    #expect(outcome.exitCode == 0)
    #expect(try names(outcome.output) == expected)
    #expect(outcome.error.contains("passed"), "the report for a person is on standard error")
  }

  /// A breathing rate that cannot be seen, demanded in each way.
  @Test(arguments: [
    ("withheld", "", 0, "withheld", "withheld, \\\""),
    ("± 2 /min or withheld", "", 0, ", or withheld", "withheld, \\\""),
    ("± 2 /min", "", 1, "4.00 /min ± 2.00 /min", "withheld, \\\""),
    ("± 2 /min", "--without breathingRate", 0, "the truth ± 2.00 /min", "not judged, as asked"),
    ("withheld", "--without breathingRate", 0, "withheld", "not judged, as asked"),
    ("withheld", "--without accuracy", 0, "withheld", "withheld, \\\""),
  ]) func judgesWhatIsWithheld(_ demand: String, _ options: String, _ code: Int32, _ end: String, _ actual: String)
    throws
  {
    let program = try Program()
    try program.write(
      "a.yaml",
      """
      name: a
      about: Breathing at 4 per minute, in a pulse whose intervals do not vary.
      seed: 311
      subject: { breathingRate: 4 /min, rmssd: 0 ms, heartRate: 110 bpm, perfusionIndex: 5 % }
      timeline:
        - { at: 0 s, call: start }
      expect:
        - result: { breathingRate: \(demand) }
      """)
    let arguments = ["run", "a.yaml", "-p", "ios", "--json", "-"] + options.split(separator: " ").map(String.init)
    let outcome = try program.call(arguments)
    #expect(outcome.exitCode == code, "\(outcome.error)")
    #expect(
      outcome.output.contains("\(end)\",\n") && outcome.output.contains("\"actual\": \"\(actual)"), "\(outcome.output)")
  }

  @Test func givesTheSameBytesForAnyNumberOfJobs() throws {
    let program = try library()
    func report(_ jobs: String) throws -> [Substring] {
      let outcome = try program.call("run", "lib", "--seed", "1..8", "--jobs", jobs, "--json", "-")
      #expect(outcome.exitCode == 0)
      return stable(outcome.output)
    }
    let one = try report("1")
    #expect(one.count > 100)
    #expect(try report("2") == one)
    #expect(try report("7") == one)
  }

  @Test func writesReportsInPlaceOfOldOnes() throws {
    let program = try library()
    try program.write("report.xml", String(repeating: "old ", count: 100_000))
    try FileManager.default.createSymbolicLink(
      atPath: program.path("link.json"), withDestinationPath: "real.json")
    try program.write("real.json", "old")
    let outcome = try program.call("run", "lib", "--junit=report.xml", "--json=link.json", "--quiet")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("5 passed, "))
    #expect(try program.read("report.xml").hasPrefix("<?xml"))
    #expect(try program.read("real.json").hasPrefix("{"))
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: program.path("link.json"))
    #expect(link == "real.json")
    #expect(!program.names.contains { $0.contains("unfinished") })
  }

  @Test func showsAFailureAndHowToSeeItAgain() throws {
    let program = try Program()
    try program.write("it's.yaml", shortScenario("a", expect: "see: started"))
    let outcome = try program.call("run", "it's.yaml", "--platform", "ios")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("  FAILED  a  ios  it's.yaml:10:5\n          see started\n"))
    #expect(outcome.output.contains("replay    vitals-sim run 'it'\\''s.yaml' --platform ios --seed 1\n"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func recordsGoldensOnlyWhenAskedAndFailsThen() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    #expect(try program.call("run", "a.yaml").exitCode == 0)
    #expect(program.names == ["a.yaml"])

    let recording = try program.call("run", "a.yaml", "--record-goldens")
    #expect(recording.exitCode == 1)
    #expect(recording.output.contains("golden recorded, run again"))
    #expect(program.names == ["a.android.golden.jsonl", "a.ios.golden.jsonl", "a.yaml"])
    #expect(try program.call("run", "a.yaml").exitCode == 0)
    #expect(try program.call("run", "a.yaml", "--record-goldens").exitCode == 0, "nothing is new")

    let golden = try program.read("a.ios.golden.jsonl")
    try program.write("a.ios.golden.jsonl", golden.replacingOccurrences(of: "\"event\"", with: "\"evnt\""))
    let changed = try program.call("run", "a.yaml")
    #expect(changed.exitCode == 1)
    #expect(changed.output.contains("\"evnt\""))
    #expect(changed.output.contains("of a.ios.golden.jsonl)"))
    #expect(try program.call("run", "a.yaml", "--seed", "2").exitCode == 0, "a golden is of the scenario's seed")

    try program.write("a.ios.golden.jsonl", golden + "{}\n")
    #expect(try program.call("run", "a.yaml").output.contains("expected  {} (line "))
  }

  @Test func recordsTracesThatReplay() throws {
    let program = try library()
    #expect(try program.call("run", "lib", "--trace", "traces/today").exitCode == 0)
    let traces = program.names.filter { $0.hasSuffix(".jsonl") }
    #expect(
      traces == [
        "traces/today/a.android.1.jsonl", "traces/today/a.ios.1.2.jsonl", "traces/today/a.ios.1.jsonl",
        "traces/today/b.android.1.jsonl", "traces/today/b.ios.1.jsonl",
      ])
    for trace in traces {
      let outcome = try program.call("replay", trace)
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.hasPrefix("equal: "))
    }
    let text = try program.read(traces[0])
    let shown = try program.call("trace", "show", "-", input: text)
    #expect(shown.output.hasPrefix("a on android, seed 1, built-in, vitals-sim "))
    #expect(shown.output.contains("     0.000  call start\n"))

    try program.write("changed", text.replacingOccurrences(of: "lowQuality", with: "noContact"))
    let replayed = try program.call("replay", "changed")
    #expect(replayed.exitCode == 1)
    #expect(replayed.output.hasPrefix("differs at "))
    let diff = try program.call("trace", "diff", traces[0], "changed")
    #expect(diff.exitCode == 1)
    #expect(diff.output.contains("\n+ {"))
    #expect(try program.call("trace", "diff", traces[0], traces[0]).output.hasPrefix("equal: "))

    try program.write("cut", String(text.dropLast(10)))
    let cut = try program.call("trace", "show", "cut")
    #expect(cut.exitCode == 0)
    #expect(cut.error.contains("the line was cut off and is left out"))
  }

  @Test func runsOnARecording() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    try program.write(
      "moving.yaml", shortScenario("moving").replacingOccurrences(of: "call: stop", with: "contact: lost"))
    let rows = (0..<300).map { "\($0 * 33),180.5,20.25,10\n" }.joined()
    try program.write("flat.csv", "ms,r,g,b\n" + rows)
    try program.write("rr.txt", "800 810 790\n")
    let arguments = [
      "--source", "recording:flat.csv", "--columns", "time=ms:ms,red=r,green=g,blue=b", "--reference", "rr.txt",
      "--json", "-",
    ]
    let outcome = try program.call(["run", "a.yaml"] + arguments)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("\"source\": \"recording:flat.csv\""))
    let refused = try program.call(["run", "moving.yaml"] + arguments)
    #expect(refused.exitCode == 2)
    #expect(refused.error.contains("moving.yaml cannot run on a recording: "))
  }

  @Test func runsOnTheFramesOfATrace() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    #expect(try program.call("run", "a.yaml", "--trace", "traces").exitCode == 0)
    let source = "recording:traces/a.ios.1.jsonl"
    let outcome = try program.call("run", "a.yaml", "--source", source)
    // Its frames end before the run that they are played to: what did not come may have come after.
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("and then the recording ended after"))
    #expect(outcome.output.contains("note: traces/a.ios.1.jsonl: the frames and the beats of a recording\n"))
    #expect(try program.call("run", "a.yaml", "--source", source, "--columns", "red=r").exitCode == 2)

    #expect(try program.call("run", "a.yaml", "--record-goldens").exitCode == 1)
    let golden = try program.call("run", "a.yaml", "--source", "recording:a.ios.golden.jsonl")
    #expect(golden.exitCode == 2)
    #expect(golden.error.contains("a.ios.golden.jsonl: there are no frames in it"))
  }

  @Test func saysWhichScenariosNameARule() throws {
    let program = try Program()
    try program.write(
      "scenarios/stop.yaml", shortScenario("stop").replacingOccurrences(of: "tags", with: "rules: [V39]\ntags"))
    let outcome = try program.call("explain", "V39")
    #expect(outcome.output.hasPrefix("V39  "))
    #expect(outcome.output.contains("\n  scenarios  scenarios/stop.yaml\n"))
    #expect(try program.call("explain", "V09").output.contains("none in ./scenarios names it"))
  }
}
