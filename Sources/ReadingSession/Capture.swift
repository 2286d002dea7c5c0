import VitalsModel

/// The camera as a session keeps it: what takes it away, how long it may take to open, whether its frames flow.
///
/// It decides; the engine carries out and tells the app.
struct Capture: Sendable {
  private let platform: Platform
  private let timing: Timing
  private var state = State.off
  /// The interruptions that are on, in the order of their beginning.
  private var reasons: [InterruptionReason] = []
  private var isInForeground = true
  private var selectedFps = 30.0
  private var restarts = 0

  private enum State: Sendable {
    /// Nobody wants it.
    case off
    /// The system has it; waits until nothing interrupts.
    case waiting
    /// It is commanded on; waits for its first frame.
    case opening(Opening)
    /// Frames flow; waits for the next.
    case running(Running)
    /// It broke and has been restarted before; waits a moment for an interruption that explains it.
    case broken(until: Instant)
  }

  private struct Opening: Sendable {
    let purpose: Purpose
    let openedAt: Instant
    let givesUpAt: Instant
    var retryAt: Instant?
  }

  /// What a camera is opened for.
  enum Purpose: Sendable {
    /// The session begins.
    case start
    /// What took the camera is gone.
    case restore
    /// It stalled or broke.
    case restart
  }

  private struct Running: Sendable {
    var lastFrame: Instant
    var rate: FrameRateWatch
    /// Set once the camera was told to adjust to what it can do.
    var isAdjusted = false
  }

  init(platform: Platform, timing: Timing) {
    self.platform = platform
    self.timing = timing
  }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant? {
    switch state {
    case .off, .waiting: nil
    case .opening(let opening): opening.retryAt.map { min($0, opening.givesUpAt) } ?? opening.givesUpAt
    case .running(let running): running.lastFrame + timing.stall
    case .broken(let until): until
    }
  }

  /// Whether the frames come below the selected rate.
  var isSlow: Bool {
    if case .running(let running) = state { running.rate.isSlow } else { false }
  }

  /// What the host is to do for it.
  enum Order {
    case nothing, open, reopen, release, adjust, light

    var effects: [Effect] {
      switch self {
      case .nothing: []
      case .open: [.command(.camera(isOn: true)), .command(.torch(isOn: true))]
      case .reopen: [.command(.camera(isOn: false))] + Self.open.effects
      case .release: [.command(.torch(isOn: false)), .command(.camera(isOn: false))]
      case .adjust: [.command(.adjustFrameRate)]
      case .light: [.command(.torch(isOn: true))]
      }
    }
  }

  // MARK: What the session wants

  /// The session begins: opens the camera, or waits until the app is active.
  mutating func begin(at now: Instant) -> Order { open(.start, at: now) }

  /// The session needs it no more.
  mutating func end() { state = .off }

  private mutating func open(_ purpose: Purpose, at now: Instant) -> Order {
    guard isClear else {
      state = .waiting
      return .nothing
    }
    state = .opening(Opening(purpose: purpose, openedAt: now, givesUpAt: now + timing.opening))
    return purpose == .restart ? .reopen : .open
  }

  // MARK: What the host tells

  private var isClear: Bool { isInForeground && reasons.isEmpty }

  enum Change {
    case none
    /// The camera is taken away.
    case taken
    /// Nothing takes it any more.
    case cleared
  }

  mutating func interruptionBegan(_ reason: InterruptionReason) -> Change {
    guard reason.interrupts(on: platform) else { return .none }
    if !reasons.contains(reason) { reasons.append(reason) }
    return take()
  }

  mutating func interruptionEnded(_ reason: InterruptionReason?) -> Change {
    // Systems do not always say which one is over; then all of them are, or they will tell anew.
    reasons.removeAll { reason == nil || $0 == reason }
    return release()
  }

  mutating func appMoved(isInForeground: Bool) -> Change {
    self.isInForeground = isInForeground
    return isInForeground ? release() : take()
  }

  private mutating func take() -> Change {
    switch state {
    case .off, .waiting: return .none
    case .opening(let opening):
      // A camera that failed because it was being taken has not stalled.
      if case .restart = opening.purpose { restarts -= 1 }
      state = .waiting
      return .taken
    case .running, .broken:
      state = .waiting
      return .taken
    }
  }

  private mutating func release() -> Change {
    guard case .waiting = state, isClear else { return .none }
    return .cleared
  }

  /// Opens the camera again after `cleared`.
  mutating func restore(at now: Instant) -> Order { open(.restore, at: now) }

  mutating func frameRateSelected(fps: Double) {
    selectedFps = fps
    if case .running(var running) = state {
      running.rate = FrameRateWatch(selectedFps: fps, slowShare: timing.slowShare)
      running.isAdjusted = false
      state = .running(running)
    }
  }

  /// The torch went out, or may be lit again: it is asked for once more, wherever the camera is on.
  func torchChanged() -> Order {
    switch state {
    case .off, .waiting, .broken: .nothing
    case .opening, .running: .light
    }
  }

  enum FrameOutcome {
    /// It comes from a camera that is not the session's now.
    case ignored
    /// The first since the camera was opened.
    case first
    case next
    /// The camera is slow, and is to adjust to what it can do.
    case tooSlow
  }

  mutating func see(_ frame: FrameSample, at now: Instant) -> FrameOutcome {
    switch state {
    case .off, .waiting, .broken: return .ignored
    case .opening(let opening):
      // One that was on its way says nothing of the camera that is being opened.
      guard frame.captured >= opening.openedAt else { return .ignored }
      var rate = FrameRateWatch(selectedFps: selectedFps, slowShare: timing.slowShare)
      rate.see(captured: frame.captured)
      state = .running(Running(lastFrame: now, rate: rate))
      return .first
    case .running(var running):
      running.lastFrame = now
      running.rate.see(captured: frame.captured)
      let adjusts = platform == .ios && running.rate.isSlow && !running.isAdjusted
      running.isAdjusted = running.rate.isSlow && (running.isAdjusted || adjusts)
      state = .running(running)
      return adjusts ? .tooSlow : .next
    }
  }

  enum Loss {
    case none
    /// The camera could not be opened and is tried once more now.
    case retry
    /// It stalled or broke, and is to be restarted.
    case stalled
    /// It is gone for good.
    case final
  }

  /// The host says that the camera could not be opened, or broke.
  mutating func fail(at now: Instant) -> Loss {
    switch state {
    case .off, .waiting, .broken: return .none
    case .opening(var opening):
      if case .start = opening.purpose { return .final }
      opening.retryAt = now + timing.retry
      state = .opening(opening)
      return .none
    case .running:
      guard restarts >= timing.restarts else { return lose() }
      state = .broken(until: now + timing.explanation)
      return .none
    }
  }

  mutating func serveTimer(at now: Instant) -> Loss {
    switch state {
    case .off, .waiting: return .none
    case .opening(var opening):
      if now >= opening.givesUpAt { return .final }
      guard let retryAt = opening.retryAt, now >= retryAt else { return .none }
      opening.retryAt = nil
      state = .opening(opening)
      return .retry
    case .running(let running): return now >= running.lastFrame + timing.stall ? lose() : .none
    case .broken(let until): return now >= until ? .final : .none
    }
  }

  private mutating func lose() -> Loss {
    guard restarts < timing.restarts else { return .final }
    restarts += 1
    return .stalled
  }

  /// Opens the camera again after `stalled`.
  mutating func restart(at now: Instant) -> Order { open(.restart, at: now) }
}
