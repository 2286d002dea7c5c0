import Checks
import Traces
import VitalsModel

/// The cancelled(interrupted) that an interruption makes due (V31, V32).
private struct DueCancel {
  private var since: Instant?
  /// The beginning of the last interruption that was taken in.
  private var seen: Instant?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext, _ ruling: inout Ruling) {
    judgeOverdue(context, &ruling)
    switch moment {
    // It was on its way when the interruption came.
    case .event(.started): if context.isInterrupted { since = context.now }
    case .event(.cancelled("interrupted")):
      if let since {
        ruling.judge(context.now - since, within: Window.interrupted, of: "cancelled(interrupted)", at: context.now)
      }
      since = nil
    case .event(.cancelled), .event(.failed), .event(.measurementComplete), .call(.stop): since = nil
    default: break
    }
  }

  mutating func judgeOverdue(_ context: ReadingContext, _ ruling: inout Ruling) {
    if let began = context.capture.lastInterruptedAt, began != seen {
      seen = began
      if context.phase == .measuring, context.isLive { since = began }
    }
    guard let since, context.now - since > Window.interrupted.upperBound else { return }
    ruling.judge(
      false, at: since, expected: "cancelled(interrupted) within \(Window.interrupted.upperBound.text)", actual: "none")
    self.since = nil
  }
}

/// V27: interrupted is the reason of a cancel that an interruption, a restart or an adjustment made, and of no other.
struct InterruptedForCause: ReadingMonitor {
  var ruling = Ruling(rule: "V27")
  /// When a cancelled(interrupted) came whose cause is not known yet: a command in the same breath may tell it.
  private var unexplained: Instant?
  /// When the camera was last switched, and when its frame rate was adjusted.
  private var switchedAt: Instant?
  private var adjustedAt: Instant?
  /// When contact, or pulse and stillness, were last bad: another reason to cancel.
  private var lastLost: Instant?
  private var lastPoor: Instant?
  private var poorWords: Set<String> = []

  /// How long after a restart the attempt may still be told of it.
  private static let restart = TimeSpan.seconds(1)
  /// How long a lost contact and a poor signal may take to cancel (V25, V26).
  private static let lost = TimeSpan.seconds(6)
  private static let poor = TimeSpan.seconds(16)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    judgeUnexplained(context)
    if context.contactLostSince != nil { lastLost = context.now }
    if !poorWords.isEmpty { lastPoor = context.now }
    switch moment {
    case .camera: (switchedAt, unexplained) = (context.now, explained(context))
    case .adjustFrameRate: (adjustedAt, unexplained) = (context.now, explained(context))
    case .world(let word, let state) where word == "pulse" || word == "motion":
      if state == "present" || state == "still" { poorWords.remove(word) } else { poorWords.insert(word) }
    case .event(.cancelled("interrupted")) where context.phase == .measuring:
      if hasCause(context) {
        ruling.judge(true, at: context.now, expected: "", actual: "")
      } else if context.capture.knowsTruth {
        unexplained = context.now
      }
    case .event(.cancelled(let reason)) where context.phase == .measuring: judgeOther(reason, context)
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    context.now == unexplained ? judge(context) : judgeUnexplained(context)
  }

  private func hasCause(_ context: ReadingContext) -> Bool {
    let capture = context.capture
    return capture.isInterrupting(at: context.now) || capture.isBreakingDown(at: context.now)
      || context.isSlowOnIOS(for: Window.slow.lowerBound) || isRecent(switchedAt, by: Self.restart, context)
      || isRecent(adjustedAt, by: Window.stall.upperBound, context)
  }

  private mutating func explained(_ context: ReadingContext) -> Instant? {
    if unexplained != nil { ruling.judge(true, at: context.now, expected: "", actual: "") }
    return nil
  }

  private mutating func judgeUnexplained(_ context: ReadingContext) {
    if let unexplained, context.now - unexplained > Window.atOnce.upperBound { judge(context) }
  }

  private mutating func judge(_ context: ReadingContext) {
    guard let unexplained else { return }
    ruling.judge(
      false, at: unexplained,
      expected: "interrupted for an interruption, a restart or an adjustment", actual: "cancelled(interrupted) for none"
    )
    self.unexplained = nil
  }

  /// A cancel for another reason, while there is a cause for interrupted, needs that other reason.
  private mutating func judgeOther(_ reason: String, _ context: ReadingContext) {
    let hasRival: Bool
    switch reason {
    case "contactLost": hasRival = isRecent(lastLost, by: Self.lost, context)
    case "poorSignal":
      hasRival = isRecent(lastLost, by: Self.poor, context) || isRecent(lastPoor, by: Self.poor, context)
    default: return
    }
    guard context.knowsContact, !hasRival else { return }
    let began = [context.capture.interruptedSince, context.capture.brokenSince].compactMap(\.self)
    guard
      began.contains(where: { context.now - $0 > Window.atOnce.upperBound })
        || context.isSlowOnIOS(for: Window.slow.lowerBound)
    else { return }
    ruling.judge(
      false, at: context.now, expected: "cancelled(interrupted) for a capture that was interrupted",
      actual: "cancelled(\(reason))")
  }

