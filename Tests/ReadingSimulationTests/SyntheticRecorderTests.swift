import ReadingContract
import Recordings
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

@testable import ReadingSimulation

private let vocabulary = readingContract.vocabulary

private func scenario(_ timeline: [String], settings: String = "") throws -> Scenario {
  let items = (["{ at: 0 s, call: start }"] + timeline).map { "  - \($0)\n" }.joined()
  let yaml = "name: a\nabout: b\n\(settings)\ntimeline:\n\(items)expect:\n  - never: failed\n"
  return try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
}

private func record(
  _ scenario: Scenario, seed: UInt64 = 1, seconds: Int64 = 10, events: [TraceEntry] = [], truth: Bool = false
) -> [SyntheticRecorder.Item] {
  var recorder = SyntheticRecorder(
    scenario, timetable: Timetable(scenario, vocabulary: vocabulary, events: events), platform: "ios", seed: seed,
    length: .seconds(seconds), keepsFrameTruth: truth)
  var items: [SyntheticRecorder.Item] = []
  while let item = recorder.next() { items.append(item) }
  return items
}

extension [SyntheticRecorder.Item] {
  fileprivate var frames: [FrameSample] {
    compactMap { item in
      if case .frame(let frame, _) = item { frame } else { nil }
    }
  }

  fileprivate func truths(_ name: String) -> [TraceEntry] {
    compactMap { item in
      guard case .entry(let entry) = item, case .truth(let truth) = entry.item else { return nil }
      return truth.name == name ? entry : nil
    }
  }

  /// Stretches without frames of more than 0.2 s, such as `5.0-8.0`, in seconds.
  fileprivate var gaps: String {
    zip(frames, frames.dropFirst()).filter { $1.captured - $0.captured > .milliseconds(200) }.map { one, next in
      "\(Fixed.text(one.captured.seconds, places: 1))-\(Fixed.text(next.captured.seconds, places: 1))"
    }.joined(separator: " ")
  }
}

@Suite struct SyntheticRecorderTests {
  /// What a scenario begins with is so at its first frame, and the truth says it: no finger is still on its way.
  @Test(
    arguments: [
      ("subject: { contact: lost }", "contact", "lost", "coverage", 0...0),
      ("subject: { cover: partial }", "cover", "partial", "coverage", 0.6...0.8),
      ("subject: { pulse: absent }", "pulse", "absent", "perfusionIndexPercent", 0...0),
      ("subject: { pressure: hard }", "pressure", "hard", "pressure", 1.1...1.3),
      ("host: { torch: lost }", "torch", "lost", "torch", 0...0),
      ("host: { torch: dimmed }", "torch", "dimmed", "torch", 0.39...0.41),
    ] as [(String, String, String, String, ClosedRange<Double>)])
  func beginsAsItsSettingsSay(
    settings: String, word: String, state: String, fact: String, range: ClosedRange<Double>
  ) throws {
    let items = record(try scenario([], settings: settings), seconds: 1, truth: true)
    guard case .truth(let told)? = items.truths(word).first?.item,
      case .truth(let frame)? = items.truths("frame").first?.item
    else {
      Issue.record("no truth of \(word), or of a frame")
      return
    }
    #expect(told["state"]?.text == state)
    #expect(range.contains(frame[fact]?.number ?? .nan), "\(frame[fact]?.number ?? .nan)")
  }

  /// Where there is no body, what would change one changes nothing, and the recording comes to its end.
  @Test(arguments: ["table", "flicker", "photo"])
  func aSourceWithoutABodyIsLeftAlone(source: String) throws {
    let changes = [
      "{ at: 1 s, heartRate: 80 bpm }", "{ at: 1 s, breathingRate: 20 /min }", "{ at: 2 s, rmssd: 20 ms }",
      "{ at: 2 s, rhythm: bigeminy }", "{ at: 3 s, breathing: apnoea }",
    ]
    let settings = "source: nothing/\(source)\nsubject: { breathing: irregular }"
    let changed = record(try scenario(changes, settings: settings), seconds: 5, truth: true)
    #expect(changed.frames == record(try scenario([], settings: settings), seconds: 5).frames)
    #expect(changed.truths("beat").isEmpty && changed.truths("breath").isEmpty)
  }

  @Test func beginsWithAFrameAndIsInOrder() throws {
    let items = record(
      try scenario(["{ at: 2 s, contact: lost, for: 1 s }", "{ at: 4 s, otherApp: usingCamera, for: 2 s }"]),
      truth: true)
    #expect(items.frames.first?.captured ?? .zero < Instant(microseconds: 5_000))
    #expect(zip(items, items.dropFirst()).allSatisfy { $0.at <= $1.at })
    #expect(items.last?.at == .zero + .seconds(10))
    #expect(items.truths("frame").count == items.frames.count)
    #expect(items.truths("beat").count > 8)
    #expect(items.truths("breath").count >= 2)
    #expect(items.truths("realised").count == 1)
    #expect(items.truths("end").count == 1)
  }

