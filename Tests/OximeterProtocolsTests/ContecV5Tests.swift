import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct ContecV5Tests {
  @Test func verifies() {
    DecoderVerifier(.contecV5).verify(DeviceStream.encoded(.contecV5, frames: 400))
  }

  @Test func makesNothingOfGarbage() {
    DecoderVerifier(.contecV5).verifyNothingOfGarbage()
  }
}