  private func isRecent(_ moment: Instant?, by span: TimeSpan, _ context: ReadingContext) -> Bool {
    moment.map { context.now - $0 <= span } ?? false
  }
}

/// V31: what interrupts on the platform cancels a running attempt, and what does not leaves it alone.
struct PlatformTriggers: ReadingMonitor {
  var ruling = Ruling(rule: "V31")
  private var due = DueCancel()
  /// When something came that takes no camera on this platform, and its reason.
  private var harmless: (at: Instant, reason: String)?

  /// For how long after it a cancel is put down to it.
  private static let aftermath = TimeSpan.seconds(1)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    due.observe(moment, context, &ruling)
    judgeHarmless(context)
    switch moment {
    case .notice(.interruptionBegan(let reason)):
      if context.isLive, !context.capture.isTrigger(reason) { harmless = (context.now, reason) }
    case .camera(isOn: false), .torch(isOn: false): judgeUndisturbed("camera or torch off", context)
    case .event(.cancelled("interrupted")):
      judgeUndisturbed("cancelled(interrupted)", context)
      harmless = nil
    case .event(.cancelled), .event(.failed), .event(.measurementComplete), .call(.stop): harmless = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    due.judgeOverdue(context, &ruling)
    judgeHarmless(context)
  }

  private mutating func judgeUndisturbed(_ what: String, _ context: ReadingContext) {
    let capture = context.capture
    guard let harmless, context.isLive, !capture.isInterrupting(at: context.now),
      !capture.isBreakingDown(at: context.now)
    else { return }
    ruling.judge(
      false, at: context.now, expected: "the session goes on: \(harmless.reason) is no trigger here", actual: what)
    self.harmless = nil
  }

  private mutating func judgeHarmless(_ context: ReadingContext) {
    guard let harmless, context.now - harmless.at > Self.aftermath else { return }
    ruling.judge(true, at: context.now, expected: "", actual: "")
    self.harmless = nil
  }
}

/// V32: an interruption cancels at once, and until it is over nothing is told.
struct SilentWait: ReadingMonitor {
  var ruling = Ruling(rule: "V32")
  private var due = DueCancel()
  /// Whether it was interrupted already when it was started.
  private var hasBegunSo = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    due.observe(moment, context, &ruling)
    if case .returned(.start) = moment, context.phase == .idle { hasBegunSo = context.isInterrupted }
    if !context.isInterrupted { hasBegunSo = false }
    guard context.phase == .positioning, context.isLive, let since = context.capture.interruptedSince else { return }
    switch moment {
    case .event(.guidance), .event(.started), .event(.preview), .event(.heartbeat):
      // What was on its way when it began still comes.
      ruling.judge(
        context.now - since <= Window.atOnce.upperBound, at: context.now, expected: "silence until the cause clears",
        actual: Self.name(moment), ours: hasBegunSo)
    case .camera(isOn: true), .torch(isOn: true):
      if context.now - since > Window.atOnce.upperBound {
        ruling.judge(
          false, at: context.now, expected: "camera and torch left alone until the cause clears", actual: "switched on",
          ours: hasBegunSo)
      }
    case .notice(.interruptionEnded), .notice(.fact("app", _)):
      ruling.judge(true, at: context.now, expected: "", actual: "")
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    due.judgeOverdue(context, &ruling)
    if context.phase == .positioning, context.isLive, context.isInterrupted {
      ruling.judge(true, at: context.now, expected: "", actual: "")
    }
  }

  private static func name(_ moment: ReadingMoment) -> String {
    if case .event(let event) = moment { event.name } else { "" }
  }
}

/// V33: when the cause has cleared, the capture is on again by itself, and guidance follows its first frame.
struct RestoresByItself: ReadingMonitor {
  var ruling = Ruling(rule: "V33")
  private var seen: Instant?
  /// What is still awaited, and since when.
  private var cameraSince: Instant?
  private var torchSince: Instant?
  private var guidanceSince: Instant?
  /// Whether camera and torch have been asked for since the clear, with nothing since that would need it again.
  private var isTorchAsked = false
  /// When the camera was last asked for, or the last interruption was over.
  private var askedAt: Instant?

  /// How long after a camera can be opened again the session has tried.
  private static let retry = TimeSpan.seconds(2)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
    judgeTorch(moment, context)
    if case .camera(isOn: true) = moment { askedAt = context.now }
    if case .event(.failed("cameraUnavailable")) = moment { judgeTries(context) }
    switch moment {
    case .camera(isOn: true):
      if let since = cameraSince { judge(context.now - since, of: "camera on again", context) }
      cameraSince = nil
    case .torch(isOn: true): torchSince = nil
    case .event(.guidance):
      if let since = guidanceSince, let first = Self.firstFrame(since, context) {
        judge(context.now - first, of: "guidance after the first frame", context)
        guidanceSince = nil
      }
    case .event(.cancelled): if guidanceSince != nil { guidanceSince = context.now }
    case .event(.started), .world("camera", _), .notice(.cameraFailed): guidanceSince = nil
    case .event(.failed), .event(.measurementComplete), .call(.stop): settle()
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    if context.isInterrupted { settle() }
    guard let cleared = context.capture.clearedAt, cleared != seen else { return }
    seen = cleared
    guard context.isLive else { return }
    (cameraSince, torchSince, guidanceSince) = (cleared, cleared, cleared)
    (isTorchAsked, askedAt) = (false, cleared)
  }

