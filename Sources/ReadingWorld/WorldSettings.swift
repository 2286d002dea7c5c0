import CameraSynthesis
import PulseSynthesis
import Scenarios
import VitalsModel

extension Subject {
  /// The subject of a scenario's settings.
  public init(_ settings: Settings) {
    self.init(
      heart: HeartSettings(settings), breathing: BreathingSettings(settings),
      vessels: settings.choice("subject", "vessels"), finger: FingerSettings(settings))
  }
}

extension HeartSettings {
  init(_ settings: Settings) {
    self.init(
      rateBpm: settings.value("subject", "heartRate"), rmssdMs: settings.value("subject", "rmssd"),
      sdnnMs: settings["subject", "sdnn"], respiratoryShare: settings["subject", "respiratoryShare"].map { $0 / 100 },
      lowFrequencyShare: settings["subject", "lowFrequencyShare"].map { $0 / 100 })
  }
}

extension BreathingSettings {
  init(_ settings: Settings) {
    self.init(
      ratePerMin: settings.value("subject", "breathingRate"),
      amplitudeModulation: settings.value("subject", "amplitudeModulation") / 100,
      baselineModulation: settings.value("subject", "baselineModulation") / 100)
  }
}

extension FingerSettings {
  init(_ settings: Settings) {
    self.init(
      perfusionIndexPercent: settings.value("subject", "perfusionIndex"), skin: settings.choice("subject", "skin"),
      polarity: settings.choice("subject", "polarity"))
  }
}

extension DisturbanceSettings {
  /// The disturbances of a scenario's settings.
  public init(_ settings: Settings) {
    func value(_ field: String) -> Double { settings.value("disturbance", field) }
    self.init(
      tremorPercent: value("tremor"), tremorHz: value("tremorRate"), jerksPerMin: value("jerks"),
      swayPercent: value("sway"), swayPerMin: value("swayRate"), wanderPercent: value("wander"),
      flickerPercent: value("flicker"), mainsHz: value("mains"), speechPercent: value("speech"),
      swallowsPerMin: value("swallowing"))
  }
}

extension TorchSettings {
  /// The torch of a scenario's settings.
  public init(_ settings: Settings) {
    self.init(
      warmUp: TimeSpan(seconds: settings.value("camera", "torchWarmUp")),
      droop: settings.value("camera", "torchDroop") / 100)
  }
}

extension CameraSettings {
  /// The camera of a scenario's settings.
  public init(_ settings: Settings) {
    self.init()
    func value(_ field: String) -> Double { settings.value("camera", field) }
    frameRateFps = value("frameRate")
    declaredFps = settings["camera", "declaredRate"]
    clockDriftPpm = value("clockDrift")
    clockOffset = TimeSpan(seconds: value("clockOffset"))
    jitterMs = value("jitter")
    droppedPercent = value("droppedFrames")
    duplicatedPercent = value("duplicatedFrames")
    reorderedPercent = value("reorderedFrames")
    latePercent = value("lateFrames")
    lateBy = TimeSpan(seconds: value("lateBy"))
    stallsPerMin = value("stalls")
    stallLength = TimeSpan(seconds: value("stallLength"))
    stamping = settings.choice("camera", "stamping")
    exposureTimeMs = value("exposureTime")
    depth = settings.choice("camera", "depth")
    readNoiseCounts = value("readNoise")
    shotNoise = value("shotNoise")
    pixels = Int(value("pixels"))
    gain = value("gain")
    exposureStops = value("exposureBias")
    gamma = value("gamma")
    exposure = settings.choice("camera", "exposure")
    whiteBalance = settings.choice("camera", "whiteBalance")
    lowLightHalvesRate = true
  }
}

extension Nothing {
  /// What a scenario names as its source; nil for a finger.
  public init?(source: String?) {
    guard let source, source.hasPrefix(nothingPrefix) else { return nil }
    self.init(rawValue: String(source.dropFirst(nothingPrefix.count)))
  }
}

extension Settings {
  /// A setting that the vocabulary has a standard value for.
  public func value(_ section: String, _ field: String) -> Double {
    guard let value = self[section, field] else { preconditionFailure("\(section).\(field) has no standard value") }
    return value
  }

  /// A choice, of which every word stands for a value of its type.
  func choice<Choice: RawRepresentable<String>>(_ section: String, _ field: String) -> Choice {
    guard let word = self[choice: section, field], let choice = Choice(rawValue: word) else {
      preconditionFailure("\(section).\(field) is no \(Choice.self)")
    }
    return choice
  }
}
