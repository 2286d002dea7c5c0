import Checks
import Traces
import VitalsModel

/// V35: a capture that does not come back ends the session after a fair try, and not before.
struct FailedRecovery: ReadingMonitor {
  var ruling = Ruling(rule: "V35")
  /// The last end of an interruption that was taken in, and the one after which frames are still awaited.
  private var seen: Instant?
  private var cleared: Instant?
  /// Whether the session has had frames at all, and whether the camera has said since the clear that it failed.
  private var hasDelivered = false
  private var isTold = false
  /// Set once the try is judged.
  private var isJudged = false
  /// For how long the tries were that interruptions ended, since frames last came.
  private var tried = TimeSpan.zero

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
    switch moment {
    case .firstFrame: hasDelivered = true
    case .notice(.cameraFailed): isTold = true
    case .event(.failed("cameraUnavailable")): judgeFailure(context)
    case .event(.failed(let error)):
      let waited = beginnings(context).map { context.now - $0 }.max()
      if let waited, waited >= Window.recovery.lowerBound {
        ruling.judge(
          false, at: context.now, expected: "failed(cameraUnavailable) for a failed recovery",
          actual: "failed(\(error))")
      }
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    if context.isDelivering {
      tried = .zero
    } else if let cleared, let began = context.capture.interruptedSince {
      tried = tried + (began - cleared)
    }
    if let now = context.capture.clearedAt, now != seen {
      (seen, cleared) = (now, now)
      isTold = false
    }
    if context.isDelivering || context.isInterrupted || !context.isLive { cleared = nil }
    if cleared == nil, context.breakdowns.open == nil { isJudged = false }
  }

  /// The moments from which a session may count its try: which of them it takes is open. None while it does not try.
  private func beginnings(_ context: ReadingContext) -> [Instant] {
    guard context.capture.knowsTruth, context.isLive else { return [] }
    if let cleared { return [cleared] }
    guard let open = context.breakdowns.open, !open.isSecond, open.toldAt != nil || open.restartedAt != nil else {
      return []
    }
    return [open.since, open.toldAt, open.restartedAt].compactMap(\.self)
  }

  private mutating func judgeFailure(_ context: ReadingContext) {
    let spans = beginnings(context).map { context.now - $0 }
    guard let first = spans.first, !isJudged else { return }
    isJudged = true
    // A session that never had a frame may end with the first camera that cannot be opened (V44), and one whose
    // reopened camera is silent may take that for another stall (V37).
    let isFree = cleared == nil ? context.breakdowns.open?.toldAt == nil : isTold && !hasDelivered
    if isFree, first <= Window.recovery.upperBound { return }
    ruling.judge(
      spans.first { Window.recovery.contains($0) } ?? first, within: Window.recovery,
      of: "failed(cameraUnavailable) for a failed recovery", at: context.now,
      // That another interruption begins the count anew is our choice.
      ours: cleared != nil && first < Window.recovery.lowerBound && tried + first >= Window.recovery.lowerBound)
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard !isJudged, let last = beginnings(context).max(), context.now - last > Window.recovery.upperBound else {
      return
    }
    isJudged = true
    ruling.judge(
      false, at: context.now, expected: "failed(cameraUnavailable) after 10 s without a frame", actual: "none")
  }
}

/// V36: slow frames show as frameDrop and never end a session; iOS adjusts the capture, which interrupts an attempt.
struct SlowFrames: ReadingMonitor {
  var ruling = Ruling(rule: "V36")
  /// When something last changed on which it depends what is due.
  private var changedAt = Instant.zero
  /// Since when frameDrop, an adjustment and a cancel have been due.
  private var guidanceSince: Instant?
  private var adjustSince: Instant?
  private var cancelSince: Instant?
  /// The slow stretch for which one of them has been seen.
  private var shownAt: Instant?
  private var adjustedAt: Instant?
  /// The beginnings of those that have been called late.
  private var adjustWarned: Instant?
  private var cancelWarned: Instant?
  /// When an attempt was adjusted under, until it is cancelled.
  private var interruptedSince: Instant?

