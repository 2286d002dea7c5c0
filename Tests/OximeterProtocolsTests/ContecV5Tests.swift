import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct ContecV5Tests {
  @Test func verifies() {
    DecoderVerifier(.contecV5).verify(DeviceStream.encoded(.contecV5, frames: 400))
  }

  @Test func makesNothingOfGarbage() {
    DecoderVerifier(.contecV5).verifyNothingOfGarbage()
    DecoderVerifier(.contecV5).verifyNothingAtOtherSpeeds(DeviceStream.encoded(.contecV5, frames: 400))
  }

  /// A stream that begins within a frame, and the pieces of lines that others speak.
  @Test func findsItsWay() {
    let good = bytes("88 41 07 48 62 88 42 07 48 62 88 43 07 48 62")
    check(bytes("88 40") + good, [0x41, 0x42, 0x43], short: 1, skipped: 2)
    check(bytes("07 48 62") + good, [0x41, 0x42, 0x43], skipped: 3)
    check(good + bytes("88 44"), [0x41, 0x42, 0x43], skipped: 2)
    check(good + bytes("00") + good, [0x41, 0x42, 0x43, 0x41, 0x42, 0x43], skipped: 1)
    // Seven bytes with bit 7 in all of them: a device of another kind.
    let other = (0..<40).flatMap { (wave: UInt8) -> [UInt8] in [0x81, 0x80, 0x87, 0x80 + wave, 0x80, 0xc8, 0xe2] }
    check(other, [], short: 279, skipped: 280)
  }

  /// A wave at 60 bpm with all that changes, decoded as it was meant.
  @Test(arguments: [OximeterProtocol.contecV5, .bci, .contecV7]) func encodes(_ oximeter: OximeterProtocol) {
    var moments = DeviceStream.moments(600, framesPerSecond: oximeter.framesPerSecond)
    // A value that comes last must come three times.
    moments += [moments[599], moments[599]]
    var encoder = oximeter.encoder()
    var decoder = oximeter.decoder()
    let frames = moments.flatMap { decoder.decode(encoder.encode($0)) }
    #expect(frames.count == moments.count && decoder.counts.skipped == 0)
    #expect(zip(frames, moments).allSatisfy { $0.reading == $1.reading })
    let beats = zip([false] + moments.map(\.isBeatMarked), moments.map(\.isBeatMarked)).map { !$0 && $1 }
    #expect(frames.map(\.isBeat) == beats)
  }

  private func check(
    _ stream: [UInt8], _ pleth: [Int], short: Int = 0, skipped: Int, at location: SourceLocation = #_sourceLocation
  ) {
    var decoder = OximeterProtocol.contecV5.decoder()
    let frames = decoder.decode(stream)
    decoder.finish()
    #expect(frames.map(\.pleth) == pleth, sourceLocation: location)
    #expect(decoder.counts.short == short && decoder.counts.skipped == skipped, sourceLocation: location)
  }
}
