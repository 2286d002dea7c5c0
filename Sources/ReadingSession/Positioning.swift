import PulseAnalysis
import VitalsModel

/// Waiting for a steady fingertip: what has been seen since the last guidance, and how long it has been steady.
struct Positioning: Sendable {
  private var waiting: Waiting
  private var worstSeen: SignalCondition?
  private var steadySince: Instant?
  /// The startProgress that the last guidance showed.
  private var shownProgress = 0.0

  private enum Waiting: Sendable {
    /// The camera is opening and nothing is said; without a frame by then it has failed.
    case firstFrame(until: Instant)
    /// The next guidance is due then.
    case guidance(at: Instant)
  }

  private init(_ waiting: Waiting) {
    self.waiting = waiting
  }

  /// Positioning that begins with the camera off, at `start()`.
  static func fromStart(at now: Instant) -> Positioning {
    Positioning(.firstFrame(until: now + Timing.firstFrame))
  }

  /// Positioning that begins with the camera running, after a cancel.
  static func fromCancel(at now: Instant) -> Positioning {
    Positioning(.guidance(at: now + Timing.guidance))
  }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant {
    switch waiting {
    case .firstFrame(let moment), .guidance(let moment): moment
    }
  }

  /// Whether the last guidance showed a full startProgress and the fingertip has been steady since.
  var isReady: Bool { shownProgress == 1 && steadySince != nil }

  mutating func see(_ update: PulseUpdate, at now: Instant) {
    if case .firstFrame = waiting { waiting = .guidance(at: now + Timing.guidance) }
    worstSeen = min(worstSeen ?? update.condition, update.condition)
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
    guard now >= deadline else { return .notYet }
    guard case .guidance(let due) = waiting else { return .noFirstFrame }
    waiting = .guidance(at: max(due + Timing.guidance, now + Timing.leastBetweenGuidances))
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
