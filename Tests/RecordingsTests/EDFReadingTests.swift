import Foundation
import Testing
import Traces
import VitalsModel

@testable import Recordings

/// Times in milliseconds and reds of an EDF file, its notes, beats and breaths, or the message of its refusal.
private func read(_ file: EDFBytes, _ columns: String? = nil) -> String { read(file.bytes, columns) }

private func read(_ bytes: [UInt8], _ columns: String? = nil) -> String {
  do {
    let names = try columns.map { text throws(RecordingError) in try ColumnNames(text) } ?? ColumnNames()
    let recording = try readRecording(edf: bytes, columns: names)
    let frames = recording.frames.map { frame in
      let values = frame.values.map { Fixed.shortest($0, places: 2) }.joined(separator: "/")
      return "\(Fixed.shortest((frame.captured - .zero).milliseconds, places: 1)):\(values)"
    }
    let beats = recording.beats.map { beat in
      "\(Fixed.shortest(beat.foot.seconds, places: 3))\(beat.isNN ? "N" : "")\(beat.isEctopic ? "E" : "")"
    }
    let breaths = recording.breaths.map { Fixed.shortest($0.seconds, places: 3) }
    let notes = recording.notes.dropFirst()
    return ([frames.joined(separator: " ")] + notes + beats + breaths.map { "breath \($0)" }).joined(separator: "; ")
  } catch {
    return error.message
  }
}

/// Two records of two samples, red alone.
private func red(_ change: (inout EDFBytes) -> Void = { _ in }) -> EDFBytes {
  var file = EDFBytes(signals: [EDFBytes.Signal(label: "red", samples: [[100, 110], [120, 130]])])
  file.duration = "0.08"
  change(&file)
  return file
}

@Suite struct EDFReadingTests {
  private static let three: [EDFBytes.Signal] = [
    EDFBytes.Signal(label: "G", samples: [[1, 2]]), EDFBytes.Signal(label: "R", samples: [[3, 4]]),
    EDFBytes.Signal(label: "B", samples: [[5, 6]]),
  ]

