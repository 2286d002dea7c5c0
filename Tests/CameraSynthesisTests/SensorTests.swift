import PulseSynthesis
import Testing
import VitalsModel

@testable import CameraSynthesis

/// Red means of so many frames of one light.
private func reds(_ settings: CameraSettings, level: Double, count: Int, seed: UInt64 = 5) -> [Double] {
  var sensor = CameraSensor(settings, seed: seed)
  return (0..<count).map { _ in sensor.frame(of: grey(level), at: .zero).red }
}

@Suite struct SensorTests {
  /// A tabulated pixel is worked out when it is asked for: what was asked before must not show.
  @Test(arguments: [
    camera { $0.gamma = 0.45 },
    camera {
      // Shot noise grows faster than the light at first, so that a dark pixel reaches lower than a black one.
      $0.shotNoise = 1
      $0.gain = 0.25
      $0.readNoiseCounts = 0.5
    },
  ]) func pixelsDoNotDependOnWhatWasAskedBefore(settings: CameraSettings) {
    let levels = (0..<600).map { Double($0) * 0.5 }
    var rising = PixelResponse(settings)
    var falling = PixelResponse(settings)
    let up = levels.map { rising.pixel(at: $0) }
    let down = levels.reversed().map { falling.pixel(at: $0) }
    for (one, other) in zip(up, down.reversed()) { #expect(one == other) }
    #expect(up.allSatisfy { $0.mean >= 0 && $0.mean <= PixelResponse.ceiling && $0.spread >= 0 })
    #expect(zip(up, up.dropFirst()).allSatisfy { $0.mean <= $1.mean + 1e-3 })
  }

  /// The sensor against a picture of real pixels, each noisy, clipped, bent and rounded on its own.
  @Test(arguments: [
    camera { _ in },
    camera { $0.depth = .tenBit },
    camera { $0.gamma = 0.45 },
    camera {
      $0.gamma = 0.3
      $0.readNoiseCounts = 0.5
      $0.shotNoise = 0
    },
    camera {
      $0.gain = 0.25
      $0.readNoiseCounts = 0.5
      $0.shotNoise = 0
    },
    camera {
      $0.gain = 8
      $0.readNoiseCounts = 20
      $0.gamma = 0.7
      $0.depth = .tenBit
    },
    camera {
      $0.exposureStops = -1
      $0.gain = 2
      $0.shotNoise = 0.5
    },
  ]) func meansAreThoseOfPixels(standard: CameraSettings) {
    var settings = standard
    settings.pixels = 1_000
    for level in [0, 0.4, 2, 7, 25.37, 128.5, 200.25, 244, 250, 253.5, 255, 257, 262, 300] {
      let picture = moments(pixels(settings, level: level, count: 60_000))
      let frames = moments(reds(settings, level: level, count: 2_000))
      // Both are uncertain by their spread; a mean over few pixels is a whole number of steps.
      let slack = 4 * picture.spread / 60_000.0.squareRoot() + 0.003
      #expect((frames.mean - picture.mean).magnitude < slack, "\(level): \(frames.mean), \(picture.mean)")
      let expected = picture.spread / 1_000.0.squareRoot()
      #expect((frames.spread - expected).magnitude < 0.08 * expected + 0.001, "\(level): \(frames.spread), \(expected)")
    }
  }

  /// Pixels one by one: the law that the sensor's formulas sum up.
  private func pixels(_ settings: CameraSettings, level: Double, count: Int) -> [Double] {
    var generator = SeededGenerator(seed: 1, stream: "pixels")
    let factor = settings.gain * Maths.pow(2, settings.exposureStops)
    let light = factor * level
    let caught = settings.shotNoise * light / settings.gain
    let spread = settings.gain * (settings.readNoiseCounts * settings.readNoiseCounts + caught).squareRoot()
    let largest: Double = settings.depth == .tenBit ? 1_023 : 255
    return (0..<count).map { _ in
      let clipped = min(max(light + spread * generator.gaussian(), 0), 255)
      return (largest * Maths.pow(clipped / 255, settings.gamma)).rounded() * 255 / largest
    }
  }

  @Test(
    arguments: [
      (8, 1_000, 0.001), (10, 1_000, 255.0 / 1_023_000), (8, 100, 0.01), (8, 10_000_000, 1e-7),
    ] as [(Int, Int, Double)])
  func meansAreWholeCountsOverPixels(bits: Int, pixels: Int, step: Double) {
    let settings = camera {
      $0.depth = bits == 8 ? .eightBit : .tenBit
      $0.pixels = pixels
    }
    let means = reds(settings, level: 120.37, count: 200)
    #expect(means.allSatisfy { ($0 / step - ($0 / step).rounded()).magnitude < 1e-3 })
    #expect(means.contains { $0 != $0.rounded() })
  }

  @Test func clippingSwallowsThePulse() {
    func swing(around level: Double) -> Double {
      let settings = camera { $0.pixels = 1_000_000 }
      return reds(settings, level: level + 1, count: 1)[0] - reds(settings, level: level - 1, count: 1)[0]
    }
    #expect((swing(around: 200) - 2).magnitude < 0.03)
    #expect((0.6...1.4).contains(swing(around: 255)))
    #expect(swing(around: 262) < 0.2)
    #expect(swing(around: 290) == 0)
  }

  @Test func framesCarryTheirMoment() {
    var sensor = CameraSensor(CameraSettings(), seed: 1)
    #expect(sensor.frame(of: grey(3), at: at(4.5)).captured == at(4.5))
  }

  /// A lamp that flickers at 100 Hz by 10 %, with a third harmonic that aliases to nothing, seen at 30 frames per second.
  @Test(arguments: [(0, 0.1), (10, 0), (20, 0), (5, 0.064), (2, 0.0935), (15, 0.021)] as [(Double, Double)])
  func exposureTakesFlickerAway(milliseconds: Double, left: Double) {
    var shutter = Shutter(camera { $0.exposureTimeMs = milliseconds })
    var levels: [Double] = []
    for index in 0..<300 {
      let captured = Instant(microseconds: Int64(index) * 100_000 / 3 + 100_000)
      var exposure = shutter.exposure(until: captured)
      var latest = Instant.zero
      while let moment = exposure.next {
        #expect(moment >= latest && moment <= captured)
        latest = moment
        let phase = 2 * Double.pi * 100 * moment.seconds
        exposure.gather(grey(1 + 0.1 * Maths.sin(phase) + 0.02 * Maths.sin(3 * phase)))
      }
      levels.append(exposure.light.green)
    }
    // Three phases of the flicker are seen in turn.
    let swing = moments(levels).spread * 2.0.squareRoot()
    #expect((swing - left).magnitude < 0.02 * left + 0.005 && (left > 0 || swing < 1e-6), "\(swing)")
  }

  @Test func exposureDoesNotReachBackBeyondAChange() {
    var shutter = Shutter(camera { $0.exposureTimeMs = 20 })
    shutter.hold(at: at(0.995))
    var exposure = shutter.exposure(until: at(1))
    var asked: [Instant] = []
    while let moment = exposure.next {
      asked.append(moment)
      exposure.gather(grey(5))
    }
    #expect(asked.count == 8 && asked.allSatisfy { $0 >= at(0.995) } && asked.last == at(0.998_75))
    #expect(exposure.light == grey(5))
  }

  @Test func partsHaveTheirOwnStreams() {
    func times(_ jitterMs: Double, _ seed: UInt64) -> [Instant] {
      var clock = CameraClock(rate: FrameRate(fps: 30), jitterMs: jitterMs, seed: seed, opensAt: .zero)
      return (0..<100).map { _ in clock.next() }
    }
    func noise(_ seed: UInt64, _ change: (inout CameraSettings) -> Void = { _ in }) -> [Double] {
      var sensor = CameraSensor(camera(change), seed: seed)
      return (0..<100).map { sensor.frame(of: grey(100), at: at(Double($0))).green }
    }
    #expect(times(2, 1) == times(2, 1) && times(2, 1) != times(5, 1) && times(2, 1) != times(2, 2))
    #expect(noise(1) == noise(1) && noise(1) != noise(2))
    // Green is what the white balance leaves alone, and faults and clocks are no matter of the sensor.
    #expect(noise(1) == noise(1) { $0.whiteBalance = .hunting })
    #expect(noise(1) == noise(1) { $0.droppedPercent = 50 })
  }

  @Test func aReopenedSensorBeginsAnew() {
    let settings = camera {
      $0.exposure = .auto
      $0.whiteBalance = .hunting
      $0.gamma = 0.5
    }
    var used = CameraSensor(settings, seed: 1)
    for index in 0..<90 { _ = used.frame(of: grey(20), at: at(Double(index) / 30)) }
    var reopened = used.reopened(seed: 9)
    var fresh = CameraSensor(settings, seed: 9)
    for index in 90..<120 {
      let moment = at(Double(index) / 30)
      #expect(
        reopened.frame(of: grey(20), at: moment) == fresh.frame(of: grey(20), at: moment))
    }
  }
}

