import Testing
import VitalsModel

@testable import PulseAnalysis

struct ContactTests {
  @Test(arguments: [
    // Fingers, as real phones have shown them.
    (250.0, 0.0, 0.0, true), (230, 80, 45, true), (200, 30, 25, true), (134, 25, 12, true), (38, 84, 49, true),
    (32, 84, 46, true), (53, 52, 40, true), (59, 56, 49, true), (215, 22, 63, true), (255, 60, 30, true),
    // Rooms, papers, tables, the dark.
    (110, 108, 102, false), (3, 3, 4, false), (225, 222, 215, false), (150, 115, 80, false), (0, 0, 0, false),
    (255, 255, 255, false), (90, 110, 160, false), (40, 6, 5, false), (.nan, 20, 20, false), (.infinity, 0, 0, false),
  ])
  func colour(red: Double, green: Double, blue: Double, isFinger: Bool) {
    #expect(FingerColour.isFinger(red: red, green: green, blue: blue) == isFinger, "\(red) \(green) \(blue)")
  }

  @Test(arguments: [
    SIMD3(110.0, 108, 102), SIMD3(3.0, 3, 4), SIMD3(225.0, 222, 215), SIMD3(150.0, 115, 80),
  ])
  func noiseIsNoFinger(colour: SIMD3<Double>) {
    for seed in 0..<5 as Range<UInt64> {
      var finger = SyntheticFinger(seconds: 60, seed: seed, colour: colour, pulse: 0, noise: 2)
      finger.framesPerSecond = 30
      var analyzer = PulseAnalyzer()
      let updates = finger.record().frames.map { analyzer.feed($0) }
      #expect(updates.allSatisfy { !$0.hasContact && $0.beat == nil && $0.condition == .noContact })
    }
  }

  /// A lift of `seconds` is seen within 0.3 s, and so is the finger's return.
  @Test(arguments: [15.0, 30, 60])
  func followsALift(framesPerSecond: Double) {
    var finger = SyntheticFinger(framesPerSecond: framesPerSecond, seconds: 12)
    finger.disturb = { time, light in if time >= 6, time < 8 { light = SIMD3(110, 108, 102) } }
    var analyzer = PulseAnalyzer()
    for frame in finger.record().frames {
      let hasContact = analyzer.feed(frame).hasContact
      let time = frame.captured.seconds
      if (0.3..<6).contains(time) || time >= 8.3 { #expect(hasContact, "at \(time)") }
      if (6.3..<8).contains(time) { #expect(!hasContact, "at \(time)") }
    }
  }

  @Test func oneStrayFrameChangesNothing() {
    var finger = SyntheticFinger(seconds: 10)
    finger.disturb = { time, light in if time >= 5, time < 5.04 { light = SIMD3(120, 118, 110) } }
    var analyzer = PulseAnalyzer()
    let updates = finger.record().frames.map { analyzer.feed($0) }
    #expect(updates.dropFirst(90).allSatisfy { $0.hasContact && $0.condition == .steady })
  }
}
