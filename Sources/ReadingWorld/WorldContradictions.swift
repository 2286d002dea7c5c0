import CameraSynthesis
import PulseSynthesis
import Scenarios
import VitalsModel

/// What in a scenario's settings, each in its range, cannot be together, with the reason and the limit.
@Sendable public func readingContradictions(_ settings: Settings) -> [Scenarios.Contradiction] {
  [
    subjectContradiction(settings), disturbanceContradiction(settings), cameraContradiction(settings),
    aliasedTremor(settings), splitPixel(settings),
  ].compactMap { $0 }
}

private func subjectContradiction(_ settings: Settings) -> Scenarios.Contradiction? {
  Subject.contradiction(
    heart: HeartSettings(settings), breathing: BreathingSettings(settings), finger: FingerSettings(settings)
  ).map { fault in
    let partners: [PulseSynthesis.Contradiction.Field] =
      switch fault.field {
      case .rmssd: [.heartRate]
      case .sdnn: [.rmssd, .heartRate, .breathingRate]
      case .respiratoryShare: [.lowFrequencyShare, .breathingRate, .heartRate, .rmssd]
      case .lowFrequencyShare: [.heartRate, .rmssd]
      case .heartRate, .breathingRate, .amplitudeModulation, .baselineModulation, .perfusionIndex: []
      }
    return Scenarios.Contradiction(
      ([fault.field] + partners).map { SettingName("subject", $0.rawValue) }, fault.reason)
  }
}

private func disturbanceContradiction(_ settings: Settings) -> Scenarios.Contradiction? {
  DisturbanceSettings(settings).contradiction.map { fault in
    let key =
      switch fault.field {
      case .tremorPercent: "tremor"
      case .tremorHz: "tremorRate"
      case .jerksPerMin: "jerks"
      case .swayPercent: "sway"
      case .swayPerMin: "swayRate"
      case .wanderPercent: "wander"
      case .flickerPercent: "flicker"
      case .mainsHz: "mains"
      case .speechPercent: "speech"
      case .swallowsPerMin: "swallowing"
      }
    // All that move the finger add up, so each may be what is too much.
    let movers = ["tremor", "jerks", "sway", "wander", "speech", "swallowing"].filter { $0 != key }
    return Scenarios.Contradiction(([key] + movers).map { SettingName("disturbance", $0) }, fault.reason)
  }
}

private func cameraContradiction(_ settings: Settings) -> Scenarios.Contradiction? {
  CameraSettings(settings).contradiction.map { fault in
    let keys =
      switch fault.field {
      case .frameRate, .declaredRate, .clockDrift, .clockOffset, .jitter, .lateBy, .readNoise, .shotNoise, .pixels,
        .gain, .gamma:
        [fault.field.rawValue]
      case .dropped: ["droppedFrames"]
      case .duplicated: ["duplicatedFrames"]
      case .reordered: ["reorderedFrames"]
      case .late: ["lateFrames"]
      case .stalls, .stallLength: ["stalls", "stallLength"]
      case .exposureStops: ["exposureBias"]
      case .exposureTime: ["exposureTime", "frameRate"]
      }
    return Scenarios.Contradiction(keys.map { SettingName("camera", $0) }, fault.reason)
  }
}

private func splitPixel(_ settings: Settings) -> Scenarios.Contradiction? {
  let pixels = settings.value("camera", "pixels")
  guard pixels != pixels.rounded() else { return nil }
  return Scenarios.Contradiction([SettingName("camera", "pixels")], "a mean is taken over a whole number of pixels")
}

/// A tremor above half the frame rate would be seen as another, slower one.
private func aliasedTremor(_ settings: Settings) -> Scenarios.Contradiction? {
  let (tremor, camera) = (DisturbanceSettings(settings), CameraSettings(settings))
  let limit = camera.frameRateFps / 2
  guard tremor.tremorPercent > 0, tremor.tremorHz > limit else { return nil }
  let (rate, fps) = (Quantity.frequency.text(tremor.tremorHz), Quantity.frameRate.text(camera.frameRateFps))
  return Scenarios.Contradiction(
    [
      SettingName("disturbance", "tremorRate"), SettingName("camera", "frameRate"),
      SettingName("disturbance", "tremor"),
    ],
    "a tremor of \(rate) is above half the frame rate of \(fps): at most \(Quantity.frequency.text(limit))")
}
