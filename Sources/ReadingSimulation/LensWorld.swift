import CameraSynthesis
import PulseSynthesis
import ReadingWorld
import Scenarios
import Traces
import VitalsModel

/// What lies before the lens of a simulated phone: how the words of a scenario change it, and what is then true of it.
///
/// What something comes to takes a while to be true; what it leaves is true no more at once.
struct LensWorld {
  private(set) var scene: FingerScene
  private let source: Nothing?
  /// The settings as the timeline has left them.
  private var settings: Settings
  /// The words whose state makes a reading no better than doubtful.
  private var blemishes: Set<String> = []
  /// Whether something lies on the lens, or is about to.
  private(set) var isCovered: Bool
  private var isPulseVisible = true
  private var wasClean = true
  /// The beats that were told.
  private var passing = BodyTruth()

  /// A pulse below this perfusion index is no good signal: the noise of a phone's camera comes near it.
  private static let faintPercent = 0.5
  /// Disturbances that sum up to less than this share of the perfusion index do not harm a reading.
  private static let harmlessShare = 0.05
  /// How long what a session shows lags behind a heart rate that changes.
  private static let lag = TimeSpan.seconds(15)
  /// How long the truth about beats is kept: far longer than an attempt.
  private static let memory = TimeSpan.seconds(300)

  /// Something that is true from a moment on.
  struct Truth {
    let message: Message
    let at: Instant
  }

  init(source: Nothing?, settings: Settings, seed: UInt64) {
    self.source = source
    isCovered = source?.coversLens ?? true
    self.settings = settings
    scene = FingerScene(
      subject: Subject(settings), disturbances: DisturbanceSettings(settings), torch: TorchSettings(settings),
      source: source.map { .nothing($0, frameRateFps: settings.value("camera", "frameRate")) } ?? .finger, seed: seed)
  }

  /// What is true when the run begins.
  mutating func firstTruths() -> [Truth] {
    let contact = source.map { $0.looksLikeFinger ? "present" : "lost" } ?? "present"
    let states = [("contact", contact), ("pulse", pulse), ("motion", "still")]
    return states.map { Truth(message: .state($0.0, $0.1), at: .zero) } + lightTruth(at: .zero)
  }

  /// Changes what lies before the lens; nil when that is not what the change is about.
  mutating func change(_ change: WorldChange, at now: Instant) -> [Truth]? {
    switch change {
    case .state(let word, let state): self.change(word, to: state, at: now)
    case .quantity(let word, let value, let over): turn(word, to: value, at: now, over: over)
    }
  }

  /// The light at the lens at `moment`, which does not go back.
  mutating func light(at moment: Instant) -> Light { scene.light(at: moment) }

  /// What has begun to change is as the run begins.
  mutating func settle() { scene.settle() }

  /// Lights the torch or puts it out.
  mutating func setTorch(_ isOn: Bool, at now: Instant) { scene.setTorch(isOn, at: now) }

  /// The beats and breaths that passed since this was asked last, as a trace tells them.
  mutating func news() -> [Message] {
    guard source == nil else { return [] }
    let beats = passing.newBeats(in: scene.truth)
    let breaths = passing.newBreaths(in: scene.truth)
    if beats.isEmpty && breaths.isEmpty { return [] }
    let news = beats.map(\.message) + breaths.map { .breath(from: $0) }
    if let oldest = scene.truth.beats.first, scene.latest - oldest.foot > Self.memory + .seconds(60) {
      scene.forget(before: scene.latest - Self.memory)
    }
    return news
  }

  /// What the body did over a stretch of time, with the result's field names; empty where there is none.
  func realised(from start: Instant, to end: Instant) -> [Field] {
    guard source == nil else { return [] }
    let realised = scene.truth.statistics(from: start, to: end)
    return [
      Field("heartRateBpm", realised.heartRateBpm, places: 2), Field("rmssdMs", realised.rmssdMs, places: 2),
      Field("sdnnMs", realised.sdnnMs, places: 2),
      Field("breathingRatePerMin", realised.breathingRatePerMin, places: 2),
      Field("beats", .integer(Int64(realised.beatCount))),
      realised.ectopicCount == 0 ? nil : Field("ectopicBeats", .integer(Int64(realised.ectopicCount))),
    ].compactMap(\.self)
  }
}

// MARK: Words

extension LensWorld {
  /// What the pulse is while it shows, and what it is while it does not.
  private var pulse: String {
    if source != nil || !isPulseVisible { return "absent" }
    return settings.value("subject", "perfusionIndex") < Self.faintPercent ? "faint" : "present"
  }

