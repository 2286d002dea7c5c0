import Traces
import VitalsModel

/// One entry of a trace in the words of the vitals reading.
enum ReadingMoment {
  case call(Call)
  case returned(Call)
  case threw(Call, error: String)
  case event(Event)
  case notice(Notice)
  case camera(isOn: Bool)
  case torch(isOn: Bool)
  case adjustFrameRate
  /// The result of an attempt with so many frames is asked for; nil: without saying how many.
  case buildResult(frames: Int?)
  /// What a perfect reader would have found in the minute before.
  case realised(Message)
  /// The first frame after the camera was opened.
  case firstFrame
  /// A state of the world as it really is.
  case world(word: String, state: String)
  case other

  enum Call: Hashable {
    case activate, cancelReading
    case start(offMainThread: Bool)
    /// The owner's end counts as a stop() that the app calls, but has no reply.
    case stop(by: Stopper)
    case setAutoStart(Bool)
    case unknown
  }

  enum Stopper {
    case app, owner
  }

  enum Notice {
    /// A state of the phone, the app or the licence, such as `app` and `background`.
    case fact(word: String, state: String)
    case interruptionBegan(reason: String)
    /// Without a reason every interruption is over, but not the background.
    case interruptionEnded(reason: String?)
    case cameraFailed
    /// The camera delivers so many frames per second from now on, 1...1000; nil: without saying how many.
    case frameRateSelected(fps: Double?)
    case resultBuilt
    case unknown(String)
  }

  enum Event {
    case guidance(String, startProgress: Double?)
    case started
    case preview(Message)
    case heartbeat(ibiMs: Double?)
    case cancelled(reason: String)
    case measurementComplete
    case completed(Message)
    case failed(error: String)
    case unknown(String)
  }
}

extension ReadingMoment.Event {
  init(_ message: Message) {
    self =
      switch message.name {
      case "guidance":
        .guidance(message["guidance"]?.text ?? "", startProgress: message["startProgress"]?.number)
      case "started": .started
      case "preview": .preview(message)
      case "heartbeat": .heartbeat(ibiMs: message["ibiMs"]?.number)
      case "cancelled": .cancelled(reason: message["reason"]?.text ?? "")
      case "measurementComplete": .measurementComplete
      case "completed": .completed(message)
      case "failed": .failed(error: message["error"]?.text ?? "")
      default: .unknown(message.name)
      }
  }

  /// The event's name as the contract spells it.
  var name: String {
    switch self {
    case .guidance: "guidance"
    case .started: "started"
    case .preview: "preview"
    case .heartbeat: "heartbeat"
    case .cancelled: "cancelled"
    case .measurementComplete: "measurementComplete"
    case .completed: "completed"
    case .failed: "failed"
    case .unknown(let name): name
    }
  }
}

extension ReadingMoment.Notice {
  init(_ message: Message) {
    self =
      switch (message.name, message["state"]?.text) {
      case ("interruptionBegan", _): .interruptionBegan(reason: message["reason"]?.text ?? "")
      case ("interruptionEnded", _): .interruptionEnded(reason: message["reason"]?.text)
      case ("cameraFailed", _): .cameraFailed
      // A rate that no camera has says nothing.
      case ("frameRateSelected", _):
        .frameRateSelected(fps: message["frameRateFps"]?.number.flatMap { (1...1_000).contains($0) ? $0 : nil })
      case ("resultBuilt", _): .resultBuilt
      case (let word, let state?): .fact(word: word, state: state)
      case (let name, nil): .unknown(name)
      }
  }
}

/// The phase of a session as its trace shows it.
enum ReadingPhase: String {
  case idle, positioning, measuring, finalizing, ended
}