  /// Two seconds of frames to measure the rate, and the pace of guidance: one that comes later has to say so.
  private static let shown = TimeSpan.milliseconds(3500)
  /// A shorter stretch may pass unseen.
  private static let shortest = TimeSpan.seconds(3)
  /// Whoever has not acted on slow frames by then has not seen them.
  private static let surely = TimeSpan.seconds(10)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
    switch moment {
    case .event(.guidance(let value, _)): seeGuidance(value, context)
    case .notice(.frameRateSelected):
      // Frames are held against another rate from now on.
      (guidanceSince, changedAt) = (nil, context.now)
    case .adjustFrameRate: seeAdjustment(context)
    case .event(.started):
      if context.platform == "ios", context.capture.slowSince != nil { cancelSince = context.now }
    case .event(.cancelled(let reason)):
      judgeCancel(reason, context)
      (interruptedSince, changedAt) = (nil, context.now)
    case .call(.stop): interruptedSince = nil
    case .event(.measurementComplete): (cancelSince, interruptedSince) = (nil, nil)
    case .event(.failed(let error)): judgeFailure(error, context)
    case .world("frames", let state):
      changedAt = context.now
      if state != "slow" {
        judgeRegular(context)
      } else if context.platform == "ios", context.phase == .measuring {
        cancelSince = cancelSince ?? context.now
      }
    case .world, .firstFrame, .returned(.start): changedAt = context.now
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    let slowSince = context.capture.slowSince
    let isSlow = slowSince != nil && context.isDelivering && context.isLive
    if !isSlow || context.phase != .positioning || context.contactLostSince != nil {
      (guidanceSince, shownAt) = (nil, nil)
    } else if shownAt == nil {
      guidanceSince = guidanceSince ?? changedAt
    }
    if isSlow, context.platform == "ios", adjustedAt.map({ $0 < slowSince ?? $0 }) ?? true {
      adjustSince = adjustSince ?? changedAt
    } else {
      adjustSince = nil
    }
    if !context.isLive || !context.isDelivering { cancelSince = nil }
  }

  private mutating func seeGuidance(_ value: String, _ context: ReadingContext) {
    guard let since = guidanceSince else { return }
    let isShown = value == "frameDrop"
    guard isShown || context.now - since >= Self.shown else { return }
    // How slow is too slow, and for how long, is our choice.
    ruling.judge(
      isShown, at: context.now, expected: "guidance frameDrop within \(Self.shown.text) of slow frames", actual: value,
      ours: context.now - since < Self.surely)
    (guidanceSince, shownAt) = (nil, context.now)
  }

  private mutating func seeAdjustment(_ context: ReadingContext) {
    ruling.judge(
      context.platform == "ios", at: context.now, expected: "no adjustment of the frame rate on Android",
      actual: "adjustFrameRate")
    if let since = adjustSince {
      ruling.judge(
        context.now - since, within: .zero...Window.slow.upperBound, of: "adjustFrameRate", at: context.now, ours: true)
    }
    (adjustSince, adjustedAt) = (nil, context.now)
    // The attempt that it finds is over, in this breath.
    if context.phase == .measuring, context.isLive { interruptedSince = context.now }
  }

  private mutating func judgeRegular(_ context: ReadingContext) {
    guard let slowSince = context.capture.slowSince, context.now - slowSince < Self.shortest else { return }
    cancelSince = nil
  }

  private mutating func judgeCancel(_ reason: String, _ context: ReadingContext) {
    defer { cancelSince = nil }
    let capture = context.capture
    guard
      reason == "interrupted", capture.knowsTruth, !capture.isInterrupting(at: context.now),
      !capture.isBreakingDown(at: context.now)
    else { return }
    if let since = cancelSince {
      // An attempt that began on slow frames may end as soon as they have been slow for long enough.
      let begun = capture.slowSince.map { since - $0 } ?? .zero
      let window = max(Window.slow.lowerBound - begun, .zero)...Window.slow.upperBound
      ruling.judge(
        context.now - since, within: window, of: "cancelled(interrupted) for slow frames", at: context.now, ours: true)
    } else if context.platform == "android", capture.slowSince != nil {
      ruling.judge(
        false, at: context.now, expected: "the attempt goes on with slow frames", actual: "cancelled(interrupted)")
    }
  }