  @Test func theSameSeedGivesTheSame() throws {
    let plain = try scenario([])
    #expect(record(plain, seed: 3) == record(plain, seed: 3))
    #expect(record(plain, seed: 3) != record(plain, seed: 4))
    // Whether somebody looks at the truth changes no frame.
    #expect(record(plain, truth: true).frames == record(plain).frames)
    // A longer recording begins as a shorter one.
    #expect(record(plain, seconds: 20).frames.starts(with: record(plain).frames))
  }

  /// The camera comes back as soon as it can, and not before.
  @Test func recordsAllThatTheCameraLets() throws {
    let rows: [(timeline: [String], settings: String, gaps: String)] = [
      ([], "", ""),
      (["{ at: 3 s, otherApp: usingCamera, for: 2 s }"], "", "3.0-5.0"),
      (["{ at: 3 s, app: background, for: 2 s }"], "", "3.0-5.0"),
      (["{ at: 3 s, phoneCall: ongoing, for: 2 s }", "{ at: 4 s, app: background, for: 3 s }"], "", "3.0-7.0"),
      (["{ at: 3 s, mediaServices: reset }"], "", "3.0-3.4"),
      (["{ at: 3 s, camera: stalled, for: 2 s }"], "", "3.0-5.0"),
      (["{ at: 3 s, camera: failed, for: 2 s }"], "", "3.0-5.0"),
      (["{ at: 3 s, systemPressure: critical, for: 2 s }"], "", "3.0-5.0"),
      (["{ at: 3 s, torch: lost, for: 2 s }"], "", ""),
      (["{ at: 3 s, contact: lost, for: 2 s }"], "", ""),
    ]
    for row in rows {
      let items = record(try scenario(row.timeline, settings: row.settings))
      #expect(items.gaps == row.gaps, "\(row.timeline)")
      #expect(items.frames.last?.captured ?? .zero > Instant(microseconds: 9_900_000), "\(row.timeline)")
    }
  }

  /// Every fault of a frame is told, and each is there.
  @Test func faultsOfFramesAreTold() throws {
    let settings = "camera: { droppedFrames: 10 %, duplicatedFrames: 10 %, reorderedFrames: 5 %, lateFrames: 5 % }"
    let items = record(try scenario([], settings: settings), seconds: 60, truth: true)
    #expect(zip(items, items.dropFirst()).allSatisfy { $0.at <= $1.at })
    var counts: [String: Int] = [:]
    for entry in items.truths("frame") {
      guard case .truth(let truth) = entry.item, let faults = truth["faults"]?.text else { continue }
      for fault in faults.split(separator: " ") { counts[String(fault), default: 0] += 1 }
    }
    let stamps = items.frames.map(\.captured)
    let captures = items.truths("frame").count
    #expect(counts["duplicated"] == stamps.count - Set(stamps).count)
    #expect(counts["dropped"] == captures - Set(stamps).count)
    #expect(counts["dropped"] ?? 0 > 100)
    #expect(counts["reordered"] ?? 0 > 20)
    #expect(counts["late"] ?? 0 > 20)
    // Who does not ask is given the same frames.
    #expect(record(try scenario([], settings: settings), seconds: 60).frames == items.frames)
  }

  /// The stamp of a frame's truth is that of the frame, whatever the clock shows and however long the exposure is.
  @Test(arguments: ["clockDrift: 1000 ppm", "clockDrift: -20 ppm, exposureTime: 20 ms", "clockOffset: 10 s", ""])
  func framesAreFoundByTheirStamps(_ clock: String) throws {
    let faults = "droppedFrames: 10 %, reorderedFrames: 5 %, lateFrames: 5 %, stalls: 6 /min"
    let settings = "camera: { \(faults)\(clock.isEmpty ? "" : ", ")\(clock) }"
    let items = record(try scenario(["{ at: 3 s, contact: lost }"], settings: settings), truth: true)
    let told = items.truths("frame").compactMap { entry -> Int64? in
      guard case .truth(let truth) = entry.item, case .fixed(let stamp, 6)? = truth["stamp"] else { return nil }
      let lost = ["dropped", "stalled"].contains { truth["faults"]?.text?.contains($0) ?? false }
      return lost ? nil : stamp
    }
    #expect(told.count > 200)
    #expect(told == items.frames.map(\.captured.microseconds).sorted())
  }

