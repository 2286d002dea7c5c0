import Checks
import Traces
import VitalsModel

/// V44: a camera that cannot be opened is cameraUnavailable, the way the platform tells it, and nothing else is.
struct CameraCannotOpen: ReadingMonitor {
  var ruling = Ruling(rule: "V44")
  /// Since when the session has known that the camera cannot be opened; nil once a frame came or something else did.
  private var dueSince: Instant?
  private var calledAt: Instant?
  private var isBusy = false
  private var hasDelivered = false

  private static let errors = readingVocabulary.event("failed")?.arguments ?? []
  private static let window = TimeSpan.zero...Window.recovery.upperBound

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    // What a broken recovery leads to is V35's.
    if context.isInterrupted || context.stoppedAt != nil { dueSince = nil }
    judgeOverdue(context)
    switch moment {
    case .call(.start): calledAt = context.now
    case .threw(.start, "cameraUnavailable") where context.phase == .idle: judgeThrown(context)
    case .returned(.start) where context.phase == .idle:
      if !context.isInterrupted, isBusy || hasFailed(context) { dueSince = context.now }
    case .notice(.cameraFailed):
      if context.isLive, !hasDelivered, !context.isInterrupted { dueSince = dueSince ?? context.now }
    case .notice(.fact("cameraAccess", let state)): isBusy = state == "busy"
    case .firstFrame: (hasDelivered, dueSince) = (true, nil)
    case .event(.failed(let error)): judgeFailure(error, context)
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if context.isInterrupted || context.stoppedAt != nil { dueSince = nil }
    judgeOverdue(context)
  }

  /// Whether the camera has said since the call that it failed.
  private func hasFailed(_ context: ReadingContext) -> Bool {
    guard let calledAt, let failedAt = context.capture.cameraFailedAt else { return false }
    return failedAt >= calledAt
  }

  private mutating func judgeThrown(_ context: ReadingContext) {
    if context.platform == "android" {
      ruling.judge(
        false, at: context.now, expected: "start() returns, and then failed(cameraUnavailable)",
        actual: "start() threw cameraUnavailable")
    } else if context.capture.knowsTruth {
      ruling.judge(
        isBusy || !context.capture.isWorking || hasFailed(context), at: context.now,
        expected: "cameraUnavailable only for a camera that cannot be opened", actual: "start() threw it")
    }
  }

  private mutating func judgeFailure(_ error: String, _ context: ReadingContext) {
    defer { dueSince = nil }
    if !Self.errors.contains(error) {
      ruling.judge(
        false, at: context.now, expected: "failed with one of \(Self.errors.joined(separator: ", "))", actual: error)
    }
    guard error == "cameraUnavailable" else {
      // What error the system makes of it is no matter: the session was told that the camera cannot be opened.
      if dueSince != nil, context.capture.knowsTruth {
        ruling.judge(
          false, at: context.now, expected: "failed(cameraUnavailable) for a camera that cannot be opened",
          actual: "failed(\(error))")
      }
      return
    }
    if let dueSince {
      ruling.judge(context.now - dueSince, within: Self.window, of: "failed(cameraUnavailable)", at: context.now)
    } else if context.capture.knowsTruth, context.isLive, context.breakdowns.count == 0 {
      ruling.judge(
        !context.wasJustDelivering, at: context.now, expected: "cameraUnavailable only for a camera that is not there",
        actual: "failed(cameraUnavailable)")
    }
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard context.capture.knowsTruth, let since = dueSince, context.now - since > Self.window.upperBound else { return }
    ruling.judge(false, at: context.now, expected: "failed(cameraUnavailable) within 12 s", actual: "none")
    dueSince = nil
  }
}

/// V46: a start() that threw has left nothing behind and can be called again; a session that has ended cannot.
struct StartsAgain: ReadingMonitor {
  var ruling = Ruling(rule: "V46")
  /// When a start() threw, until the next one is called.
  private var threwAt: Instant?
  private var hasThrown = false
  /// Whether it is still to be seen that camera and torch are off.
  private var isOpen = false
  private var calledAt: Instant?
  private var isOffMain = false
  /// The facts that are not as a start() needs them.
  private var obstacles: [String] = []
  /// Whether a start() in the background is waiting for the app, from the call on.
  private var isWaiting = false

