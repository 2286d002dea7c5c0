import PulseAnalysis
import VitalsModel

/// The platforms whose behaviour a session follows where they differ.
public enum Platform: String, CaseIterable, Hashable, Sendable {
  case ios, android
}

/// The vitals reading as a value: it is fed an input and its time, and returns what it does.
///
/// It holds no clock. `deadline` says when it wants to be fed `timer`; a driver that has an input and a deadline at
/// the same moment feeds the input first. Times of inputs never decrease.
public struct ReadingEngine: Sendable {
  private let platform: Platform
  private let timing: Timing
  private var host = HostState()
  private var capture: Capture
  private var state = State.idle
  private var isAutoStartEnabled = true
  private var analyzer = PulseAnalyzer()
  private var attempts = 0

  private enum State: Sendable {
    /// Waits for `start()`.
    case idle
    /// Waits for a steady fingertip, and for the camera where that is away.
    case positioning(Positioning)
    /// An attempt is running; waits for its 60 s, or for what ends it before.
    case measuring(Attempt)
    /// The minute is captured; waits for its result.
    case finalizing(Finalizing)
    /// Nothing comes any more.
    case ended
    /// Only while a state is being changed in place; never seen between two inputs.
    case changing
  }

  private struct Finalizing: Sendable {
    let attempt: Int
    let givesUpAt: Instant
    /// Set by `stop()`, which takes the camera before the result is there.
    var isReleased = false
  }

  /// A new session, idle.
  public init(platform: Platform) {
    self.init(platform: platform, timing: .standard)
  }

  /// A session with times of its own, for those who check what a wrong one does.
  package init(platform: Platform, timing: Timing) {
    self.platform = platform
    self.timing = timing
    capture = Capture(platform: platform, timing: timing)
  }

  /// Why an app cannot create a session on this host, as far as the facts that were fed say; nil when it can (V42, V43).
  public var creationError: ReadingError? { host.creationError }

  /// When the session wants to be fed `timer`; nil: it waits for something else.
  public private(set) var deadline: Instant?

  private var nextDeadline: Instant? {
    switch state {
    case .positioning(let positioning): earlier(positioning.deadline, capture.deadline)
    case .measuring(let attempt): earlier(attempt.deadline, capture.deadline)
    case .finalizing(let finalizing): finalizing.givesUpAt
    case .idle, .ended, .changing: nil
    }
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Takes in one input and gives what the session does because of it, in order.
  public mutating func feed(_ input: Input, at now: Instant) -> [Effect] {
    if case .timer = input {
      guard let deadline, now >= deadline else { return [] }
    }
    let effects = take(input, at: now)
    // Kept rather than asked for: a driver asks before every input.
    deadline = nextDeadline
    return effects
  }

  private mutating func take(_ input: Input, at now: Instant) -> [Effect] {
    switch input {
    case .frame(let frame): see(frame, at: now)
    case .timer: serveTimer(at: now)
    case .call(let id, let call): completeMinute(at: now) + answer(call, id: id, at: now)
    case .resultBuilt(let attempt, let built): deliver(built, of: attempt)
    // What happens in the moment that fills the minute comes after it.
    case .host(let fact): completeMinute(at: now) + learn(fact, at: now)
    case .interruptionBegan(let reason): completeMinute(at: now) + interruptionBegan(reason, at: now)
    case .interruptionEnded(let reason): interruptionEnded(reason, at: now)
    case .cameraFailed: completeMinute(at: now) + cameraFailed(at: now)
    case .ownerDestroyed: completeMinute(at: now) + (platform == .android ? stop() : [])
    case .frameRateSelected(let fps): frameRateSelected(fps)
    case .torch: torchChanged()
    }
  }
}

// MARK: Frames and time

extension ReadingEngine {
  private mutating func see(_ frame: FrameSample, at now: Instant) -> [Effect] {
    switch state {
    case .idle, .finalizing, .ended, .changing: return []
    case .positioning, .measuring: break
    }
    switch capture.see(frame, at: now) {
    case .ignored: return []
    case .first:
      // Another camera, as far as the light is concerned: nothing before it can be compared.
      analyzer = PulseAnalyzer()
      return read(frame, at: now)
    case .next: return read(frame, at: now)
    case .tooSlow:
      let heartbeat = read(frame, at: now)
      return heartbeat + cancelIfMeasuring(.interrupted, at: now) + Capture.Order.adjust.effects
    }
  }

