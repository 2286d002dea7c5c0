import PulseAnalysis
import Testing
import VitalsModel

@testable import RecordingAnalysis
@testable import Recordings

@Suite struct WindowTests {
  /// Where windows begin and end, and their frames, at 10 frames a second.
  private func windows(_ seconds: Double, _ request: AnalysisRequest) throws -> String {
    let frames = (0..<Int(seconds * 10)).map {
      FrameSample(captured: Instant(microseconds: Int64($0) * 100_000), red: 1, green: 1, blue: 1)
    }
    let analysis = try analyze(recording(frames), name: "x", request)
    return analysis.windows.map {
      "\(Fixed.shortest($0.from.seconds, places: 3))-\(Fixed.shortest($0.to.seconds, places: 3)):\($0.frames)"
    }.joined(separator: " ")
  }

  @Test func windowsFollowEachOther() throws {
    let rows: [(Double, AnalysisRequest, String)] = [
      (20, AnalysisRequest(), "0-20:200"),
      (20, AnalysisRequest(from: 5), "5-20:150"),
      (20, AnalysisRequest(from: 5, length: 10), "5-15:100"),
      (20, AnalysisRequest(from: 5, length: 100), "5-20:150"),
      (20, AnalysisRequest(window: 10), "0-10:100 10-20:100"),
      // At least half of a window at the end is one, less is left out.
      (25, AnalysisRequest(window: 10), "0-10:100 10-20:100 20-25:50"),
      (24.9, AnalysisRequest(window: 10), "0-10:100 10-20:100"),
      // A shorter part is one, however short.
      (4, AnalysisRequest(window: 10), "0-4:40"),
      (25, AnalysisRequest(window: 10, from: 3, length: 17), "3-13:100 13-20:70"),
      (0.1, AnalysisRequest(), "0-0.033:1"),
    ]
    for (seconds, request, expected) in rows {
      #expect(try windows(seconds, request) == expected, "\(seconds) \(request)")
    }
  }

  @Test func aPartThatBeginsAfterTheEndIsRefused() throws {
    for from in [19.9, 20, 1_000] {
      #expect(throws: RecordingError.self) { try windows(20, AnalysisRequest(from: from)) }
    }
    #expect(try windows(20, AnalysisRequest(from: 19.8)) == "19.8-20:2")
  }

  @Test func aLeftOutRestIsTold() throws {
    let analysis = try analyze(
      recording(pulseFrames(bpm: 60, seconds: 64)), name: "x", AnalysisRequest(window: 30))
    #expect(analysis.notes == ["the last 4.0 s are less than half a window and left out"])
  }

