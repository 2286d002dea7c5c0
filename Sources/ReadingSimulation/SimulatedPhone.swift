import PulseSynthesis
import ReadingSession
import Simulation
import Traces
import VitalsModel

/// A phone with a synthetic finger on its lens.
///
/// Its camera takes `openDelay` to open, samples the light of the scene on its own clock and delivers each frame
/// `latency` later. It builds results in `resultDelay`. Its system moves the app, interrupts and takes the camera. It
/// tells the trace what is true: contact, pulse, motion, the camera and its rate, the torch, and the first frame of
/// each opening.
struct SimulatedPhone: Phone {
  private let settings: PhoneSettings
  private var scene: FingerScene
  private var camera: PhoneCamera
  private var system: OperatingSystem
  private var hasAnnouncedFrames = false
  /// When the camera was last told to open; what it captured before is no first frame of this opening.
  private var openedAt = Instant.zero
  /// What is true of a pulse that shows.
  private let visiblePulse: String
  private var isTorchWanted = false
  private var isTorchLost = false
  /// What the trace was told last of the camera's rate.
  private var wasSlow = false
  private var queue = DeliveryQueue()

  /// A pulse below this perfusion index is no good signal: the noise of a phone's camera comes near it.
  private static let faintPercent = 0.5
  /// How long a camera takes to adjust its rate.
  private static let adjusting = TimeSpan.milliseconds(200)

  /// - Parameter states: the words of the world that do not begin in their first state, in the vocabulary's order
  init(
    subject: Subject, settings: PhoneSettings, platform: Platform, states: [(word: String, state: String)],
    seed: UInt64
  ) {
    self.settings = settings
    scene = FingerScene(subject: subject, seed: seed)
    camera = PhoneCamera(settings: settings, seed: seed)
    system = OperatingSystem(platform: platform)
    // The torch is the session's to light.
    scene.setTorch(false, at: .zero)
    visiblePulse = subject.finger.perfusionIndexPercent < Self.faintPercent ? "faint" : "present"
    for (word, state) in [("contact", "present"), ("pulse", visiblePulse), ("motion", "still")] {
      queue.add(.truth(.state(word, state)), at: .zero)
    }
    for (word, state) in states { change(word, to: state, at: .zero) }
  }

  var exhaustion: String? { nil }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    while true {
      let frameAt = camera.nextDelivery
      let delivery = earlier(queue.first?.at, frameAt)
      if let due = system.deadline, due < limit, delivery.map({ due <= $0 }) ?? true {
        tell(system.serveTimer(at: due))
        continue
      }
      if let first = queue.first, frameAt.map({ first.at <= $0 }) ?? true {
        return first.at < limit ? queue.removeFirst() : nil
      }
      guard let frameAt, frameAt < limit else { return nil }
      guard let arrival = camera.arrival(by: frameAt) else {
        capture()
        continue
      }
      if !hasAnnouncedFrames, arrival.capturedAt >= openedAt {
        hasAnnouncedFrames = true
        return Delivery(at: frameAt, .truth(Message("firstFrame")))
      }
      camera.removeArrival()
      return Delivery(at: frameAt, .sample(arrival.sample))
    }
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  mutating func obey(_ command: Message, at now: Instant) {
    captureFrames(before: now)
    switch (command.name, command["on"], command["attempt"]) {
    case ("camera", .flag(true)?, _): openCamera(at: now)
    case ("camera", .flag(false)?, _): closeCamera(at: now)
    case ("torch", .flag(let isOn)?, _): setTorch(isOn, at: now)
    case ("adjustFrameRate", _, _):
      if let fps = camera.adjust() { queue.add(.notice(.frameRate(fps)), at: now + Self.adjusting) }
    case ("buildResult", _, let attempt?):
      queue.add(.notice(Message("resultBuilt", [Field("attempt", attempt)])), at: now + settings.resultDelay)
    // A command that this phone cannot carry out.
    default: break
    }
    tellRate(at: now)
  }

  mutating func change(_ word: String, to state: String, at now: Instant) {
    captureFrames(before: now)
    if let notices = system.change(word, to: state, isCameraOpen: camera.isOpen, at: now) {
      if system.holdsCamera, camera.isOpen { closeCamera(at: now) }
      tell(notices)
    } else if !changeFinger(word, to: state, at: now), !changeCamera(word, to: state, at: now) {
      preconditionFailure("no word of the world is named \(word)")
    }
    tellRate(at: now)
  }

  func truth(from start: Instant, to end: Instant) -> [Field] {
    let realised = scene.truth.statistics(from: start, to: end)
    return [
      Field("heartRateBpm", realised.heartRateBpm, places: 2), Field("rmssdMs", realised.rmssdMs, places: 2),
      Field("breathingRatePerMin", realised.breathingRatePerMin, places: 2),
    ].compactMap(\.self)
  }
}

// MARK: The world

