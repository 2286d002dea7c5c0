import CameraSynthesis
import PulseSynthesis
import ReadingSession
import Scenarios
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
  private var lens: LensWorld
  private var camera: PhoneCamera
  private var system: OperatingSystem
  private var hasAnnouncedFrames = false
  /// When the camera was last told to open; what it captured before is no first frame of this opening.
  private var openedAt = Instant.zero
  private var isTorchWanted = false
  private var isTorchLost = false
  private var isRoomDim = false
  private var isLosingFrames = false
  /// What the trace was told last of the camera's rate.
  private var wasSlow = false
  private var queue = DeliveryQueue()
  /// Whether `frameTruths` is filled.
  var keepsFrameTruth = false
  /// What was true whenever the camera looked, whether a frame came of it or not; whoever asks for it takes it away.
  var frameTruths: [(at: Instant, captured: Instant, truth: FrameTruth, faults: FrameFault)] = []

  /// How long a camera takes to adjust its rate.
  private static let adjusting = TimeSpan.milliseconds(200)

  /// A phone in the world that a scenario's settings describe.
  ///
  /// - Parameters:
  ///   - source: what lies on its lens, of the vocabulary's sources; nil: a finger
  ///   - platform: one of the vocabulary's platforms
  init(settings: Settings, source: String?, platform: String, seed: UInt64) {
    self.settings = PhoneSettings(settings)
    lens = LensWorld(source: Nothing(source: source), settings: settings, seed: seed)
    camera = PhoneCamera(settings: self.settings, seed: seed)
    system = OperatingSystem(platform: Platform(name: platform))
    // The torch is the session's to light.
    lens.setTorch(false, at: .zero)
    tell(lens.firstTruths())
    for (word, state) in settings.firstStates { change(.state(word: word, state: state), at: .zero) }
    lens.settle()
  }

  var exhaustion: String? { nil }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    while true {
      let frameAt = camera.nextDelivery
      let queuedAt = queue.nextTime
      let delivery = earlier(queuedAt, frameAt)
      if let due = system.deadline, due < limit, delivery.map({ due <= $0 }) ?? true {
        tell(system.serveTimer(at: due))
        continue
      }
      if let queuedAt, frameAt.map({ queuedAt <= $0 }) ?? true {
        return queuedAt < limit ? queue.removeFirst() : nil
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
    gatherLight()
    tellRate(at: now)
  }

  mutating func change(_ change: WorldChange, at now: Instant) {
    captureFrames(before: now)
    if case .state(let word, let state) = change,
      let notices = system.change(word, to: state, isCameraOpen: camera.isOpen, at: now)
    {
      if system.holdsCamera, camera.isOpen { closeCamera(at: now) }
      tell(notices)
    } else {
      let truths = lens.change(change, at: now)
      if let truths { tell(truths) }
      let isCameras = changeCamera(change, at: now)
      precondition(truths != nil || isCameras, "nothing of the world is named \(change.word)")
    }
    gatherLight()
    tellRate(at: now)
  }

  func truth(from start: Instant, to end: Instant) -> [Field] { lens.realised(from: start, to: end) }

  /// What became of the camera's frames so far.
  var frameCounts: FrameCounts { camera.frameCounts }

  /// The latest moment that the body's truth is known for.
  var latest: Instant { lens.scene.latest }

  /// What the body did until then.
  var pulseTruth: PulseTruth { lens.scene.truth }

  /// What has begun to change has been so for long.
  mutating func settle() { lens.settle() }

  /// Lets the body live on until a moment, whether the camera looks or not.
  mutating func passTime(to moment: Instant) { _ = lens.light(at: moment) }
}

// MARK: The world

extension SimulatedPhone {
  /// Whether the change is about the camera; some are about what lies before it as well.
  private mutating func changeCamera(_ change: WorldChange, at now: Instant) -> Bool {
    switch change {
    case .state(let word, let state): return changeCamera(word, to: state, at: now)
    case .quantity(let word, let value, _): return camera.turn(word, to: value)
    }
  }

  private mutating func changeCamera(_ word: String, to state: String, at now: Instant) -> Bool {
    switch word {
    case "power": camera.set(.lowPower, isOn: state == "low")
    case "thermal": camera.set(.heat, isOn: state == "throttled")
    case "frames":
      isLosingFrames = state == "dropped"
      camera.set(.drops, isOn: isLosingFrames)
    case "room": isRoomDim = state == "dim"
    case "torch":
      isTorchLost = state == "lost"
      if isTorchLost { isTorchWanted = false }
      lens.setTorch(isTorchWanted && !isTorchLost, at: now)
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

  /// In the dark the camera takes its time: in a dim room with nothing on the lens that the torch lights.
  private mutating func gatherLight() {
    camera.set(.lowLight, isOn: isRoomDim && !(lens.isCovered && isTorchWanted && !isTorchLost))
  }

  private mutating func setTorch(_ isOn: Bool, at now: Instant) {
    // One that is asked for without a camera stays dark.
    isTorchWanted = isOn && camera.isOpen
    lens.setTorch(isTorchWanted && !isTorchLost, at: now)
  }

  /// What was to become true of a word and has not yet, never will.
  private mutating func tell(_ truths: [LensWorld.Truth]) {
    for truth in truths { queue.withdrawTruth(about: truth.message.name) }
    for truth in truths { queue.add(.truth(truth.message), at: truth.at) }
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
    guard let captured = camera.nextCapture, var exposure = camera.expose() else { return }
    while let moment = exposure.next { exposure.gather(lens.light(at: moment)) }
    // All that passed by the end of the exposure is told with the frame.
    for news in lens.news() { queue.add(.truth(news), at: lens.scene.latest + settings.latency) }
    let stall = camera.stall
    let faults = camera.capture(exposure.light)
    if let next = camera.stall, next != stall { tell(next) }
    if keepsFrameTruth { frameTruths.append((lens.scene.latest, captured, lens.scene.frameTruth, faults)) }
    // Stalls, and two of five frames being lost, are states of the world, of which the trace knows.
    if !faults.isEmpty, !isLosingFrames, faults != .stalled {
      queue.add(.truth(.faults(faults)), at: lens.scene.latest + settings.latency)
    }
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

extension Message {
  /// What becomes of a frame on its way.
  fileprivate static func faults(_ faults: FrameFault) -> Message {
    Message("frameFault", [Field("faults", .text(faults.names.joined(separator: " ")))])
  }
}
