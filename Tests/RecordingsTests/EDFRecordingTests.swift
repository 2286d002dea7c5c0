import Foundation
import Testing
import VitalsModel

@testable import Recordings

private func frame(_ milliseconds: Double, _ red: Double) -> FrameSample {
  FrameSample(
    captured: Instant(microseconds: Int64((milliseconds * 1_000).rounded())), red: red, green: red / 2, blue: red / 4)
}

/// Writes frames and annotations, and reads the file again.
private func edf(
  _ frames: [FrameSample], fps: Double = 10, seconds: Double = 1, annotations: [(Double, String)] = []
) throws -> EDFReader {
  var content = EDFContent()
  for frame in frames { content.add(frame) }
  for (second, _) in annotations { content.addAnnotation(at: .zero + TimeSpan(seconds: second)) }
  return try EDFReader { path in
    let file = try EDFRecording(
      path: path, timing: EDFTiming(frameRateFps: fps), length: TimeSpan(seconds: seconds),
      content: content, equipment: "test")
    for frame in frames { try file.add(frame) }
    for (second, text) in annotations { try file.annotate(text, at: .zero + TimeSpan(seconds: second)) }
    try file.finish()
  }
}

@Suite(.serialized) struct EDFRecordingTests {
  /// How far a value is from the nearest that 16 bits hold.
  private static let resolution = 256.0 / 65_535 / 2 + 1e-9

  @Test func timingsHoldTheRate() {
    let rows: [(fps: Double, samples: Int, milliseconds: Int64)] = [
      (30, 30, 1_000), (15, 15, 1_000), (60, 60, 1_000), (25, 25, 1_000), (24, 24, 1_000), (29.97, 90, 3_003),
      (30_000.0 / 1_001, 90, 3_003), (23.976, 72, 3_003), (24_000.0 / 1_001, 72, 3_003), (59.94, 180, 3_003),
      (27.5, 55, 2_000), (20.1, 201, 10_000), (29.98, 300, 10_000), (23.37, 234, 10_000),
    ]
    for row in rows {
      let timing = EDFTiming(frameRateFps: row.fps)
      #expect(timing.samplesPerRecord == row.samples, "\(row.fps)")
      #expect(timing.recordDuration == .milliseconds(row.milliseconds), "\(row.fps)")
      #expect((timing.rateHz - row.fps).magnitude <= 0.05, "\(row.fps)")
    }
  }

  @Test(arguments: [15, 23.37, 23.976, 24, 25, 27.5, 29.97, 30, 50, 59.94, 60])
  func everyRateIsReadBack(_ fps: Double) throws {
    let timing = EDFTiming(frameRateFps: fps)
    let frames = (0..<Int(20 * fps)).map { frame(Double($0) * 1_000 / fps, 100 + Double($0 % 7)) }
    let file = try edf(frames, fps: fps, seconds: 20)
    #expect(file.fault == 0)
    #expect(file.records == timing.records(in: .seconds(20)))
    #expect(file.recordSeconds == timing.recordDuration.seconds)
    #expect(file.signals.map(\.count) == [Int](repeating: file.records * timing.samplesPerRecord, count: 3))
  }

  @Test func framesAreReadBack() throws {
    let frames = (0..<10).map { frame(Double($0) * 100, Double($0) * 28) }
    let file = try edf(frames)
    #expect(file.fault == 0)
    #expect(file.labels == ["red", "green", "blue"])
    #expect(file.dimensions == ["counts", "counts", "counts"])
    #expect(file.patient == "Synthetic")
    for (signal, expected) in zip(file.signals, [frames.map(\.red), frames.map(\.green), frames.map(\.blue)]) {
      #expect(zip(signal, expected).allSatisfy { ($0 - $1).magnitude <= Self.resolution })
    }
  }

