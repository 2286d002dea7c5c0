import PulseAnalysis
import Testing
import VitalsModel

/// Limits on real fingers: a little above what was measured when they were set, so that a step back shows.
@Suite(.enabled(if: RealRecordings.areHere()))
struct RealRecordingTests {
  @Test func everyFingerIsSeen() throws {
    var recordings: [(String, [FrameSample])] = []
    for number in 1...11 { recordings.append(("strap \(number)", try RealRecordings.strap(number).frames)) }
    for subject in RealRecordings.oximetrySubjects {
      for hand in RealRecordings.hands {
        recordings.append(("\(subject) \(hand)", try RealRecordings.oximetry(subject, hand)))
      }
    }
    var steadyMostly = 0
    for (name, frames) in recordings {
      var analyzer = PulseAnalyzer()
      var contact = 0
      var readable = 0
      var steady = 0
      for frame in frames {
        let update = analyzer.feed(frame)
        if update.hasContact { contact += 1 }
        if update.isReadable { readable += 1 }
        if update.condition == .steady { steady += 1 }
      }
      #expect(Double(contact) >= 0.95 * Double(frames.count), "\(name)")
      #expect(Double(readable) >= 0.65 * Double(frames.count), "\(name)")
      if Double(steady) >= 0.65 * Double(frames.count) { steadyMostly += 1 }
    }
    // Three of them are faint or restless, and a reading should rather not begin there.
    #expect(steadyMostly >= recordings.count - 3)
  }

  @Test func agreesWithAChestStrap() throws {
    var rateErrors: [Double] = []
    var firstMinuteErrors: [Double] = []
    var variationErrors: [Double] = []
    for number in 1...11 {
      let (frames, intervals) = try RealRecordings.strap(number)
      var time = 0.0
      let times =
        [0.0]
        + intervals.map { interval in
          time += interval / 1_000
          return time
        }
      let truth = truth(times)
      let whole = measurement(of: frames)
      if let rate = whole.heartRateBpm { rateErrors.append((rate - truth.heartRateBpm).magnitude) }
      if let rmssd = whole.rmssdMs { variationErrors.append((rmssd - truth.rmssdMs).magnitude) }
      let minute = measurement(of: frames.prefix { $0.captured < Instant.zero + .seconds(60) })
      if let rate = minute.heartRateBpm { firstMinuteErrors.append((rate - truth.heartRateBpm).magnitude) }
    }
    #expect(rateErrors.count == 11)
    #expect(average(rateErrors) <= 0.4)
    #expect(firstMinuteErrors.count == 11)
    #expect(firstMinuteErrors.allSatisfy { $0 < 3 })
    #expect(variationErrors.count >= 9)
    #expect(average(variationErrors) <= 5)
  }

  @Test func agreesWithOximetersAndCapnograph() throws {
    var rateErrors: [Double] = []
    var breathingErrors: [Double] = []
    var windows = 0
    for subject in RealRecordings.oximetrySubjects {
      let reference = try RealRecordings.reference(subject)
      for hand in RealRecordings.hands {
        let frames = try RealRecordings.oximetry(subject, hand)
        for minute in 0..<frames.count / 1_800 {
          let seconds = 60 * minute..<60 * minute + 60
          // The oximeters average, and so trail by nine seconds.
          guard seconds.upperBound + 9 < reference.count else { continue }
          windows += 1
          let result = measurement(of: frames[minute * 1_800..<(minute + 1) * 1_800])
          let pulse = mean(reference[seconds.lowerBound + 9..<seconds.upperBound + 9].map(\.pulse))
          if let rate = result.heartRateBpm, let pulse { rateErrors.append((rate - pulse).magnitude) }
          let breathing = mean(reference[seconds].map(\.breathing))
          if let rate = result.breathingRatePerMin, let breathing {
            breathingErrors.append((rate - breathing).magnitude)
          }
        }
      }
    }
    #expect(rateErrors.count >= windows * 98 / 100)
    #expect(average(rateErrors) <= 0.27)
    #expect(rateErrors.allSatisfy { $0 < 3 })
    #expect(breathingErrors.count >= windows * 4 / 5)
    #expect(average(breathingErrors) <= 1)
  }

  private func average(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }
}
