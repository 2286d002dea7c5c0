import Foundation
import Testing

@Suite struct AnalyzeTests {
  private func words(_ arguments: String) -> [String] { arguments.split(separator: " ").map(String.init) }

  /// Frames of a finger with 72 beats a minute, as a table.
  private func table(
    _ names: String = "time_ms,red,green,blue", seconds: Double = 20, line: (Double, [Double]) -> String = plain
  ) -> String {
    let frames = (0..<Int(seconds * 30)).map { index -> String in
      let at = Double(index) / 30
      let phase = (at * 1.2).truncatingRemainder(dividingBy: 1)
      let blood = phase < 0.15 ? phase / 0.15 : (1 - phase) / 0.85
      // Frames are no clocks: a pulse that meets them alike each time would be a picture of one.
      let jitter = sin(Double(index * index)) * 0.02
      return line(at, [200 * (1 - 0.02 * blood) + jitter, 60 * (1 - 0.04 * blood), 30 * (1 - 0.03 * blood)])
    }
    return ([names] + frames).joined(separator: "\n") + "\n"
  }

  private static func plain(_ at: Double, _ colours: [Double]) -> String {
    ([at * 1_000] + colours).map { String(format: "%.4f", $0) }.joined(separator: ",")
  }

  private static func colours(_ at: Double, _ colours: [Double]) -> String {
    colours.map { String(format: "%.4f", $0) }.joined(separator: ",")
  }

