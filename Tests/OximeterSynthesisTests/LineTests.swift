import OximeterLines
import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterSynthesis

/// What comes over the line of a virtual oximeter, and when.
@Suite struct LineTests {
  /// The same is sent however the time is cut, and again.
  @Test func isTheSameHoweverItIsAsked() {
    let faults = [
      OximeterFault(.garbage, from: at(3), to: at(4)), OximeterFault(.droppedBytes, from: at(5), to: at(9)),
      OximeterFault(.unplugged, from: at(10), to: at(11)), OximeterFault(.wrongSpeed, from: at(13), to: at(14)),
    ]
    func oximeter() -> VirtualOximeter<SyntheticFingertip> {
      VirtualOximeter(.contecV5, tip: SyntheticFingertip(), faults: faults, seed: 5)
    }
    var whole = oximeter()
    let expected = play(.contecV5, &whole, seconds: 20).arrivals
    var generator = SeededGenerator(seed: 3, stream: "cuts")
    for _ in 0..<5 {
      var cut = oximeter()
      var found: [LineArrival] = []
      var limit = Instant.zero
      while limit < at(20) {
        limit = min(limit + TimeSpan(seconds: generator.uniform(in: 0...0.05)), at(20))
        while let arrival = cut.next(before: limit) {
          #expect(arrival.at < limit)
          found.append(arrival)
        }
      }
      #expect(found == expected)
    }
    #expect(zip(expected, expected.dropFirst()).allSatisfy { $0.at <= $1.at })
    var other = VirtualOximeter(.contecV5, tip: SyntheticFingertip(), faults: faults, seed: 6)
    #expect(play(.contecV5, &other, seconds: 20).arrivals != expected)
  }

  /// Nothing comes before the moment that the device names.
  @Test(arguments: [OximeterProtocol.contecV5, .noninASCII], [0, 16])
  func namesItsNextMoment(device: OximeterProtocol, timer: Int64) {
    var settings = OximeterSettings()
    settings.latencyTimer = .milliseconds(timer)
    var oximeter = VirtualOximeter(
      device, tip: SyntheticFingertip(), settings: settings,
      faults: [OximeterFault(.unplugged, from: at(2), to: at(3.1))], seed: 1)
    var steps = 0
    while let moment = oximeter.nextMoment, moment < at(6) {
      #expect(oximeter.next(before: moment) == nil)
      _ = oximeter.next(before: moment + TimeSpan(microseconds: 1))
      steps += 1
    }
    #expect(steps > 100)
  }

  /// Frames come at the rate of the device's own clock, for any timer of the bridge.
  @Test(arguments: [0, 1, 16, 100] as [Int64])
  func comesAtItsRate(timer: Int64) {
    var settings = OximeterSettings()
    settings.latencyTimer = .milliseconds(timer)
    settings.framesPerSecond = 61.2
    settings.clockDriftPpm = 0
    let played = play(.contecV5, seconds: 60, settings: settings)
    #expect((played.bytes.count / 5 - 3_672).magnitude <= 7)
    #expect(played.counts.skipped <= 4)
    let lumps = played.arrivals.map { arrival in
      if case .bytes(let bytes) = arrival.content { bytes.count } else { 0 }
    }
    if timer == 0 {
      #expect(lumps.allSatisfy { $0 == 5 })
    } else {
      // The bridge cuts frames apart.
      #expect(lumps.contains { $0 % 5 != 0 })
      let spacings = zip(played.arrivals, played.arrivals.dropFirst()).map { ($1.at - $0.at).microseconds }
      #expect(spacings.allSatisfy { $0 % (timer * 1_000) == 0 })
    }
  }

  @Test func clockDriftIsAFewTensOfPartsInAMillion() {
    func count(_ drift: Double?, seed: UInt64) -> Int {
      var settings = OximeterSettings()
      settings.clockDriftPpm = drift
      settings.latencyTimer = .zero
      return play(.contecV5, seconds: 1_000, settings: settings, seed: seed).frames.count
    }
    #expect(count(1_000, seed: 1) - count(-1_000, seed: 1) == 120)
    let counts = (0..<4 as Range<UInt64>).map { count(nil, seed: $0) }
    #expect(counts.allSatisfy { ($0 - 60_000).magnitude <= 4 } && Set(counts).count > 1)
  }

  /// What a reader at other settings gets is no frame, and not as many bytes.
  @Test(arguments: [
    LineSettings(baud: 9_600, parity: .none), LineSettings(baud: 19_200, parity: .none),
    LineSettings(baud: 115_200, parity: .none), LineSettings(baud: 4_800, parity: .odd),
    LineSettings(baud: 38_400, parity: .odd), LineSettings(baud: 2_400, parity: .none),
  ])
  func isUnintelligibleAtAnotherSpeed(reader: LineSettings) {
    var oximeter = VirtualOximeter(.contecV5, tip: SyntheticFingertip(), seed: 1)
    oximeter.reader = reader
    let played = play(.contecV5, &oximeter, seconds: 30)
    #expect(played.readings.isEmpty && !played.bytes.isEmpty)
    oximeter.reader = LineSettings(baud: 19_200, parity: .odd)
    var decoder = OximeterProtocol.contecV5.decoder()
    var frames: [OximeterFrame] = []
    while let arrival = oximeter.next(before: at(35)) {
      if case .bytes(let bytes) = arrival.content { decoder.decode(bytes, into: &frames) }
    }
    #expect(frames.count > 280)
  }

  @Test func misreadsAsAPortDoes() {
    func read(_ bytes: [UInt8], _ sent: LineSettings, _ read: LineSettings) -> [UInt8] {
      MisreadLine(sent: sent, read: read).bytes(of: bytes)
    }
    let plain = LineSettings(baud: 9_600, parity: .none)
    let odd = LineSettings(baud: 9_600, parity: .odd)
    let fast = LineSettings(baud: 19_200, parity: .none)
    let all = (0...255).map { UInt8($0) }
    #expect(read(all, plain, plain) == all)
    #expect(read(all, odd, odd) == all)
    // Twice as fast: each bit is seen twice, as 0x55 shows: 0 1 0 1 0 1 0 1 0 1 becomes 0 0 1 1 0 0 1 1 0 0 …,
    // whose second 0 0 is where a stop bit should be.
    #expect(read([0x55], plain, fast) == [0x66, 0x33])
    // Half as fast, and alone on the line: 0 0 0 0 0 0 0 0 0 1 becomes a start bit, three zeros and ones.
    #expect(read([0x00], plain, LineSettings(baud: 4_800, parity: .none)) == [0xf8])
    // A parity bit of one is taken for the stop bit; one of zero is taken for the next start bit.
    #expect(read([0x03], odd, plain) == [0x03])
    #expect(read([0x01], odd, plain) == [0x01, 0xff])
  }
}