/// What every monitor needs to know of the run so far.
struct ReadingContext {
  /// The platform of the run, `ios` or `android`.
  let platform: String
  /// When the entry happened.
  var now = Instant.zero
  /// The phase before the entry.
  var phase = ReadingPhase.idle
  /// When the running or last attempt began.
  var startedAt: Instant?
  /// When `stop()` was first called or the owner ended, in a session that it ended or released.
  private(set) var stoppedAt: Instant?
  /// The causes of interruptions, the camera and its frames.
  private(set) var capture: CaptureState
  private(set) var breakdowns = Breakdowns()
  /// What is true of the fingertip and its light.
  private(set) var finger = FingerTruth()
  /// Whether the camera is commanded on and has not said that it failed.
  private(set) var isCameraOn = false
  private(set) var isTorchOn = false
  private(set) var isAutoStartEnabled = true
  /// Whether the truth about the fingertip is known at all, as it is not of a recording.
  private(set) var knowsContact = false
  /// Since when the fingertip cannot be seen, because it is not there or because the torch is dark.
  private(set) var contactLostSince: Instant?
  /// Since when everything that makes the signal has been good together; nil while it is not or is not known.
  private(set) var goodSince: Instant?
  /// The last interval between two beats, by the truth; nil while it tells of none.
  private(set) var beatInterval: TimeSpan?
  private var badWords: [String] = []
  private var calls: [Int: ReadingMoment.Call] = [:]
  private var ownerEndedAt: Instant?
  private var lastDelivering: Instant?

  init(platform: String) {
    self.platform = platform
    capture = CaptureState(platform: platform)
  }

  /// The words whose state decides whether a signal is good, with their good state.
  private static let good = [
    "contact": "present", "pulse": "present", "motion": "still", "torch": "working", "camera": "working",
    "frames": "regular", "light": "clean",
  ]

  /// The entry in the contract's words.
  mutating func read(_ entry: TraceEntry) -> ReadingMoment {
    reach(entry.at)
    switch entry.item {
    case .call(let id, let message):
      let call = ReadingMoment.Call(message)
      calls[id] = call
      return .call(call)
    case .reply(let id, .returned): return .returned(calls[id] ?? .unknown)
    case .reply(let id, .threw(let error)): return .threw(calls[id] ?? .unknown, error: error.name)
    case .event(let message): return .event(ReadingMoment.Event(message))
    case .command(let message):
      switch (message.name, message["on"]) {
      case ("camera", .flag(let isOn)?): return .camera(isOn: isOn)
      case ("torch", .flag(let isOn)?): return .torch(isOn: isOn)
      case ("adjustFrameRate", _): return .adjustFrameRate
      case ("buildResult", _): return .buildResult(frames: message["frames"]?.number.flatMap { Int(exactly: $0) })
      default: return .other
      }
    case .truth(let message):
      if message.name == "beat", let ibiMs = message["ibiMs"]?.number, (100...10_000).contains(ibiMs) {
        beatInterval = TimeSpan(seconds: ibiMs / 1_000)
      }
      if message.name == "firstFrame" { return .firstFrame }
      if case .realised? = RunTruth(message) { return .realised(message) }
      guard let state = message["state"]?.text else { return .other }
      return .world(word: message.name, state: state)
    case .notice(let message):
      // Only Android has an owner that ends; the session then stops as by stop() (V38).
      if message.name == "ownerDestroyed", platform == "android" { return .call(.stop(by: .owner)) }
      return .notice(ReadingMoment.Notice(message))
    case .sample, .capture, .reference, .timer, .stimulus: return .other
    }
  }

