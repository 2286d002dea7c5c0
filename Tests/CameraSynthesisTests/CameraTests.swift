import PulseSynthesis
import Testing
import VitalsModel

@testable import CameraSynthesis

/// The moment `seconds` after the run began.
func at(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

/// The standard camera with changes.
func camera(_ change: (inout CameraSettings) -> Void) -> CameraSettings {
  var settings = CameraSettings()
  change(&settings)
  return settings
}

/// The same light in all colours.
func grey(_ level: Double) -> Light { Light(red: level, green: level, blue: level) }

/// Mean and standard deviation.
func moments(_ numbers: [Double]) -> (mean: Double, spread: Double) {
  let mean = numbers.reduce(0, +) / Double(numbers.count)
  let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (mean, (squares / Double(numbers.count)).squareRoot())
}

@Suite struct ClockTests {
  @Test(
    arguments: [
      (15, 0), (24, 2), (30, 2), (30, 10), (59.94, 3), (60, 5), (60, 20), (15, 20), (23.976, 2),
    ] as [(Double, Double)])
  func keepsOrderRateAndSpread(fps: Double, jitterMs: Double) {
    let opening = at(1.25)
    var clock = CameraClock(rate: FrameRate(fps: fps), jitterMs: jitterMs, seed: 3, opensAt: opening)
    let times = (0..<40_000).map { _ in clock.next() }
    #expect(times.allSatisfy { $0 >= opening })
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let strays = times.enumerated().map { index, time in
      ((time - opening).seconds - Double(index) / FrameRate(fps: fps).fps) * 1_000
    }
    let spread = moments(strays).spread
    // Strays that depend on each other show their spread less exactly.
    let slack = jitterMs * fps > 200 ? 0.12 : 0.025
    #expect((spread - jitterMs).magnitude <= slack * jitterMs + 0.001, "\(spread) ms")
    #expect(strays.allSatisfy { $0.magnitude < 6 * jitterMs + 0.001 })
  }

  @Test(
    arguments: [
      (23.976, 24_000, 1_001), (29.97, 30_000, 1_001), (59.94, 60_000, 1_001), (23.976_023_976, 24_000, 1_001),
      (14.985, 15_000, 1_001), (30, 30_000_000, 1_000_000), (24.5, 24_500_000, 1_000_000),
      (29.95, 29_950_000, 1_000_000),
    ] as [(Double, Int64, Int64)])
  func ratesAreFractions(fps: Double, numerator: Int64, denominator: Int64) {
    let rate = FrameRate(fps: fps)
    #expect((rate.numerator, rate.denominator) == (numerator, denominator))
    #expect((rate.fps - fps).magnitude < 0.000_5)
  }

  @Test(arguments: [23.976, 29.97, 30, 24.123_457, 60]) func placesAreExactAfterDays(fps: Double) {
    let rate = FrameRate(fps: fps)
    var clock = CameraClock(rate: rate, jitterMs: 0, seed: 1, opensAt: .zero)
    let frames: Int64 = 3_000_000
    for _ in 0..<frames { _ = clock.next() }
    // The nearest microsecond to n / rate, by way of wider numbers.
    let exact = (frames.multipliedFullWidth(by: rate.denominator * 1_000_000))
    let (quotient, rest) = rate.numerator.dividingFullWidth(exact)
    #expect(clock.next().microseconds == quotient + (2 * rest >= rate.numerator ? 1 : 0))
  }

  @Test(
    arguments: [
      (0, 0, 12.5, 12_500_000), (0, 1.5, 0, 1_500_000), (100, 0, 86_400, 86_408_640_000),
      (-1_000, 0, 1_000, 999_000_000),
      (20, -2, 100, 98_002_000),
    ] as [(Double, Double, Double, Int64)])
  func stampsAreThoseOfThePhonesClock(ppm: Double, offset: Double, moment: Double, stamp: Int64) {
    let clock = StampClock(
      camera {
        $0.clockDriftPpm = ppm
        $0.clockOffset = TimeSpan(seconds: offset)
      })
    #expect(clock.stamp(at: at(moment)).microseconds == stamp)
  }
}

/// Settings, and what is wrong with them; nil when nothing is.
struct Judged: Sendable {
  let settings: CameraSettings
  let reason: String?

  init(_ reason: String?, _ change: (inout CameraSettings) -> Void) {
    settings = camera(change)
    self.reason = reason
  }
}

@Suite struct SettingsTests {
  @Test(arguments: [
    Judged("a frame rate of 90 fps: 15 to 60 fps are possible") { $0.frameRateFps = 90 },
    Judged("a frame rate of 14.99 fps: 15 to 60 fps are possible") { $0.frameRateFps = 14.99 },
    Judged("a frame rate of no number: 15 to 60 fps are possible") { $0.frameRateFps = .nan },
    Judged("a declared frame rate of 0 fps: 1 to 240 fps are possible") { $0.declaredFps = 0 },
    Judged("a clock drift of -1001 ppm: -1000 to 1000 ppm are possible") { $0.clockDriftPpm = -1_001 },
    Judged("a clock offset of 61 s: -60 to 60 s are possible") { $0.clockOffset = .seconds(61) },
    Judged("a jitter of -1 ms: 0 to 20 ms are possible") { $0.jitterMs = -1 },
    Judged("a share of dropped frames of 91 %: 0 to 90 % are possible") { $0.droppedPercent = 91 },
    Judged("a share of duplicated frames of -0.5 %: 0 to 90 % are possible") { $0.duplicatedPercent = -0.5 },
    Judged("a share of reordered frames of 100 %: 0 to 90 % are possible") { $0.reorderedPercent = 100 },
    Judged("a share of late frames of 90.1 %: 0 to 90 % are possible") { $0.latePercent = 90.1 },
    Judged("a lateness of 0 ms: 1 to 2000 ms are possible") { $0.lateBy = .zero },
    Judged("a number of stalls of 61 /min: 0 to 60 /min are possible") { $0.stallsPerMin = 61 },
    Judged("a stall of 0.05 s: 0.1 to 10 s are possible") { $0.stallLength = .milliseconds(50) },
    Judged("10 stalls of 10 s do not fit a minute: at most 5.88 a minute") {
      $0.stallsPerMin = 10
      $0.stallLength = .seconds(10)
    },
    Judged("a read noise of 0.4 counts: 0.5 to 20 counts are possible") { $0.readNoiseCounts = 0.4 },
    Judged("a shot noise of 1.5: 0 to 1 are possible") { $0.shotNoise = 1.5 },
    Judged("a picture of 99 pixels: 100 to 10000000 pixels are possible") { $0.pixels = 99 },
    Judged("a gain of 9: 0.25 to 8 are possible") { $0.gain = 9 },
    Judged("an exposure of 5 EV: -4 to 4 EV are possible") { $0.exposureStops = 5 },
    Judged("a gamma of 0.25: 0.3 to 1 are possible") { $0.gamma = 0.25 },
    Judged("an exposure time of 51 ms: 0 to 50 ms are possible") { $0.exposureTimeMs = 51 },
    Judged("an exposure time of 20 ms does not fit 60 fps: at most 13.3 ms") {
      $0.frameRateFps = 60
      $0.exposureTimeMs = 20
    },
    Judged(nil) { _ in },
    Judged(nil) { $0.stallsPerMin = 60 },
    Judged(nil) { $0.declaredFps = 60 },
  ]) func whatCannotBeIsRefused(judged: Judged) {
    #expect(judged.settings.contradiction?.reason == judged.reason)
  }
}
