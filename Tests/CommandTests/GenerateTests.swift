import Foundation
import Testing

@Suite struct GenerateTests {
  private func words(_ arguments: String) -> [String] { arguments.split(separator: " ").map(String.init) }

  /// The start of what standard error says; nothing is written then.
  private static let refused: [(arguments: String, error: String)] = [
    ("", "generate needs to know where to write\n  add -o FILE"),
    ("-o x", "x does not say by its ending in which format to write\n  end it in .csv, .jsonl or .edf"),
    ("-o x.xml", "x.xml does not say by its ending"),
    ("-o x.csv --format csvv", "unknown format csvv\n  did you mean csv?"),
    ("-o x.csv --format xml", "unknown format xml\n  known are csv, jsonl, edf"),
    ("-o x.csv --for 0s", "--for 0s: a recording is longer than no time"),
    ("-o x.csv --for 169h", "--for 169h: a recording is longer than no time and at most 168h"),
    ("-o x.csv --for 60", "--for 60: a time needs its unit\n  write \"60 s\""),
    ("-o x.csv --for=-1s", "--for -1s: a time cannot be negative"),
    ("-o x.csv --for 99999999999999h", "--for 99999999999999h: a recording is longer"),
    (
      "-o x.csv --seed 9223372036854775808",
      "seed 9223372036854775808 is too large\n  the largest is 9223372036854775807"
    ),
    ("--output=", "-o: the file name is missing\n  write -o FILE"),
    ("-o x.csv --truth=", "--truth: the file name is missing\n  write --truth FILE"),
    ("-o x.csv -o y.csv", "-o is given twice\n  the first is x.csv"),
    ("-o x.csv --truth y --truth y", "--truth is given twice\n  the first is y"),
    (
      "-o x.csv --set subject.heartRate=60bpm --set subject.heartRate=66bpm",
      "--set subject.heartRate is given twice\n  the first is --set subject.heartRate=60bpm"
    ),
    ("-o x.csv --source finger --source nothing/flicker", "--source is given twice\n  the first is --source finger"),
    ("-o x.csv --seed -1", "-1 is not a seed"), ("-o x.csv --seed 1..3", "1..3 is not a seed"),
    ("-o x.csv --platform beos", "unknown platform beos\n  known are ios, android"),
    ("-o x.csv --set subject.hartRate=66", "--set subject.hartRate=66: unknown key \"hartRate\" in subject\n  did you"),
    (
      "-o x.csv --set subject.heartRate=66",
      "--set subject.heartRate=66: a heart rate needs its unit\n  write \"66 bpm\""
    ),
    ("-o x.csv --set subject.heartRate=300bpm", "--set subject.heartRate=300bpm: heartRate must be 30 bpm to 220 bpm"),
    (
      "-o x.csv --set heartRate=66bpm", "--set heartRate=66bpm: write SECTION.FIELD=VALUE\n  did you mean subject.heart"
    ),
    ("-o x.csv --set sbject.heartRate=66bpm", "--set sbject.heartRate=66bpm: unknown section \"sbject\"\n  did you"),
    ("-o x.csv --set subject.contact=lots", "--set subject.contact=lots: unknown state \"lots\" of contact\n  did you"),
    ("-o x.csv --source nothing/flickr", "--source nothing/flickr: unknown source \"nothing/flickr\"\n  did you mean"),
    ("-o nowhere/x.csv", "cannot write nowhere/x.csv: No such file or directory"),
    ("-o folder --format csv", "cannot write folder: it is a directory"),
    ("-o x.csv --truth folder", "cannot write folder: it is a directory"),
    ("-o x.csv --truth x.csv", "the recording and its truth cannot both go to x.csv"),
    ("-o x.csv --truth ./x.csv", "cannot write ./x.csv: it would take the place of x.csv"),
    ("-o - --truth -", "the recording and its truth cannot both go to standard output"),
    ("-o - --truth /dev/stdout", "the recording and its truth cannot both go to standard output"),
    ("-o - --format edf", "EDF is written to a file, which standard output is not"),
    ("-o /dev/null --format edf", "EDF is written to a file, which /dev/null is not"),
    ("a.yaml -o a.yaml --format csv", "cannot write a.yaml: it would take the place of a.yaml"),
    ("a.yaml -o x.csv --truth folder/../a.yaml", "cannot write folder/../a.yaml: it would take the place of a.yaml"),
    ("nowhere.yaml -o x.csv", "cannot read nowhere.yaml: No such file"),
    ("folder -o x.csv", "cannot read folder: it is a directory"),
    ("a.yaml b.yaml -o x.csv", "unexpected argument b.yaml"),
    ("ios.yaml -o x.csv --platform android", "ios.yaml runs only on ios"),
  ]