  /// The light is asked for once: again only with the camera, or when it went out.
  private mutating func judgeTorch(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .torch(isOn: true):
      if isTorchAsked, context.isTorchOn, context.isLive {
        ruling.judge(false, at: context.now, expected: "the torch asked for once", actual: "asked for again")
      }
      isTorchAsked = seen != nil
    case .torch(isOn: false), .camera, .world("torch", _), .notice(.fact("torch", _)), .notice(.cameraFailed):
      isTorchAsked = false
    default: break
    }
  }

  /// A try that ends as failed has tried again since the camera can be opened.
  private mutating func judgeTries(_ context: ReadingContext) {
    guard context.isLive, context.capture.clearedAt != nil, context.capture.framesSince == nil,
      let failedAt = context.capture.cameraFailedAt, let askedAt, failedAt >= askedAt,
      let mended = context.finger.since("camera", "working"), mended > failedAt
    else { return }
    ruling.judge(
      context.now - mended < Self.retry, at: context.now, expected: "another try of the camera, which works again",
      actual: "failed(cameraUnavailable)")
  }

  private mutating func settle() { (cameraSince, torchSince, guidanceSince) = (nil, nil, nil) }

  /// When frames came for the first time since; nil while there are none.
  private static func firstFrame(_ since: Instant, _ context: ReadingContext) -> Instant? {
    context.isDelivering ? context.capture.framesSince.map { max($0, since) } : nil
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    if let since = cameraSince, isLate(since, context) {
      ruling.judge(
        context.isCameraOn, at: context.now, expected: "camera on again within \(Window.soon.upperBound.text)",
        actual: "off")
      cameraSince = nil
    }
    if let since = torchSince, let first = Self.firstFrame(since, context), isLate(first, context) {
      ruling.judge(
        context.isTorchOn, at: context.now, expected: "torch on again with the capture", actual: "off")
      torchSince = nil
    }
    if context.phase == .positioning, let since = guidanceSince, let first = Self.firstFrame(since, context),
      isLate(first, context)
    {
      judge(context.now - first, of: "guidance after the first frame", context)
      guidanceSince = nil
    }
  }

  private func isLate(_ since: Instant, _ context: ReadingContext) -> Bool {
    context.now - since > Window.soon.upperBound
  }

  private mutating func judge(_ span: TimeSpan, of what: String, _ context: ReadingContext) {
    ruling.judge(span, within: Window.soon, of: what, at: context.now)
  }
}

/// V34: no interruption fails a session, however long it is, and none changes how a measured reading ends.
struct NeverFailsWaiting: ReadingMonitor {
  var ruling = Ruling(rule: "V34")
  private var wasInterrupted = false
  private var completeAt: Instant?
  /// Whether an interruption has come since the minute was full.
  private var isDisturbed = false
  /// Whether something else was about to fail the session when the interruption began, or may have been.
  private var hadCause = true

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    if !context.isInterrupted { hadCause = Self.hasCause(context) }
    switch moment {
    case .event(.measurementComplete):
      completeAt = context.now
      isDisturbed = false
    case .event(.completed):
      if isDisturbed { ruling.judge(true, at: context.now, expected: "", actual: "") }
      completeAt = nil
    case .event(.failed(let error)): judge(error, context)
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    takeIn(context)
    // It still waits.
    if wasInterrupted { ruling.judge(true, at: context.now, expected: "", actual: "") }
    guard let completeAt, isDisturbed, context.now - completeAt > Window.finalizing.upperBound else { return }
    ruling.judge(
      context.now - completeAt, within: Window.finalizing, of: "the end in spite of an interruption", at: context.now)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    if context.phase == .finalizing, context.isInterrupted { isDisturbed = true }
    if wasInterrupted, !context.isInterrupted, context.isLive {
      ruling.judge(true, at: context.now, expected: "", actual: "")
    }
    wasInterrupted = context.isInterrupted && context.isLive
  }

  private static func hasCause(_ context: ReadingContext) -> Bool {
    let capture = context.capture
    return !capture.knowsTruth || capture.framesSince == nil || capture.isBreakingDown(at: context.now)
  }

  private mutating func judge(_ error: String, _ context: ReadingContext) {
    if completeAt != nil {
      if isDisturbed {
        ruling.judge(
          error == "noHeartRate", at: context.now, expected: "completed or failed(noHeartRate) after the minute",
          actual: "failed(\(error))")
      }
      completeAt = nil
    } else if context.isLive, let since = context.capture.interruptedSince {
      // One that came at the same moment may have been decided before, as long as there was something to decide.
      ruling.judge(
        hadCause && context.now - since <= Window.atOnce.upperBound, at: context.now,
        expected: "no failure while the session is interrupted", actual: "failed(\(error))")
    }
  }
}
