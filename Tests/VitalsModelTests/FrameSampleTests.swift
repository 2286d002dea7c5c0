import Testing
import VitalsModel

@Suite("A frame's sample")
struct FrameSampleTests {
  @Test("Its stored form has a number for each channel and gives the frame back")
  func storedForm() {
    let frame = FrameSample(captured: Instant(microseconds: 33_333), red: 200.5, green: 30.25, blue: 25)
    #expect(FrameSample.channels == ["red", "green", "blue"])
    #expect(frame.values == [200.5, 30.25, 25])
    #expect(FrameSample(captured: frame.captured, values: frame.values) == frame)
  }
}