  /// The red samples of a second at 10 Hz.
  @Test func samplesLieBetweenFrames() throws {
    let none = -1.0
    let rows: [(frames: [FrameSample], red: [Double])] = [
      // Frames between the samples: on their line. Half a period beyond the outer ones still belongs to them.
      (
        (0..<10).map { frame(Double($0) * 100 + 50, Double($0) * 10) },
        [0] + (0..<9).map { Double($0) * 10 + 5 }
      ),
      // A frame that is lost.
      ([0, 1, 3, 4, 5, 6, 7, 8, 9].map { frame($0 * 100, $0 * 10) }, (0..<10).map { Double($0) * 10 }),
      // A gap.
      (
        [0, 1, 6, 7, 8, 9].map { frame($0 * 100, $0 * 10 + 1) },
        [1, 11, none, none, none, none, 61, 71, 81, 91]
      ),
      // Frames on either side of a gap that stand a little off.
      ([frame(140, 5), frame(560, 6)], [none, 5, none, none, none, none, 6, none, none, none]),
      // Late, repeated and too late for the end.
      (
        [0, 1, 3, 2, 4, 4, 5, 6, 9, 8, 7, 10, 11].map { frame($0 * 100, $0 * 10) }, (0..<10).map { Double($0) * 10 }
      ),
      ([], [Double](repeating: none, count: 10)),
      ([frame(0, 255), frame(100, 0)], [255, 0] + [Double](repeating: none, count: 8)),
    ]
    for (index, row) in rows.enumerated() {
      let file = try edf(row.frames)
      let (red, least) = (try #require(file.signals.first), try #require(file.minima.first))
      #expect(red.count >= row.red.count)
      for (sample, expected) in zip(red, row.red) {
        let value = expected == none ? least : expected
        #expect((sample - value).magnitude <= Self.resolution, "row \(index): \(red)")
        #expect((sample - least < 1e-6) == (expected == none), "row \(index): \(red)")
      }
    }
  }

  /// A faint pulse of 0.006 counts is not lost between two steps of a signal, wherever it lies.
  @Test(arguments: [0, 0.13, 30.124, 199.999, 254.994]) func faintPulsesAreReadBack(_ level: Double) throws {
    let frames = (0..<10).map { frame(Double($0) * 100, level + 0.001 * Double($0 % 7)) }
    let file = try edf(frames)
    for (signal, expected) in zip(file.signals, [frames.map(\.red), frames.map(\.green), frames.map(\.blue)]) {
      #expect(zip(signal, expected).allSatisfy { ($0 - $1).magnitude <= 1e-5 }, "\(signal)")
    }
    #expect(file.steps.allSatisfy { $0 < 1e-5 }, "\(file.steps)")
  }

  /// What goes on for longer than it was said has its place all the same.
  @Test func theEndIsNotCut() throws {
    let file = try edf([frame(0, 1), frame(1_000, 2)], annotations: [(1.05, "beat")])
    #expect(file.records == 2)
    #expect(file.annotations.map(\.at) == [1.05])
    #expect(try #require(file.signals.first)[10] == 2)
  }

  @Test func annotationsAreReadBack() throws {
    let annotations: [(Double, String)] = [
      (0, "contact present"), (0.123456, "beat"), (0.999, "breath"), (1.5, String(repeating: "x", count: 40)),
    ]
    let file = try edf([frame(0, 1)], seconds: 2, annotations: annotations)
    #expect(file.annotations.map(\.text) == annotations.map(\.1))
    #expect(file.annotations.map(\.at) == [0, 0.1235, 0.999, 1.5])
  }

  /// EDFlib drops what it has no place for without a word, so none may be lost here.
  @Test(arguments: [1, 2, 63, 64, 65, 127, 128]) func noAnnotationIsLost(_ count: Int) throws {
    let annotations = (0..<count).map { (Double($0) / 100, "beat") }
    #expect(try edf([], seconds: 2, annotations: annotations).annotations.count == count)
  }

  @Test func whatCannotBeIsRefused() {
    let annotations = (0..<65).map { (Double($0) / 100, "beat") }
    #expect(throws: EDFFault.tooManyAnnotations(places: 64)) { try edf([], annotations: annotations) }
    func make(_ path: String) throws -> EDFRecording {
      try EDFRecording(
        path: path, timing: EDFTiming(frameRateFps: 30), length: .seconds(1), content: EDFContent(), equipment: "test")
    }
    #expect(throws: EDFFault.opening) { try make("/nowhere/x.edf") }
    // A disk that is full.
    #expect(throws: EDFFault.writing) {
      let file = try make("/dev/full")
      for index in 0..<30_000 { try file.add(frame(Double(index), 1)) }
      try file.finish()
    }
  }

  @Test func theSameFramesGiveTheSameBytes() throws {
    func bytes() throws -> Data {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).edf").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      var content = EDFContent()
      content.add(frame(0, 1))
      content.addAnnotation(at: .zero)
      let file = try EDFRecording(
        path: path, timing: EDFTiming(frameRateFps: 30), length: .seconds(1), content: content, equipment: "test")
      try file.add(frame(0, 1))
      try file.annotate("beat", at: .zero)
      try file.finish()
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    #expect(try bytes() == bytes())
  }
}