  @Test func aGapIsAWindowWithoutFrames() throws {
    let frames = pulseFrames(bpm: 70, seconds: 20) + pulseFrames(bpm: 70, seconds: 20, from: 60)
    let analysis = try analyze(recording(frames), name: "x", AnalysisRequest(window: 20))
    #expect(analysis.windows.map(\.frames) == [600, 0, 0, 600])
    #expect(analysis.windows.map { $0.measurement.heartRateBpm != nil } == [true, false, false, true])
    #expect(analysis.windows[1].measurement.withheld.count == 7)
    #expect(
      analysis.windows[3].measurement.beats.allSatisfy { $0.at.seconds >= 60 }, "times count from the first frame")
  }

  @Test func framesThatComeLateAreNotUsedAndCounted() throws {
    var frames = pulseFrames(bpm: 70, seconds: 40)
    for index in stride(from: 50, to: frames.count, by: 100) { frames[index] = frames[index - 3] }
    // One that belongs to the window before counts where it came.
    frames[601] = frames[598]
    let analysis = try analyze(recording(frames), name: "x", AnalysisRequest(window: 20))
    #expect(analysis.windows.map(\.setAsideFrames) == [6, 7])
    #expect(analysis.windows.map(\.frames) == [600, 600])
    let back = try analyze(
      recording(pulseFrames(bpm: 70, seconds: 20) + pulseFrames(bpm: 70, seconds: 10)), name: "x", AnalysisRequest())
    #expect(
      back.notes.last
        == "300 of 900 frames are not used, since an earlier one has a later time: was the clock set back?")
  }

  @Test func theMeasuresAreThoseOfTheFramesAlone() throws {
    let frames = pulseFrames(bpm: 72, seconds: 60)
    let analysis = try analyze(recording(frames), name: "x", AnalysisRequest())
    var record = PulseRecord()
    for frame in frames { record.append(frame) }
    #expect(analysis.windows[0].measurement == measurePulse(record))
    #expect((try #require(analysis.windows[0].measurement.heartRateBpm) - 72).magnitude < 0.5)
    #expect(analysis.windows[0].truth == nil)
    #expect(analysis.windows[0].wave == nil)
  }

  @Test func oneColourIsReadUnderItsOwnName() throws {
    let frames = pulseFrames(bpm: 72, seconds: 30).map {
      FrameSample(captured: $0.captured, red: $0.green, green: 0, blue: 0)
    }
    let single = Recording(frames: frames, colours: RecordedColours(red: "ppg", green: nil, blue: nil), notes: [])
    let analysis = try analyze(single, name: "x", AnalysisRequest())
    #expect(analysis.windows[0].channel == "ppg")
    #expect((try #require(analysis.windows[0].measurement.heartRateBpm) - 72).magnitude < 0.5)
    #expect(analysis.notes == ["there is no colour but ppg, so any light is taken for that of a finger"])
  }

  @Test func labelsThatAreWrongAreTold() throws {
    func notes(_ change: (FrameSample) -> FrameSample) throws -> [String] {
      try analyze(recording(pulseFrames(bpm: 70, seconds: 10).map(change)), name: "x", AnalysisRequest()).notes
    }
    #expect(try notes { $0 } == [])
    let blue = try notes { FrameSample(captured: $0.captured, red: $0.blue, green: $0.green, blue: $0.red) }
    #expect(
      blue == [
        "blue is the brightest colour, as it hardly ever is through a finger; are the columns in another order? "
          + "try --columns red=blue,blue=red"
      ])
    let green = try notes { FrameSample(captured: $0.captured, red: $0.green, green: $0.red, blue: $0.blue) }
    #expect(green.first?.hasPrefix("green is the brightest colour") ?? false)
    let small = try notes {
      FrameSample(captured: $0.captured, red: $0.red / 255, green: $0.green / 255, blue: $0.blue / 255)
    }
    #expect(small == ["no colour is above 1; if they are 0 to 1, multiply them by 255"])
    let whole = try notes {
      FrameSample(captured: $0.captured, red: $0.red.rounded(), green: $0.green.rounded(), blue: $0.blue.rounded())
    }
    #expect(whole == ["the means are whole numbers: rounding hides a faint pulse; keep some decimals of them"])
  }

  /// Mean colours of public recordings, some of them with their names mixed up, and of what is no finger.
  @Test func orderOfTheColours() throws {
    let rows: [(red: Double, green: Double, blue: Double, brightest: String?)] = [
      (244.5, 0, 0, nil), (135.4, 25.1, 11.8, nil), (228.2, 30.9, 74.2, nil), (38.3, 84.5, 46.5, nil),
      (31.5, 84.5, 44, nil), (52.7, 51.1, 39.5, nil), (60.7, 57.7, 50.8, nil),
      (39.5, 51.1, 52.7, "blue"), (41.1, 47.7, 51, "blue"), (50.8, 57.7, 60.7, "blue"), (50, 63, 66, "blue"),
      (0, 0, 244.5, "blue"), (0, 244.5, 0, "green"), (74.2, 228.2, 30.9, "green"), (80, 120, 95, "green"),
      // A grey room is none of these.
      (120, 118, 121, nil),
    ]
    for row in rows {
      let frames = pulseFrames(bpm: 70, seconds: 20).map { frame in
        let light = frame.red / 200
        return FrameSample(
          captured: frame.captured, red: row.red * light, green: row.green * light, blue: row.blue * light)
      }
      let notes = try analyze(recording(frames), name: "x", AnalysisRequest()).notes
      #expect(notes.map { String($0.prefix { $0 != " " }) } == [row.brightest].compactMap(\.self), "\(row)")
    }
  }

  @Test func coverageIsOfTheWindow() throws {
    let frames = pulseFrames(bpm: 70, seconds: 15) + pulseFrames(bpm: 70, seconds: 60, from: 60)
    let analysis = try analyze(recording(frames), name: "x", AnalysisRequest(window: 60))
    let (gappy, full) = (analysis.windows[0], analysis.windows[1])
    #expect((0.18...0.25).contains(gappy.coverage) && gappy.measurement.coverage > 0.8)
    #expect(full.coverage > 0.9 && (full.coverage - full.measurement.coverage).magnitude < 0.02)
    #expect(
      analysisJSON(of: gappy, in: analysis, tool: "").contains("\"coverage\":\(Fixed.text(gappy.coverage, places: 4))"))
  }

  @Test func theFilesOwnBeatsAreCountedInEachWindow() throws {
    let beats = (0..<60).map { index in
      RecordedBeat(
        message: index == 30 ? "beat ectopic" : "beat", at: Double(index) + (index.isMultiple(of: 2) ? 0.02 : 0))
    }
    let file = Recording(
      frames: pulseFrames(bpm: 60, seconds: 60), notes: [], beats: beats.compactMap(\.self),
      breaths: stride(from: 1.0, through: 61, by: 4).map { Instant(microseconds: Int64($0 * 1e6)) })
    let analysis = try analyze(file, name: "x", AnalysisRequest(window: 30))
    let first = try #require(analysis.windows[0].truth)
    // Intervals of 980 and 1020 ms in turn.
    #expect((try #require(first.heartRateBpm) - 60 * 29 / 28.98).magnitude < 1e-6)
    #expect((try #require(first.rmssdMs) - 40).magnitude < 1e-6)
    #expect((try #require(first.breathingRatePerMin) - 15).magnitude < 1e-9)
    #expect((try #require(analysis.windows[1].truth?.rmssdMs) - 40).magnitude < 1e-6, "without the ectopic beat")
  }
}

extension RecordedBeat {
  init?(message: String, at seconds: Double) {
    self.init(annotation: message, at: Instant(microseconds: Int64((seconds * 1e6).rounded())))
  }
}
