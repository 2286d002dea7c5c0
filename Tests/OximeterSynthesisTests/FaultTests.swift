import OximeterLines
import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterSynthesis

/// What goes wrong goes wrong for its time, and is over then.
@Suite struct FaultTests {
  @Test func silenceSendsNothing() {
    let played = play(.contecV5, seconds: 30, faults: [OximeterFault(.silent, from: at(10), to: at(20))])
    #expect(played.hasBytes(9.9, 10) && !played.hasBytes(10.05, 20) && played.hasBytes(20, 20.05))
    // It has gone on seeing: the pulse is not looked for again.
    #expect(played.reading(before: 20.2)?.isUsable == true)
  }

  @Test func garbageIsNoFrame() {
    let played = play(.contecV5, seconds: 30, faults: [OximeterFault(.garbage, from: at(10), to: at(20))])
    #expect(!played.frames.contains { (at(10.1)..<at(20)).contains($0.at) })
    #expect(played.hasBytes(15, 15.1) && played.reading(before: 20.3)?.isUsable == true)
    let bytes = zip(played.bytes, played.times).filter { (at(11)..<at(19)).contains($0.1) }.map(\.0)
    #expect(Set(bytes).count == 256)
  }

  /// The usual share is one byte in a hundred.
  @Test(arguments: [(OximeterFault.Kind.droppedBytes, -0.01), (.doubledBytes, 0.01), (.droppedBytes, -0.3)])
  func losesAndDoublesItsShare(kind: OximeterFault.Kind, change: Double) {
    let fault = OximeterFault(kind, from: at(10), sharePercent: 100 * change.magnitude)
    let (clean, played) = (play(.contecV5, seconds: 110), play(.contecV5, seconds: 110, faults: [fault]))
    let expected = Double(clean.bytes.count) + change * 30_000
    #expect((Double(played.bytes.count) - expected).magnitude <= 0.15 * change.magnitude * 30_000)
    #expect(OximeterFault(kind, from: .zero).sharePercent == 1)
  }

  @Test func pulledOutAndPutIn() throws {
    let faults = [
      OximeterFault(.unplugged, from: at(10), to: at(12)), OximeterFault(.unplugged, from: at(11), to: at(15)),
      OximeterFault(.unplugged, from: at(20)), OximeterFault(.unplugged, from: at(22), to: at(23)),
    ]
    var settings = OximeterSettings()
    settings.port = "usb-1"
    let played = play(.contecV5, seconds: 60, settings: settings, faults: faults)
    let plugs = played.arrivals.filter { arrival in
      if case .bytes = arrival.content { false } else { true }
    }
    #expect(
      plugs == [
        LineArrival(at: at(10), .lost), LineArrival(at: at(15), .returned(port: "usb-1")),
        LineArrival(at: at(20), .lost),
      ])
    #expect(!played.hasBytes(10, 15.2) && played.hasBytes(15.25, 15.4) && !played.hasBytes(20, 60))
    // It begins anew.
    #expect(played.reading(before: 16)?.flags == .searching)
  }

  @Test func endsWithWhatItSees() {
    var tip = SyntheticFingertip()
    tip.end = at(12)
    let played = play(.contecV5, tip, seconds: 60)
    #expect(played.arrivals.last?.content == .ended)
    #expect(played.arrivals.dropLast().allSatisfy { $0.content != .ended })
    #expect(played.bytes.count % 5 == 0 && (played.bytes.count / 5 - 719).magnitude <= 1)
  }

  @Test func whatCannotBeIsRefused() {
    func check(_ fault: OximeterFault, on device: OximeterProtocol = .contecV5, _ part: String?) {
      let reason = fault.contradiction(on: device)
      #expect(part.map { reason?.contains($0) ?? false } ?? (reason == nil), "\(reason ?? "none")")
    }
    check(OximeterFault(.silent, from: at(1), to: at(2)), nil)
    check(OximeterFault(.silent, from: at(-1)), "begins")
    check(OximeterFault(.silent, from: at(1), to: at(1)), "more than no time")
    check(OximeterFault(.droppedBytes, from: at(1), sharePercent: 0), "share of bytes of 0 %")
    check(OximeterFault(.droppedBytes, from: at(1), sharePercent: .nan), "share of bytes")
    check(OximeterFault(.doubledBytes, from: at(1), sharePercent: 100), nil)
    check(OximeterFault(.doubledBytes, from: at(1), sharePercent: 101), "up to 100 %")
    check(OximeterFault(.keepAliveLost, from: at(1)), "contec-v5 has no keep-alive")
    check(OximeterFault(.keepAliveLost, from: at(1)), on: .contecV7, nil)
  }

  @Test func settingsThatCannotBeAreRefused() {
    func check(_ part: String?, on device: OximeterProtocol = .contecV5, _ change: (inout OximeterSettings) -> Void) {
      var settings = OximeterSettings()
      change(&settings)
      let reason = settings.contradiction(on: device)
      #expect(part.map { reason?.contains($0) ?? false } ?? (reason == nil), "\(reason ?? "none")")
    }
    check(nil) { _ in }
    check("an SpO2 of 101 %: 1 to 100 % are possible") { $0.spo2Percent = 101 }
    check("an SpO2 of 0 %") { $0.spo2Percent = 0 }
    check("a rate of 63 per second: 57.6 to 62.4") { $0.framesPerSecond = 63 }
    check(nil) { $0.framesPerSecond = 58 }
    check("a clock drift") { $0.clockDriftPpm = 1_001 }
    check("a delay of the beat's mark") { $0.markDelay = .milliseconds(1_001) }
    check("a latency timer of 256 ms") { $0.latencyTimer = .milliseconds(256) }
    check("a keep-alive time of 0.5 s") { $0.keepAlive = .milliseconds(500) }
    check(nil) { $0.line = LineSettings(baud: 4_800, parity: .odd) }
    check("a line of 9600 8N1: contec-v5 has 19200 8O1 or 4800 8O1") {
      $0.line = LineSettings(baud: 9_600, parity: .none)
    }
    check("is read rightly") { $0.wrongReader = LineSettings(baud: 19_200, parity: .odd) }
    check("a speed of 100 baud") { $0.wrongReader = LineSettings(baud: 100, parity: .none) }
  }
}