extension SimulatedPhone {
  /// What the finger comes to takes a while to be true; what it leaves is true no more at once.
  private mutating func changeFinger(_ word: String, to state: String, at now: Instant) -> Bool {
    let settled: Instant?
    var truth = state
    switch word {
    case "contact":
      scene.setContact(state == "present", at: now)
      settled = state == "present" ? scene.truth.contact.last?.from : nil
    case "pulse":
      let isVisible = state == "present"
      scene.setPulse(visible: isVisible, at: now)
      settled = isVisible ? scene.truth.visiblePulse.last?.from : nil
      truth = isVisible ? visiblePulse : state
    case "motion":
      scene.setMotion(fidgeting: state != "still", at: now)
      settled = state == "still" ? scene.truth.fidgeting.last?.to : nil
    default: return false
    }
    queue.withdrawTruth(about: word)
    queue.add(.truth(.state(word, truth)), at: max(settled ?? now, now))
    return true
  }

  private mutating func changeCamera(_ word: String, to state: String, at now: Instant) -> Bool {
    switch word {
    case "power": camera.set(.lowPower, isOn: state == "low")
    case "thermal": camera.set(.heat, isOn: state == "throttled")
    case "frames": camera.set(.drops, isOn: state == "dropped")
    case "torch":
      isTorchLost = state == "lost"
      if isTorchLost { isTorchWanted = false }
      scene.setTorch(isTorchWanted && !isTorchLost, at: now)
      queue.add(.truth(.state(word, state)), at: now)
      queue.add(.notice(.state(word, isTorchLost ? "lost" : "available")), at: now)
    case "camera":
      guard let condition = PhoneCamera.Condition(rawValue: state) else { return false }
      let (wasOpen, wasBusy) = (camera.isOpen, camera.condition == .busy)
      camera.become(condition, at: now)
      queue.add(.truth(.state(word, state)), at: now)
      if wasBusy != (condition == .busy) {
        queue.add(.notice(.state("cameraAccess", wasBusy ? "free" : "busy")), at: now)
      }
      // One that was opened while it was dead is open only now, as far as anybody can tell.
      if condition == .working, !hasAnnouncedFrames, let fps = camera.declaredFps {
        queue.add(.notice(.frameRate(fps)), at: now)
      }
      if wasOpen, !camera.isOpen {
        closeCamera(at: now)
        queue.add(.notice(Message("cameraFailed")), at: now)
      }
    default: return false
    }
    return true
  }

  private mutating func setTorch(_ isOn: Bool, at now: Instant) {
    // One that is asked for without a camera stays dark.
    isTorchWanted = isOn && camera.isOpen
    scene.setTorch(isTorchWanted && !isTorchLost, at: now)
  }

  private mutating func tell(_ notices: [OperatingSystem.Notice]) {
    for notice in notices { queue.add(.notice(notice.message), at: notice.at) }
  }

  private mutating func tellRate(at now: Instant) {
    guard camera.isOpen, camera.isSlow != wasSlow else { return }
    wasSlow = camera.isSlow
    queue.add(.truth(.state("frames", wasSlow ? "slow" : "regular")), at: now)
  }
}

// MARK: The camera

extension SimulatedPhone {
  private mutating func openCamera(at now: Instant) {
    guard !system.holdsCamera else { return queue.add(.notice(Message("cameraFailed")), at: now + settings.openDelay) }
    // Opened anew, it runs, however long the stall would have been.
    let wasStalled = queue.withdrawTruth(about: "camera") || camera.condition == .stalled
    switch camera.open(at: now) {
    case .opens(let opensAt, let fps):
      (hasAnnouncedFrames, openedAt) = (false, now)
      queue.add(.notice(.frameRate(fps)), at: opensAt)
      if wasStalled { queue.add(.truth(.state("camera", "working")), at: now) }
    case .silent: (hasAnnouncedFrames, openedAt) = (false, now)
    case .fails(let moment): queue.add(.notice(Message("cameraFailed")), at: moment)
    case .nothing: break
    }
  }

  /// Frames that are on their way still arrive; what was still to be told of this opening does not. The torch is the
  /// camera's, and goes out with it.
  private mutating func closeCamera(at now: Instant) {
    camera.close(at: now)
    setTorch(false, at: now)
    queue.withdrawNotices(["frameRateSelected", "cameraFailed"])
  }

  /// Captures the frame that is due.
  private mutating func capture() {
    guard var exposure = camera.expose() else { return }
    while let moment = exposure.next { exposure.gather(scene.light(at: moment)) }
    let stall = camera.stall
    camera.capture(exposure.light)
    if let next = camera.stall, next != stall { tell(next) }
  }

  /// A stall shows when the first frame should have come that it takes away.
  private mutating func tell(_ stall: Range<Instant>) {
    queue.add(.truth(.state("camera", "stalled")), at: stall.lowerBound + settings.latency)
    queue.add(.truth(.state("camera", "working")), at: stall.upperBound + settings.latency)
  }

  /// Captures what the camera saw before the world changes: light cannot be asked for afterwards.
  private mutating func captureFrames(before now: Instant) {
    while let due = camera.nextCapture, due < now { capture() }
    camera.hold(at: now)
  }
}

extension Message {
  /// The camera is open, and its selected rate is this.
  static func frameRate(_ fps: Double) -> Message {
    Message("frameRateSelected", [Field("frameRateFps", .number(fps, places: 2))])
  }
}