  private mutating func read(_ frame: FrameSample, at now: Instant) -> [Effect] {
    let update = analyzer.feed(frame)
    guard update.isAccepted else { return [] }
    switch state {
    case .positioning(var positioning):
      positioning.see(update, isSlow: capture.isSlow, at: now, timing)
      state = .positioning(positioning)
      return []
    case .measuring(var attempt):
      // What an attempt has gathered is held once while it grows: adding a frame must not copy the minute.
      state = .changing
      let heartbeat = attempt.see(frame, update, at: now, timing)
      state = .measuring(attempt)
      return heartbeat.map { [.event(.heartbeat(ibiMs: $0.ibiMs))] } ?? []
    case .idle, .finalizing, .ended, .changing: return []
    }
  }

  private mutating func serveTimer(at now: Instant) -> [Effect] {
    switch state {
    case .idle, .ended, .changing:
      return []
    case .positioning(var positioning):
      if let loss = serveCamera(at: now) { return loss }
      guard let (guidance, startProgress) = positioning.serveTimer(at: now, platform: platform, timing) else {
        return []
      }
      state = .positioning(positioning)
      let shown = Effect.event(.guidance(guidance, startProgress: startProgress))
      return positioning.isReady && isAutoStartEnabled ? [shown] + beginAttempt(at: now) : [shown]
    case .measuring(let attempt):
      if !attempt.isFull(at: now), let loss = serveCamera(at: now) { return loss }
      return serveAttempt(at: now)
    case .finalizing(let finalizing):
      guard now >= finalizing.givesUpAt else { return [] }
      return fail(.internalError("the result was not built in time"))
    }
  }

  private mutating func serveAttempt(at now: Instant) -> [Effect] {
    guard case .measuring(var attempt) = state else { return [] }
    state = .changing
    let outcome = attempt.serveTimer(at: now, timing)
    state = .measuring(attempt)
    switch outcome {
    case .notYet: return []
    case .preview(let preview): return [.event(.preview(preview))]
    case .contactLost: return cancelIfMeasuring(.contactLost, at: now)
    case .poorSignal(let preview): return [.event(.preview(preview))] + cancelIfMeasuring(.poorSignal, at: now)
    case .full(let preview):
      state = .finalizing(Finalizing(attempt: attempt.number, givesUpAt: now + timing.finalizing))
      return [
        .event(.preview(preview)), .event(.measurementComplete),
        .command(.buildResult(attempt: attempt.number, attempt.record)),
      ]
    }
  }

  /// A minute that is full is full, whatever happens in the same moment.
  private mutating func completeMinute(at now: Instant) -> [Effect] {
    guard case .measuring(let attempt) = state, attempt.isFull(at: now) else { return [] }
    return serveAttempt(at: now)
  }

  private mutating func beginAttempt(at now: Instant) -> [Effect] {
    attempts += 1
    state = .measuring(Attempt(number: attempts, startedAt: now, timing))
    let empty = LivePreview(progress: 0, heartRateBpm: nil, rmssdMs: nil, signalLevel: nil)
    return [.event(.started), .event(.preview(empty))]
  }

  /// Abandons the attempt that is being measured, if there is one; guidance goes on.
  private mutating func cancelIfMeasuring(_ reason: CancelReason, at now: Instant) -> [Effect] {
    guard case .measuring = state else { return [] }
    state = .positioning(.guiding(from: now, timing))
    return [.event(.cancelled(reason))]
  }
}

// MARK: Calls

extension ReadingEngine {
  private mutating func answer(_ call: Call, id: Int, at now: Instant) -> [Effect] {
    switch call {
    case .activate: [.reply(id: id, host.activate())]
    case .start(let isOnMainThread): start(id: id, isOnMainThread: isOnMainThread, at: now)
    case .stop: stop() + [.reply(id: id, .returned)]
    case .cancelReading: cancelIfMeasuring(.cancelledByApp, at: now) + [.reply(id: id, .returned)]
    case .setAutoStart(let isEnabled): setAutoStart(isEnabled, at: now) + [.reply(id: id, .returned)]
    }
  }

