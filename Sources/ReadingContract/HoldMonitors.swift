import Checks
import Traces
import VitalsModel

/// V19: while the start is held nothing starts, and startProgress fills as usual.
struct HeldStart: ReadingMonitor {
  var ruling = Ruling(rule: "V19")
  private var isHeld = false
  private var hasHeld = false
  /// Until when a start may have been on its way when the call came; nil once the call has returned.
  private var onItsWayUntil: Instant?
  /// When startProgress was last full, and when it last had to begin anew.
  private var fullAt: Instant?
  private var cancelledAt: Instant?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .call(.setAutoStart(false)):
      if !isHeld { onItsWayUntil = context.now + Window.atOnce.upperBound }
      (isHeld, hasHeld) = (true, true)
    case .returned(.setAutoStart(false)): onItsWayUntil = nil
    case .call(.setAutoStart(true)): isHeld = false
    case .event(.started):
      if isHeld {
        let isOnItsWay = onItsWayUntil.map { context.now <= $0 } ?? false
        ruling.judge(isOnItsWay, at: context.now, expected: "no start while it is held", actual: "started")
      }
    case .event(.guidance(_, let progress)):
      if progress == 1 { fullAt = context.now }
      if isHeld, context.phase == .positioning { judgeProgress(context) }
    case .event(.cancelled): cancelledAt = context.now
    default: break
    }
  }

  /// Where nothing came to be held the hold was kept as well.
  mutating func finish(_ context: ReadingContext) {
    if hasHeld { ruling.judge(true, at: context.now, expected: "", actual: "") }
  }

  private mutating func judgeProgress(_ context: ReadingContext) {
    var holds = true
    let clearSince = context.clearSince.map { max($0, cancelledAt ?? $0) }
    if let clearSince, context.now - clearSince >= context.startsWithin {
      holds = fullAt.map { $0 >= clearSince } ?? false
    }
    ruling.judge(
      holds, at: context.now, expected: "a full startProgress while a good signal is held", actual: "not full")
  }
}

/// V21: holding the start leaves the reading that runs alone, and holds the next.
struct HoldSparesReading: ReadingMonitor {
  var ruling = Ruling(rule: "V21")
  /// Whether a call that must change nothing for the attempt has not returned yet.
  private var isCalling = false
  /// Whether a call in the attempt holds the next.
  private var holdsNext = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .call(.setAutoStart(false)):
      if context.phase == .measuring { (isCalling, holdsNext) = (true, true) }
    case .returned(.setAutoStart(false)):
      if isCalling { ruling.judge(true, at: context.now, expected: "", actual: "") }
      isCalling = false
    case .threw(.setAutoStart, _):
      ruling.judge(false, at: context.now, expected: "setAutoStart returns", actual: "it threw")
      isCalling = false
    case .call(.setAutoStart(true)): (isCalling, holdsNext) = (false, false)
    case .camera, .torch: judgeSpared("a command", context)
    case .event(.cancelled(let reason)): judgeSpared("cancelled(\(reason))", context)
    case .event(.failed(let error)): judgeSpared("failed(\(error))", context)
    case .event(.guidance):
      judgeSpared("guidance", context)
      if holdsNext { ruling.judge(true, at: context.now, expected: "", actual: "") }
    case .event(.started):
      if holdsNext {
        ruling.judge(false, at: context.now, expected: "no start after the reading that was held in", actual: "started")
      }
    default: break
    }
  }

  private mutating func judgeSpared(_ what: String, _ context: ReadingContext) {
    guard isCalling else { return }
    ruling.judge(
      false, at: context.now, expected: "setAutoStart(false) leaves the running reading alone", actual: what)
  }
}

/// V22: letting go lets the next steady moment start the reading.
struct LetGoStarts: ReadingMonitor {
  var ruling = Ruling(rule: "V22")
  private var letGoAt: Instant?
  /// Since when every guidance has shown a full startProgress.
  private var fullSince: Instant?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    judgeOverdue(context)
    switch moment {
    case .call(.setAutoStart(true)):
      if !context.isAutoStartEnabled, context.phase == .positioning { letGoAt = context.now }
    case .event(.started):
      judgeStart(context)
      (letGoAt, fullSince) = (nil, nil)
    case .event(.guidance(_, let progress)): fullSince = progress == 1 ? fullSince ?? context.now : nil
    case .call(.setAutoStart(false)), .call(.stop), .event(.failed): letGoAt = nil
    case .event(.cancelled): fullSince = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { judgeOverdue(context) }

  private mutating func judgeStart(_ context: ReadingContext) {
    guard let letGoAt else { return }
    // At once, unless something has disturbed the fingertip since the guidance that showed it full.
    let isFull = fullSince.map { full in full < letGoAt && context.clearSince.map { $0 <= full } ?? false } ?? false
    ruling.judge(
      !isFull || context.now - letGoAt <= Window.interrupted.upperBound, at: context.now,
      expected: "started at once where startProgress was full", actual: "after \((context.now - letGoAt).text)")
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard let letGoAt, context.isLive, let clear = context.clearSince else { return }
    // What was full when it was let go starts at once, as long as the fingertip stays.
    let isFull = fullSince.map { $0 >= clear } ?? false
    let waited = context.now - max(letGoAt, clear, fullSince ?? clear)
    let limit = isFull ? Window.soon.upperBound : context.startsWithin
    guard waited > limit else { return }
    ruling.judge(waited, within: .zero...limit, of: "started on a good signal after letting go", at: context.now)
    self.letGoAt = nil
  }
}