  @Test func refusesWhatCannotBe() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a"))
    try program.write("ios.yaml", shortScenario("a").replacingOccurrences(of: "tags", with: "platforms: [ios]\ntags"))
    try program.write("folder/x.txt", "")
    let before = program.names
    for row in Self.refused {
      let outcome = try program.call(["generate"] + words(row.arguments))
      #expect(outcome.exitCode == 2 && !outcome.isCrash, "\(row.arguments): \(outcome.error)")
      #expect(outcome.error.hasPrefix("vitals-sim: error: \(row.error)"), "\(row.arguments): \(outcome.error)")
      #expect(outcome.output.isEmpty, "\(row.arguments)")
    }
    #expect(program.names == before, "nothing is left behind")
    #expect(try program.read("a.yaml") == shortScenario("a"))
  }

  @Test func allMistakesOfOptionsAndFileAreTold() throws {
    let program = try Program()
    try program.write("a.yaml", shortScenario("a").replacingOccurrences(of: "at: 2 s", with: "at: 2"))
    let outcome = try program.call(
      "generate", "a.yaml", "-o", "x.csv", "--set", "subject.heartRate=1 bpm", "--set", "camera.frameRate=fast")
    #expect(outcome.exitCode == 2)
    for part in [
      "--set 'subject.heartRate=1 bpm': ", "--set camera.frameRate=fast: ", "a.yaml:7:9: error: a time needs",
    ] {
      #expect(outcome.error.contains(part), "\(outcome.error)")
    }
  }

  @Test(arguments: ["csv", "jsonl", "edf"]) func theSameSeedGivesTheSameBytes(_ format: String) throws {
    let program = try Program()
    func bytes(_ name: String, seed: String) throws -> [Data] {
      let names = ["\(name).\(format)", "\(name).truth"]
      let outcome = try program.call(
        ["generate", "-o", names[0], "--truth", names[1], "--seed", seed, "--for", "20s"])
      #expect(outcome.exitCode == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome.error)")
      return try names.map { try Data(contentsOf: program.folder.appendingPathComponent($0)) }
    }
    let first = try bytes("a", seed: "5")
    #expect(try bytes("b", seed: "5") == first)
    #expect(try bytes("c", seed: "6") != first)
    #expect(program.names.count == 6, "\(program.names)")
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let program = try Program()
    try program.write(
      "plain.yaml",
      shortScenario("plain", expect: "sequence: [started, measurementComplete, completed]")
        .replacingOccurrences(of: "  - at: 2 s\n    call: stop\n", with: ""))
    try program.write(
      "judged.yaml", try program.read("plain.yaml") + "  - result: { heartRate: ± 2 bpm, rmssd: ± 10 ms }\n")
    for file in ["x.csv", "x.jsonl"] {
      let generated = try program.call("generate", "-o", file, "--for", "80s", "--set", "subject.heartRate=75bpm")
      #expect(generated.exitCode == 0, "\(generated.error)")
      // A table holds frames alone; a trace holds the truth about them too.
      let scenario = file == "x.csv" ? "plain.yaml" : "judged.yaml"
      let run = try program.call("run", scenario, "--source", "recording:\(file)", "--platform", "ios")
      #expect(run.exitCode == 0, "\(file): \(run.output)")
    }
    let shown = try program.call("trace", "show", "x.jsonl")
    #expect(shown.exitCode == 0)
    #expect(shown.output.contains("beat"))
    // Frames are the same in either.
    let rows = try program.read("x.csv").split(separator: "\n")
    let samples = try program.read("x.jsonl").split(separator: "\n").filter { $0.contains("\"sample\"") }
    #expect(rows.count == samples.count + 1)
    let last = try #require(rows.last).split(separator: ",").compactMap { Double($0) }
    #expect(samples.last?.contains("[\(last[1]),\(last[2]),\(last[3])]") == true)
  }

  @Test func aScenarioSaysWhatIsRecorded() throws {
    let program = try Program()
    let yaml = """
      name: a
      about: b
      timeline:
        - at: 0 s
          call: start
        - after: started
          delay: 1 s
          contact: lost
          for: 2 s
        - after: failed
          motion: fidgeting
        - at: 12 s
          call: stop
      expect:
        - see: started

      """
    try program.write("a.yaml", yaml)
    let outcome = try program.call("generate", "a.yaml", "-o", "x.csv", "--truth", "x.jsonl")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.error == "vitals-sim: warning: a.yaml:10: left out, since what it comes after never came in a run\n")
    let truth = try program.read("x.jsonl")
    #expect(truth.contains("\"truth\":\"contact\",\"state\":\"lost\""))
    #expect(truth.contains("\"stimulus\":\"contact\",\"state\":\"lost\""))
    #expect(!truth.contains("fidgeting"))
    #expect(truth.hasPrefix("{\"format\":\"vitals-sim trace\""))
    #expect(truth.contains("\"beatTime\":\"the foot of the pulse wave at the fingertip\""))
    #expect(truth.contains("\"truth\":\"realised\",\"heartRateBpm\":"))
    // As long as the run: up to where nothing more can happen.
    let end = try #require(truth.split(separator: "\n").last)
    #expect(end.hasPrefix("{\"t\":27.0") && end.contains("\"truth\":\"end\""), "\(end)")
    // The same from standard input, with a value in another's place.
    let piped = try program.call(
      "generate", "-", "-o", "-", "--set", "camera.frameRate=60fps", "--for", "1s", input: yaml)
    #expect(piped.exitCode == 0)
    // The names, and the frames of a second; jitter may bring one more or less.
    #expect((60...62).contains(piped.output.split(separator: "\n").count))
  }

  /// What standard error says of a recording that is made all the same.
  private static let warned: [(arguments: String, warnings: [String])] = [
    ("-o x.csv", []), ("-o x.edf --set camera.frameRate=23.976fps", []),
    ("-o x.edf --set camera.frameRate=27.5fps", []),
    ("-o x.csv --set camera.frameRate=17.33333fps", []),
    (
      "-o x.edf --set camera.frameRate=17.33333fps",
      ["EDF+ has no place for 17.33333 fps: its samples are put on a grid of 17.3 fps"]
    ),
    ("-o x.csv --set host.camera=dead", ["the recording has no frame: camera is dead"]),
    ("-o x.edf --set host.app=background", ["the recording has no frame: app is background"]),
    ("-o x.csv --for 1us --set camera.jitter=0ms --set camera.droppedFrames=90%", ["the recording has no frame"]),
    (
      "-o x.csv --set host.otherApp=usingCamera --set host.camera=busy",
      ["the recording has no frame: camera is busy, otherApp is usingCamera"]
    ),
    (
      "-o x.csv --set camera.latency=5ms",
      ["--set camera.latency=5ms has no effect on a recording: its frames are as they were captured"]
    ),
    (
      "-o x.csv --set camera.openDelay=1s --set host.resultDelay=1s",
      [
        "--set camera.openDelay=1s has no effect on a recording: it begins when the camera is open",
        "--set host.resultDelay=1s has no effect on a recording: it has no result",
      ]
    ),
    (
      "-o x.csv --set camera.torchWarmUp=1s",
      ["--set camera.torchWarmUp=1s has no effect on a recording: the torch is warm when it begins, and never goes out"]
    ),
    ("torch.yaml -o x.csv --set camera.torchWarmUp=1s", []),
    ("torch.yaml -o x.csv --for 1s", ["torch.yaml:6: left out, since it comes at 1 s and the recording ends at 1 s"]),
    (
      "idle.yaml -o x.csv --for 1s",
      ["idle.yaml:4: left out, since what it comes after never came in a run, in which nothing calls start"]
    ),
  ]

  @Test func tellsWhatMightBeMissed() throws {
    let program = try Program()
    let torch = "  - at: 1 s\n    torch: lost\n    for: 200 ms\n"
    try program.write(
      "torch.yaml", "name: a\nabout: b\ntimeline:\n  - at: 0 s\n    call: start\n\(torch)expect:\n  - never: failed\n")
    try program.write(
      "idle.yaml", "name: a\nabout: b\ntimeline:\n  - after: started\n    contact: lost\nexpect:\n  - never: failed\n")
    for row in Self.warned {
      let length = row.arguments.contains("--for") ? [] : ["--for", "2s"]
      let outcome = try program.call(["generate"] + words(row.arguments) + length)
      #expect(outcome.exitCode == 0 && outcome.output.isEmpty, "\(row.arguments): \(outcome.error)")
      #expect(outcome.error == row.warnings.map { "vitals-sim: warning: \($0)\n" }.joined(), "\(row.arguments)")
    }
  }

  /// EDF+ counts from the beginning of the recording by the phone's clock: an offset is not seen in it, a drift is.
  @Test func aTableOnAGridHasThePhonesClock() throws {
    let program = try Program()
    func bytes(_ settings: String...) throws -> Data {
      let options = settings.flatMap { ["--set", $0] }
      let outcome = try program.call(["generate", "-o", "x.edf", "--for", "10s"] + options)
      #expect(outcome.exitCode == 0 && outcome.error.isEmpty, "\(outcome.error)")
      return try Data(contentsOf: program.folder.appendingPathComponent("x.edf"))
    }
    let plain = try bytes()
    #expect(try bytes("camera.clockOffset=10s") == plain)
    let drifting = try bytes("camera.clockDrift=-1000ppm")
    #expect(drifting.count == plain.count && drifting != plain)
    // The same beats, 0.1 % earlier.
    func beats(_ file: Data) -> [Double] {
      String(decoding: file, as: UTF8.self).split(separator: "\u{14}beat\u{14}").dropLast().compactMap { part in
        part.split(separator: "+").last.flatMap { Double($0) }
      }
    }
    let (real, shown) = (beats(plain), beats(drifting))
    #expect(real.count > 8 && real.count == shown.count)
    for (one, other) in zip(real, shown) { #expect((one * 0.999 - other).magnitude < 0.000_2) }
  }

  @Test func anOlderFileIsReplacedOnlyByAWholeOne() throws {
    let program = try Program()
    try program.write("x.csv", "old\n")
    let running = try program.start(["generate", "-o", "x.csv", "--for", "168h"])
    usleep(300_000)
    kill(running.process.processIdentifier, SIGINT)
    let outcome = try running.outcome()
    #expect(outcome.exitCode == 130)
    #expect(outcome.error == "vitals-sim: interrupted\n")
    #expect(try program.read("x.csv") == "old\n")
    #expect(program.names == ["x.csv"])
    #expect(try program.call("generate", "-o", "x.csv", "--for", "1s").exitCode == 0)
    #expect(try program.read("x.csv").hasPrefix("time_ms,red,green,blue\n"))
  }

  @Test func whoStopsItGetsWholeLines() throws {
    let program = try Program()
    for format in ["csv", "jsonl"] {
      let running = try program.start(["generate", "-o", "-", "--format", format, "--for", "168h"])
      usleep(300_000)
      kill(running.process.processIdentifier, SIGINT)
      let outcome = try running.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.output.utf8.count > 10_000)
      #expect(outcome.output.hasSuffix(format == "csv" ? "\n" : "}\n"))
    }
  }

  @Test func aStreamThatTakesNoMoreIsTold() throws {
    let program = try Program()
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let closed = try program.start(["generate", "-o", "-", "--for", "1h"], output: pipe.fileHandleForWriting).outcome()
    #expect(closed.exitCode == 141)
    #expect(closed.error.isEmpty)
    for place in ["/dev/full", "/dev/stdout"] {
      let full = try program.start(
        ["generate", "-o", place, "--format", "csv", "--for", "1h"],
        output: FileHandle(forWritingAtPath: "/dev/full")
      ).outcome()
      #expect(full.exitCode == 3)
      #expect(full.error.contains("No space left on device"))
    }
  }
}
