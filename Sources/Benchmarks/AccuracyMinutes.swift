import CameraSynthesis
import PulseAnalysis
import PulseSynthesis
import VitalsModel

/// A synthetic minute before a camera, and how to make it.
struct SyntheticMinute {
  /// What the sensor makes of the light.
  enum Sensor {
    /// The simulated camera's own: 4,000 pixels, read and shot noise, whole counts (about 0.03 counts on a mean).
    case camera
    /// The light itself with white noise of that many counts on each mean, 0...255.
    case noise(counts: Double)
  }

  var subject = Subject()
  var disturbances = DisturbanceSettings()
  var source = FingerScene.Source.finger
  var sensor = Sensor.camera
  var frameRateFps = 30.0
  /// Frames that are lost, percent.
  var droppedPercent = 0.0
  /// What changes in the body, in order of time.
  var changes: [(at: Instant, make: (inout FingerScene, Instant) -> Void)] = []
  /// What becomes of the frame taken at a moment.
  var disturb: (Instant, Light) -> Light = { $1 }

  /// What was measured of a minute, and the truth of it.
  struct Outcome {
    let result: PulseMeasurement
    let truth: PulseTruth
    let statistics: RealisedStatistics
  }

  /// How long a recording is.
  static let length = TimeSpan.seconds(60)

  /// The frames of a minute in the order of capture, with the standard camera's jitter of 2 ms, measured.
  func measured(seed: UInt64) -> Outcome {
    var scene = FingerScene(subject: subject, disturbances: disturbances, source: source, seed: seed)
    var settings = CameraSettings()
    settings.frameRateFps = frameRateFps
    var clock = CameraClock(rate: settings.frameRate, jitterMs: settings.jitterMs, seed: seed, opensAt: .zero)
    var camera = CameraSensor(settings, seed: seed)
    var noise = SeededGenerator(seed: seed, stream: "benchmark.noise")
    var loss = SeededGenerator(seed: seed, stream: "benchmark.loss")
    var coming = changes[...]
    var record = PulseRecord()
    var captured = clock.next()
    while captured < .zero + Self.length {
      while let change = coming.first, change.at <= captured {
        change.make(&scene, change.at)
        coming.removeFirst()
      }
      let light = disturb(captured, scene.light(at: captured))
      let isLost = 100 * loss.uniform() < droppedPercent
      switch sensor {
      case .camera:
        let frame = camera.frame(of: light, at: captured)
        if !isLost { record.append(frame) }
      case .noise(let counts):
        let noisy = [light.red, light.green, light.blue].map { min(max($0 + counts * noise.gaussian(), 0), 255) }
        if !isLost { record.append(FrameSample(captured: captured, values: noisy)) }
      }
      captured = clock.next()
    }
    return Outcome(
      result: measurePulse(record), truth: scene.truth,
      statistics: scene.truth.statistics(from: .zero, to: .zero + Self.length))
  }

  /// The least RMSSD in ms that the sensor's noise alone leaves of an even heart, whoever reads it.
  ///
  /// No unbiased reader places a pulse of known shape better than to a variance of 1 over the sum of (slope / noise)^2
  /// over its frames in all colours (Cramér and Rao), and a difference of intervals holds three beats, one of them
  /// twice: a variance of 6 times that.
  func timingNoiseMs(seed: UInt64) -> Double {
    var scene = FingerScene(subject: subject, disturbances: disturbances, source: source, seed: seed)
    // Fine enough for the slope, whatever the camera's rate.
    let step = TimeSpan.milliseconds(5)
    var before = scene.light(at: .zero)
    var information = 0.0
    var moment = Instant.zero + step
    while moment < .zero + Self.length {
      let light = scene.light(at: moment)
      for (one, next) in zip([before.red, before.green, before.blue], [light.red, light.green, light.blue]) {
        let slope = (next - one) / step.milliseconds
        let noise = sensor.noiseCounts(at: one)
        information += slope * slope / (noise * noise)
      }
      before = light
      moment = moment + step
    }
    // From so many slopes a second to as many as there are frames, and to one beat.
    let framesPerSlope = frameRateFps * step.seconds
    let beats = Double(max(scene.truth.beats.count, 1))
    return (6 * beats / (information * framesPerSlope)).squareRoot()
  }
}

extension SyntheticMinute.Sensor {
  /// Standard deviation of a colour's mean about the light, in counts.
  fileprivate func noiseCounts(at level: Double) -> Double {
    switch self {
    case .noise(let counts): return counts
    case .camera:
      let settings = CameraSettings()
      // A pixel's read and shot noise, and that of rounding to whole counts.
      let pixel = settings.readNoiseCounts * settings.readNoiseCounts + settings.shotNoise * level + 1 / 12
      return (pixel / Double(settings.pixels)).squareRoot()
    }
  }
}
