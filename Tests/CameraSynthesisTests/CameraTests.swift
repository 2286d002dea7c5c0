import PulseSynthesis
import Testing
import VitalsModel

@testable import CameraSynthesis

/// The moment `seconds` after the run began.
private func at(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

@Suite struct CameraTests {
  @Test(arguments: [(15, 0), (24, 2), (30, 2), (59.94, 5), (60, 20)] as [(Double, Double)])
  func clockKeepsOrderAndRate(fps: Double, jitterMs: Double) {
    let opening = at(1.25)
    var clock = CameraClock(frameRateFps: fps, jitterMs: jitterMs, seed: 3, opensAt: opening)
    let times = (0..<20_000).map { _ in clock.next() }
    #expect(times.allSatisfy { $0 >= opening })
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    var squares = 0.0
    for (index, time) in times.enumerated() {
      let stray = (time - opening).seconds - Double(index) / fps
      // Never half a period from its place, however late: nothing adds up.
      #expect(stray.magnitude < 0.46 / fps)
      squares += stray * stray
    }
    let spreadMs = (squares / 20_000).squareRoot() * 1_000
    if jitterMs < 200 / fps { #expect((spreadMs - jitterMs).magnitude < 0.05 * jitterMs + 0.001) }
  }

  @Test func clockAndNoiseHaveTheirOwnStreams() {
    func frames(jitterMs: Double, seed: UInt64) -> ([Instant], [FrameSample]) {
      var clock = CameraClock(frameRateFps: 30, jitterMs: jitterMs, seed: seed, opensAt: .zero)
      var sensor = CameraSensor(noise: .phone, seed: seed)
      let times = (0..<100).map { _ in clock.next() }
      let light = Light(red: 200, green: 30, blue: 25)
      return (times, times.map { _ in sensor.frame(of: light, captured: .zero) })
    }
    #expect(frames(jitterMs: 2, seed: 1) == frames(jitterMs: 2, seed: 1))
    #expect(frames(jitterMs: 5, seed: 1).0 != frames(jitterMs: 2, seed: 1).0)
    #expect(frames(jitterMs: 5, seed: 1).1 == frames(jitterMs: 2, seed: 1).1)
    #expect(frames(jitterMs: 2, seed: 2).1 != frames(jitterMs: 2, seed: 1).1)
  }

  /// The sensor against a picture of real pixels, each noisy, rounded and clipped on its own.
  @Test(arguments: [0, 0.4, 2, 7, 25.37, 128.5, 200.25, 244, 250, 253.5, 255, 257, 262, 300])
  func meansAreThoseOfClippedPixels(level: Double) {
    let noise = CameraNoise.phone
    let count = 60_000
    var generator = SeededGenerator(seed: 1, stream: "pixels")
    var sum = 0.0
    let spread = (noise.readCounts * noise.readCounts + noise.shotCounts * level).squareRoot()
    for _ in 0..<count {
      sum += min(max((level + spread * generator.gaussian()).rounded(), 0), 255)
    }
    let picture = sum / Double(count)

    var sensor = CameraSensor(noise: noise, seed: 5)
    let frames = (0..<2_000).map { _ in
      sensor.frame(of: Light(red: level, green: level, blue: level), captured: .zero)
    }
    let mean = frames.map(\.red).reduce(0, +) / 2_000
    #expect((mean - picture).magnitude < 4 * spread / Double(count).squareRoot(), "\(mean) and \(picture)")

    let reds = frames.map(\.red)
    #expect(reds.allSatisfy { $0 >= 0 && $0 <= 255 })
    // A mean over 1,000 whole counts has three decimals.
    #expect(reds.allSatisfy { ($0 * 1_000 - ($0 * 1_000).rounded()).magnitude < 1e-6 })
    let deviation = (reds.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 2_000).squareRoot()
    let expected = spread / 1_000.0.squareRoot()
    if (10...240).contains(level) {
      #expect((deviation / expected - 1).magnitude < 0.07)
      #expect(reds.contains { $0 != $0.rounded() })
    } else {
      #expect(deviation <= expected * 1.07)
    }
  }

  @Test func clippingSwallowsThePulse() {
    func swing(around level: Double) -> Double {
      var sensor = CameraSensor(noise: CameraNoise(readCounts: 1, shotCounts: 0.05, pixels: 1_000_000), seed: 1)
      let high = sensor.frame(of: Light(red: level + 1, green: 0, blue: 0), captured: .zero).red
      return high - sensor.frame(of: Light(red: level - 1, green: 0, blue: 0), captured: .zero).red
    }
    #expect((swing(around: 200) - 2).magnitude < 0.03)
    #expect((0.6...1.4).contains(swing(around: 255)))
    #expect(swing(around: 262) < 0.2)
    #expect(swing(around: 290) == 0)
  }

  @Test func framesCarryTheirCaptureTime() {
    var sensor = CameraSensor(noise: .phone, seed: 1)
    #expect(sensor.frame(of: Light(red: 1, green: 2, blue: 3), captured: at(4.5)).captured == at(4.5))
  }
}
