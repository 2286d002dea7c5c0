import Checks
import Traces
import VitalsModel

/// V26: a signal that stays unusable cancels with poorSignal, not before signalLevel has fallen, and no good one does.
struct PoorSignalCancels: ReadingMonitor {
  var ruling = Ruling(rule: "V26")
  /// Since when the attempt's signal has been unusable by the truth.
  private var unusableSince: Instant?
  /// The unusable stretches of the attempt that are over.
  private var over: [(from: Instant, to: Instant)] = []
  /// When the signal was last bad in a way that is neither good nor surely unusable.
  private var doubtfulAt: Instant?
  /// When a preview of the attempt last showed fair or weak.
  private var lowAt: Instant?
  private var isJudgedOverdue = false
  private var previous = Instant.zero

  private static let window = TimeSpan.seconds(4)...TimeSpan.seconds(15)
  /// How far back a session may look.
  private static let memory = TimeSpan.seconds(15)
  /// How long a session may take to read a signal again that has become good, and after how long it has to.
  private static let recovery = TimeSpan.seconds(5)
  private static let longOver = TimeSpan.seconds(10)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    follow(context)
    judgeOverdue(context)
    switch moment {
    case .event(.started):
      (unusableSince, over, doubtfulAt, lowAt, isJudgedOverdue) = (nil, [], nil, nil, false)
    case .event(.preview(let preview)):
      if ["fair", "weak"].contains(preview["signalLevel"]?.text) { lowAt = context.now }
    case .event(.cancelled("poorSignal")): judgeCancel(context)
    case .event(.failed("internalError")):
      judgeFailure(context)
    default: break
    }
    previous = context.now
  }

  mutating func finish(_ context: ReadingContext) {
    follow(context)
    judgeOverdue(context)
  }

  /// Takes in what the entry before has changed.
  private mutating func follow(_ context: ReadingContext) {
    guard context.phase == .measuring else { return }
    if context.isDoubtful { doubtfulAt = context.now }
    let since = context.unusableSince
    if let unusableSince, since == nil {
      if !isJudgedOverdue, previous - unusableSince >= Self.window.upperBound {
        ruling.judge(true, at: previous, expected: "", actual: "")
      }
      over.append((unusableSince, previous))
      isJudgedOverdue = false
    }
    // One cause may follow on another.
    unusableSince = since.map { min(unusableSince ?? $0, $0) }
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard context.phase == .measuring, !isJudgedOverdue, let since = unusableSince,
      context.now - since > Self.window.upperBound
    else { return }
    ruling.judge(context.now - since, within: Self.window, of: "cancelled(poorSignal)", at: context.now)
    isJudgedOverdue = true
  }

  /// A poor signal is no unexpected condition. The camera is off already when a failure is told.
  private mutating func judgeFailure(_ context: ReadingContext) {
    guard context.phase == .measuring, !context.isInterrupted else { return }
    let ended = over.last.flatMap { context.now - $0.to <= Window.atOnce.upperBound ? $0.from : nil }
    guard let since = unusableSince ?? ended, context.now - since >= Self.window.lowerBound else { return }
    ruling.judge(false, at: context.now, expected: "cancelled(poorSignal)", actual: "failed(internalError)")
  }

  private mutating func judgeCancel(_ context: ReadingContext) {
    guard context.phase == .measuring else { return }
    ruling.judge(
      lowAt.map { context.now - $0 <= Self.memory } ?? false, at: context.now,
      expected: "a preview with signalLevel fair or weak before cancelled(poorSignal)", actual: "none")
    guard context.knowsContact else { return }
    let begin = context.now - Self.memory
    if let doubtfulAt, doubtfulAt >= begin { return }
    if let unusableSince, context.now - unusableSince >= Self.window.lowerBound {
      ruling.judge(context.now - unusableSince, within: Self.window, of: "cancelled(poorSignal)", at: context.now)
      return
    }
    judgeAfter(begin, context)
  }
}

extension PoorSignalCancels {
  /// The signal is usable, or has not been unusable for long: what was before must explain the cancel.
  private mutating func judgeAfter(_ begin: Instant, _ context: ReadingContext) {
    let all = over + (unusableSince.map { [(from: $0, to: context.now)] } ?? [])
    guard let last = all.last, context.now - last.to <= Self.longOver else {
      ruling.judge(
        false, at: context.now, expected: "no cancelled(poorSignal) on a signal that has long been good",
        actual: "cancelled(poorSignal)")
      return
    }
    // Stretches come in order; with their recovery they may overlap.
    var unusable = TimeSpan.zero
    var counted = begin
    for stretch in all {
      let end = min(stretch.to + Self.recovery, context.now)
      if end > counted { unusable = unusable + (end - max(stretch.from, counted)) }
      counted = max(counted, end)
    }
    ruling.judge(
      unusable >= Self.window.lowerBound, at: context.now,
      expected: "cancelled(poorSignal) only after 4 s of an unusable signal", actual: unusable.text)
  }
}

extension ReadingContext {
  /// Whether the signal is bad in a way that a session may or may not be able to read, or to call poor.
  fileprivate var isDoubtful: Bool {
    finger.isTrue("pulse", "faint") || finger.isTrue("motion", "sliding") || isLightDisturbed || contactLostSince != nil
      || viewSince == nil || capture.slowSince != nil
  }

  /// Since when the attempt's signal could be seen and has been fidgeting or without a pulse.
  fileprivate var unusableSince: Instant? {
    guard phase == .measuring, !isDoubtful, let startedAt, let view = viewSince,
      let contact = finger.since("contact", "present")
    else { return nil }
    let causes = [finger.since("motion", "fidgeting"), finger.since("pulse", "absent")].compactMap(\.self)
    return causes.min().map { max($0, contact, view, startedAt) }
  }
}

/// V30: signalLevel is one of four, and moves by one at a time while the fingertip is there.
struct SignalLevelMoves: ReadingMonitor {
  var ruling = Ruling(rule: "V30")
  /// What the attempt's last preview showed, and when.
  private var shown: (level: Int, at: Instant)?
  /// When the fingertip was last away or in the dark.
  private var awayAt: Instant?

  private static let levels = ["weak", "fair", "good", "strong"]
  /// How long before a preview a session may have lost the fingertip and seen it only now.
  private static let delay = TimeSpan.milliseconds(2_500)
  /// A good signal has been scored by then.
  private static let scored = TimeSpan.seconds(10)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if context.contactLostSince != nil || !context.isDelivering { awayAt = context.now }
    switch moment {
    case .event(.started): shown = nil
    case .event(.preview(let preview)):
      guard let startedAt = context.startedAt else { return }
      guard let text = preview["signalLevel"]?.text else {
        if context.isGoodAttempt, shown != nil || context.now - startedAt >= Self.scored {
          ruling.judge(false, at: context.now, expected: "signalLevel on a good signal", actual: "absent", ours: true)
        }
        return
      }
      see(text, context)
    default: break
    }
  }

  private mutating func see(_ text: String, _ context: ReadingContext) {
    let level = Self.levels.firstIndex(of: text)
    ruling.judge(
      level != nil, at: context.now, expected: "one of \(Self.levels.joined(separator: ", "))", actual: text)
    guard let level else { return }
    if let shown, context.knowsContact {
      let isExcused = awayAt.map { $0 + Self.delay >= shown.at } ?? false
      ruling.judge(
        (level - shown.level).magnitude <= 1 || isExcused, at: context.now,
        expected: "a signalLevel next to \(Self.levels[shown.level])", actual: text, ours: true)
    }
    shown = (level, context.now)
  }
}
