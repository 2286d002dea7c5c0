import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct ContecV7Tests {
  @Test func verifies() {
    DecoderVerifier(.contecV7).verify(DeviceStream.encoded(.contecV7, frames: 400))
  }

  @Test func verifiesWithAnswersInBetween() {
    var stream = DeviceStream.encoded(.contecV7, frames: 90)
    let answers = (ContecV7Answer.model("50D(A)+") ?? []) + ContecV7Answer.perfusionIndex(isSupported: true)
    stream.insert(contentsOf: answers, at: 9 * 40)
    DecoderVerifier(.contecV7).verify(stream)
  }

  /// A device whose perfusion index is another in each packet, or each third.
  @Test(arguments: [1, 2, 3]) func readsPerfusionIndexThatMoves(every count: Int) {
    let moments = DeviceStream.moments(400, framesPerSecond: 60).enumerated().map { index, moment in
      var moment = moment
      if moment.reading.pulseRateBpm != nil { moment.reading.perfusionIndexHundredths = 300 + index / count % 90 }
      return moment
    }
    let stream = moments.flatMap { ContecV7Encoder().encode($0) }
    DecoderVerifier(.contecV7).verifyCuts(stream)
    var decoder = OximeterProtocol.contecV7.decoder()
    let frames = decoder.decode(stream)
    #expect(frames.map(\.reading) == moments.prefix(frames.count).map(\.reading))
    #expect(frames.count >= 398)
  }

  @Test func makesNothingOfGarbage() {
    DecoderVerifier(.contecV7).verifyNothingOfGarbage()
    DecoderVerifier(.contecV7).verifyNothingAtOtherSpeeds(DeviceStream.encoded(.contecV7, frames: 400))
  }

  /// What a device answers that does not stream, from a capture of a CMS50D+ in a public reader written in Pascal.
  @Test func tellsWhoItIs() {
    check("0c 80", [])
    check("02 80 80 b5 b0 c4 a8 c1 a9", [.model("50D(A)")])
    check("02 81 ff ab a0 a0 a0 a0 a0", [.model("+")])
    check("03 80 a0 a0 a0 a0 a0 a0 a0", [.vendor("")])
    check("04 80 f5 f3 e5 f2 a0 a0 a0", [.deviceID("user")])
    check(
      "0c 80 02 80 80 b5 b0 c4 a8 c1 a9 02 81 ff ab a0 a0 a0 a0 a0 03 80 a0 a0 a0 a0 a0 a0 a0 04 80 f5 f3 e5 f2 a0 a0 a0"
        + "0c 80 11 80 81 81 80 80 80 80 80 06 80 80 87",
      [
        .model("50D(A)"), .model("+"), .vendor(""), .deviceID("user"), .acknowledged(true),
        .packet(type: 0x11, payload: [1, 1, 0, 0, 0, 0, 0]), .packet(type: 0x06, payload: [0, 7]),
      ])
    // With the end of another packet before it, the first must be confirmed by those after it.
    check("ff ff 04 80 f5 f3 e5 f2 a0 a0 a0", [])
    check("ff ff 02 80 80 b5 b0 c4 a8 c1 a9 02 81 ff ab a0 a0 a0 a0 a0", [.model("+")])
    // Not a text.
    check("04 80 81 f3 e5 f2 a0 a0 a0", [])
    check("04 83 f5 f3 e5 f2 a0 a0 a0", [])
  }

  /// Every type of packet once, in a stream: each is known, and sync is kept.
  @Test(arguments: [
    ("02 81 ff ab a0 a0 a0 a0 a0", DeviceAnswer.model("+")),
    ("03 80 c3 cf ce d4 c5 c3 80", .vendor("CONTEC")),
    ("04 80 f5 f3 e5 f2 a0 a0 a0", .deviceID("user")),
    ("05 80 80 f5 f3 e5 f2 80 80", .packet(type: 0x05, payload: [0, 0x75, 0x73, 0x65, 0x72, 0, 0])),
    ("06 80 80 87", .packet(type: 0x06, payload: [0, 7])),
    ("07 80 80 80 94 9a 8b 9e", .packet(type: 0x07, payload: [0, 0, 20, 26, 11, 30])),
    ("08 80 80 80 be 80 80 80", .packet(type: 0x08, payload: [0, 0, 62, 0, 0, 0])),
    ("09 84 e2 c6 f0 81", .packet(type: 0x09, payload: [98, 70, 0xf0, 1])),
    ("0a 80 80 81", .packet(type: 0x0a, payload: [0, 1])),
    ("0b 81 81 85", .acknowledged(false)),
    ("0b 81 b1 80", .acknowledged(true)),
    ("0c 80", .acknowledged(true)),
    ("0d 80 81", .disconnecting(reason: 1)),
    ("0e 80 81", .packet(type: 0x0e, payload: [1])),
    ("0f 80 e2 c6 e2 c6 e2 c7", .packet(type: 0x0f, payload: [98, 70, 98, 70, 98, 71])),
    ("10 80 81", .packet(type: 0x10, payload: [1])),
    ("11 80 81 81 80 80 80 80 80", .packet(type: 0x11, payload: [1, 1, 0, 0, 0, 0, 0])),
    ("12 80 80 80 95 84 8a 80", .packet(type: 0x12, payload: [0, 0, 21, 4, 10, 0])),
    ("13 80 a0 a0 a0 a0 a0 a0 a0", .packet(type: 0x13, payload: [32, 32, 32, 32, 32, 32, 32])),
    ("14 80 a0 a0 a0 a0 a0 80 80", .packet(type: 0x14, payload: [32, 32, 32, 32, 32, 0, 0])),
    ("15 84 80 80 a1 80 80 80 80", .packet(type: 0x15, payload: [0, 0, 0xa1, 0, 0, 0, 0])),
  ]) func knowsPacket(_ text: String, _ answer: DeviceAnswer) {
    let live = bytes("01 e0 85 b3 96 c1 e1 ff ff")
    let packet = bytes(text)
    var decoder = OximeterProtocol.contecV7.decoder()
    let frames = decoder.decode(live + live + live + packet + live)
    #expect(frames.map(\.end) == [9, 18, 27, 27 + packet.count, 36 + packet.count])
    #expect(frames.compactMap(\.answer) == [answer])
    #expect(decoder.counts.good == 5 && decoder.counts.skipped == 0)
  }

  /// One wrong bit makes a live packet one of another type; it is none.
  @Test func isNotFooledByTheType() {
    let live = bytes("01 e0 85 b3 96 c1 e1 ff ff")
    for bit in 0..<8 {
      var garbled = live
      garbled[0] ^= 1 << UInt8(bit)
      var decoder = OximeterProtocol.contecV7.decoder()
      let frames = decoder.decode(live + live + live + garbled + live + live + live)
      #expect(frames.compactMap(\.answer) == [], "bit \(bit)")
      #expect(frames.compactMap(\.reading).count == 6, "bit \(bit)")
    }
  }

  @Test func unwrapsCommands() {
    for command in ContecV7Command.plain + [
      .setDeviceID(Array("bench 1".utf8)), .other(code: 0xb1, parameters: [21, 4, 200, 0, 0, 255]),
    ] {
      check(command.bytes, [command])
    }
    check(bytes("7d 81 a1 80 80 80 80 80 80"), [.startLive])
    check(bytes("7d 81 a2 80 80 80 80 80 80"), [.stopLive])
    check(bytes("7d 81 a8 80 80 80 80 80 80"), [.askModel])
    check(bytes("7d 81 af 80 80 80 80 80 80"), [.keepAlive])
    // One of a maker's own program, which a CMS50D+ refuses: 0b 81 81 85.
    check(bytes("7d 9f 81 be 80 80 80 80 80"), [.other(code: 0x81, parameters: [0xbe, 0x80, 0x80, 0x80, 0, 0])])
    // A byte lost, then a whole one; then a byte too many, and the beginning of another.
    check(bytes("7d 81 a1 80 80 80 80 80 7d 81 a1 80 80 80 80 80 80 80 80 7d 81"), [.startLive], skipped: 12)
    #expect(ContecV7Answer.result(ofCommand: 0x81, .notSupported) == bytes("0b 81 81 85"))
    #expect(ContecV7Answer.model("50D(A)+") == bytes("02 80 80 b5 b0 c4 a8 c1 a9 02 81 ff ab a0 a0 a0 a0 a0"))
    #expect(ContecV7Answer.deviceID("user") == bytes("04 80 f5 f3 e5 f2 a0 a0 a0"))
    #expect(ContecV7Answer.storage(isSupported: true) == bytes("11 80 81 81 80 80 80 80 80"))
    #expect(ContecV7Answer.perfusionIndex(isSupported: false) == bytes("0e 80 81"))
    #expect(ContecV7Answer.userCount(1) == bytes("10 80 81"))
    #expect(ContecV7Answer.stopped == bytes("0c 80"))
    #expect(ContecV7Answer.disconnecting(.shutsDown) == bytes("0d 80 81"))
    #expect(ContecV7Answer.model("a model of 13") == nil && ContecV7Answer.vendor("é") == nil)
  }

  private func check(_ text: String, _ expected: [DeviceAnswer], at location: SourceLocation = #_sourceLocation) {
    var decoder = OximeterProtocol.contecV7.decoder()
    #expect(decoder.decode(bytes(text)).compactMap(\.answer) == expected, sourceLocation: location)
  }

  private func check(
    _ bytes: [UInt8], _ expected: [ContecV7Command], skipped: Int = 0, at location: SourceLocation = #_sourceLocation
  ) {
    for size in 1...bytes.count {
      var decoder = ContecV7CommandDecoder()
      let commands = bytes.pieces(of: size).flatMap { decoder.decode($0) }
      decoder.finish()
      #expect(commands == expected && decoder.skipped == skipped, sourceLocation: location)
    }
  }
}
