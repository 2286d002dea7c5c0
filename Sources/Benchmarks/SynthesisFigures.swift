import CameraSynthesis
import PulseSynthesis
import VitalsModel

/// Frames a second of the synthetic finger before its camera: a clean finger, and one with every disturbance on.
///
/// A frame is the light at the lens, its exposure by the camera's clock, and the colour means of the noisy sensor; with
/// everything on, every fault of the frames' way is on as well.
func synthesisFigures() -> [Figure] {
  let clean = framesPerSecond(DisturbanceSettings(), CameraSettings())
  let disturbances = DisturbanceSettings(
    tremorPercent: 1, jerksPerMin: 20, swayPercent: 1, wanderPercent: 2, flickerPercent: 2, speechPercent: 1,
    swallowsPerMin: 3)
  var camera = CameraSettings()
  camera.clockDriftPpm = 200
  (camera.droppedPercent, camera.duplicatedPercent, camera.reorderedPercent, camera.latePercent) = (5, 5, 5, 5)
  (camera.exposure, camera.whiteBalance, camera.gamma) = (.hunting, .hunting, 0.6)
  let disturbed = framesPerSecond(disturbances, camera)
  return [
    Figure(name: "cleanFramesPerSecond", value: clean, places: 0),
    Figure(name: "disturbedFramesPerSecond", value: disturbed, places: 0),
  ] + toolkitFigures(cleanFramesPerSecond: clean)
}

/// How many frames of a minute at 30 fps are made in a second of one core.
private func framesPerSecond(_ disturbances: DisturbanceSettings, _ settings: CameraSettings) -> Double {
  let count = 1_800
  var seed: UInt64 = 0
  let seconds = medianSeconds(runs: 51) {
    seed += 1
    var scene = FingerScene(subject: Subject(), disturbances: disturbances, seed: seed)
    var clock = CameraClock(rate: settings.frameRate, jitterMs: settings.jitterMs, seed: seed, opensAt: .zero)
    var sensor = CameraSensor(settings, seed: seed)
    var way = FrameFaults(settings, latency: .zero, seed: seed)
    var sum = 0.0
    for _ in 0..<count {
      let captured = clock.next()
      way.take(sensor.frame(of: scene.light(at: captured), at: captured))
      while let delivery = way.next {
        sum += delivery.sample.green
        way.removeNext()
      }
    }
    keep(sum)
  }
  return Double(count) / seconds
}
