import Foundation
import Testing

/// Whatever is thrown at the program gets one clear answer, soon, and no crash.
@Suite struct BadInputTests {
  /// A name, what stands in it, and a part of the answer.
  private static let files: [(name: String, data: @Sendable () -> Data, error: String)] = [
    ("binary.yaml", { Data("\u{7F}ELF\u{2}\u{1}".utf8) + Data(count: 5_000) }, "not a text file"),
    ("large.yaml", { Data(count: 50_000_000) }, "large.yaml is too large: a scenario has at most 1 MB"),
    ("deep.yaml", { Data(repeating: UInt8(ascii: "["), count: 100_000) }, "nested more than 64 deep"),
    ("bomb.yaml", { Data(aliasBomb.utf8) }, "an anchor is not allowed"),
    ("empty.yaml", { Data() }, "empty.yaml:1:1: error:"),
    ("mistakes.yaml", { Data(thirtyMistakes.utf8) }, "30 mistakes in 1 file, nothing was run"),
  ]

  private static let aliasBomb =
    "a: &a [lol, lol, lol]\n"
    + zip("bcdefghi", "abcdefgh").map { "\($0): &\($0) [*\($1), *\($1), *\($1), *\($1), *\($1)]\n" }.joined()

  /// A scenario with thirty unknown keys under a section.
  private static let thirtyMistakes =
    shortScenario("mistakes") + "subject:\n" + (1...30).map { "  wibble\($0): 1\n" }.joined()

  @Test func answersEveryFile() throws {
    let program = try Program()
    for file in Self.files {
      try program.write(file.name, file.data())
      for command in ["run", "check"] {
        let outcome = try program.call(command, file.name)
        let error = command == "check" ? file.error.replacingOccurrences(of: ", nothing was run", with: "") : file.error
        #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(file.name)")
        #expect(outcome.error.contains(error), "\(file.name): \(outcome.error.prefix(300))")
        #expect(outcome.output.isEmpty, "\(file.name)")
        #expect(outcome.seconds < 20, "\(file.name)")
        #expect(outcome.error.utf8.count < 20_000, "\(file.name)")
      }
    }
  }

  @Test func answersEveryPath() throws {
    let program = try Program()
    for folder in ["empty", "folder.yaml", "broken/refused", ".hidden"] {
      let url = program.folder.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try program.write("broken/refused/x.yaml", "wibble: 1\n")
    try program.write("others/x.yml", shortScenario("x"))
    #expect(mkfifo(program.path("pipe.yaml"), 0o600) == 0)
    #expect(symlink("loop.yaml", program.path("loop.yaml")) == 0)
    let rows = [
      ("nowhere.yaml", "there is no file or directory nowhere.yaml"),
      ("empty", "there is no scenario (.yaml) under empty"),
      ("folder.yaml", "there is no scenario (.yaml) under folder.yaml"),
      ("others", "others/x.yml is passed over: a scenario file ends in .yaml"),
      ("broken", "there is no scenario (.yaml) under broken"),
      ("broken/refused", "x.yaml:1:1: error: unknown key \"wibble\""),
      ("pipe.yaml", "cannot read pipe.yaml: it is not a regular file"),
      ("loop.yaml", "cannot read loop.yaml: Too many levels of symbolic links"),
      ("/dev/null", "cannot read /dev/null: it is not a regular file"),
      ("", "there is no file or directory"),
      ("\u{1B}[31m", "\\u{1B}[31m"),
      (String(repeating: "x", count: 5_000), "there is no file or directory"),
    ]
    for (path, error) in rows {
      let outcome = try program.call("run", "--", path)
      #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(path)")
      #expect(outcome.error.contains(error), "\(path): \(outcome.error)")
      #expect(!outcome.error.contains("\u{1B}"))
      #expect(outcome.seconds < 20)
    }
  }

  @Test func answersWrongPlacesForReportsBeforeRunning() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    try program.write("folder/x", "")
    let rows = [
      ("--junit", "/proc/nothing"), ("--json", "/proc/nothing"), ("--junit", "folder"), ("--json", "nowhere/a.json"),
      ("--junit", "folder/"), ("--json", ""), ("--trace", "a.yaml"), ("--trace", "/proc/nothing"), ("--trace", ""),
    ]
    for (option, path) in rows {
      // So many runs take longer than the test may: the answer must come before them.
      let outcome = try program.call("run", "a.yaml", "--seed", "1..5000", option, path)
      #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(option) \(path)")
      #expect(outcome.error.contains("vitals-sim: error: cannot "), "\(option) \(path): \(outcome.error)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.seconds < 20, "\(option) \(path)")
    }
    #expect(program.names == ["a.yaml", "folder", "folder/x"])
  }

