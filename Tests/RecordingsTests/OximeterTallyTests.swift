import OximeterLines
import OximeterProtocols
import Recordings
import Testing
import Traces
import VitalsModel

@Suite("What an oximeter says, in a trace and added up")
struct OximeterTallyTests {
  private static func at(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1_000_000)) }

  private static func reading(_ seconds: Double, _ rate: Int?, _ spo2: Int?, _ flags: OximeterFlags = []) -> LinkEvent {
    let reading = OximeterReading(pulseRateBpm: rate, spo2Percent: spo2, flags: flags)
    return .reading(TimedReading(captured: at(seconds), arrived: at(seconds + 0.01), reading: reading))
  }

  private static func sample(_ seconds: Double, isBeat: Bool = false) -> LinkEvent {
    .sample(OximeterSample(captured: at(seconds), arrived: at(seconds), pleth: 50, isBeat: isBeat))
  }

  static let lines: [(LinkEvent, String?)] = [
    (
      .reading(
        TimedReading(
          captured: at(12), arrived: at(12.02),
          reading: OximeterReading(
            pulseRateBpm: 142, spo2Percent: 98, perfusionIndexHundredths: 496, signalStrength: 4,
            flags: [.fingerOut, .searching], isStale: true))),
      #"{"t":0.000000,"reference":"reading","captured":2.000000,"pulseRateBpm":142,"spo2Percent":98,"#
        + #""perfusionIndexPercent":4.96,"signalStrength":4,"flags":"fingerOut searching","stale":true}"#
    ),
    (reading(9.5, nil, nil), #"{"t":0.000000,"reference":"reading","captured":-0.500000}"#),
    (sample(11), nil),
    (sample(11, isBeat: true), #"{"t":0.000000,"reference":"beat","captured":1.000000}"#),
    (
      .gap(OximeterGap(from: at(11), to: at(14), cause: .unplugged)),
      #"{"t":0.000000,"reference":"gap","from":1.000000,"to":4.000000,"cause":"unplugged"}"#
    ),
    (.state(.silent, at: at(12)), #"{"t":0.000000,"reference":"line","state":"silent"}"#),
    (.answer(.model("A"), at: at(12)), #"{"t":0.000000,"reference":"device","model":"A"}"#),
    (.answer(.acknowledged(true), at: at(12)), nil),
    (.send([1]), nil),
  ]

  @Test("Each event has its line", arguments: lines.indices)
  func line(_ index: Int) {
    let (event, expected) = Self.lines[index]
    let line = event.reference(since: Self.at(10)).map { TraceText.line(TraceEntry(at: .zero, .reference($0))) }
    #expect(line == expected)
  }

  @Test("Means are over time, and what is not usable counts for nothing")
  func tally() {
    var tally = OximeterTally()
    let events = [
      Self.sample(0), Self.sample(1, isBeat: true),
      // 1 s of 60, 2 s of 80, then nothing usable, then a gap in the middle of 100.
      Self.reading(0, 60, 98), Self.reading(1, 80, 96), Self.reading(3, 80, 96, .searching), Self.reading(4, nil, 96),
      Self.reading(5, 100, 90), .gap(OximeterGap(from: Self.at(6), to: Self.at(20), cause: .silence)),
      // The line falls silent, which shows only after a while.
      Self.reading(20, 100, 90), .state(.silent, at: Self.at(30)),
    ]
    for event in events { tally.take(event) }
    tally.finish(at: Self.at(60))
    #expect(tally.samples == 2)
    #expect(tally.beats == 1)
    #expect(tally.readings.all == 6)
    #expect(tally.readings.usable == 4)
    #expect(tally.pulseRateBpm.least == 60)
    #expect(tally.pulseRateBpm.greatest == 100)
    // (1 × 60 + 2 × 80 + 1 × 100 + 2.5 × 100) / 6.5
    #expect(tally.pulseRateBpm.mean == 570 / 6.5)
    #expect(tally.usable == .milliseconds(6_500))
    #expect(tally.gaps.count == 1)
    #expect(tally.latest == nil)
  }

  @Test("Nothing has no mean")
  func nothing() {
    let tally = OximeterTally()
    #expect(tally.pulseRateBpm.mean == nil)
    #expect(tally.pulseRateBpm.least == nil)
  }
}