  /// Moves the context past the entry, after the monitors have seen it.
  mutating func advance(past moment: ReadingMoment) {
    if isDelivering { lastDelivering = now }
    breakdowns.advance(past: moment, self)
    capture.advance(past: moment, at: now)
    finger.advance(past: moment, at: now)
    switch moment {
    case .call(.stop(let stopper)):
      if phase != .ended { stoppedAt = stoppedAt ?? now }
      if stopper == .owner { ownerEndedAt = ownerEndedAt ?? now }
    case .call(.setAutoStart(let isEnabled)): isAutoStartEnabled = isEnabled
    case .returned(.start): if phase == .idle { phase = .positioning }
    case .returned(.stop): if phase != .finalizing { phase = .ended }
    case .camera(let isOn): isCameraOn = isOn
    case .torch(let isOn): isTorchOn = isOn
    case .notice(.cameraFailed): isCameraOn = false
    case .world(let word, let state): change(word, to: state)
    case .event(let event): advance(past: event)
    case .call, .returned, .threw, .notice, .realised, .firstFrame, .adjustFrameRate, .buildResult, .other: break
    }
  }

  /// Moves on to a moment. An owner's end has no reply, so what was on its way gets as long as it takes to tell.
  mutating func reach(_ moment: Instant) {
    now = moment
    if let ownerEndedAt, phase != .finalizing, now - ownerEndedAt > Window.atOnce.upperBound { phase = .ended }
  }

  /// Whether something keeps the camera from the session: the app is in the background, or a trigger of the platform
  /// is active (V31).
  var isInterrupted: Bool { capture.interruptedSince != nil }

  /// Whether frames reach the session, as far as a trace can tell.
  var isDelivering: Bool {
    guard isCameraOn, !isInterrupted else { return false }
    return !capture.knowsTruth || capture.isWorking && capture.framesSince != nil
  }

  /// Whether frames reached the session until it switched its camera off just now, before it tells of an end.
  var wasJustDelivering: Bool {
    guard !isInterrupted, capture.isWorking, breakdowns.open == nil, let lastDelivering else { return false }
    return now - lastDelivering <= Window.atOnce.upperBound || isDelivering
  }

  /// Whether the session waits for the first frame after its start, after an interruption or after a restart.
  var isRestoring: Bool { phase == .positioning && !isInterrupted && !isDelivering }

  /// Whether the fingertip is really off the lens, whether or not the torch shines.
  var isFingerLifted: Bool { badWords.contains("contact") }

  /// Whether the torch is really off whatever was commanded.
  var isDark: Bool { badWords.contains("torch") }

  /// Whether an attempt or the wait for one is going on.
  var isLive: Bool { (phase == .positioning || phase == .measuring) && stoppedAt == nil }

  /// Whether the signal has been good since the attempt began.
  var isGoodAttempt: Bool {
    guard let startedAt, let goodSince else { return false }
    return goodSince <= startedAt
  }

  private mutating func advance(past event: ReadingMoment.Event) {
    switch event {
    case .started:
      phase = .measuring
      startedAt = now
    case .cancelled: phase = .positioning
    case .measurementComplete: phase = .finalizing
    case .completed, .failed: phase = .ended
    case .guidance, .preview, .heartbeat, .unknown: break
    }
  }

  private mutating func change(_ word: String, to state: String) {
    guard let good = Self.good[word] else { return }
    badWords.removeAll { $0 == word }
    // A dimmed torch shines: what that does to the light is the light's own word.
    if state != good, state != "dimmed" { badWords.append(word) }
    if word == "contact" { knowsContact = true }
    if word == "contact" || word == "torch" {
      let isSeen = !badWords.contains("contact") && !badWords.contains("torch")
      contactLostSince = isSeen ? nil : contactLostSince ?? now
    }
    goodSince = badWords.isEmpty ? goodSince ?? now : nil
  }
}

extension ReadingMoment.Call {
  fileprivate init(_ message: Message) {
    self =
      switch (message.name, message["argument"]?.text) {
      case ("activate", _): .activate
      case ("start", let argument): .start(offMainThread: argument == "offMainThread")
      case ("stop", _): .stop(by: .app)
      case ("cancelReading", _): .cancelReading
      case ("setAutoStart", "true"?): .setAutoStart(true)
      case ("setAutoStart", "false"?): .setAutoStart(false)
      default: .unknown
      }
  }
}