  @Test func thePhonesClockBeginsWithTheRecording() throws {
    let rows: [(camera: String, moment: Int64, stamp: Int64, elapsed: Int64)] = [
      ("jitter: 2 ms", 60_000_000, 60_000_000, 60_000_000),
      ("clockOffset: 10 s", 60_000_000, 70_000_000, 60_000_000),
      ("clockOffset: 10 s", 0, 10_000_000, 0),
      ("clockDrift: 1000 ppm", 60_000_000, 60_060_000, 60_060_000),
      ("clockDrift: -1000 ppm, clockOffset: 1 s", 60_000_000, 60_940_000, 59_940_000),
    ]
    for row in rows {
      let clock = RecordingClock(try scenario([], settings: "camera: { \(row.camera) }").settings)
      let stamp = clock.stamp(at: Instant(microseconds: row.moment))
      #expect(stamp == Instant(microseconds: row.stamp), "\(row)")
      #expect(clock.elapsed(at: stamp) == Instant(microseconds: row.elapsed), "\(row)")
    }
  }

  @Test func theTorchComesBack() throws {
    let frames = record(try scenario(["{ at: 3 s, torch: lost, for: 2 s }"])).frames
    func red(at second: Int64) -> Double {
      frames.first { $0.captured >= .zero + .seconds(second) }?.red ?? -1
    }
    #expect(red(at: 2) > 150)
    #expect(red(at: 4) < 20)
    #expect(red(at: 6) > 150)
  }

  @Test func changesThatWaitForAnEventComeWhenItDoesInARun() throws {
    let waiting = try scenario([
      "{ after: started, delay: 5 s, contact: lost }", "{ after: failed, motion: fidgeting }",
    ])
    let run = runReading(
      waiting, vocabulary: vocabulary, platform: "ios", seed: 1, source: .synthetic, keepsInputs: false)
    let inRun = run.compactMap { entry in
      if case .stimulus = entry.item { entry.at } else { nil }
    }
    let timetable = Timetable(waiting, vocabulary: vocabulary, events: run)
    #expect(timetable.entries.compactMap(\.trace?.at) == inRun)
    #expect(timetable.unplaced == [2])
    #expect(timetable.times == [.zero, inRun.first, nil])
    let lost = record(waiting, seconds: 30, events: run).truths("contact").last
    #expect(lost?.at == inRun.last)
  }

  @Test func realisesWhatIsAsked() throws {
    let items = record(
      try scenario([], settings: "subject: { heartRate: 90 bpm, breathingRate: 20 /min }"), seconds: 600)
    guard case .truth(let realised)? = items.truths("realised").first?.item else {
      Issue.record("there is no realised truth")
      return
    }
    func isNear(_ key: String, _ expected: Double, within tolerance: Double) -> Bool {
      realised[key]?.number.map { ($0 - expected).magnitude <= tolerance } ?? false
    }
    #expect(isNear("heartRateBpm", 90, within: 0.2))
    #expect(isNear("rmssdMs", 40, within: 2))
    #expect(isNear("breathingRatePerMin", 20, within: 0.3))
    // Every interval is that between two beats.
    let beats = items.truths("beat")
    for (one, next) in zip(beats, beats.dropFirst()) {
      guard case .truth(let beat) = next.item else { continue }
      #expect(beat["ibiMs"]?.number == (next.at - one.at).milliseconds)
    }
  }

  /// What is written as a trace is a recording with its truth: a session that reads it is judged as on a finger.
  @Test func aRecordingTellsASessionsTruth() throws {
    let plain = try scenario([])
    let entries = record(plain, seconds: 80).map { item in
      switch item {
      case .frame(let frame, let at): TraceEntry(at: at, .sample(captured: frame.captured, values: frame.values))
      case .entry(let entry): entry
      }
    }
    let recording = try readRecording(trace: entries)
    #expect(recording.frames.count == 2_400)
    let run = runReading(
      plain, vocabulary: vocabulary, platform: "ios", seed: 1, source: .recording(recording, reference: nil),
      keepsInputs: false)
    let live = runReading(
      plain, vocabulary: vocabulary, platform: "ios", seed: 1, source: .synthetic, keepsInputs: false)
    func realised(_ trace: [TraceEntry], _ key: String) -> Double? {
      trace.lazy.compactMap { entry -> Double? in
        guard case .truth(let truth) = entry.item, truth.name == "realised" else { return nil }
        return truth[key]?.number
      }.first
    }
    for (key, tolerance) in [("heartRateBpm", 1.0), ("rmssdMs", 8), ("breathingRatePerMin", 1)] {
      let difference = try #require(realised(run, key)) - #require(realised(live, key))
      #expect(difference.magnitude < tolerance, "\(key)")
    }
  }
}
