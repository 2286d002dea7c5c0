import ReadingSession
import Simulation
import Traces
import VitalsModel

/// What a broken session remembers: what it was told, and what a right one would have done so far.
struct Past {
  private let platform: Platform
  /// The time.
  var now = Instant.zero
  private(set) var phase = Phase.idle
  /// When the latest attempt began.
  private(set) var startedAt: Instant?
  /// When the minute was full.
  private(set) var filledAt: Instant?
  /// When completed or failed came.
  private(set) var endedAt: Instant?
  /// Attempts so far.
  private(set) var attempts = 0
  /// Frames since the latest attempt began.
  private(set) var framesOfAttempt = 0
  /// When the camera was last commanded on.
  private(set) var openedAt: Instant?
  /// How often the camera was commanded on.
  private(set) var openings = 0
  /// Frames since then.
  private(set) var framesOfOpening = 0
  /// Whether starting by itself is switched off.
  private(set) var isHeld = false
  /// When the session was interrupted, until it is no more.
  private(set) var interruptedSince: Instant?
  /// When it was interrupted no more.
  private(set) var clearedAt: Instant?
  /// When the alarm last rang.
  var rungAt: Instant?
  private var isInBackground = false
  private var reasons: [String] = []
  private var startCall: Int?
  private var stopCall: Int?

  enum Phase { case idle, positioning, measuring, finalizing, ended }

  init(platform: Platform) {
    self.platform = platform
  }

  var isInterrupted: Bool { interruptedSince != nil }

  /// How long the attempt has been going on.
  var elapsed: TimeSpan { startedAt.map { now - $0 } ?? .zero }

  /// Takes in an input before it is fed to the engine.
  mutating func note(_ input: Heard) {
    switch input {
    case .sample:
      framesOfAttempt += 1
      framesOfOpening += 1
    case .timer: break
    case .call(let id, let call):
      switch call.name {
      case "start": startCall = id
      case "stop": stopCall = id
      case "setAutoStart": isHeld = call["argument"]?.text == "false"
      default: break
      }
    case .notice(let notice): note(notice)
    }
  }

  private mutating func note(_ notice: Message) {
    let reason = notice["reason"]?.text
    switch notice.name {
    case "app": isInBackground = notice["state"]?.text == "background"
    case "interruptionBegan":
      if let reason, platform == .ios || reason == "otherApp" { reasons.append(reason) }
    case "interruptionEnded": reasons.removeAll { reason == nil || $0 == reason }
    default: return
    }
    let isOn = isInBackground || !reasons.isEmpty
    if isOn, interruptedSince == nil { interruptedSince = now }
    if !isOn, interruptedSince != nil { (interruptedSince, clearedAt) = (nil, now) }
  }

  /// Takes in what a right session does.
  mutating func note(_ effect: SessionEffect) {
    switch effect {
    case .reply(let id, .returned):
      if id == startCall, phase == .idle { phase = .positioning }
      if id == stopCall, phase != .finalizing { phase = .ended }
    case .reply: break
    case .command(let command):
      if command.name == "camera", command["on"] == .flag(true) {
        openedAt = now
        openings += 1
        framesOfOpening = 0
      }
    case .event(let event): note(event: event.name)
    }
  }

  private mutating func note(event name: String) {
    switch name {
    case "started":
      phase = .measuring
      startedAt = now
      attempts += 1
      framesOfAttempt = 0
    case "cancelled": phase = .positioning
    case "measurementComplete":
      phase = .finalizing
      filledAt = now
    case "completed", "failed":
      phase = .ended
      endedAt = now
    default: break
    }
  }
}
