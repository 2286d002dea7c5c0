import Foundation
import OximeterProtocols
import Testing
import Traces
import VitalsModel

@Suite(.serialized) struct OximeterTests {
  private static let good = OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 5)
  private static let noFinger = OximeterReading(signalStrength: 0, flags: .fingerOut)

  // MARK: Bad ports and bad requests

  /// Arguments, the exit code, and a part of what standard error says.
  private static let rows: [(arguments: String, exitCode: Int32, error: String)] = [
    ("record", 2, "record needs -o FILE"),
    ("record --oximeter= -o a", 2, "record needs --oximeter PORT"),
    ("record --oximeter full -f -o full", 2, "-o full is the port of the oximeter\n  name a file"),
    ("record --oximeter /dev/null -f -o /dev/../dev/null", 2, "is the port of the oximeter"),
    ("record -o a", 2, "record needs --oximeter PORT: the serial port of the oximeter\n  vitals-sim devices lists"),
    ("record --oximeter nowhere -o a", 3, "there is no port nowhere"),
    ("record --oximeter . -o a", 3, ". is not a serial port: it is a directory"),
    ("record --oximeter full -o a", 3, "full is not a serial port: it is a file"),
    ("record --oximeter /dev/null -o a", 3, "/dev/null is not a serial port: it is a device of another kind"),
    ("record --oximeter broken -o a", 3, "there is no port broken"),
    ("record --oximeter nowhere -o full", 2, "full is there already\n  write another name, or --force to replace it"),
    ("record --oximeter nowhere -f -o full", 3, "there is no port nowhere"),
    ("record --oximeter nowhere -o .", 2, "cannot write .: it is a directory"),
    ("record --oximeter nowhere -o no/a", 2, "cannot write no/a: No such file"),
    ("record --oximeter nowhere -o a -o b", 2, "-o is given twice"),
    ("record --oximeter nowhere -o a --for 0s", 2, "--for 0s: it takes 1s to 168h, a week"),
    ("record --oximeter nowhere -o a --for 60", 2, "--for 60: "),
    ("record --oximeter nowhere -o a --wait 2h", 2, "--wait 2h: it takes 1s to 1h"),
    ("record --oximeter nowhere -o a --protocol contec", 2, "unknown protocol contec\n  "),
    ("record --oximeter nowhere -o a --protocol contec-v6", 2, "did you mean contec-v5?"),
    ("record --oximeter nowhere -o a --baud 19200", 2, "--baud needs --protocol"),
    ("record --oximeter nowhere -o a --protocol bci --baud fast", 2, "fast is not a line speed"),
    ("record --oximeter nowhere -o a --set-format", 2, "--set-format needs --protocol nonin-df2, nonin-df7 or"),
    ("record --oximeter nowhere -o a --set-format --protocol bci", 2, "--set-format needs --protocol nonin-df2"),
    ("record --oximeter nowhere -o a --set-format --protocol nonin-df7", 3, "there is no port nowhere"),
    ("record --oximeter nowhere -o a --finger=", 2, "--finger: a text of 1 to 200 characters"),
    ("record --oximeter nowhere -o a --finger x --finger y", 2, "--finger is given twice"),
    ("run scenario --source serial:nowhere", 3, "there is no port nowhere"),
    ("run scenario --source serial:nowhere,bci", 3, "there is no port nowhere"),
    ("run scenario --source serial:/dev/null", 3, "/dev/null is not a serial port: it is a device of another kind"),
    ("run scenario --source serial:", 2, "serial:PORT[,PROTOCOL] or serial:emulator[,PROTOCOL]"),
    ("run scenario --source serial:,bci", 2, "serial:,bci names no port"),
    ("run scenario --source serial:nowhere,bcj", 2, "unknown protocol bcj\n  did you mean bci?"),
    (
      "run scenario --source serial:emulator,nonin-df8", 2,
      "nonin-df8 sends no pleth, so that it can only be a reference and not a source\n  those with a pleth are contec-v5"
    ),
    ("run scenario --source serial:nowhere --seed 1..2", 2, "--seed is about chance"),
    ("run scenario --source serial:nowhere -j 2", 2, "a port serves one run at a time\n  leave --jobs out"),
    ("run scenario --source serial:emulator --record-goldens", 2, "goldens are of the synthetic source"),
    ("run lost --source serial:nowhere", 2, "contact: lost on line 5 changes the finger, and a live oximeter"),
    (
      "generate scenario -o a.csv --source oximeter:bci", 2, "source: oximeter:bci is an oximeter, and generate records"
    ),
    ("devices nowhere", 3, ""), ("devices --probe nowhere full .", 3, ""),
    ("devices --prob", 2, "did you mean --probe?"),
    ("decode", 2, "decode needs a FILE"), ("decode nowhere", 2, "cannot read nowhere: No such file"),
    ("decode full", 2, "full holds 9 bytes and no valid frame of any protocol\n  check the speed"),
    ("decode full --protocol bci", 2, "full holds 9 bytes and no valid frame of bci"),
    ("decode frames --protocol nonin-df2", 2, "no valid frame of nonin-df2\n  leave --protocol out to try all"),
    ("decode frames --frames full/a", 2, "cannot write full/a: Not a directory"),
    ("decode frames a", 2, "unexpected argument a"),
  ]

  @Test("A bad request or port has one clear message, and nothing is written", arguments: rows)
  func refused(_ row: (arguments: String, exitCode: Int32, error: String)) throws {
    let program = try Program()
    try program.write("full", "not bytes")
    try program.write("frames", Data((0..<20).flatMap { _ in [0x85, 40, 7, 72, 98] as [UInt8] }))
    try FileManager.default.createSymbolicLink(atPath: program.path("broken"), withDestinationPath: "/dev/nothing")
    let plain = "name: a\nabout: b\ntimeline:\n  - { at: 0 s, call: start }\n"
    try program.write("scenario", plain + "expect:\n  - see: completed\n")
    try program.write("lost", plain + "  - { at: 5 s, contact: lost }\nexpect:\n  - see: completed\n")
    let outcome = try program.call(row.arguments.split(separator: " ").map(String.init))
    #expect(outcome.exitCode == row.exitCode && !outcome.isCrash, "\(outcome)")
    #expect(row.error.isEmpty || outcome.error.contains(row.error), "\(outcome.error)")
    #expect(try program.read("full") == "not bytes")
    #expect(program.names == ["broken", "frames", "full", "lost", "scenario"])
  }

  // MARK: Captures

  @Test("A capture is decoded, its frames as CSV")
  func decode() throws {
    let program = try Program()
    let frames = (0..<20).flatMap { [0x85, UInt8($0) * 5, 7, 72, 98] as [UInt8] }
    try program.write("a.bin", Data([1, 2, 3] + frames + [0x85, 9]))
    let outcome = try program.call("decode", "a.bin", "--frames", "a.csv")
    #expect(outcome.exitCode == 2 && outcome.error.contains("a.bin may be contec-v5 or bci"), "\(outcome)")
    let named = try program.call("decode", "a.bin", "--frames", "a.csv", "--protocol", "contec-v5")
    let summary = """
      contec-v5: 20 good frames, 100 of 105 bytes in frames, 5 bytes skipped
      20 values of the wave, 0 beats marked
      20 readings, 20 of them usable: pulse rate 72 bpm, SpO2 98 %

      """
    #expect(named.exitCode == 0 && named.output == summary, "\(named)")
    let rows = try program.read("a.csv").split(separator: "\n")
    #expect(rows.count == 21)
    #expect(rows[1] == "8,0,0,72,98,,5,,0")
    #expect(rows[20] == "103,95,0,72,98,,5,,0")
  }

  // MARK: Recordings

  private func record(
    _ program: Program, _ acts: [PlayedPort.Act], _ arguments: String..., speaks: OximeterProtocol = .bci
  ) throws -> Outcome {
    let port = PlayedPort(speaks, link: program.path("port"), acts)
    defer { port.end() }
    return try program.call(["record", "--oximeter", "port", "-o", "a.jsonl"] + arguments)
  }

  private func entries(_ program: Program) throws -> (header: TraceHeader, entries: [TraceEntry], warning: String?) {
    try readTrace(Array(program.read("a.jsonl").utf8))
  }

  private func references(_ name: String, in entries: [TraceEntry]) -> [Message] {
    entries.compactMap { entry in
      if case .reference(let message) = entry.item, message.name == name { message } else { nil }
    }
  }

  @Test("A recording holds the bytes, the wave and the readings, and its header what the user said")
  func recording() throws {
    let program = try Program()
    let outcome = try record(
      program, [.talk(.seconds(60), Self.good)], "--for", "2s", "--subject", "S01", "--finger", "left-index")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.output.contains("pulse rate 72 bpm, SpO2 98 %, usable 100 % of the time\n"), "\(outcome.output)")
    let trace = try entries(program)
    #expect(trace.warning == nil)
    #expect(trace.header.channels == ["pleth"])
    let further = Dictionary(uniqueKeysWithValues: trace.header.further.map { ($0.key, $0.value) })
    #expect(further["protocol"] == .text("bci"))
    #expect(further["subject"] == .text("S01"))
    #expect(further["finger"] == .text("left-index"))
    var (bytes, samples): ([UInt8], Int) = ([], 0)
    for entry in trace.entries {
      if case .capture(let more) = entry.item { bytes += more }
      if case .sample = entry.item { samples += 1 }
    }
    // 100 a second; the first and the last lump may lie on either side.
    #expect((190...210).contains(samples), "\(samples) samples")
    var decoder = OximeterProtocol.bci.decoder()
    #expect(abs(decoder.decode(bytes).count - samples) <= 8)
    #expect(references("reading", in: trace.entries).allSatisfy { $0["pulseRateBpm"] == .integer(72) })
    #expect(references("beat", in: trace.entries).count >= 2)
    #expect(references("gap", in: trace.entries).isEmpty)
  }

  @Test("Without a finger it says so, waits, and begins when there is one")
  func waits() throws {
    let program = try Program()
    let acts: [PlayedPort.Act] = [.talk(.seconds(5), Self.noFinger), .talk(.seconds(60), Self.good)]
    let outcome = try record(program, acts, "--for", "1s", "--protocol", "bci")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.error.contains("port: no finger is in the sensor; put one in\n"), "\(outcome.error)")
  }

  @Test("Without a finger for too long nothing is written")
  func noPulse() throws {
    let program = try Program()
    let acts: [PlayedPort.Act] = [.talk(.seconds(60), Self.noFinger)]
    let outcome = try record(program, acts, "--wait", "3s", "--protocol", "bci")
    #expect(outcome.exitCode == 3, "\(outcome)")
    #expect(outcome.error.contains("port shows no pulse for 3 s: no finger is in the sensor\n  put one in"))
    #expect(!program.names.contains("a.jsonl"))
  }

  @Test("A silent port and one that makes no sense are told apart")
  func silentAndUnintelligible() throws {
    let noise = (0..<40).flatMap { index in [UInt8(truncatingIfNeeded: index * 167 + 13), 0xff, 0, 0xfe] as [UInt8] }
    let rows: [(act: PlayedPort.Act, error: String)] = [
      (.pause(.seconds(60)), "port shows no pulse for 3 s: it is silent\n  switch it on"),
      (.send(noise), "port shows no pulse for 3 s: bytes come, but no valid frame\n  check the speed and the parity"),
    ]
    for row in rows {
      let program = try Program()
      let acts = (0..<60).flatMap { _ in [row.act, .pause(.milliseconds(100))] }
      let outcome = try record(program, acts, "--wait", "3s", "--protocol", "contec-v5")
      #expect(outcome.exitCode == 3 && outcome.error.contains(row.error), "\(outcome)")
    }
  }

  @Test("A device that is unplugged and comes back leaves a gap with its cause")
  func replugged() throws {
    let program = try Program()
    let acts: [PlayedPort.Act] = [
      .talk(.seconds(2), Self.good), .unplug(.seconds(1)), .talk(.seconds(60), Self.good),
    ]
    let outcome = try record(program, acts, "--for", "4s", "--protocol", "bci")
    #expect(outcome.exitCode == 0 && outcome.output.contains("a gap of 1."), "\(outcome)")
    let gaps = references("gap", in: try entries(program).entries)
    #expect(gaps.map { $0["cause"] } == [.text("unplugged")])
  }

  @Test("A device that is gone or silent at the end leaves a gap as well")
  func endsInGap() throws {
    let rows: [(end: [PlayedPort.Act], cause: String, told: String)] = [
      ([.unplug(.seconds(60))], "unplugged", "port: it is unplugged; plug it in again\n"),
      ([.pause(.seconds(60))], "silence", "port: it is silent; "),
    ]
    for row in rows {
      let program = try Program()
      let outcome = try record(program, [.talk(.seconds(2), Self.good)] + row.end, "--for", "5s", "--protocol", "bci")
      #expect(outcome.exitCode == 0 && outcome.output.contains(", a gap of 3."), "\(outcome)")
      #expect(outcome.error.contains(row.told), "\(outcome.error)")
      #expect(references("gap", in: try entries(program).entries).map { $0["cause"] } == [.text(row.cause)])
    }
  }

  @Test("What an oximeter without a wave sent has nothing to be measured")
  func noWave() throws {
    let program = try Program()
    let acts: [PlayedPort.Act] = [.talk(.seconds(60), Self.good)]
    let outcome = try record(program, acts, "--for", "1s", "--protocol", "nonin-ascii", speaks: .noninASCII)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(!outcome.error.contains("it is silent"), "\(outcome.error)")
    let measured = try program.call("analyze", "a.jsonl")
    #expect(measured.exitCode == 2 && measured.error.contains("sends no wave (nonin-ascii)"), "\(measured)")
  }

  @Test("Ended by the user, a recording has its end", arguments: [SIGINT, SIGTERM])
  func ended(by signal: Int32) throws {
    let program = try Program()
    let port = PlayedPort(.bci, link: program.path("port"), [.talk(.seconds(60), Self.good)])
    defer { port.end() }
    let running = try program.start(["record", "--oximeter", "port", "--protocol", "bci", "-o", "a.jsonl"])
    usleep(2_500_000)
    kill(running.process.processIdentifier, signal)
    let outcome = try running.outcome()
    #expect(outcome.exitCode == (signal == SIGINT ? 130 : 143), "\(outcome)")
    #expect(outcome.output.contains("usable 100 % of the time"), "\(outcome)")
    let trace = try entries(program)
    #expect(trace.warning == nil)
    #expect(references("counts", in: trace.entries).count == 1)
    guard case .truth(let last)? = trace.entries.last?.item else {
      Issue.record("no end")
      return
    }
    #expect(last.name == "end")
  }

  @Test("Killed at any moment, it has lost at most the last line", arguments: [1.8, 2.05, 2.33, 2.71])
  func killed(after seconds: Double) throws {
    let program = try Program()
    let port = PlayedPort(.bci, link: program.path("port"), [.talk(.seconds(60), Self.good)])
    defer { port.end() }
    let running = try program.start(["record", "--oximeter", "port", "--protocol", "bci", "-o", "a.jsonl"])
    usleep(UInt32(seconds * 1_000_000))
    kill(running.process.processIdentifier, SIGKILL)
    #expect(try running.outcome().isCrash)
    let samples = try entries(program).entries.count { if case .sample = $0.item { true } else { false } }
    #expect(samples > 50, "\(samples) samples")
  }
}
