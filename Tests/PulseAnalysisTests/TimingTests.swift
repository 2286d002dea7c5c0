import Testing
import VitalsModel

@testable import PulseAnalysis

/// Heart rate and beat times: how near to the truth, at which frame rates and noise, and at the ends of a record.
struct TimingTests {
  @Test(arguments: [15.0, 20, 24, 30, 60], [36.0, 45, 60, 90, 120, 150, 180])
  func heartRate(framesPerSecond: Double, bpm: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(bpm, spread: 0.02)
      finger.framesPerSecond = framesPerSecond
      finger.jitterSeconds = seed == 2 ? 0.004 : 0
      finger.seed = seed
      let (frames, beats) = finger.record()
      let rate = try #require(measurement(of: frames).heartRateBpm, "seed \(seed)")
      #expect((rate - truth(beats).heartRateBpm).magnitude < 0.5, "seed \(seed)")
    }
  }

  /// Ten seconds hold few beats of a slow heart; they are nearly all there are.
  @Test(arguments: [40.0, 45, 50, 60, 75, 120])
  func tenSeconds(bpm: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(bpm, spread: 0.02)
      finger.seconds = 10
      finger.seed = seed
      let (frames, beats) = finger.record()
      let rate = try #require(measurement(of: frames).heartRateBpm, "seed \(seed)")
      #expect((rate - truth(beats).heartRateBpm).magnitude < 1, "seed \(seed)")
    }
  }

  /// Every beat but those whose rise is cut off by an end, within 50 ms, and nothing else.
  @Test(arguments: [36.0, 50, 66, 90, 140, 190], [24.0, 30, 60])
  func beats(bpm: Double, framesPerSecond: Double) throws {
    var finger = SyntheticFinger.beating(bpm, spread: 0.02)
    finger.framesPerSecond = framesPerSecond
    finger.noise = 0.05
    let (frames, feet) = finger.record()
    let times = measurement(of: frames).beats.map { Double($0.at.microseconds) * 1e-6 }
    let inner = feet.filter { (0.15..<finger.seconds - 0.35 * (60 / bpm) - 0.15).contains($0) }
    // A beat is where its pulse is steepest, which comes after the foot by a share of the interval.
    let late = try #require(times.map { $0 - inner[1] }.min { $0.magnitude < $1.magnitude })
    #expect((-0.03..<0.15).contains(late))
    for foot in inner {
      #expect(times.contains { ($0 - foot - late).magnitude < 0.05 }, "the beat at \(foot) s is missing")
    }
    for time in times {
      #expect(feet.contains { (time - $0 - late).magnitude < 0.05 }, "there is no beat at \(time) s")
    }
  }

  /// What is said of the noise of beat times is what it is, whatever the pulse and the frame rate.
  @Test(arguments: [0.005, 0.01, 0.02], [24.0, 30, 60])
  func noiseOfBeatTimes(pulse: Double, framesPerSecond: Double) {
    var said = 0.0
    var squares = 0.0
    var number = 0.0
    for seed in 1...8 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(66)
      finger.pulse = pulse
      finger.framesPerSecond = framesPerSecond
      finger.seed = seed
      var record = PulseRecord()
      for frame in finger.record().frames { record.append(frame) }
      let reading = RecordReading(record)
      said += reading.timingVarianceMs2 / 8
      let times = measurePulse(record).beats.map { 1e-3 * Double($0.at.microseconds) }
      // Of an even beat the second difference of times holds the noise of one six times.
      for index in times.indices.dropFirst(2) {
        let difference = times[index] - 2 * times[index - 1] + times[index - 2]
        squares += difference * difference / 6
        number += 1
      }
    }
    let ratio = (said / (squares / number)).squareRoot()
    #expect((0.8...1.3).contains(ratio), "\(ratio) of \((squares / number).squareRoot()) ms")
  }

  /// Frames captured evenly and stamped as they are handed over: the waits must not be in the beats.
  @Test func stampsThatWaitAreNotBelieved() throws {
    var error = 0.0
    for seed in 1...10 as ClosedRange<UInt64> {
      var finger = SyntheticFinger.beating(66, spread: 0.02)
      finger.seed = seed
      let (even, beats) = finger.record()
      var waits = SeededGenerator(seed: seed, stream: "waits")
      let frames = even.map { frame in
        let wait = 50_000 + 10_000 * min(max(waits.gaussian(), -3), 3)
        return FrameSample(
          captured: frame.captured + TimeSpan(microseconds: Int64(wait.rounded())), red: frame.red, green: frame.green,
          blue: frame.blue)
      }
      error += (try #require(measurement(of: frames).rmssdMs) - truth(beats).rmssdMs) / 10
    }
    #expect(error.magnitude < 2.5, "\(error) ms")
  }

  /// Frames captured at odd moments, and stamped so: the stamps are right, and an even clock would be wrong.
  @Test func stampsThatTheLightFollowsAreBelieved() throws {
    var finger = SyntheticFinger.beating(66, spread: 0.02)
    finger.jitterSeconds = 0.008
    var error = 0.0
    for seed in 1...10 as ClosedRange<UInt64> {
      finger.seed = seed
      let (frames, beats) = finger.record()
      error += (try #require(measurement(of: frames).rmssdMs) - truth(beats).rmssdMs) / 10
    }
    #expect(error.magnitude < 2.5, "\(error) ms")
  }

  /// A beat that rides on light that rises by itself is still a rise beside what goes on around it.
  @Test(arguments: [40.2, 40.4, 40.6, 40.8])
  func aBeatHidesInNoDrift(from start: Double) throws {
    var finger = SyntheticFinger.beating(70, spread: 0.01)
    finger.disturb = { time, light in light *= 1 + 0.05 * min(max((time - start) / 1.6, 0), 1) }
    let (frames, beats) = finger.record()
    let result = measurement(of: frames)
    #expect(result.beats.count == beats.count || result.beats.count == beats.count - 1)
    #expect((try #require(result.heartRateBpm) - truth(beats).heartRateBpm).magnitude < 0.3)
  }
}
