import PulseAnalysis
import Testing
import VitalsModel

/// What an analyzer said over a record.
struct LiveRun {
  var updates: [PulseUpdate] = []
  var times: [Double] = []
  var beats: [Beat] { updates.compactMap(\.beat) }
  var setAside = 0
  var latest = 0.0

  init(_ frames: [FrameSample]) {
    var analyzer = PulseAnalyzer()
    for frame in frames {
      let update = analyzer.feed(frame)
      updates.append(update)
      times.append(frame.captured.seconds)
      if let beat = update.beat { latest = max(latest, (frame.captured - beat.at).seconds) }
    }
    setAside = analyzer.setAsideFrames
  }

  /// The rates shown once a second from a second on.
  func shownRates(from second: Double) -> [Double?] {
    var rates = LiveRates()
    var shown: [Double?] = []
    var next = second
    for (time, update) in zip(times, updates) {
      if let beat = update.beat { rates.add(beat) }
      guard time >= next else { continue }
      next += 1
      shown.append(rates.heartRateBpm(at: Instant(microseconds: Int64(time * 1e6))))
    }
    return shown
  }

  func share(of condition: SignalCondition, from second: Double) -> Double {
    let late = zip(times, updates).filter { $0.0 >= second }
    return Double(late.count { $0.1.condition == condition }) / Double(late.count)
  }
}

struct LivePulseTests {
  /// Every beat is found once, in time, in order; the finger is steady within 2.5 s and stays so.
  @Test(arguments: [36.0, 40, 50, 60, 75, 90, 104, 120, 150, 180], [24.0, 30, 60])
  func findsEveryBeat(bpm: Double, framesPerSecond: Double) {
    var finger = SyntheticFinger.beating(bpm, spread: 0.02)
    finger.framesPerSecond = framesPerSecond
    finger.jitterSeconds = 0.003
    let (frames, beats) = finger.record()
    let run = LiveRun(frames)
    #expect(run.latest <= 0.6)
    let late = run.beats.filter { $0.at.seconds > 4 }
    let expected = beats.filter { $0 > 4 && $0 < 63 }
    #expect(abs(late.count - expected.count) <= 3, "\(late.count) of \(expected.count)")
    #expect(zip(late.dropFirst(), late).allSatisfy { $0.at > $1.at })
    // The fiducial point lies at one place before the systole.
    let offsets = late.map { beat in expected.map { $0 - beat.at.seconds }.min { $0.magnitude < $1.magnitude } ?? 1 }
    let middle = offsets.sorted()[offsets.count / 2]
    #expect(offsets.count { ($0 - middle).magnitude < 0.04 } >= offsets.count * 9 / 10)
    #expect(run.share(of: .steady, from: 2.5) == 1)
    #expect(run.updates.last?.quality ?? 0 > 0.75)
  }

  @Test(arguments: [15.0, 20, 30], [1, 2, 3] as [UInt64])
  func slowCamerasWillDo(framesPerSecond: Double, seed: UInt64) {
    var finger = SyntheticFinger.beating(72, spread: 0.03)
    finger.framesPerSecond = framesPerSecond
    finger.seed = seed
    let run = LiveRun(finger.record().frames)
    #expect(run.share(of: .steady, from: 3) > 0.98)
    #expect((69...77).contains(run.beats.count))
  }

