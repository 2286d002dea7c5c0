import PulseAnalysis
import Testing
import VitalsModel

/// What colours and little light say of a record: blood or a lamp, a finger in the dark, a camera's white.
struct ColourTests {
  static let alike = SIMD3(repeating: 1.0)

  /// What swings in all colours alike, rise after rise, and is none of blood: its course over a turn, 0...1, from 0 to 1.
  enum Course: CaseIterable, Sendable {
    case edge, saw, slowSaw, backwards, rectified, flash, decay

    func callAsFunction(_ turns: Double) -> Double {
      let part = turns - turns.rounded(.down)
      func saw(_ rise: Double) -> Double { part < rise ? part / rise : (1 - part) / (1 - rise) }
      switch self {
      case .edge: return 1 - part
      case .saw: return saw(0.1)
      case .slowSaw: return saw(0.2)
      case .backwards: return 1 - saw(0.1)
      case .rectified: return Maths.sin(.pi * part)
      case .flash: return min(max(min(part / 0.06, (0.26 - part) / 0.06), 0), 1)
      case .decay: return Maths.exp(-part / 0.3)
      }
    }
  }

  /// The shares of the colours leave no doubt, or nearly none.
  @Test(arguments: Course.allCases, [alike, SIMD3(1, 1.07, 1.05)])
  func aLampIsNoPulse(course: Course, shares: SIMD3<Double>) {
    for (seconds, seeds) in [(10.0, 12), (60, 4)] {
      for seed in 1...UInt64(seeds) {
        var chance = SeededGenerator(seed: seed, stream: "lamp")
        let (hertz, size) = (chance.uniform(in: 0.8...1.5), chance.uniform(in: 0.01...0.03))
        var lamp = SyntheticFinger(seconds: seconds, seed: seed, pulse: 0)
        lamp.disturb = { time, light in light *= 1 + size * course(hertz * time) * shares }
        #expect(lamp.measured().heartRateBpm == nil, "\(seconds) s, seed \(seed)")
      }
    }
  }

  /// Red up and blue down, or green down, is the camera's balance; ten seconds show it.
  @Test(arguments: [SIMD3(1.0, 0, -1), SIMD3(1, -1, 0), SIMD3(0.5, -1, 0)], [10.0, 60])
  func opposedColoursAreNoPulse(shares: SIMD3<Double>, seconds: Double) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var finger = SyntheticFinger(seconds: seconds, seed: seed, pulse: 0)
      finger.noise = 0.05
      finger.disturb = { time, light in light *= 1 + 0.015 * Course.slowSaw(time) * shares }
      #expect(
        finger.measured().withheld.first?.reason
          == "no heart rate: colours change against each other, as a camera's balance makes them and blood does not",
        "seed \(seed)")
    }
  }

  /// A camera that takes a part of green off red turns red over; green and blue still go together.
  @Test func oneColourMayBeTurnedOver() throws {
    var finger = SyntheticFinger.beating(66, spread: 0.02)
    (finger.colour, finger.blood) = (SIMD3(32, 84, 46), SIMD3(-0.6, 1, 0.8))
    #expect((try #require(finger.measured().heartRateBpm) - 66).magnitude < 1.5)
  }

  /// Fingers whose light is little, down to some counts, are read; a torch that goes out for a while is set aside.
  @Test(arguments: [SIMD3(200.0, 30, 25), SIMD3(60, 58, 50), SIMD3(32, 84, 46)], [1.0, 0.5, 0.25, 0.15])
  func littleLightIsRead(colour: SIMD3<Double>, share: Double) throws {
    var finger = SyntheticFinger.beating(72, spread: 0.02)
    (finger.colour, finger.pulse, finger.noise) = (colour * share, 0.02, 0.05)
    finger.disturb = { time, light in if (20..<25).contains(time) { light *= 0.05 } }
    let result = finger.measured()
    #expect((try #require(result.heartRateBpm) - 72).magnitude < 1.5)
    #expect(!result.beats.contains { $0.flag == .normal && (20.1..<24.9).contains($0.at.seconds) })
  }

  /// The red of a lens in the dark has the hue and no light.
  @Test func tooDarkIsSaid() {
    let result = SyntheticFinger(colour: SIMD3(3, 0.5, 0.4)).measured()
    #expect(result.withheld.first?.reason == "no heart rate: too dark to see a fingertip")
  }

  /// Where a camera's white is 235, red that is cut off there is not what is read.
  @Test(arguments: [0.98, 0.99, 1.0])
  func aLowWhiteIsSeen(share: Double) throws {
    var finger = SyntheticFinger.beating(72, spread: 0.02)
    finger.colour = SIMD3(240, 40, 30)
    finger.pulse = 0.04
    let frames = finger.record().frames.map { frame in
      FrameSample(captured: frame.captured, red: min(frame.red, 235 * share), green: frame.green, blue: frame.blue)
    }
    let result = measurement(of: frames)
    #expect(result.channel != .red)
    #expect((try #require(result.heartRateBpm) - 72).magnitude < 1.5)
  }
}