  private mutating func judgeFailure(_ error: String, _ context: ReadingContext) {
    guard context.isLive, context.wasJustDelivering, context.capture.slowSince != nil else { return }
    ruling.judge(false, at: context.now, expected: "no failure for slow frames", actual: "failed(\(error))")
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    if let since = interruptedSince, context.now - since > Window.interrupted.upperBound {
      ruling.judge(false, at: since, expected: "cancelled(interrupted) with the adjustment", actual: "none")
      interruptedSince = nil
    }
    if let since = adjustSince {
      let isGivenUp = judgeMissing("adjustFrameRate", since, isFirst: adjustWarned != since, context)
      if context.now - since > Window.slow.upperBound { adjustWarned = since }
      if isGivenUp { (adjustSince, adjustedAt) = (nil, context.now) }
    }
    if let since = cancelSince {
      let isGivenUp = judgeMissing("cancelled(interrupted)", since, isFirst: cancelWarned != since, context)
      if context.now - since > Window.slow.upperBound { cancelWarned = since }
      if isGivenUp { cancelSince = nil }
    }
  }

  /// Whether it is given up. That it is late breaks our choice of times, and that it never comes the rule itself.
  private mutating func judgeMissing(
    _ what: String, _ since: Instant, isFirst: Bool, _ context: ReadingContext
  ) -> Bool {
    let waited = context.now - since
    if waited > Window.slow.upperBound, isFirst {
      ruling.judge(false, at: context.now, expected: "\(what) within 5 s of slow frames", actual: "none", ours: true)
    }
    guard waited > Self.surely else { return false }
    if context.capture.slowSince.map({ $0 <= since }) ?? false {
      ruling.judge(false, at: context.now, expected: "\(what) on slow frames", actual: "none in \(Self.surely.text)")
    }
    return true
  }
}

/// V37: a camera that falls silent or breaks is restarted once; the second time ends the session.
struct StallRestart: ReadingMonitor {
  var ruling = Ruling(rule: "V37")
  /// The breakdown as it was last seen.
  private var current: Breakdown?
  private var owesRestart = false
  private var owesCancel = false
  private var owesEnd = false
  private var isOff = false
  /// Whether the camera has failed to open since it was last switched on: then it may be tried again.
  private var mayRetry = false
  /// When the reopened camera delivered, until guidance comes.
  private var guidanceSince: Instant?
  /// When the camera was switched off without a cause.
  private var causelessOff: Instant?

  /// For how long it may be off before the session ends or stops.
  private static let off = TimeSpan.seconds(1)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
    switch moment {
    case .camera(isOn: false): seeOff(context)
    case .camera(isOn: true): seeOn(context)
    case .notice(.cameraFailed): mayRetry = true
    case .firstFrame: if context.breakdowns.open?.restartedAt != nil { guidanceSince = context.now }
    case .event(.guidance):
      if let since = guidanceSince { judgeGuidance(since, context) }
      guidanceSince = nil
    case .event(.cancelled(let reason)):
      if owesCancel, reason == "interrupted", let current {
        ruling.judge(
          context.now - current.since, within: window(current, context), of: "cancelled(interrupted)", at: context.now)
      }
      owesCancel = false
      if guidanceSince != nil { guidanceSince = context.now }
    case .event(.failed(let error)): judgeFailure(error, context)
    case .event(.started): guidanceSince = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    takeIn(context)
    judgeOverdue(context)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    if !context.isLive || context.isInterrupted {
      (owesRestart, owesCancel, owesEnd) = (false, false, false)
      (guidanceSince, causelessOff) = (nil, nil)
    }
    if let open = context.breakdowns.open {
      if open.since != current?.since {
        owesRestart = !open.isSecond
        owesCancel = !open.isSecond && open.wasMeasuring
        owesEnd = open.isSecond
        (isOff, mayRetry, causelessOff) = (false, false, nil)
      }
      current = open
    } else if let current {
      // It went on by itself, or frames are back; the cancel for a restart may still come.
      (owesRestart, owesEnd) = (false, false)
      if current.restartedAt == nil { owesCancel = false }
    }
  }

  private func window(_ breakdown: Breakdown, _ context: ReadingContext) -> ClosedRange<TimeSpan> {
    // What the camera says need not be waited for.
    let isTold = (context.breakdowns.open ?? breakdown).toldAt != nil
    return isTold ? .zero...Window.stall.upperBound : Window.stall
  }