  @Test func whatOthersWriteIsRead() {
    let plain = "0:100/0/0 40:110/0/0 80:120/0/0 120:130/0/0"
    #expect(read(red()) == plain)
    #expect(read(red { $0.kind = "" }) == plain, "EDF")
    #expect(read(red { $0.declaredRecords = "-1" }) == plain, "not closed")
    #expect(read(red { $0.declaredRecords = "1" }) == "0:100/0/0 40:110/0/0")
    #expect(read(red().bytes.dropLast()) == "0:100/0/0 40:110/0/0; the file is cut off: 1 of its 2 records are there")
    #expect(read(red().bytes + [1]) == plain)
    let three = EDFBytes(signals: Self.three, duration: "0.08")
    #expect(read(three) == "0:3/1/5 40:4/2/6")
    #expect(read(three, "red=B,blue=R") == "0:5/1/3 40:6/2/4")
    #expect(read(red { $0.signals[0].label = "Pleth" }) == plain, "one signal, whatever it is called")
    // Physical values lie on a line, which may fall, and a rounding beyond 255 is none.
    #expect(read(red { $0.signals[0].physical = ("255", "0") }) == "0:155/0/0 40:145/0/0 80:135/0/0 120:125/0/0")
    #expect(read(red { $0.signals[0].physical = ("0", "127.5") }) == "0:50/0/0 40:55/0/0 80:60/0/0 120:65/0/0")
    #expect(
      read(red { $0.signals[0] = EDFBytes.Signal(label: "r", samples: [[255]], physical: ("0", "255.5")) })
        == "0:255/0/0")
  }

  @Test func annotationsTellTheTruth() {
    let lists = [
      "+0.5\u{14}\u{14}\0+0.51\u{14}beat non-NN\u{14}\0",
      "+0.58\u{14}\u{14}\0+0.6\u{15}1\u{14}breath\u{14}beat\u{14}\0",
    ]
    let file = red { $0.signals.append(EDFBytes.Signal(label: "EDF Annotations", lists: lists)) }
    #expect(read(file) == "0:100/0/0 40:110/0/0 80:120/0/0 120:130/0/0; 0.01; 0.1N; breath 0.1")
    for (text, expected) in [
      ("beat", "0N"), ("beat ectopic", "0E"), ("beat non-NN", "0"), ("beats", nil), ("contact lost", nil),
    ] {
      let beat = RecordedBeat(annotation: text, at: .zero)
      #expect(beat.map { "0\($0.isNN ? "N" : "")\($0.isEctopic ? "E" : "")" } == expected)
    }
  }

  @Test func recordsMayHaveGapsBetweenThem() {
    let lists = ["+0\u{14}\u{14}\0", "+1.5\u{14}\u{14}\0"]
    var file = red {
      $0.kind = "EDF+D"
      $0.signals.insert(EDFBytes.Signal(label: "EDF Annotations", lists: lists), at: 0)
    }
    #expect(
      read(file) == "0:100/0/0 40:110/0/0 1500:120/0/0 1540:130/0/0; 1 gap of more than 0.5 s, the longest 1.460 s")
    file.signals[0].lists[1] = "+x\u{14}\u{14}\0"
    #expect(
      read(file) == "it has gaps between its records (EDF+D), and record 2 does not say when it begins")
  }

  @Test func whereAllIsAtTheMinimumThereWasNoFrame() {
    let file = red {
      $0.signals[0].samples[0][1] = 0
      $0.signals[0].transducer = "simulated camera, mean of a frame's red; minimum: no frame"
    }
    #expect(read(file) == "0:100/0/0 80:120/0/0 120:130/0/0")
  }

  @Test func whatIsNoRecordingIsRefused() {
    let rows: [(String, EDFBytes, String?)] = [
      (
        "there are no signals in it, only annotations",
        EDFBytes(signals: [EDFBytes.Signal(label: "EDF Annotations", lists: [""])]), nil
      ),
      ("there are no frames in it", red { $0.declaredRecords = "0" }, nil),
      ("its header has \"x\" for the length of a record", red { $0.duration = "x" }, nil),
      ("its header says that a record lasts no time", red { $0.duration = "0" }, nil),
      ("its header says that a record lasts -1.0 s", red { $0.duration = "-1" }, nil),
      ("its header says that there are 0 signals; 1 to 512 are read", red { $0.declaredSignals = "0" }, nil),
      ("its header says that there are 9999 signals; 1 to 512 are read", red { $0.declaredSignals = "9999" }, nil),
      (
        "its header does not have the length that 2 signals take: is the file damaged?",
        red { $0.declaredSignals = "2" }, nil
      ),
      ("its header has 0.5 for the number of its records", red { $0.declaredRecords = "0.5" }, nil),
      ("its header has \"\" for the physical minimum of \"red\"", red { $0.signals[0].physical.0 = "" }, nil),
      ("\"red\" has a digital maximum that is not above its minimum", red { $0.signals[0].digital.1 = "0" }, nil),
      (
        "\"red\" holds 260; a colour's mean is 0 to 255: scale all colours down alike",
        red { $0.signals[0] = EDFBytes.Signal(label: "red", samples: [[260]]) }, nil
      ),
      (
        "\"red\" holds -10; a colour's mean is 0 to 255: give the light itself, not a filtered wave",
        red { $0.signals[0] = EDFBytes.Signal(label: "red", samples: [[-10]]) }, nil
      ),
      (
        "no signal is named red, green or blue; there are: ECG, EMG. Name one with --columns red=NAME",
        EDFBytes(signals: ["ECG", "EMG"].map { EDFBytes.Signal(label: $0, samples: [[1]]) }), nil
      ),
      ("there is no signal \"ruby\"; there are: red", red(), "red=ruby"),
      ("EDF has a sampling rate and no column of time: leave time out of --columns", red(), "time=t"),
      (
        "\"red\" has 1 samples in a record and \"green\" has 2; name signals of one rate with --columns",
        EDFBytes(signals: [
          EDFBytes.Signal(label: "red", samples: [[1]]), EDFBytes.Signal(label: "green", samples: [[1, 2]]),
        ]), nil
      ),
      (
        "its frames span more than 7 days",
        red { $0.duration = "600000" }, nil
      ),
    ]
    for (expected, file, columns) in rows { #expect(read(file, columns) == expected) }
    #expect(read([0xff] + Array("BIOSEMI".utf8)) == "it is BDF, which is not read; export it as EDF+")
    for length in [8, 100, 255, 256, 300, 511] {
      #expect(read(Array(red().bytes.prefix(length))) == "it begins as EDF and ends within its header", "\(length)")
    }
    #expect(read(Array(red().bytes.prefix(512))).hasPrefix("there are no frames in it"))
  }

  /// What EDFlib wrote is read as EDFlib reads it, and what was put in comes out.
  @Test(arguments: [(30.0, 200), (29.97, 95), (24, 100), (15, 61)]) func agreesWithEDFlib(rate: Double, count: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(count), stream: "edf")
    let timing = EDFTiming(frameRateFps: rate)
    let frames = (0..<count).map { index in
      FrameSample(
        captured: Instant(microseconds: Int64((timing.microseconds(ofSample: index)).rounded(.up))),
        red: 180 + random.uniform(), green: 20 * random.uniform(), blue: 0)
    }
    var content = EDFContent()
    for frame in frames { content.add(frame) }
    content.addAnnotation(at: Instant(microseconds: 500_000))
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).edf").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let theirs = try EDFReader { other in
      let file = try EDFRecording(
        path: path, timing: timing, length: .seconds(3), content: content, equipment: "test")
      for frame in frames { try file.add(frame) }
      try file.annotate("beat ectopic", at: Instant(microseconds: 500_000))
      try file.finish()
      try FileManager.default.copyItem(atPath: path, toPath: other)
    }
    let ours = try readRecording(edf: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), columns: ColumnNames())
    let present = theirs.signals[0].indices.filter { theirs.signals[0][$0] != theirs.minima[0] }
    try #require(ours.frames.count == present.count && present.count >= count)
    for (frame, index) in zip(ours.frames, present) {
      #expect((frame.red - theirs.signals[0][index]).magnitude < 1e-9)
      #expect((frame.green - max(theirs.signals[1][index], 0)).magnitude < 1e-9)
      #expect((Double(frame.captured.microseconds) - timing.microseconds(ofSample: index)).magnitude <= 1)
    }
    for (frame, put) in zip(ours.frames, frames) { #expect((frame.red - put.red).magnitude < 0.05) }
    #expect(
      ours.beats == [RecordedBeat(annotation: "beat ectopic", at: Instant(microseconds: 500_000))].compactMap(\.self))
  }

  /// Whatever a byte is changed to, and wherever a file ends, it is read or refused.
  @Test(arguments: UInt64(1)...60) func noFileBringsItDown(seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "noise")
    let lists = ["+0\u{14}\u{14}\0+0.01\u{14}beat\u{14}\0", "+0.08\u{14}\u{14}\0"]
    let file = red {
      $0.kind = seed.isMultiple(of: 2) ? "EDF+D" : "EDF+C"
      $0.signals.append(EDFBytes.Signal(label: "EDF Annotations", lists: lists))
    }
    for _ in 0..<50 {
      var bytes = file.bytes
      for _ in 0...Int(random.uniform() * 4) {
        let digits = Array("0123456789-+.eE \u{14}".utf8)
        let byte =
          random.uniform() < 0.7 ? digits[Int(random.uniform() * Double(digits.count))] : UInt8(random.uniform() * 255)
        // Mostly where the numbers are.
        let place =
          random.uniform() < 0.7 ? 184 + Int(random.uniform() * 72) : Int(random.uniform() * Double(bytes.count))
        bytes[place] = byte
      }
      if random.uniform() < 0.3 { bytes.removeLast(Int(random.uniform() * Double(bytes.count - 8))) }
      if let recording = try? readRecording(edf: bytes, columns: ColumnNames()) {
        #expect(recording.frames.allSatisfy { $0.values.allSatisfy((0...255).contains) })
      }
    }
  }
}

@Test func everyAnnotationOfABeatIsReadBack() {
  for (kind, isNN) in [("normal", true), ("normal", false), ("ectopic", false)] {
    let message = Message(
      "beat", [Field("kind", .text(kind)), Field("isNN", .flag(isNN)), Field("foot", .fixed(units: 0, places: 6))])
    let text = annotation(of: TraceEntry(at: .zero, .truth(message))) ?? ""
    #expect(RecordedBeat(annotation: text, at: .zero) == RecordedBeat(message))
  }
}