  @Test func invertedLightGivesTheSameBeats() {
    var finger = SyntheticFinger.beating(70, spread: 0.04)
    let upright = LiveRun(finger.record().frames)
    finger.isInverted = true
    let inverted = LiveRun(finger.record().frames)
    #expect(abs(upright.beats.count - inverted.beats.count) <= 1)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64], [0.03, 0.15, 1])
  func noPulseIsWeak(seed: UInt64, noise: Double) {
    let run = LiveRun(SyntheticFinger(seed: seed, pulse: 0, noise: noise).record().frames)
    #expect(run.share(of: .weak, from: 3) > 0.85)
    #expect(run.updates.allSatisfy { $0.quality ?? 0 < 0.3 })
  }

  /// A pulse that vanishes is called weak within three seconds, however well it repeated before.
  @Test(arguments: [0.005, 0.015, 0.04], [1, 2, 3, 4, 5] as [UInt64])
  func aPulseThatVanishesIsWeak(pulse: Double, seed: UInt64) {
    var finger = SyntheticFinger.beating(70, spread: 0.03)
    finger.seed = seed
    finger.pulse = pulse
    finger.ebb = 2
    finger.height = { (20..<32).contains($0) ? 0 : 1 }
    let run = LiveRun(finger.record().frames)
    let gone = zip(run.times, run.updates).filter { (24..<32).contains($0.0) }
    #expect(gone.allSatisfy { $0.1.condition == .weak })
    // It must repeat over four seconds, and beat for as long as it did before.
    #expect(run.share(of: .steady, from: 38) > 0.98)
  }

  @Test func constantLightIsWeak() {
    let run = LiveRun(SyntheticFinger(pulse: 0, noise: 0).record().frames)
    #expect(run.share(of: .weak, from: 2) == 1)
    #expect(run.updates.allSatisfy { ($0.quality ?? 0).isFinite })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func motionIsUnsteady(seed: UInt64) {
    var finger = SyntheticFinger(seed: seed)
    finger.disturb = { time, light in
      guard (20..<30).contains(time) else { return }
      var jolt = SeededGenerator(seed: UInt64(time * 6) &+ seed, stream: "jolt")
      light *= 1 + 0.06 * jolt.gaussian()
    }
    let run = LiveRun(finger.record().frames)
    let moving = zip(run.times, run.updates).filter { (21..<30).contains($0.0) }
    #expect(moving.count { $0.1.condition == .unsteady } > moving.count * 9 / 10)
    // A pulse must repeat over four seconds, and that is looked at twice a second.
    #expect(run.share(of: .steady, from: 34.5) == 1)
  }

  /// Steady means readable, and a pulse that is disturbed is readable for longer than it is steady.
  @Test func whatIsSteadyIsReadable() {
    var finger = SyntheticFinger.beating(72)
    finger.disturb = { time, light in
      guard (20..<22).contains(time) else { return }
      light *= 1 + 0.02 * Maths.sin(2 * .pi * 0.8 * time)
    }
    let run = LiveRun(finger.record().frames)
    #expect(run.updates.allSatisfy { $0.condition != .steady || $0.isReadable })
    #expect(run.updates.count { $0.isReadable } > run.updates.count { $0.condition == .steady })
  }

  /// Every second beat is premature, and its pulse weak; the rate shown is that of all beats.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func bigeminyIsNotHalved(seed: UInt64) {
    var finger = SyntheticFinger(seed: seed)
    finger.dicrotic = 0.2
    finger.interval = { number, _, generator in (number % 2 == 0 ? 0.6 : 1.2) * (1 + 0.02 * generator.gaussian()) }
    let shown = LiveRun(finger.record().frames).shownRates(from: 12).compactMap(\.self)
    #expect(shown.count > 45)
    #expect(shown.count { ($0 - 66.7).magnitude < 5 } >= shown.count * 9 / 10, "\(shown)")
  }

  @Test func anExposureStepIsASecondOfUnsteadiness() {
    var finger = SyntheticFinger.beating(72)
    finger.disturb = { time, light in if time > 20 { light *= 0.75 } }
    let run = LiveRun(finger.record().frames)
    let after = zip(run.times, run.updates).filter { $0.0 > 20 && $0.1.condition != .steady }.map(\.0)
    #expect(after.count > 10 && after.allSatisfy { $0 < 22.5 })
    #expect(run.beats.count { !$0.isClean } <= 5)
  }

  /// Frames that do not move forward are set aside and change nothing.
  @Test func repeatedAndBackwardTimesAreSetAside() {
    let frames = SyntheticFinger.beating(72).record().frames
    var doubled: [FrameSample] = []
    for (index, frame) in frames.enumerated() {
      doubled.append(frame)
      if index % 100 == 99 { doubled.append(frame) }
      if index % 500 == 499 {
        let back = frame.captured - .milliseconds(50)
        doubled.append(FrameSample(captured: back, red: 9, green: 200, blue: 9))
      }
    }
    let plain = LiveRun(frames)
    let disturbed = LiveRun(doubled)
    #expect(disturbed.setAside == doubled.count - frames.count)
    #expect(plain.beats == disturbed.beats)
    #expect(disturbed.updates.count { !$0.isAccepted } == disturbed.setAside)
  }

