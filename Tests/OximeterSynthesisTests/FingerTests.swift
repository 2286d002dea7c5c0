import OximeterProtocols
import PulseSynthesis
import Testing
import VitalsModel

@testable import OximeterSynthesis

/// What a device says of the finger that it sees.
@Suite struct FingerTests {
  private struct Said {
    let at: Double
    let rate: ClosedRange<Int>?
    let flags: OximeterFlags

    init(_ at: Double, _ rate: ClosedRange<Int>?, _ flags: OximeterFlags = []) {
      (self.at, self.rate, self.flags) = (at, rate, flags)
    }
  }

  private func check(_ name: String, _ rows: [Said], of readings: [(at: Instant, reading: OximeterReading)]) {
    for row in rows {
      let reading = readings.last { $0.at < at(row.at) }?.reading
      #expect(reading?.flags == row.flags, "\(name) at \(row.at) s")
      let rate = reading?.pulseRateBpm
      #expect(rate.map { row.rate?.contains($0) ?? false } ?? (row.rate == nil), "\(name) at \(row.at) s: \(rate ?? 0)")
      #expect((reading?.spo2Percent == nil) == (row.rate == nil), "\(name) at \(row.at) s")
    }
  }

  /// What the sensor says, before a protocol leaves out what it cannot carry.
  private func check(
    _ name: String, _ tip: SyntheticFingertip, _ rows: [Said], like device: OximeterProtocol = .contecV5
  ) {
    var tip = tip
    var sensor = OximeterSensor(OximeterFamily(device), settings: OximeterSettings(), samplesPerSecond: 60)
    let readings = (1...Int(60 * (rows.last?.at ?? 0))).map { index in
      let now = at(Double(index) / 60)
      return (now, sensor.moment(of: tip.look(at: now), at: now).reading)
    }
    check(name, rows, of: readings)
  }

  /// What is read of a device with faults.
  private func check(_ name: String, _ faults: [OximeterFault], _ rows: [Said]) {
    check(name, rows, of: play(.contecV5, seconds: 60, faults: faults).readings)
  }

  @Test func saysWhatHappens() {
    check("still", SyntheticFingertip(), [Said(2, nil, .searching), Said(8, 64...68), Said(30, 64...68)])
    check(
      "gone and back", SyntheticFingertip(changes: [(20, .contact(false)), (25, .contact(true))]),
      [
        Said(20.05, 64...68), Said(20.4, nil, .fingerOut), Said(24, nil, .fingerOut), Said(26, nil, .searching),
        Said(28, nil, .searching), Said(33, 63...69),
      ])
    check(
      "held by its family", SyntheticFingertip(changes: [(20, .contact(false))]),
      [Said(21, 63...69, .fingerOut), Said(29.5, 63...69, .fingerOut), Said(31, nil, .fingerOut)], like: .noninDF8)
    check(
      "without a pulse", SyntheticFingertip(changes: [(20, .pulse(false)), (40, .pulse(true))]),
      [
        Said(23, 64...68), Said(26, 64...68, [.searching, .lowPerfusion]),
        Said(32, nil, [.searching, .lowPerfusion]), Said(50, 64...68),
      ])
    check(
      "restless", SyntheticFingertip(changes: [(20, .motion(.fidgeting)), (40, .motion(.still))]),
      [
        Said(22, 64...68, .artifact), Said(26, 64...68, [.searching, .artifact]),
        Said(35, nil, [.searching, .artifact]),
        Said(50, 64...68),
      ])
    check("faint", SyntheticFingertip(perfusion: 0.3), [Said(20, 64...68, .lowPerfusion)])
    check("too faint", SyntheticFingertip(perfusion: 0.03), [Said(20, nil, [.searching, .lowPerfusion])])
    check("fast", SyntheticFingertip(bpm: 180, rmssdMs: 10), [Said(10, 178...182)])
    check("slow", SyntheticFingertip(bpm: 40), [Said(15, 38...42)])
  }

