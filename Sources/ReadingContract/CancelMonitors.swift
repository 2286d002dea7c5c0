import Checks
import Traces
import VitalsModel

/// V23: one cancelled for each abandoned attempt, with a known reason.
struct OneCancelEach: ReadingMonitor {
  var ruling = Ruling(rule: "V23")
  private var isRunning = false
  /// Whether the last attempt was ended by stop(), the owner's end or a failure.
  private var isEnded = false
  /// When a cancel came, until another event does.
  private var cancelledAt: Instant?

  private static let reasons = readingVocabulary.event("cancelled")?.arguments ?? []

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.started):
      if isRunning {
        ruling.judge(
          false, at: context.now, expected: "cancelled before another attempt starts", actual: "started again")
      }
      (isRunning, isEnded) = (true, false)
    case .event(.cancelled(let reason)):
      ruling.judge(
        isRunning && Self.reasons.contains(reason), at: context.now,
        expected: isRunning ? "one of \(Self.reasons.joined(separator: ", "))" : "an attempt to cancel",
        actual: isRunning ? "cancelled(\(reason))" : "none is running", ours: !isRunning && isEnded)
      if isRunning { cancelledAt = context.now }
      isRunning = false
      return
    case .event(.guidance):
      if isRunning {
        // Back in positioning without a word: the attempt was abandoned silently.
        ruling.judge(false, at: context.now, expected: "cancelled for the abandoned attempt", actual: "guidance")
        isRunning = false
      }
    case .event(.failed), .call(.stop):
      // It ends an attempt without a cancel; one that came all the same would find no attempt running.
      if isRunning {
        ruling.judge(true, at: context.now, expected: "", actual: "")
        isEnded = true
      }
      isRunning = false
      if case .event = moment { judgeFailure(context) }
    case .event(.measurementComplete): isRunning = false
    default: break
    }
    if case .event = moment { cancelledAt = nil }
  }

  /// A failure ends the attempt that it finds, so that a cancel right before it is one too many.
  private mutating func judgeFailure(_ context: ReadingContext) {
    guard let cancelledAt, context.now - cancelledAt <= Window.atOnce.upperBound else { return }
    ruling.judge(
      false, at: context.now, expected: "no cancelled for an attempt that a failure ends",
      actual: "cancelled, then failed", ours: true)
  }
}

/// V24: guidance flows again after a cancel, and the next reading needs no call.
struct GoesOnAfterCancel: ReadingMonitor {
  var ruling = Ruling(rule: "V24")
  private var awaitsGuidanceSince: Instant?
  private var hasCancelled = false
  private var calledStart = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    // While interrupted it waits without guidance (V32), and what follows is V33's.
    if context.isInterrupted { awaitsGuidanceSince = nil }
    switch moment {
    case .event(.cancelled):
      awaitsGuidanceSince = context.isInterrupted ? nil : context.now
      hasCancelled = true
      calledStart = false
    // Nothing to guide by before the first frame.
    case .firstFrame: if awaitsGuidanceSince != nil { awaitsGuidanceSince = context.now }
    case .event(.guidance):
      // Until frames are back it may be silent or not (V37).
      if let since = awaitsGuidanceSince, context.isDelivering {
        ruling.judge(context.now - since, within: Window.soon, of: "guidance after cancelled", at: context.now)
        awaitsGuidanceSince = nil
      }
    // One that throws, because a session is running, has started nothing.
    case .returned(.start): calledStart = true
    case .event(.started):
      if hasCancelled {
        ruling.judge(
          !calledStart, at: context.now, expected: "the next attempt without another start()",
          actual: "start() was called")
      }
    case .call(.stop), .event(.failed): awaitsGuidanceSince = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if context.isDelivering, let since = awaitsGuidanceSince, context.now - since > Window.soon.upperBound {
      ruling.judge(context.now - since, within: Window.soon, of: "guidance after cancelled", at: context.now)
    }
  }
}

/// V25: a lost fingertip cancels within its window, and a short lift does not.
struct ContactGrace: ReadingMonitor {
  var ruling = Ruling(rule: "V25")
  /// Set while the fingertip cannot be seen within an attempt: it is lifted, or the torch is dark.
  private var lostSince: Instant?
  /// Set while it is lifted: only that must cancel.
  private var liftedSince: Instant?
  private var hasBeenLost = false
  /// Whether frames were missing in the attempt: nobody can then tell what the session has seen.
  private var isBlind = false
  /// The last lift that ended within the attempt.
  private var lift: (from: Instant, to: Instant)?

