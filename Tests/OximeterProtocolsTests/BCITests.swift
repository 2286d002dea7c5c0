import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct BCITests {
  @Test func verifies() {
    DecoderVerifier(.bci).verify(DeviceStream.encoded(.bci, frames: 400))
  }

  @Test func makesNothingOfGarbage() {
    DecoderVerifier(.bci).verifyNothingOfGarbage()
    DecoderVerifier(.bci).verifyNothingAtOtherSpeeds(DeviceStream.encoded(.bci, frames: 400))
  }
}