  private func heartRates(_ output: String) throws -> [Double?] {
    try output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object)["heartRateBpm"] as? Double
    }
  }

  /// The start of what standard error says; nothing is written then.
  private static let refused: [(arguments: String, error: String)] = [
    ("", "analyze needs a FILE: a recording\n  try: vitals-sim help analyze"),
    ("a.csv b.csv", "unexpected argument b.csv"), ("nowhere.csv", "cannot read nowhere.csv: No such file"),
    ("folder", "cannot read folder: it is a directory, and a recording is a file"),
    ("/dev/null", "cannot read /dev/null: it is not a regular file\n  use - to read standard input"),
    ("empty", "empty: it is empty; a recording is CSV with a line of column names"),
    ("a.csv --rate 30", "--rate 30: a frame rate needs its unit\n  write \"30 fps\""),
    ("a.csv --rate 0fps", "--rate 0fps: a frame rate is 1 fps to 1000 fps"),
    ("a.csv --rate 1e9fps", "--rate 1e9fps: "), ("a.csv --rate 30fps --rate 25fps", "--rate is given twice"),
    ("a.csv --window 60", "--window 60: a time needs its unit"),
    ("a.csv --window 4s", "--window 4s: a window is at least 5 s"),
    ("a.csv --window 5s --window 6s", "--window is given twice\n  the first is 5s"),
    ("a.csv --from=-1s", "--from -1s: a time cannot be negative"),
    ("a.csv --from 1h", "a.csv: the part to measure begins at 3600 s, and the recording ends at"),
    ("a.csv --for 0s", "--for 0s: that is no time at all"),
    ("a.csv --for 169h", "--for 169h: a recording has at most 168h, a week"),
    ("a.csv --json=", "--json: the file name is missing\n  write --json FILE"),
    ("a.csv --json x --json y", "--json is given twice"), ("a.csv --html x --html y", "--html is given twice"),
    ("a.csv --json folder", "cannot write folder: it is a directory"),
    ("a.csv --json a.csv", "cannot write a.csv: it would take the place of a.csv"),
    ("a.csv --html folder/../a.csv", "cannot write folder/../a.csv: it would take the place of a.csv"),
    ("a.csv --json x --html x", "only one report can go to x"),
    ("a.csv --json x --html ./x", "only one report can go to x"),
    ("a.csv --json - --html -", "only one report can go to standard output"),
    ("a.csv --columns tim=t", "--columns: \"tim\" is not a column: name time, red, green or blue"),
    ("a.csv --columns red=ruby", "a.csv:1: there is no column \"ruby\"; there are: time_ms, red, green, blue"),
    ("a.csv --columns time=-", "a.csv: without a time it needs the frame rate: add --rate 30fps"),
    ("bare.csv", "bare.csv:1: no column is named time, t, timestamp or elapsed"),
    ("trace.jsonl --columns red=r", "--columns is about CSV and EDF+, and trace.jsonl is a trace"),
    ("trace.jsonl --rate 30fps", "--rate is about CSV, and trace.jsonl is a trace"),
    ("trace.jsonl", "trace.jsonl is not a trace: line 1"), ("cut.edf", "cut.edf: it begins as EDF and ends within"),
    ("cut.edf --rate 30fps", "--rate is about CSV, and cut.edf is EDF+"), ("noise", "noise: it is not a text file"),
    ("a.csv --windw 5s", "analyze has no option --windw\n  did you mean --window?"),
  ]

  @Test func refusesWhatCannotBe() throws {
    let program = try Program()
    try program.write("a.csv", table())
    try program.write("bare.csv", "R,G,B\n1,2,3\n")
    try program.write("empty", "")
    try program.write("folder/x.txt", "")
    try program.write("trace.jsonl", "{\n")
    try program.write("cut.edf", "0       X")
    try program.write("noise", Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31) }))
    let before = program.names
    for row in Self.refused {
      let outcome = try program.call(["analyze"] + words(row.arguments))
      #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(row.arguments): \(outcome.error)")
      #expect(outcome.error.hasPrefix("vitals-sim: error: \(row.error)"), "\(row.arguments): \(outcome.error)")
      #expect(outcome.output.isEmpty, "\(row.arguments)")
    }
    #expect(program.names == before, "nothing is left behind")
    #expect(try program.read("a.csv") == table())
  }

  @Test func tablesOfEveryKindAreMeasured() throws {
    let program = try Program()
    let semicolons: (Double, [Double]) -> String = { at, colours in
      Self.plain(at, colours).replacingOccurrences(of: ",", with: ";").replacingOccurrences(of: ".", with: ",")
    }
    let rows: [(name: String, text: String, arguments: String)] = [
      ("plain", table(), ""),
      ("CR LF and BOM", "\u{feff}" + table().replacingOccurrences(of: "\n", with: "\r\n"), ""),
      ("cut", String(table().dropLast(12)), ""),
      ("decimal commas", table("t_ms;R;G;B", line: semicolons), ""),
      ("no time", table("R,G,B", line: Self.colours), "--rate 30fps"),
      ("no names", table("0,200,60,30"), "--columns time=1:ms,red=2,green=3,blue=4"),
      ("one colour", table("time_ms,ppg") { "\($0 * 1_000),\($1[0])" }, ""),
      ("a colour of many", table("t_ms,a,b") { "\($0 * 1_000),x,\($1[1])" }, "--columns red=b"),
      // The time stamps are right, whatever rate is declared.
      ("another rate", table(), "--rate 15fps"),
      ("a broken time", table { _, colours in "7," + Self.colours(0, colours) }, "--columns time=- --rate 30fps"),
      ("other names", table("x,a,b,c"), "--columns time=x:ms,red=a,green=b,blue=c"),
      ("a part", table(seconds: 40), "--from 15s --for 15s"),
    ]
    for row in rows {
      try program.write("x.csv", row.text)
      let outcome = try program.call(["analyze", "x.csv", "--json", "-"] + words(row.arguments))
      #expect(outcome.exitCode == 0, "\(row.name): \(outcome.error)")
      let rates = try heartRates(outcome.output)
      #expect(rates.count == 1)
      #expect(rates.first.flatMap { $0 }.map { ($0 - 72).magnitude < 1 } ?? false, "\(row.name): \(outcome.output)")
      #expect(outcome.error.hasPrefix("x.csv: "), "the report for a person makes way")
    }
  }

  @Test func standardInputIsRead() throws {
    let outcome = try Program().call("analyze", "-", input: table())
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("standard input: 0.0 to 20.0 s, 600 frames"))
    #expect(outcome.output.contains("\n  heart rate       72.0 bpm\n"))
    #expect(outcome.output.hasSuffix("\nA test instrument: agreement on the bench does not show accuracy on people.\n"))
  }

  @Test func pipesByNameAreRead() throws {
    let program = try Program()
    try program.write("x.csv", table())
    #expect(mkfifo(program.path("pipe"), 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", "sleep 0.2; cat \"$0\" > \"$1\"", program.path("x.csv"), program.path("pipe")]
    try writer.run()
    let outcome = try program.call("analyze", "pipe")
    writer.waitUntilExit()
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("pipe: 0.0 to 20.0 s, 600 frames"), "\(outcome.error)")
    #expect(outcome.output.contains("\n  heart rate       72.0 bpm\n"))
  }

  @Test func whatIsWithheldIsNoFailure() throws {
    let program = try Program()
    try program.write("dark.csv", table { at, _ in "\(at * 1_000),1,1,1" })
    let outcome = try program.call("analyze", "dark.csv", "--window", "10 s", "--json", "x.json")
    #expect(outcome.exitCode == 0 && outcome.error.isEmpty)
    #expect(outcome.output.contains("0 of 2 windows have a heart rate"))
    #expect(try heartRates(try program.read("x.json")) == [nil, nil])
  }

  /// The same scene as table, as EDF+ and as a trace: told apart by what is in them, and measured alike.
  @Test func everyFormatOfGenerateIsMeasured() throws {
    let program = try Program()
    for (format, name) in [("csv", "a"), ("edf", "b"), ("jsonl", "c")] {
      let made = try program.call(
        "generate", "-o", name, "--format", format, "--set", "subject.heartRate=66bpm", "--for", "60s")
      #expect(made.exitCode == 0, "\(made.error)")
      let outcome = try program.call("analyze", name, "--json", "-")
      let line = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let heartRate = try #require(line["heartRateBpm"] as? Double, "\(outcome.error)")
      #expect((heartRate - 66).magnitude < 0.5, "\(format)")
      let truth = line["truth"] as? [String: Double]
      #expect((truth == nil) == (format == "csv"))
      if let truth {
        #expect((try #require(truth["heartRateBpm"]) - 66).magnitude < 0.5)
        #expect((try #require(truth["rmssdMs"]) - 40).magnitude < 4)
      }
    }
    let session = try program.write("steady.yaml", shortScenario("steady"))
    let run = try program.call("run", session, "--source", "recording:b", "--without", "accuracy")
    #expect(run.exitCode == 0, "a session takes EDF+ as well: \(run.error)")
  }

  @Test func aSessionNeedsThreeColours() throws {
    let program = try Program()
    try program.write("one.csv", table("time_ms,red") { "\($0 * 1_000),\($1[0])" })
    let session = try program.write("s.yaml", shortScenario("s"))
    let run = try program.call("run", session, "--source", "recording:one.csv")
    #expect(run.exitCode == 2)
    #expect(run.error.hasPrefix("vitals-sim: error: one.csv does not have all of red, green and blue"))
  }

  @Test func thePageIsWrittenWithAndWithoutItsLibrary() throws {
    let program = try Program()
    try program.write("a.csv", table())
    try program.write("lib/dygraph.min.js", "var Dygraph = 1;")
    try program.write("lib/dygraph.min.css", ".dygraph {}")
    for (folder, isThere) in [("lib", true), ("nowhere", false)] {
      let outcome = try program.call(
        "analyze", "a.csv", "--html", "a.html", environment: ["VITALS_SIM_DYGRAPHS": program.path(folder)])
      #expect(outcome.exitCode == 0, "\(outcome.error)")
      let page = try program.read("a.html")
      #expect(page.contains("var Dygraph = 1;") == isThere && page.contains("<svg") != isThere)
    }
  }

  /// A name steers no terminal, and a file that is hostile is read or refused, with one message.
  @Test func hostileFilesAreReadOrRefused() throws {
    let program = try Program()
    let head = "time_ms,red,green,blue\n"
    let rows = [
      head, head + "0,nan,1,1\n", head + "1e308,1,1,1\n0,1,1,1\n", head + "0,1,1,1\n", head + "0,1,1,1\n0,1,1,1\n",
      String(repeating: "red,", count: 200_000) + "\n1,2\n", String(repeating: ",", count: 1_000_000),
      String(repeating: "1,", count: 100_000) + "\n", "time_ms,red\u{1b}[31m,green,blue\n0,x,1,1\n",
      head + "0,1e308,1,1\n", head + "-9e15,1,1,1\n9e15,1,1,1\n", "\"", "\n\n\n", "\u{feff}", "time,time\n1,2\n",
      "0       " + String(repeating: "9", count: 4_000), "0       " + String(repeating: " ", count: 4_000),
      "{\"t\": 1}\n", "{}", "red,green,blue\n", String(repeating: "\"a\n", count: 50_000),
    ]
    for (index, text) in rows.enumerated() {
      try program.write("x", text)
      for options in [[], ["--rate", "30fps"], ["--window", "5s", "--html", "x.html"]] {
        let outcome = try program.call(["analyze", "x"] + options)
        #expect(!outcome.isCrash && outcome.seconds < 10, "row \(index) \(options): \(outcome.error.prefix(200))")
        #expect([0, 2].contains(outcome.exitCode), "row \(index): \(outcome.error.prefix(200))")
        if outcome.exitCode == 2 { #expect(outcome.error.hasPrefix("vitals-sim: error: "), "row \(index)") }
        #expect(!(outcome.error + outcome.output).contains("\u{1b}"), "row \(index)")
        #expect(outcome.error.utf8.count < 2_000, "row \(index)")
      }
    }
  }
}