  private mutating func start(id: Int, isOnMainThread: Bool, at now: Instant) -> [Effect] {
    switch state {
    case .idle:
      if let error = host.startError(on: platform, isOnMainThread: isOnMainThread) {
        return [.reply(id: id, .threw(error))]
      }
      state = .positioning(.silent)
      return capture.begin(at: now).effects + [.reply(id: id, .returned)]
    case .positioning, .measuring, .finalizing, .changing:
      return [.reply(id: id, .threw(.internalError("start() on a session that is running")))]
    case .ended:
      return [.reply(id: id, .threw(.internalError("start() on a session that has ended")))]
    }
  }

  private mutating func setAutoStart(_ isEnabled: Bool, at now: Instant) -> [Effect] {
    isAutoStartEnabled = isEnabled
    guard isEnabled, case .positioning(let positioning) = state, positioning.isReady else { return [] }
    return beginAttempt(at: now)
  }
}

// MARK: Interruptions

extension ReadingEngine {
  private mutating func learn(_ fact: HostFact, at now: Instant) -> [Effect] {
    host.learn(fact)
    guard case .app(let isInForeground) = fact else { return [] }
    return follow(capture.appMoved(isInForeground: isInForeground), at: now)
  }

  private mutating func interruptionBegan(_ reason: InterruptionReason, at now: Instant) -> [Effect] {
    follow(capture.interruptionBegan(reason), at: now)
  }

  private mutating func interruptionEnded(_ reason: InterruptionReason?, at now: Instant) -> [Effect] {
    follow(capture.interruptionEnded(reason), at: now)
  }

  private mutating func follow(_ change: Capture.Change, at now: Instant) -> [Effect] {
    switch (change, state) {
    case (.none, _): return []
    case (.taken, .positioning), (.taken, .measuring):
      let cancelled = cancelIfMeasuring(.interrupted, at: now)
      state = .positioning(.silent)
      return cancelled + Capture.Order.release.effects
    case (.cleared, .positioning): return capture.restore(at: now).effects
    // A captured minute needs no camera.
    case (.taken, _), (.cleared, _): return []
    }
  }
}

// MARK: The camera's health

extension ReadingEngine {
  private mutating func frameRateSelected(_ fps: Double) -> [Effect] {
    capture.frameRateSelected(fps: fps)
    return []
  }

  private func torchChanged() -> [Effect] {
    switch state {
    case .positioning, .measuring: capture.torchChanged().effects
    case .idle, .finalizing, .ended, .changing: []
    }
  }

  private mutating func cameraFailed(at now: Instant) -> [Effect] {
    switch state {
    case .positioning, .measuring: follow(capture.fail(at: now), at: now) ?? []
    // A captured minute needs no camera.
    case .idle, .finalizing, .ended, .changing: []
    }
  }

  /// What the camera's own deadline comes to; nil when there is nothing to do for it.
  private mutating func serveCamera(at now: Instant) -> [Effect]? { follow(capture.serveTimer(at: now), at: now) }

  private mutating func follow(_ loss: Capture.Loss, at now: Instant) -> [Effect]? {
    switch loss {
    case .none: nil
    case .retry: Capture.Order.open.effects
    case .stalled: cancelIfMeasuring(.interrupted, at: now) + capture.restart(at: now).effects
    case .final: fail(.cameraUnavailable)
    }
  }
}

// MARK: Ends

extension ReadingEngine {
  private mutating func stop() -> [Effect] {
    switch state {
    case .idle, .ended, .changing:
      state = .ended
      return []
    case .positioning, .measuring:
      state = .ended
      return release()
    case .finalizing(var finalizing):
      // The reading is measured and is still delivered; only the camera goes (V40).
      guard !finalizing.isReleased else { return [] }
      finalizing.isReleased = true
      state = .finalizing(finalizing)
      return release()
    }
  }

  private mutating func fail(_ error: ReadingError) -> [Effect] { end(with: .failed(error)) }

  private mutating func end(with event: Event) -> [Effect] {
    var isReleased = false
    if case .finalizing(let finalizing) = state { isReleased = finalizing.isReleased }
    state = .ended
    return (isReleased ? [] : release()) + [.event(event)]
  }

  private mutating func release() -> [Effect] {
    capture.end()
    return Capture.Order.release.effects
  }

  private mutating func deliver(_ built: BuiltResult, of attempt: Int) -> [Effect] {
    guard case .finalizing(let finalizing) = state, finalizing.attempt == attempt else { return [] }
    switch built {
    case .noHeartRate: return fail(.noHeartRate)
    case .result(let result): return end(with: .completed(result))
    }
  }
}