  @Test func writesNoReportOverWhatTheRunNeeds() throws {
    let program = try Program()
    let scenario = shortScenario("a")
    try program.write("lib/a.yaml", scenario)
    try program.write("flat.csv", "time_ms,r,g,b\n0,180,20,10\n33,180,20,10\n")
    try FileManager.default.createSymbolicLink(atPath: program.path("link"), withDestinationPath: "lib")
    let rows = [
      ["--json", "lib/a.yaml"], ["--junit", "./link/../lib/a.yaml"], ["--json", "link/a.yaml"],
      ["--json", "x.json", "--junit", "./x.json"], ["--json", "lib/new", "--junit", program.path("link/new")],
      ["--source", "recording:flat.csv", "--json", "./flat.csv"],
    ]
    for row in rows {
      let outcome = try program.call(["run", "lib"] + row)
      #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(row)")
      #expect(outcome.error.contains(": it would take the place of "), "\(row): \(outcome.error)")
      #expect(outcome.output.isEmpty)
    }
    #expect(program.names.filter { !$0.hasPrefix("link/") } == ["flat.csv", "lib", "lib/a.yaml", "link"])
    #expect(try program.read("lib/a.yaml") == scenario)
    #expect(try program.call("run", "lib", "--json", "x.json", "--junit", "lib/x.json").exitCode == 0)
    #expect(try program.call("run", "lib", "--json", "/dev/stdout").output.hasPrefix("{"))
  }

  @Test func passesOverNoFileWhoseNameItCannotRead() throws {
    let program = try Program()
    try program.write("lib/a.yaml", shortScenario("a"))
    let path = Array(program.path("lib/b").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF)]
    let file = fopen(path + Array(".yaml".utf8CString), "w")
    try #require(file != nil)
    fclose(file)
    let outcome = try program.call("check", "lib")
    #expect(outcome.exitCode == 2)
    #expect(outcome.error.contains("is its name in UTF-8?"))
  }

  @Test func heedsNoSignalThatItsCallerIgnores() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = program.folder
    let command = #"trap "" HUP; exec "$0" run a.yaml --seed 1..300 --trace traces >output"#
    process.arguments = ["-c", command, Program.binary.path]
    try process.run()
    while process.isRunning, !program.names.contains("traces/a.ios.1.jsonl") { usleep(1_000) }
    kill(process.processIdentifier, SIGHUP)
    while process.isRunning { usleep(1_000) }
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test func refusesAllFilesTogether() throws {
    let program = try Program()
    try program.write("lib/good.yaml", shortScenario("good"))
    try program.write("lib/one.yaml", shortScenario("one") + "wibble: 1\n")
    try program.write("lib/sub/two.yaml", shortScenario("two", expect: "nevr: failed") + "wobble: 1\n")
    let outcome = try program.call("run", "lib", "--json", "report.json")
    #expect(outcome.exitCode == 2)
    #expect(outcome.error.contains("lib/one.yaml:"))
    #expect(outcome.error.contains("lib/sub/two.yaml:"))
    #expect(outcome.error.hasSuffix(" mistakes in 2 files, nothing was run\n"))
    #expect(!program.names.contains("report.json"))
  }

  @Test func endsQuietlyWhenNobodyReads() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    for arguments in [["run", "a.yaml"], ["help"], ["run", "a.yaml", "--json", "-"]] {
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let outcome = try program.start(arguments, output: pipe).outcome()
      #expect(outcome.exitCode == 141 && !outcome.isCrash, "\(arguments)")
      // With a report for a machine on standard output, standard error has the one for a person.
      #expect(outcome.error.isEmpty, "\(arguments)")
    }
  }

  @Test(arguments: [
    (SIGINT, 130, "vitals-sim: interrupted\n"), (SIGTERM, 143, "vitals-sim: terminated\n"), (SIGHUP, 129, ""),
  ])
  func stopsInTheMiddle(_ signal: Int32, _ exitCode: Int32, _ error: String) throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    try program.write("report.json", "the one before")
    let running = try program.start(
      ["run", "a.yaml", "--seed", "1..50000", "--json", "report.json", "--junit", "report.xml", "--trace", "traces"])
    while running.process.isRunning, !program.names.contains("traces/a.ios.1.jsonl") { usleep(1_000) }
    kill(running.process.processIdentifier, signal)
    let signalled = Date()
    let outcome = try running.outcome()
    #expect(Date().timeIntervalSince(signalled) < 1)
    #expect(outcome.exitCode == exitCode && !outcome.isCrash)
    #expect(outcome.error == error)
    #expect(outcome.output.isEmpty)
    #expect(try program.read("report.json") == "the one before")
    #expect(!program.names.contains("report.xml"))
    #expect(!program.names.contains { $0.contains("unfinished") }, "a half-written file stays behind")
  }

  @Test func readsStandardInputOnlyAsFarAsAScenarioGoes() throws {
    let program = try Program()
    #expect(try program.call("run", "-", input: shortScenario("a")).exitCode == 0)
    let twice = try program.call("run", "-", "--source", "recording:-", input: "time_ms,r,g,b\n0,180,20,10\n")
    #expect(twice.exitCode == 2)
    #expect(twice.error.contains("standard input can be read only once"))
    let outcome = try program.call("run", "-", input: String(repeating: "#", count: 2_000_000))
    #expect(outcome.exitCode == 2)
    #expect(outcome.error.contains("standard input is too large"))
  }
}
