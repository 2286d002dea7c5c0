import Testing
import VitalsModel

@testable import OximeterProtocols

/// What is demanded of all decoders, of those of this family.
@Suite struct NoninDemandsTests {
  static let family: [OximeterProtocol] = [.noninDF2, .noninDF7, .noninDF8]

  @Test(arguments: [OximeterProtocol.noninDF2, .noninDF7]) func verifies(_ oximeter: OximeterProtocol) {
    DecoderVerifier(oximeter).verify(DeviceStream.encoded(oximeter, frames: 500))
  }

  @Test func verifiesCutsOfDF8() {
    DecoderVerifier(.noninDF8).verifyCuts(DeviceStream.encoded(.noninDF8, frames: 500))
  }

  @Test(arguments: family) func makesNothingOfGarbage(_ oximeter: OximeterProtocol) {
    DecoderVerifier(oximeter).verifyNothingOfGarbage()
  }

  @Test(arguments: family, OximeterProtocol.allCases)
  func makesNothingOfOthers(_ oximeter: OximeterProtocol, of other: OximeterProtocol) {
    guard other != oximeter else { return }
    for seed: UInt64 in 0..<4 {
      let stream = DeviceStream.encoded(other, frames: 400, seed: seed)
      DecoderVerifier(oximeter).verifyNothing(in: stream, "\(other.rawValue), seed \(seed)")
    }
  }

  /// A device without a finger sends nearly the same all the time, whatever the height of its flat line.
  @Test func makesNoDF7OfFlatDF2() {
    for level in 0...255 {
      for flags: OximeterFlags in [.fingerOut, .searching, [], [.fingerOut, .searching]] {
        var encoder = NoninDF2Encoder()
        let moment = OximeterMoment(pleth: Double(level) / 255, reading: OximeterReading(flags: flags))
        let stream = (0..<60).flatMap { _ in encoder.encode(moment) }
        DecoderVerifier(.noninDF7).verifyNothing(in: stream, "at \(level)")
        DecoderVerifier(.noninDF8).verifyNothing(in: stream, "at \(level)")
      }
    }
  }

  @Test(arguments: [OximeterProtocol.noninDF2, .noninDF7]) func makesNothingOfFramesThatStandStill(
    _ oximeter: OximeterProtocol
  ) {
    // First frames only, as no device sends.
    let frame: [UInt8] = oximeter == .noninDF2 ? [1, 0x81, 0x40, 0, 0xc2] : [0x81, 0x40, 0, 0, 0xc1]
    DecoderVerifier(oximeter).verifyNothing(in: Array(repeating: frame, count: 200).flatMap(\.self))
  }
}
