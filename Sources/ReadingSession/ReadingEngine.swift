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
  private var state = State.idle
  private var analyzer = PulseAnalyzer()
  private var isAutoStartEnabled = true
  private var attempts = 0

  private enum State: Sendable {
    /// Waits for `start()`.
    case idle
    /// The camera is on; waits for a steady fingertip.
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
    self.platform = platform
  }

  /// When the session wants to be fed `timer`; nil: it waits for something else.
  public var deadline: Instant? {
    switch state {
    case .positioning(let positioning): positioning.deadline
    case .measuring(let attempt): attempt.deadline
    case .finalizing(let finalizing): finalizing.givesUpAt
    case .idle, .ended, .changing: nil
    }
  }

  /// Takes in one input and gives what the session does because of it, in order.
  public mutating func feed(_ input: Input, at now: Instant) -> [Effect] {
    switch input {
    case .frame(let frame): see(frame, at: now)
    case .timer: serveTimer(at: now)
    case .call(let id, let call): answer(call, id: id, at: now)
    case .cameraFailed: loseCamera()
    case .resultBuilt(let attempt, let built): deliver(built, of: attempt)
    }
  }
}

// MARK: Frames and time

extension ReadingEngine {
  private mutating func see(_ frame: FrameSample, at now: Instant) -> [Effect] {
    switch state {
    case .idle, .finalizing, .ended, .changing:
      return []
    case .positioning(var positioning):
      let update = analyzer.feed(frame)
      guard update.isAccepted else { return [] }
      positioning.see(update, at: now)
      state = .positioning(positioning)
      return []
    case .measuring(var attempt):
      let update = analyzer.feed(frame)
      guard update.isAccepted else { return [] }
      // What an attempt has gathered is held once while it grows: adding a frame must not copy the minute.
      state = .changing
      let heartbeat = attempt.see(frame, update, at: now)
      state = .measuring(attempt)
      return heartbeat.map { [.event(.heartbeat(ibiMs: $0.ibiMs))] } ?? []
    }
  }

  private mutating func serveTimer(at now: Instant) -> [Effect] {
    switch state {
    case .idle, .ended, .changing:
      return []
    case .positioning(var positioning):
      let outcome = positioning.serveTimer(at: now, platform: platform)
      state = .positioning(positioning)
      switch outcome {
      case .notYet: return []
      case .noFirstFrame: return fail(.cameraUnavailable, isReleased: false)
      case .guidance(let guidance, let startProgress):
        let shown = Effect.event(.guidance(guidance, startProgress: startProgress))
        return positioning.isReady && isAutoStartEnabled ? [shown] + beginAttempt(at: now) : [shown]
      }
    case .measuring(var attempt):
      state = .changing
      let outcome = attempt.serveTimer(at: now)
      state = .measuring(attempt)
      switch outcome {
      case .notYet: return []
      case .preview(let preview): return [.event(.preview(preview))]
      case .contactLost: return cancelAttempt(.contactLost, at: now)
      case .full(let preview):
        state = .finalizing(Finalizing(attempt: attempt.number, givesUpAt: now + Timing.finalizing))
        return [
          .event(.preview(preview)), .event(.measurementComplete),
          .command(.buildResult(attempt: attempt.number, attempt.record)),
        ]
      }
    case .finalizing(let finalizing):
      guard now >= finalizing.givesUpAt else { return [] }
      return fail(.internalError("the result was not built in time"), isReleased: finalizing.isReleased)
    }
  }

  private mutating func beginAttempt(at now: Instant) -> [Effect] {
    attempts += 1
    state = .measuring(Attempt(number: attempts, startedAt: now))
    let empty = LivePreview(progress: 0, heartRateBpm: nil, rmssdMs: nil, signalLevel: nil)
    return [.event(.started), .event(.preview(empty))]
  }

  private mutating func cancelAttempt(_ reason: CancelReason, at now: Instant) -> [Effect] {
    state = .positioning(.fromCancel(at: now))
    return [.event(.cancelled(reason))]
  }
}

// MARK: Calls

extension ReadingEngine {
  private mutating func answer(_ call: Call, id: Int, at now: Instant) -> [Effect] {
    switch call {
    case .start: start(id: id, at: now)
    case .stop: stop() + [.reply(id: id, .returned)]
    case .cancelReading: cancelReading(at: now) + [.reply(id: id, .returned)]
    case .setAutoStart(let isEnabled): setAutoStart(isEnabled, at: now) + [.reply(id: id, .returned)]
    }
  }

  private mutating func start(id: Int, at now: Instant) -> [Effect] {
    switch state {
    case .idle:
      state = .positioning(.fromStart(at: now))
      return [.command(.camera(isOn: true)), .command(.torch(isOn: true)), .reply(id: id, .returned)]
    case .positioning, .measuring, .finalizing, .changing:
      return [.reply(id: id, .threw(.internalError("start() on a session that is running")))]
    case .ended:
      return [.reply(id: id, .threw(.internalError("start() on a session that has ended")))]
    }
  }

  private mutating func stop() -> [Effect] {
    switch state {
    case .idle, .ended, .changing:
      state = .ended
      return []
    case .positioning, .measuring:
      state = .ended
      return release
    case .finalizing(var finalizing):
      // The reading is measured and is still delivered; only the camera goes (V40).
      guard !finalizing.isReleased else { return [] }
      finalizing.isReleased = true
      state = .finalizing(finalizing)
      return release
    }
  }

  private mutating func cancelReading(at now: Instant) -> [Effect] {
    switch state {
    case .measuring: cancelAttempt(.cancelledByApp, at: now)
    case .idle, .positioning, .finalizing, .ended, .changing: []
    }
  }

  private mutating func setAutoStart(_ isEnabled: Bool, at now: Instant) -> [Effect] {
    isAutoStartEnabled = isEnabled
    guard isEnabled, case .positioning(let positioning) = state, positioning.isReady else { return [] }
    return beginAttempt(at: now)
  }
}

// MARK: Ends

extension ReadingEngine {
  private var release: [Effect] { [.command(.torch(isOn: false)), .command(.camera(isOn: false))] }

  private mutating func fail(_ error: ReadingError, isReleased: Bool) -> [Effect] {
    state = .ended
    return (isReleased ? [] : release) + [.event(.failed(error))]
  }

  private mutating func loseCamera() -> [Effect] {
    switch state {
    case .positioning, .measuring: fail(.cameraUnavailable, isReleased: false)
    // A captured minute needs no camera.
    case .idle, .finalizing, .ended, .changing: []
    }
  }

  private mutating func deliver(_ built: BuiltResult, of attempt: Int) -> [Effect] {
    guard case .finalizing(let finalizing) = state, finalizing.attempt == attempt else { return [] }
    switch built {
    case .noHeartRate:
      return fail(.noHeartRate, isReleased: finalizing.isReleased)
    case .result(let result):
      state = .ended
      return (finalizing.isReleased ? [] : release) + [.event(.completed(result))]
    }
  }
}