  /// The facts on which a start() depends, and the state that it needs.
  private static let needed = [
    "activation": "done", "licence": "valid", "permission": "granted", "device": "supported", "cameraAccess": "free",
  ]

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    judgeLeftOn(context)
    judgeWaiting(moment, context)
    switch moment {
    case .notice(.fact(let word, let state)):
      if let needed = Self.needed[word] { set(word, state == needed) }
    case .returned(.activate): set("activation", true)
    case .threw(.activate, _): set("activation", false)
    case .call(.start(let offMainThread)): (threwAt, calledAt, isOffMain) = (nil, context.now, offMainThread)
    case .returned(.start): judgeReturned(context)
    case .threw(.start, let error): judgeThrown(error, context)
    case .event(let event): judgeNothing(event.name, context)
    case .camera(isOn: true), .torch(isOn: true): judgeNothing("camera or torch on", context)
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { judgeLeftOn(context) }

  private mutating func judgeWaiting(_ moment: ReadingMoment, _ context: ReadingContext) {
    if context.phase != .idle, context.phase != .positioning || !context.isInterrupted { isWaiting = false }
    switch moment {
    case .call(.start): isWaiting = context.phase == .idle && context.isInterrupted
    case .threw(.start, _), .call(.stop): isWaiting = false
    case .camera(isOn: true), .torch(isOn: true):
      if isWaiting {
        ruling.judge(
          false, at: context.now, expected: "a start() in the background waits for the app",
          actual: "camera or torch on", ours: true)
      }
      isWaiting = false
    case .returned(.start):
      if isWaiting { ruling.judge(true, at: context.now, expected: "", actual: "") }
    default: break
    }
  }

  private mutating func set(_ fact: String, _ isGood: Bool) {
    obstacles.removeAll { $0 == fact }
    if !isGood { obstacles.append(fact) }
  }

  private mutating func judgeReturned(_ context: ReadingContext) {
    if context.phase != .idle {
      ruling.judge(
        false, at: context.now, expected: "no start() of a session that \(Self.state(context))", actual: "it returned")
    } else if context.phase == .idle, hasThrown {
      ruling.judge(true, at: context.now, expected: "", actual: "")
    }
  }

  private mutating func judgeThrown(_ error: String, _ context: ReadingContext) {
    switch context.phase {
    case .positioning, .measuring, .finalizing, .ended:
      // With another obstacle as well, which of the two is told is open.
      ruling.judge(
        error == "internalError" || !isClear(context), at: context.now,
        expected: "internalError from start() of a session that \(Self.state(context))", actual: error)
    case .idle:
      if hasThrown {
        ruling.judge(
          !isClear(context) || error == "cameraUnavailable" && !context.capture.knowsTruth, at: context.now,
          expected: "start() works once the cause is gone", actual: "it threw \(error)")
      } else if error == "internalError", context.stoppedAt == nil {
        ruling.judge(
          !isClear(context), at: context.now, expected: "start() of a new session works", actual: "it threw \(error)",
          ours: true)
      }
      hasThrown = true
      (threwAt, isOpen) = (context.now, true)
    }
  }

  private static func state(_ context: ReadingContext) -> String {
    context.phase == .ended ? "has ended" : "is running"
  }

  /// Whether nothing stands in the way of a start().
  private func isClear(_ context: ReadingContext) -> Bool {
    let capture = context.capture
    let hasFailed = calledAt.map { called in capture.cameraFailedAt.map { $0 >= called } ?? false } ?? false
    return obstacles.isEmpty && capture.isWorking && !hasFailed && !(isOffMain && context.platform == "android")
  }

  private mutating func judgeNothing(_ what: String, _ context: ReadingContext) {
    guard threwAt != nil, context.phase == .idle else { return }
    ruling.judge(false, at: context.now, expected: "nothing after a start() that threw", actual: what)
  }

  private mutating func judgeLeftOn(_ context: ReadingContext) {
    guard isOpen, let threwAt, context.now - threwAt > Window.atOnce.upperBound else { return }
    ruling.judge(
      !context.isCameraOn && !context.isTorchOn, at: context.now,
      expected: "camera and torch off after a start() that threw", actual: "left on")
    isOpen = false
  }
}
