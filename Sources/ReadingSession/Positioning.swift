import PulseAnalysis
import VitalsModel

/// Waiting for a steady fingertip: what has been seen since the last guidance, and how long it has been steady.
struct Positioning: Sendable {
  private var waiting: Waiting
  private var worstSeen: Finding?
  private var steadySince: Instant?
  /// The startProgress that the last guidance showed.
  private var shownProgress = 0.0

  private enum Waiting: Sendable {
    /// The camera is not there or is opening, and nothing is said; it ends with the first frame.
    case firstFrame
    /// The next guidance is due then.
    case guidance(at: Instant)
  }

  /// What a frame shows; the first that applies, in the order of V15. The worst is the least.
  fileprivate enum Finding: Int, Comparable {
    case noContact, slow, weak, unsteady, steady

    init(_ update: PulseUpdate, isSlow: Bool) {
      self =
        switch update.condition {
        case .noContact: .noContact
        case .weak: isSlow ? .slow : .weak
        case .unsteady: isSlow ? .slow : .unsteady
        case .steady: isSlow ? .slow : .steady
        }
    }

    static func < (left: Finding, right: Finding) -> Bool { left.rawValue < right.rawValue }
  }

  private init(_ waiting: Waiting) {
    self.waiting = waiting
  }

  /// Positioning that says nothing until the first frame: from `start()`, or while the camera is taken away.
  static let silent = Positioning(.firstFrame)

  /// Positioning that goes on with guidance: after a cancel.
  static func guiding(from now: Instant, _ timing: Timing) -> Positioning {
    Positioning(.guidance(at: now + timing.guidance))
  }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant? {
    switch waiting {
    case .firstFrame: nil
    case .guidance(let moment): moment
    }
  }

  /// Whether the last guidance showed a full startProgress and the fingertip has been steady since.
  var isReady: Bool { shownProgress == 1 && steadySince != nil }

  mutating func see(_ update: PulseUpdate, isSlow: Bool, at now: Instant, _ timing: Timing) {
    if case .firstFrame = waiting { waiting = .guidance(at: now + timing.guidance) }
    guard update.isContactKnown else { return }
    let finding = Finding(update, isSlow: isSlow)
    worstSeen = min(worstSeen ?? finding, finding)
    if finding == .steady {
      steadySince = steadySince ?? now
    } else {
      steadySince = nil
      shownProgress = 0
    }
  }

  /// The guidance to give now, with its startProgress; nil when none is due.
  mutating func serveTimer(at now: Instant, platform: Platform, _ timing: Timing) -> (Guidance, Double)? {
    guard case .guidance(let due) = waiting, now >= due else { return nil }
    waiting = .guidance(at: max(due + timing.guidance, now + timing.leastBetweenGuidances))
    let seen = worstSeen
    worstSeen = nil
    guard seen == .steady, let steadySince else {
      // Without one frame since the last guidance nothing is known of the finger, and the camera is below its rate.
      if seen == nil { steadySince = nil }
      shownProgress = 0
      return ((seen ?? .slow).guidance(on: platform), 0)
    }
    // In whole thousandths, rounded down: 1 means full, and nothing else is ever shown as 1.
    shownProgress = min(1, ((now - steadySince).seconds / timing.steady.seconds * 1_000).rounded(.down) / 1_000)
    return (.compliant, shownProgress)
  }
}

extension Positioning.Finding {
  /// The value that the app is shown (V15); Android has no word for a faint pulse (V16).
  fileprivate func guidance(on platform: Platform) -> Guidance {
    switch (self, platform) {
    case (.noContact, _): .noContact
    case (.slow, _): .frameDrop
    case (.weak, .ios): .weakSignal
    case (.weak, .android), (.unsteady, _): .lowQuality
    case (.steady, _): .compliant
    }
  }
}
