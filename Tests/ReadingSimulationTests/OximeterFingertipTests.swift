import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import PulseAnalysis
import ReadingContract
import Recordings
import Scenarios
import Simulation
import Testing
import Traces
import VitalsModel

@testable import ReadingSimulation

private let vocabulary = readingContract.vocabulary

private func scenario(_ timeline: [String] = [], settings: String = "") throws -> Scenario {
  let items = (["{ at: 0 s, call: start }"] + timeline).map { "  - \($0)\n" }.joined()
  let yaml = "name: a\nabout: b\n\(settings)\ntimeline:\n\(items)expect:\n  - never: failed\n"
  return try parseScenario(Array(yaml.utf8), vocabulary: vocabulary)
}

private func fingertip(_ scenario: Scenario, seed: UInt64 = 1) -> ScenarioFingertip {
  ScenarioFingertip(scenario, changes: Timetable(scenario, vocabulary: vocabulary).entries, seed: seed)
}

/// The words and beats of a scenario's body.
private func beats(_ scenario: Scenario, seconds: Int64, seed: UInt64 = 1) -> [TraceEntry] {
  var recorder = SyntheticRecorder(
    scenario, timetable: Timetable(scenario, vocabulary: vocabulary), platform: "ios", seed: seed,
    length: .seconds(seconds), keepsFrameTruth: false)
  var entries: [TraceEntry] = []
  while let item = recorder.next() {
    switch item {
    case .frame(let frame, let at):
      entries.append(TraceEntry(at: at, .sample(captured: frame.captured, values: frame.values)))
    case .entry(let entry): entries.append(entry)
    }
  }
  return entries
}

/// What our own reader makes of a virtual device.
private struct Read {
  var readings: [TimedReading] = []
  var samples: [OximeterSample] = []
  var gaps: [OximeterGap] = []

  init<Tip: Fingertip>(_ device: OximeterProtocol, _ tip: Tip, seconds: Int64, faults: [OximeterFault] = []) {
    var stream = OximeterStream(VirtualOximeter(device, tip: tip, faults: faults, seed: 7), speaking: device)
    while let (_, event) = stream.next(before: .zero + .seconds(seconds)) {
      switch event {
      case .sample(let sample): samples.append(sample)
      case .reading(let reading): readings.append(reading)
      case .gap(let gap): gaps.append(gap)
      case .send, .answer, .state: break
      }
    }
  }

  func reading(before seconds: Int64) -> OximeterReading? {
    readings.last { $0.captured < .zero + .seconds(seconds) }?.reading
  }

  /// A stretch of its wave, measured as that of a recording.
  func measurement(of device: OximeterProtocol, from: Int64, to: Int64) throws -> PulseMeasurement {
    let stretch = samples.filter { .zero + .seconds(from) <= $0.captured && $0.captured < .zero + .seconds(to) }
    let entries = stretch.compactMap { sample in
      sample.pleth.map { TraceEntry(at: sample.arrived, .sample(captured: sample.captured, values: [Double($0)])) }
    }
    var record = PulseRecord(colours: .single)
    for frame in try readRecording(pleth: entries, largest: try #require(device.largestPleth)).frames {
      record.append(frame)
    }
    return measurePulse(record)
  }
}

@Suite struct OximeterFingertipTests {
  private static let waves = OximeterProtocol.allCases.filter(\.hasPleth)