  private mutating func seeOff(_ context: ReadingContext) {
    isOff = true
    guard context.capture.knowsTruth, context.isLive, context.isDelivering, context.breakdowns.open == nil else {
      return
    }
    let capture = context.capture
    let isJustCleared = capture.clearedAt.map { context.now - $0 <= Window.soon.upperBound } ?? false
    if !isJustCleared, !capture.isBreakingDown(at: context.now), !context.isSlowOnIOS(for: .zero) {
      causelessOff = context.now
    }
  }

  private mutating func seeOn(_ context: ReadingContext) {
    defer { (isOff, mayRetry) = (false, false) }
    if causelessOff != nil, context.isLive {
      ruling.judge(false, at: context.now, expected: "a restart only of a camera that stalled", actual: "a restart")
      causelessOff = nil
    }
    guard let open = context.breakdowns.open, isOff else { return }
    if open.isSecond {
      ruling.judge(false, at: context.now, expected: "the end at a second stall", actual: "another restart")
    } else if open.restartedAt == nil {
      ruling.judge(context.now - open.since, within: window(open, context), of: "a restart", at: context.now)
      owesRestart = false
    } else {
      ruling.judge(mayRetry, at: context.now, expected: "one restart of a silent camera", actual: "another")
    }
  }

  private mutating func judgeFailure(_ error: String, _ context: ReadingContext) {
    guard context.capture.knowsTruth, context.isLive else { return }
    owesEnd = false
    guard error == "cameraUnavailable" else {
      let isSeen = context.breakdowns.open != nil && context.capture.isBreakingDown(at: context.now)
      if isSeen {
        ruling.judge(
          false, at: context.now, expected: "a restart of the camera, or failed(cameraUnavailable)",
          actual: "failed(\(error))")
      }
      return
    }
    guard let open = context.breakdowns.open else {
      // One that works again since just now may still be acted on.
      if context.wasJustDelivering, context.breakdowns.count > 0, !context.capture.isBreakingDown(at: context.now) {
        ruling.judge(
          false, at: context.now, expected: "no failure while the reopened camera delivers",
          actual: "failed(cameraUnavailable)")
      }
      return
    }
    if open.isSecond {
      ruling.judge(
        context.now - open.since, within: window(open, context), of: "failed(cameraUnavailable)", at: context.now)
    } else if open.toldAt == nil {
      judgeFirst(open, context)
    }
  }

  /// The first stall fails a session only when the restarted camera stays silent.
  private mutating func judgeFirst(_ open: Breakdown, _ context: ReadingContext) {
    guard let restartedAt = open.restartedAt else {
      ruling.judge(
        false, at: context.now, expected: "a restart of the camera at the first stall",
        actual: "failed(cameraUnavailable)")
      return
    }
    let earliest = context.capture.isWorking ? Window.recovery.lowerBound : Window.stall.lowerBound
    // That it is not too late is V35's.
    ruling.judge(
      context.now - restartedAt >= earliest, at: context.now,
      expected: "failed(cameraUnavailable) not before \(earliest.text) after the restart",
      actual: (context.now - restartedAt).text)
  }

  private mutating func judgeGuidance(_ since: Instant, _ context: ReadingContext) {
    ruling.judge(context.now - since, within: Window.soon, of: "guidance after the restart", at: context.now)
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    if let since = guidanceSince, context.isDelivering, context.phase == .positioning,
      context.now - since > Window.soon.upperBound
    {
      judgeGuidance(since, context)
      guidanceSince = nil
    }
    if let since = causelessOff, context.now - since > Self.off {
      ruling.judge(false, at: since, expected: "a camera that stays on", actual: "off")
      causelessOff = nil
    }
    guard let current, context.now - current.since > Window.stall.upperBound else { return }
    for (isOwed, what) in [
      (owesRestart, "camera off and on again"), (owesCancel, "cancelled(interrupted)"),
      (owesEnd, "failed(cameraUnavailable) at the second stall"),
    ] where isOwed {
      ruling.judge(false, at: context.now, expected: "\(what) within 5 s of the stall", actual: "none")
    }
    (owesRestart, owesCancel, owesEnd) = (false, false, false)
  }
}
