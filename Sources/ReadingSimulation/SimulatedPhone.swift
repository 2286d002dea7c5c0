import PulseSynthesis
import Scenarios
import Simulation
import Traces
import VitalsModel

/// A phone with a synthetic finger on its lens.
///
/// Its camera takes `openDelay` to open, samples the light of the scene on its own clock and delivers each frame
/// `latency` later. It builds results in `resultDelay`. It tells the trace what is true: contact, pulse, motion, and
/// the first frame of each opening.
struct SimulatedPhone: Phone {
  private let settings: PhoneSettings
  private let seed: UInt64
  private var scene: FingerScene
  /// Nil while the camera is off.
  private var camera: OpenCamera?
  private var openings: UInt64 = 0
  private var hasAnnouncedFrames = false
  /// Frames that are captured and not delivered yet.
  private var onTheirWay: [FrameSample] = []
  /// What is true of a pulse that shows.
  private let visiblePulse: String
  private var isCameraBroken = false
  private var queue = DeliveryQueue()

  private struct OpenCamera {
    var clock: CameraClock
    var sensor: CameraSensor
    var nextCapture: Instant
  }

  /// A pulse below this perfusion index is no good signal: the noise of a phone's camera comes near it.
  private static let faintPercent = 0.5

  init(subject: Subject, settings: PhoneSettings, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    scene = FingerScene(subject: subject, seed: seed)
    // The torch is the session's to light.
    scene.setTorch(false, at: .zero)
    visiblePulse = subject.perfusionIndexPercent < Self.faintPercent ? "faint" : "present"
    for (word, state) in [("contact", "present"), ("pulse", visiblePulse), ("motion", "still")] {
      queue.add(.truth(.state(word, state)), at: .zero)
    }
  }

  var exhaustion: String? { nil }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    let captured = onTheirWay.first?.captured ?? camera?.nextCapture
    let frameAt = captured.map { $0 + settings.latency }
    if let first = queue.first, frameAt.map({ first.at <= $0 }) ?? true {
      return first.at < limit ? queue.removeFirst() : nil
    }
    guard let frameAt, frameAt < limit else { return nil }
    if !hasAnnouncedFrames {
      hasAnnouncedFrames = true
      return Delivery(at: frameAt, .truth(Message("firstFrame")))
    }
    let frame = onTheirWay.isEmpty ? capture() : onTheirWay.removeFirst()
    return frame.map { Delivery(at: frameAt, .sample($0)) }
  }

  mutating func obey(_ command: Message, at now: Instant) {
    captureFrames(before: now)
    switch (command.name, command["on"], command["attempt"]) {
    case ("camera", .flag(true)?, _): openCamera(at: now)
    // Frames that are on their way still arrive.
    case ("camera", .flag(false)?, _): camera = nil
    case ("torch", .flag(let isOn)?, _): scene.setTorch(isOn, at: now)
    case ("buildResult", _, let attempt?):
      queue.add(.notice(Message("resultBuilt", [Field("attempt", attempt)])), at: now + settings.resultDelay)
    // A command that this phone cannot carry out.
    default: break
    }
  }

  mutating func change(_ word: String, to state: String, at now: Instant) {
    captureFrames(before: now)
    queue.withdrawTruth(about: word)
    // What the finger comes to takes a while to be true; what it leaves is true no more at once.
    switch word {
    case "contact":
      let isPresent = state == "present"
      scene.setContact(isPresent, at: now)
      tell(word, state, at: isPresent ? scene.truth.contact.last?.from : nil, notBefore: now)
    case "pulse":
      let isVisible = state == "present"
      scene.setPulse(visible: isVisible, at: now)
      tell(
        word, isVisible ? visiblePulse : state, at: isVisible ? scene.truth.visiblePulse.last?.from : nil,
        notBefore: now)
    case "motion":
      let isStill = state == "still"
      scene.setMotion(fidgeting: !isStill, at: now)
      tell(word, state, at: isStill ? scene.truth.fidgeting.last?.to : nil, notBefore: now)
    case "camera":
      isCameraBroken = state == "failed"
      if isCameraBroken, camera != nil { failCamera(at: now) }
    default: preconditionFailure("no word of the world is named \(word)")
    }
  }

  func truth(from start: Instant, to end: Instant) -> [Field] {
    let realised = scene.truth.statistics(from: start, to: end)
    return [
      Field("heartRateBpm", realised.heartRateBpm, places: 2), Field("rmssdMs", realised.rmssdMs, places: 2),
      Field("breathingRatePerMin", realised.breathingRatePerMin, places: 2),
    ].compactMap(\.self)
  }

  private mutating func tell(_ word: String, _ state: String, at moment: Instant?, notBefore now: Instant) {
    queue.add(.truth(.state(word, state)), at: max(moment ?? now, now))
  }

  private mutating func failCamera(at moment: Instant) {
    camera = nil
    queue.add(.notice(Message("cameraFailed")), at: moment)
  }

  private mutating func openCamera(at now: Instant) {
    guard camera == nil else { return }
    guard !isCameraBroken else { return failCamera(at: now + settings.openDelay) }
    openings += 1
    // Every opening has a clock and a sensor of its own, so that one more frame before it changes nothing after.
    let seed = seed &+ (openings &- 1) &* 0x9e37_79b9_7f4a_7c15
    var clock = CameraClock(
      frameRateFps: settings.frameRateFps, jitterMs: settings.jitterMs, seed: seed,
      opensAt: now + settings.openDelay)
    let first = clock.next()
    hasAnnouncedFrames = false
    camera = OpenCamera(clock: clock, sensor: CameraSensor(noise: .phone, seed: seed), nextCapture: first)
  }

  /// The frame that is due for capture.
  private mutating func capture() -> FrameSample? {
    guard let captured = camera?.nextCapture else { return nil }
    let light = scene.light(at: captured)
    let frame = camera?.sensor.frame(of: light, captured: captured)
    if let next = camera?.clock.next() { camera?.nextCapture = next }
    return frame
  }

  /// Captures what the camera saw before the world changes: light cannot be asked for afterwards.
  private mutating func captureFrames(before now: Instant) {
    while let due = camera?.nextCapture, due < now, let frame = capture() { onTheirWay.append(frame) }
  }
}

/// How a simulated phone behaves.
struct PhoneSettings: Sendable {
  /// Frames per second, 15...60.
  let frameRateFps: Double
  /// Standard deviation of a capture time about its regular moment, milliseconds.
  let jitterMs: Double
  /// From a frame's capture to its delivery.
  let latency: TimeSpan
  /// From the command to the first frame.
  let openDelay: TimeSpan
  /// From `buildResult` to its notice.
  let resultDelay: TimeSpan
}

extension Message {
  /// A state of the world.
  static func state(_ word: String, _ state: String) -> Message {
    Message(word, [Field("state", .text(state))])
  }
}