  private static let window = TimeSpan.seconds(2)...TimeSpan.seconds(5)
  /// How long after the fingertip is back a session may still be acting on its absence.
  private static let delay = TimeSpan.milliseconds(500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.started):
      lostSince = context.contactLostSince.map { _ in context.now }
      liftedSince = context.isFingerLifted ? context.now : nil
      lift = nil
      hasBeenLost = lostSince != nil
      isBlind = false
    case .world("contact", "lost"):
      lose(context)
      if context.isLive, context.phase == .measuring { liftedSince = liftedSince ?? context.now }
    case .world("torch", "lost"): lose(context)
    case .world("contact", "present"):
      judgeOverdue(context)
      liftedSince = nil
      if !context.isDark { regain(context) }
    case .world("torch", "working"): if !context.isFingerLifted { regain(context) }
    case .world("camera", let state) where state != "working": isBlind = true
    case .notice(.cameraFailed): isBlind = true
    case .event(.cancelled("contactLost")): judgeCancel(context)
    case .event(.measurementComplete):
      judgeOverdue(context)
      // The minute was full before the grace was over.
      if lostSince != nil { ruling.judge(true, at: context.now, expected: "", actual: "") }
      forget()
    case .event(.failed(let error)):
      judgeOverdue(context)
      judgeFailure(error, context)
      forget()
    case .event(.cancelled), .call(.stop):
      judgeOverdue(context)
      forget()
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { judgeOverdue(context) }

  private mutating func lose(_ context: ReadingContext) {
    guard context.isLive, context.phase == .measuring else { return }
    lostSince = lostSince ?? context.now
    hasBeenLost = true
  }

  private mutating func regain(_ context: ReadingContext) {
    if let lostSince {
      ruling.judge(true, at: context.now, expected: "", actual: "")
      lift = (lostSince, context.now)
    }
    lostSince = nil
  }

  /// A lost fingertip is no unexpected condition.
  private mutating func judgeFailure(_ error: String, _ context: ReadingContext) {
    guard error == "internalError", context.phase == .measuring, !isBlind, !context.isInterrupted, let liftedSince,
      context.now - liftedSince >= Self.window.lowerBound
    else { return }
    ruling.judge(false, at: context.now, expected: "cancelled(contactLost)", actual: "failed(\(error))")
  }

  private mutating func forget() { (lostSince, liftedSince) = (nil, nil) }

  private mutating func judgeCancel(_ context: ReadingContext) {
    defer { forget() }
    guard context.knowsContact, !(isBlind && hasBeenLost) else { return }
    let from = lostSince ?? lift.flatMap { context.now - $0.to <= Self.delay ? $0.from : nil }
    if let from, context.isDark {
      // How long a session looks for its light in the dark is open; that it is not too soon is not.
      ruling.judge(
        context.now - from >= Self.window.lowerBound, at: context.now,
        expected: "cancelled(contactLost) not before \(Self.window.lowerBound.text)",
        actual: (context.now - from).text)
    } else if let from {
      ruling.judge(context.now - from, within: Self.window, of: "cancelled(contactLost)", at: context.now)
    } else {
      ruling.judge(
        false, at: context.now, expected: "no cancelled(contactLost) while the fingertip is there",
        actual: "cancelled(contactLost)")
    }
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard !isBlind, let since = liftedSince, context.now - since > Self.window.upperBound else { return }
    ruling.judge(context.now - since, within: Self.window, of: "cancelled(contactLost)", at: context.now)
    forget()
  }
}

/// V28: cancelReading() cancels while measuring and is ignored otherwise.
struct CancelByApp: ReadingMonitor {
  var ruling = Ruling(rule: "V28")
  private var askedAt: Instant?
  /// Set from a call that must be ignored to its reply: nothing may happen in between.
  private var isIgnoring = false
  /// Whether that is so by our own choice.
  private var isOurs = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    judgeOverdue(context)
    switch moment {
    case .call(.cancelReading):
      // An attempt that has been ended is not there to cancel, before that is told and after.
      if context.isLive, context.phase == .measuring {
        askedAt = context.now
      } else {
        isIgnoring = context.stoppedAt == nil
      }
      isOurs = context.phase == .finalizing
    case .returned(.cancelReading):
      if isIgnoring { ruling.judge(true, at: context.now, expected: "", actual: "") }
      isIgnoring = false
    case .threw(.cancelReading, _):
      ruling.judge(false, at: context.now, expected: "cancelReading() returns", actual: "it threw")
      isIgnoring = false
    case .event(.cancelled("cancelledByApp")):
      ruling.judge(
        askedAt != nil, at: context.now, expected: "cancelled(cancelledByApp) only for a call while measuring",
        actual: "cancelled(cancelledByApp)")
      askedAt = nil
    // The attempt ended by itself while the call was on its way.
    case .event(.failed("internalError")) where askedAt == context.now && context.capture.knowsTruth:
      ruling.judge(false, at: context.now, expected: "cancelled(cancelledByApp)", actual: "failed(internalError)")
      askedAt = nil
    case .event(.cancelled), .event(.failed), .event(.measurementComplete), .call(.stop): askedAt = nil
    case .camera, .torch: judgeIgnored("a command", context)
    default: break
    }
    if case .event(let event) = moment { judgeIgnored(event.name, context) }
  }

  mutating func finish(_ context: ReadingContext) { judgeOverdue(context) }

  private mutating func judgeIgnored(_ what: String, _ context: ReadingContext) {
    guard isIgnoring else { return }
    ruling.judge(
      false, at: context.now, expected: "cancelReading() without an attempt is ignored", actual: what,
      ours: isOurs)
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard let asked = askedAt, context.now - asked > Window.atOnce.upperBound else { return }
    ruling.judge(
      context.now - asked, within: Window.atOnce, of: "cancelled(cancelledByApp) after the call", at: context.now)
    askedAt = nil
  }
}