  /// The wave that a device sends holds the heart rate and the variability of the finger that it sees, and so do its own
  /// values.
  @Test(arguments: waves, [66.0, 110])
  func sendsTheHeart(device: OximeterProtocol, bpm: Double) throws {
    let scenario = try scenario(settings: "subject: { heartRate: \(Int(bpm)) bpm, rmssd: 35 ms }")
    let read = Read(device, fingertip(scenario), seconds: 75)
    let truth = BodyTruth(
      try readRecording(trace: beats(scenario, seconds: 76)).beats, [], from: .zero + .seconds(15),
      to: .zero + .seconds(75)
    ).statistics
    func value(_ key: String) throws -> Double { try #require(truth.first { $0.key == key }?.value.number) }
    let measured = try read.measurement(of: device, from: 15, to: 75)
    #expect(measured.coverage >= 0.9, "\(measured.coverage)")
    #expect((try #require(measured.heartRateBpm) - value("heartRateBpm")).magnitude <= 1)
    #expect((try #require(measured.rmssdMs) - value("rmssdMs")).magnitude <= 4, "\(measured.rmssdMs ?? 0)")
    let rate = try #require(read.reading(before: 75)?.pulseRateBpm)
    #expect((Double(rate) - bpm).magnitude <= 6)
    let rates = read.readings.filter { $0.captured > .zero + .seconds(15) }.compactMap(\.reading.pulseRateBpm)
    let mean = Double(rates.reduce(0, +)) / Double(rates.count)
    #expect((mean - bpm).magnitude <= 1.5, "\(mean)")
  }

  /// What the timeline does to the finger, the device sees; what it does to the phone, it does not.
  @Test func heedsTheTimeline() throws {
    let read = Read(
      .contecV5,
      fingertip(
        try scenario([
          "{ at: 5 s, torch: lost, for: 3 s }", "{ at: 6 s, camera: stalled, for: 3 s }", "{ at: 6 s, room: dim }",
          "{ at: 20 s, contact: lost, for: 5 s }", "{ at: 40 s, pulse: absent, for: 12 s }",
          "{ at: 60 s, heartRate: 90 bpm }",
        ])), seconds: 80)
    #expect(read.reading(before: 15)?.isUsable == true)
    #expect(read.reading(before: 22)?.flags == .fingerOut)
    #expect(read.reading(before: 38)?.isUsable == true)
    #expect(read.reading(before: 51)?.flags == .searching && read.reading(before: 51)?.pulseRateBpm == nil)
    #expect(read.reading(before: 79)?.pulseRateBpm.map { (87...93).contains($0) } ?? false)
    #expect(read.gaps.isEmpty)
  }

  /// What lies on the lens in place of a finger has no pulse, and is no finger where it does not look like one.
  @Test(arguments: [
    ("nothing/photo", OximeterFlags.searching), ("nothing/table", .fingerOut), ("nothing/dark", .fingerOut),
  ])
  func nothingIsNoFinger(source: String, flags: OximeterFlags) throws {
    let read = Read(.contecV5, fingertip(try scenario(settings: "source: \(source)")), seconds: 20)
    #expect(read.reading(before: 20)?.flags == flags && read.readings.allSatisfy { $0.reading.pulseRateBpm == nil })
  }

  @Test func beginsAsItsSettingsSay() throws {
    let away = Read(.contecV5, fingertip(try scenario(settings: "subject: { contact: lost }")), seconds: 10)
    #expect(away.reading(before: 10)?.flags == .fingerOut)
  }

  /// What the timeline does to the device are faults of it, each until the next.
  @Test func tellsTheFaultsOfTheTimeline() throws {
    let scenario = try scenario(
      [
        "{ at: 5 s, oximeter: working }", "{ at: 20 s, oximeter: unplugged, for: 6 s }",
        "{ at: 30 s, oximeter: garbled }", "{ at: 31 s, oximeter: silent }",
      ], settings: "source: oximeter:contec-v5\nhost: { oximeter: frozen }")
    let faults = Timetable(scenario, vocabulary: vocabulary).oximeterFaults(beginning: scenario.settings)
    let zero = Instant.zero
    #expect(
      faults == [
        OximeterFault(.frozen, from: zero, to: zero + .seconds(5)),
        OximeterFault(.unplugged, from: zero + .seconds(20), to: zero + .seconds(26)),
        OximeterFault(.garbage, from: zero + .seconds(30), to: zero + .seconds(31)),
        OximeterFault(.silent, from: zero + .seconds(31)),
      ])
  }

  /// A recording's light is its finger's, with the beats that it tells, or with those that are measured.
  @Test(arguments: [true, false])
  func playsARecording(tellsBeats: Bool) throws {
    let scenario = try scenario(["{ at: 40 s, contact: lost, for: 6 s }"], settings: "subject: { rmssd: 30 ms }")
    let entries = beats(scenario, seconds: 90).filter { entry in
      if case .truth(let truth) = entry.item { tellsBeats || truth.name != "beat" } else { true }
    }
    let tip = RecordedFingertip(try readRecording(trace: entries))
    #expect(tip.tellsBeats == tellsBeats && tip.colour == .green)
    let read = Read(.contecV5, tip, seconds: 100)
    #expect(read.reading(before: 39)?.pulseRateBpm.map { (62...70).contains($0) } ?? false)
    #expect(read.reading(before: 44)?.flags == .fingerOut)
    #expect(read.reading(before: 85)?.pulseRateBpm.map { (62...70).contains($0) } ?? false)
    #expect((try #require(try read.measurement(of: .contecV5, from: 10, to: 40).heartRateBpm) - 66).magnitude <= 2)
    // It ends with its last frame.
    #expect(read.samples.last.map { (89.8...90).contains($0.captured.seconds) } ?? false)
  }
}