  /// A mean of eight seconds follows a step of the heart rate slowly, and arrives.
  @Test func followsTheHeart() throws {
    let tip = SyntheticFingertip(bpm: 60, rmssdMs: 5, changes: [(30, .rate(120))])
    let played = play(.contecV5, tip, seconds: 60)
    let soon = try #require(played.reading(before: 35)?.pulseRateBpm)
    #expect((70...110).contains(soon), "\(soon)")
    #expect(played.reading(before: 42)?.pulseRateBpm.map { (118...122).contains($0) } ?? false)
  }

  @Test func faultsOfTheFinger() {
    check(
      "out", [OximeterFault(.fingerOut, from: at(20), to: at(30))],
      [Said(19, 64...68), Said(21, nil, .fingerOut), Said(40, 63...69)])
    check(
      "held", [OximeterFault(.held, from: at(20), to: at(60))],
      [Said(21, 64...68, .fingerOut), Said(29.5, 64...68, .fingerOut), Said(31, nil, .fingerOut)])
  }

  @Test func heldValuesAreStale() {
    let held = play(.contecV5, seconds: 25, faults: [OximeterFault(.held, from: at(20))])
    #expect(held.reading(before: 22)?.isStale == true)
    #expect(held.reading(before: 19)?.isStale == false)
  }

  /// A frozen device says the same, whatever the finger does, and goes on with what is so then.
  @Test func frozenStandsStill() {
    let tip = SyntheticFingertip(changes: [(25, .contact(false))])
    let played = play(.contecV5, tip, seconds: 40, faults: [OximeterFault(.frozen, from: at(20), to: at(35))])
    let still = played.frames.filter { (at(20.1)...at(34.9)).contains($0.at) }.map(\.frame)
    #expect(still.count > 800)
    #expect(Set(still.map(\.pleth)).count == 1 && Set(still.map(\.reading)).count == 1)
    #expect(!still.contains { $0.isBeat })
    #expect(played.reading(before: 30)?.isUsable == true)
    #expect(played.reading(before: 36)?.flags == .fingerOut)
  }

  /// Each beat is marked once, a fixed time after its foot.
  @Test func marksEachBeat() throws {
    var oximeter = VirtualOximeter(.contecV5, tip: SyntheticFingertip(), seed: 1)
    let played = play(.contecV5, &oximeter, seconds: 60)
    // A decoder may give a frame later than its bytes come.
    let marks = played.frames.filter(\.frame.isBeat).map { played.times[$0.frame.end - 1] }
    let feet = oximeter.tip.scene.truth.beats.map(\.foot).filter { at(0.5) <= $0 && $0 < at(59.7) }
    #expect(marks.count == feet.count)
    for (mark, foot) in zip(marks, feet) {
      // A frame is up to 17 ms late, its bytes take 3 ms, and their lump up to 16 ms.
      #expect((200...240).contains((mark - foot).milliseconds), "\((mark - foot).milliseconds)")
    }
  }

  /// The wave is upright, uses its range and is not cut off, for any perfusion and skin.
  @Test(arguments: [0.2, 2, 15])
  func waveFillsItsRange(perfusion: Double) throws {
    var oximeter = VirtualOximeter(.contecV5, tip: SyntheticFingertip(perfusion: perfusion), seed: 1)
    let played = play(.contecV5, &oximeter, seconds: 60)
    let frames = played.frames.filter { $0.at >= at(15) }
    let waves = frames.compactMap(\.frame.pleth).sorted()
    #expect(waves[waves.count / 100] >= 3 && waves[waves.count * 99 / 100] <= 99)
    #expect(waves[waves.count * 99 / 100] - waves[waves.count / 100] > 45)
    // The top of the wave follows the foot: the light is turned over.
    for beat in oximeter.tip.scene.truth.beats where at(20) < beat.foot && beat.foot < at(55) {
      func wave(_ moment: Instant) -> Int { played.frames.first { $0.at >= moment }?.frame.pleth ?? 0 }
      #expect(wave(beat.peak + .milliseconds(20)) > wave(beat.foot + .milliseconds(20)) + 25)
    }
  }
}