  private mutating func change(_ word: String, to state: String, at now: Instant) -> [Truth]? {
    let settled: Instant
    switch word {
    case "contact":
      isCovered = state == "present"
      settled = scene.setContact(isCovered, at: now)
    case "pulse":
      isPulseVisible = state == "present"
      settled = scene.setPulse(visible: isPulseVisible, at: now)
      return [Truth(message: .state(word, pulse), at: isPulseVisible ? settled : now)]
    case "motion": settled = scene.setMotion(Self.word(state), at: now)
    case "pressure": settled = scene.setPressure(Self.word(state), at: now)
    case "cover": settled = scene.setCover(Self.word(state), at: now)
    case "temperature": settled = scene.setTemperature(Self.word(state), at: now)
    case "room": settled = scene.setRoom(Self.word(state), at: now)
    case "rhythm":
      scene.setRhythm(Self.word(state), at: now)
      settled = now
    case "breathing":
      scene.setBreathing(Self.word(state), at: now)
      settled = now
    case "torch":
      settled = scene.setTorchDimmed(state == "dimmed", at: now)
      mark("torch", isBlemish: state == "dimmed")
      return lightTruth(at: state == "dimmed" ? now : settled)
    default: return nil
    }
    let rest = Self.rest[word]
    let truth = Truth(message: .state(word, state), at: state == rest ? max(settled, now) : now)
    guard Self.blemishing.contains(word) else { return [truth] }
    mark(word, isBlemish: state != rest && state != "paced")
    return [truth] + lightTruth(at: truth.at)
  }

  private mutating func turn(_ word: String, to value: Double, at now: Instant, over: TimeSpan) -> [Truth]? {
    guard let section = Self.sections[word] else { return nil }
    var changed = settings
    changed[section, word] = value
    // The scenario's reader refuses what may not be together; an order of events that it did not foresee changes nothing.
    if let contradiction = readingContradictions(changed).first {
      let fields = [Field("setting", .text(word)), Field("reason", .text(contradiction.message))]
      return [Truth(message: Message("refused", fields), at: now)]
    }
    let before = pulse
    settings = changed
    switch word {
    case "heartRate":
      scene.turnHeartRate(to: value, at: now, over: over)
      // What a session shows is a mean of the last seconds.
      return passingTruths(from: now, to: now + over + Self.lag)
    case "rmssd": scene.turnRmssd(to: value, at: now)
    case "breathingRate": scene.turnBreathingRate(to: value, at: now, over: over)
    case "perfusionIndex":
      let settled = scene.turnPerfusionIndex(to: value, at: now, over: over)
      let truths = before == pulse ? [] : [Truth(message: .state("pulse", pulse), at: settled)]
      return truths + (over == .zero ? lightTruth(at: now) : passingTruths(from: now, to: settled))
    default:
      if let kind = DisturbanceKind(rawValue: word) { scene.turnDisturbance(kind, to: value, at: now, over: over) }
      return lightTruth(at: isClean ? now + over : now)
    }
    return []
  }

  /// Whether nothing makes a reading doubtful, but for what has a word of its own (contact, pulse, motion).
  private var isClean: Bool {
    guard blemishes.isEmpty, CameraSettings(settings).isPlain, TorchSettings(settings).isPlain else { return false }
    let disturbances = DisturbanceSettings(settings)
    let percent =
      disturbances.tremorPercent + disturbances.swayPercent + disturbances.wanderPercent / 4
      + disturbances.flickerPercent + disturbances.speechPercent
    return percent <= Self.harmlessShare * settings.value("subject", "perfusionIndex")
      && disturbances.jerksPerMin == 0 && disturbances.swallowsPerMin == 0
  }

  private mutating func mark(_ word: String, isBlemish: Bool) {
    if isBlemish { blemishes.insert(word) } else { blemishes.remove(word) }
  }

  /// For a while nobody can say how good the light is.
  private mutating func passingTruths(from begin: Instant, to end: Instant) -> [Truth] {
    guard isClean else { return lightTruth(at: begin) }
    wasClean = true
    return [
      Truth(message: .state("light", "disturbed"), at: begin), Truth(message: .state("light", "clean"), at: end),
    ]
  }

  /// What is new about whether the light is clean.
  private mutating func lightTruth(at moment: Instant) -> [Truth] {
    guard isClean != wasClean else { return [] }
    wasClean = isClean
    return [Truth(message: .state("light", isClean ? "clean" : "disturbed"), at: moment)]
  }

  /// The words whose every state but the first makes a reading doubtful.
  private static let blemishing: Set<String> = ["pressure", "cover", "temperature", "rhythm", "breathing"]
  /// The sections of the settings that a timeline may change.
  private static let sections = Dictionary(
    uniqueKeysWithValues: readingSections.flatMap { section in
      section.fields.filter(\.isChangeable).map { ($0.name, section.name) }
    })
  /// The first state of each word.
  private static let rest = Dictionary(uniqueKeysWithValues: readingWorld.map { ($0.name, $0.states[0]) })

  /// The value that a word of the vocabulary stands for.
  private static func word<State: RawRepresentable<String>>(_ text: String) -> State {
    guard let state = State(rawValue: text) else { preconditionFailure("\(text) is no \(State.self)") }
    return state
  }
}

extension CameraSettings {
  /// Whether nothing about it makes a reading doubtful. A reader must cope with any clock that tells its true rate.
  fileprivate var isPlain: Bool {
    declaredFps == nil && exposure == .locked && whiteBalance == .locked && gain == 1 && exposureStops == 0
      && gamma == 1
      && readNoiseCounts <= 1 && shotNoise <= 0.05 && pixels >= 1_000 && stallsPerMin == 0
      && droppedPercent + duplicatedPercent + reorderedPercent + latePercent == 0
  }
}

extension TorchSettings {
  /// Whether it is soon as bright as it stays.
  fileprivate var isPlain: Bool { warmUp <= .milliseconds(500) && droop <= 0.03 }
}

extension Nothing {
  /// Whether the torch shines on it and not past it.
  fileprivate var coversLens: Bool { self != .table }
}
