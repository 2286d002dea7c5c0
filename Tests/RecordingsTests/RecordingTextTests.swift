import Recordings
import Testing
import Traces
import VitalsModel

@Suite struct RecordingTextTests {
  private func line(_ microseconds: Int64, _ mean: Double) -> String {
    var bytes: [UInt8] = []
    let frame = FrameSample(captured: Instant(microseconds: microseconds), red: mean, green: 0, blue: 255)
    CSVRecordingText.append(frame, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func framesAreLines() {
    let rows: [(Int64, Double, String)] = [
      (0, 0, "0.000,0.00000"), (1, 1.5, "0.001,1.50000"), (33_333, 200.123, "33.333,200.12300"),
      (-1_500, 7, "-1.500,7.00000"), (604_800_000_000, 254.9999, "604800000.000,254.99990"),
      (5, 0.000_000_1, "0.005,0.000000100"), (5, 100 / 4_096.0, "0.005,0.0244140625"),
      (5, 1.0 / 3, "0.005,0.3333333333333333"), (5, 1.0 / 3e7, "0.005,3.3333333333333334e-08"),
    ]
    for (microseconds, mean, expected) in rows {
      #expect(line(microseconds, mean) == expected + ",0.00000,255.00000\n")
    }
    var header: [UInt8] = []
    CSVRecordingText.appendHeader(to: &header)
    #expect(String(decoding: header, as: UTF8.self) == "time_ms,red,green,blue\n")
  }

  @Test(arguments: [1, 3, 1_000, 4_000, 4_096, 307_200, 10_000_000]) func noMeanIsRounded(_ pixels: Int) {
    var generator = SeededGenerator(seed: UInt64(pixels), stream: "means")
    for _ in 0..<2_000 {
      let mean = (generator.uniform() * 255 * Double(pixels)).rounded() / Double(pixels)
      #expect(line(0, mean).split(separator: ",").dropFirst().first.flatMap { Double($0) } == mean)
    }
  }

  @Test func theFormatFollowsTheName() {
    let rows: [(String, RecordingFormat?)] = [
      ("a.csv", .csv), ("a.CSV", .csv), ("b/a.jsonl", .jsonl), ("a.b.edf", .edf), ("a.txt", nil), ("csv", nil),
      ("", nil),
      ("a.csv/b", nil), (".edf", .edf), ("a.", nil),
    ]
    for (name, format) in rows { #expect(RecordingFormat(fileName: name) == format, "\(name)") }
  }

  @Test func truthsAreAnnotations() {
    let rows: [(TraceItem, String?)] = [
      (.truth(Message("beat", [Field("ibiMs", .integer(900))])), "beat"),
      (.truth(Message("beat", [Field("kind", .text("ectopic"))])), "beat ectopic"),
      (.truth(Message("contact", [Field("state", .text("lost"))])), "contact lost"),
      (.stimulus(Message("phoneCall", [Field("state", .text("ongoing"))])), "changed: phoneCall ongoing"),
      (.truth(Message("beat", [Field("kind", .text("normal")), Field("isNN", .flag(true))])), "beat"),
      (.truth(Message("beat", [Field("kind", .text("normal")), Field("isNN", .flag(false))])), "beat non-NN"),
      (.truth(Message("beat", [Field("kind", .text("ectopic")), Field("isNN", .flag(false))])), "beat ectopic"),
      (.stimulus(Message("heartRate", [Field("value", .fixed(units: 1_205, places: 1))])), "changed: heartRate 120.5"),
      (.truth(Message("frameFault", [Field("faults", .text("late"))])), nil),
      (.truth(Message("frame", [Field("coverage", .integer(1))])), nil),
      (.truth(Message("frameCounts", [Field("captured", .integer(1))])), nil),
      (.truth(RunTruth.end(.until).message), nil), (.truth(RunTruth.realised([]).message), nil),
      (.timer, nil), (.event(Message("started")), nil),
      (
        .truth(Message("x", [Field("y", .text(String(repeating: "z", count: 50)))])),
        "x " + String(repeating: "z", count: 38)
      ),
    ]
    for (item, expected) in rows { #expect(annotation(of: TraceEntry(at: .zero, item)) == expected) }
  }
}