  /// A pause: how long, seconds, and whether a beat after it may be linked to one before.
  @Test(arguments: [(0.5, true), (0.9, true), (1.6, false), (5.0, false)])
  func pauses(seconds: Double, isLinked: Bool) {
    let frames = SyntheticFinger.beating(72).record().frames.filter {
      !(20..<20 + seconds).contains($0.captured.seconds)
    }
    let run = LiveRun(frames)
    #expect(run.beats.count { !$0.isLinked } == (isLinked ? 1 : 2))
    #expect(run.beats.last?.at.seconds ?? 0 > 62)
  }

  /// A frame of the room at the end of a pause does not hide the pause.
  @Test func aPauseThatEndsInAStrayFrame() {
    let frames = SyntheticFinger.beating(72).record().frames.compactMap { frame -> FrameSample? in
      let time = frame.captured.seconds
      if (20..<25).contains(time) { return nil }
      let later = frame.captured + .seconds(time < 20 ? 0 : 3_000)
      let isStray = (25..<25.03).contains(time)
      return FrameSample(
        captured: later, red: isStray ? 110 : frame.red, green: isStray ? 108 : frame.green,
        blue: isStray ? 102 : frame.blue)
    }
    let run = LiveRun(frames)
    #expect(run.beats.count { !$0.isLinked } == 2)
    #expect(!run.beats.contains { (21..<3_025).contains($0.at.seconds) })
  }

  @Test func contactLostBreaksTheLink() {
    var finger = SyntheticFinger.beating(72)
    finger.disturb = { time, light in if time >= 20, time < 22 { light = SIMD3(110, 108, 102) } }
    let run = LiveRun(finger.record().frames)
    #expect(run.beats.count { !$0.isLinked } == 2)
    #expect(!run.beats.contains { (20.1..<22.1).contains($0.at.seconds) })
  }

  @Test func sameFramesSameAnswer() {
    let frames = SyntheticFinger.beating(66, spread: 0.05).record().frames
    #expect(LiveRun(frames).beats == LiveRun(frames).beats)
  }
}

struct LiveRatesTests {
  private func rates(_ intervalsMs: [Int64], clean: (Int) -> Bool = { _ in true }) -> (LiveRates, Instant) {
    var rates = LiveRates()
    var at = Instant.zero
    rates.add(Beat(at: at, isClean: true, isLinked: false, isAlike: true))
    for (index, interval) in intervalsMs.enumerated() {
      at = at + .milliseconds(interval)
      rates.add(Beat(at: at, isClean: clean(index), isLinked: true, isAlike: clean(index)))
    }
    return (rates, at)
  }

  @Test(
    arguments: [
      ([], nil), ([800], nil), ([800, 800, 800], 75.0), ([800, 800, 1_600, 800, 800], 75.0),
      ([1_000, 1_000, 400, 600, 1_000, 1_000], 60.0), ([Int64](repeating: 1_000, count: 30) + [500, 500, 500], 60.0),
      // Once four intervals agree, the heart has changed.
      ([Int64](repeating: 1_000, count: 30) + [500, 500, 500, 510], 60_000 / 502.5),
      ([Int64](repeating: 500, count: 30) + [900, 900, 900, 900], 60_000 / 900.0),
      // Every second beat premature: all count.
      ([500, 1_100, 500, 1_100, 500, 1_100, 500, 1_100], 75.0),
    ] as [([Int64], Double?)])
  func heartRate(intervals: [Int64], expected: Double?) {
    let (rates, now) = rates(intervals)
    #expect(rates.heartRateBpm(at: now) == expected)
    #expect(rates.heartRateBpm(at: now + .seconds(5)) == nil)
  }

  /// Intervals between pulses that look like none before are those of a finger that moves, and change no rate at once.
  @Test func unlikePulsesChangeNoRate() {
    let (rates, now) = rates([Int64](repeating: 1_000, count: 30) + [500, 500, 500, 500]) { $0 < 30 }
    #expect(rates.heartRateBpm(at: now) == 60)
  }

  @Test func rmssdTakesCleanPairsOnly() {
    let steady = rates((0..<20).map { $0 % 2 == 0 ? 800 : 840 })
    #expect(steady.0.rmssdMs(at: steady.1) == 40)
    let spoiled = rates((0..<20).map { $0 == 10 ? 1_600 : $0 % 2 == 0 ? 800 : 840 }) { $0 != 10 }
    #expect(spoiled.0.rmssdMs(at: spoiled.1) == 40)
    let few = rates([800, 840, 800])
    #expect(few.0.rmssdMs(at: few.1) == nil)
  }
}