@Suite struct ControlTests {
  private static let finger = Light(red: 200, green: 30, blue: 25)

  /// The exposure factor, in stops, of each frame of a light that changes at frame 60.
  private func stops(
    _ mode: ExposureMode, from first: Light, to second: Light, gamma: Double = 1, frames: Int = 400
  ) -> [Double] {
    var sensor = CameraSensor(
      camera {
        $0.exposure = mode
        $0.gamma = gamma
      }, seed: 1)
    return (0..<frames).map { index in
      let moment = at(Double(index) / 30)
      _ = sensor.frame(of: index < 60 ? first : second, at: moment)
      return Maths.log(sensor.exposureFactor) / Maths.log(2)
    }
  }

  @Test func lockedExposureStays() {
    #expect(stops(.locked, from: grey(1), to: grey(250)).allSatisfy { $0 == 0 })
  }

  @Test(
    arguments: [
      (Light(red: 200, green: 30, blue: 25), Light(red: 100, green: 15, blue: 12), 1),
      (Light(red: 200, green: 30, blue: 25), Light(red: 210, green: 50, blue: 60), 1),
      (Light(red: 200, green: 30, blue: 25), Light(red: 2.4, green: 0.36, blue: 0.3), 1),
      (Light(red: 3, green: 1, blue: 1), Light(red: 200, green: 30, blue: 25), 1),
      (Light(red: 110, green: 108, blue: 102), Light(red: 200, green: 30, blue: 25), 1),
      (Light(red: 110, green: 108, blue: 102), Light(red: 200, green: 30, blue: 25), 0.45),
      (Light(red: 250, green: 250, blue: 250), Light(red: 50, green: 50, blue: 50), 0.6),
    ] as [(Light, Light, Double)])
  func autoExposureSettlesWithoutOvershoot(first: Light, second: Light, gamma: Double) {
    let stops = stops(.auto, from: first, to: second, gamma: gamma)
    // Each change is made in one direction: what is left between rise and fall is nothing.
    let later = stops[60...].map(\.self)
    let (low, high) = (later.min() ?? 0, later.max() ?? 0)
    let last = later.last ?? 0
    #expect(last == low || last == high)
    let way = zip(later, later.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).magnitude }
    #expect((way - (high - low)).magnitude < 1e-9, "way \(way), span \(high - low)")
    // It stands still within three seconds, near the target.
    #expect(Set(later[90...]).count == 1)
    let settled = Maths.exp(last * Maths.log(2))
    let luma = settled * (0.299 * second.red + 0.587 * second.green + 0.114 * second.blue)
    let isBright = settled * second.red > 180
    #expect(isBright || (60...110).contains(luma) || last > 4.9, "luma \(luma)")
  }

  @Test func autoExposureLeavesAFingerAlone() {
    #expect(stops(.auto, from: Self.finger, to: Self.finger).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 0.45]) func huntingExposureSwingsInThePulseBand(gamma: Double) {
    let swing = stops(.hunting, from: Self.finger, to: Self.finger, gamma: gamma, frames: 1_800)
    let tail = Array(swing[300...])
    let middle = moments(tail).mean
    let rises = zip(tail, tail.dropFirst()).count { $0 < middle && $1 >= middle }
    let hertz = Double(rises) / (Double(tail.count) / 30)
    #expect((0.8...1.3).contains(hertz), "\(hertz) Hz")
    let height = (tail.max() ?? 0) - (tail.min() ?? 0)
    #expect((0.05...0.4).contains(height), "\(height) stops")
  }

  @Test func huntingExposureRecoversFromTheDark() {
    let swing = stops(.hunting, from: grey(1), to: Self.finger, frames: 900)
    let tail = swing[600...]
    #expect((tail.max() ?? 9) < 0.5 && (tail.min() ?? -9) > -0.5)
  }

  @Test func whiteBalanceDriftsRedAgainstBlue() {
    var balance = WhiteBalance(.hunting, seed: 4)
    let gains = (0..<9_000).map { balance.gains(at: at(Double($0) / 30)) }
    #expect(gains.allSatisfy { (0.96...1.04).contains($0.red) && ($0.red - 1 + $0.blue - 1).magnitude < 1e-12 })
    #expect(gains[0].red == 1)
    let reds = gains.map(\.red)
    #expect(moments(reds).spread > 0.01)
    // Slow: far less than a pulse from one frame to the next.
    #expect(zip(reds, reds.dropFirst()).allSatisfy { ($0 - $1).magnitude < 0.002 })
    var locked = WhiteBalance(.locked, seed: 4)
    #expect(locked.gains(at: at(3)) == (1, 1))
  }
}
