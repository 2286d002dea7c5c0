import PulseAnalysis
import VitalsModel

/// Waiting for a steady fingertip: what has been seen since the last guidance, and how long it has been steady.
struct Positioning: Sendable {
  /// Set by the first frame; until then the session waits for it and says nothing.
  private var nextGuidance: Instant?
  private let waitsForFrameUntil: Instant
  private var worstSeen: SignalCondition?
  private var steadySince: Instant?
  /// The startProgress that the last guidance showed.
  private var shownProgress = 0.0

  /// Positioning that begins with the camera off, at `start()`.
  static func fromStart(at now: Instant) -> Positioning {
    Positioning(nextGuidance: nil, waitsForFrameUntil: now + Timing.firstFrame)
  }

  /// Positioning that begins with the camera running, after a cancel.
  static func fromCancel(at now: Instant) -> Positioning {
    Positioning(nextGuidance: now + Timing.guidance, waitsForFrameUntil: now)
  }

  private init(nextGuidance: Instant?, waitsForFrameUntil: Instant) {
    self.nextGuidance = nextGuidance
    self.waitsForFrameUntil = waitsForFrameUntil
  }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant { nextGuidance ?? waitsForFrameUntil }

  /// Whether the last guidance showed a full startProgress and the fingertip has been steady since.
  var isReady: Bool { shownProgress == 1 && steadySince != nil }

  mutating func see(_ update: PulseUpdate, at now: Instant) {
    if nextGuidance == nil { nextGuidance = now + Timing.guidance }
    if worstSeen.map({ update.condition.isWorse(than: $0) }) ?? true { worstSeen = update.condition }
    if update.condition == .steady {
      steadySince = steadySince ?? now
    } else {
      steadySince = nil
      shownProgress = 0
    }
  }

  enum TimerOutcome {
    case notYet
    case guidance(Guidance, startProgress: Double)
    case noFirstFrame
  }

  mutating func serveTimer(at now: Instant, platform: Platform) -> TimerOutcome {
    guard let due = nextGuidance else { return now < waitsForFrameUntil ? .notYet : .noFirstFrame }
    guard now >= due else { return .notYet }
    // A timer that comes late does not make the next one early.
    nextGuidance = max(due + Timing.guidance, now + Timing.guidance - TimeSpan.milliseconds(200))
    let seen = worstSeen
    worstSeen = nil
    guard let seen else {
      // Not one frame since the last guidance: the camera is below its rate, and nothing is known of the finger.
      steadySince = nil
      shownProgress = 0
      return .guidance(.frameDrop, startProgress: 0)
    }
    guard let steadySince, seen == .steady else {
      shownProgress = 0
      return .guidance(seen.guidance(on: platform), startProgress: 0)
    }
    // In whole thousandths, rounded down: 1 means full, and nothing else is ever shown as 1.
    shownProgress = min(1, ((now - steadySince).seconds / Timing.steady.seconds * 1_000).rounded(.down) / 1_000)
    return .guidance(.compliant, startProgress: shownProgress)
  }
}

extension SignalCondition {
  /// By the precedence of V15: what is named first hides what comes later.
  fileprivate func isWorse(than other: SignalCondition) -> Bool { precedence < other.precedence }

  private var precedence: Int {
    switch self {
    case .noContact: 0
    case .weak: 1
    case .unsteady: 2
    case .steady: 3
    }
  }

  /// The value that the app is shown (V15); Android has no word for a faint pulse (V16).
  fileprivate func guidance(on platform: Platform) -> Guidance {
    switch (self, platform) {
    case (.noContact, _): .noContact
    case (.weak, .ios): .weakSignal
    case (.weak, .android), (.unsteady, _): .lowQuality
    case (.steady, _): .compliant
    }
  }
}
