import Checks
import Traces
import VitalsModel

/// V03: start() turns camera and torch on until the end, guidance follows the first frame, and no first frame is a
/// failed camera.
struct StartBegins: ReadingMonitor {
  var ruling = Ruling(rule: "V03")
  private var startReturned: Instant?
  private var firstFrame: Instant?
  private var hasCameraFailed = false
  /// Set once guidance has come, or the session has ended.
  private var isSettled = false
  /// When the torch was put out alone, and without a cause so far.
  private var darkSince: Instant?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    judgeDark(moment, context)
    judgeLight(moment, context)
    // From an interruption on, what comes back when is up to V33 and V35.
    if context.isInterrupted, startReturned != nil { isSettled = true }
    guard !isSettled else { return }
    judgeOverdue(context)
    switch moment {
    case .returned(.start) where context.phase == .idle:
      startReturned = context.now
      // While interrupted it waits, as V33 and V35 say, and a camera that failed on the way is V44's.
      isSettled = context.isInterrupted
      guard !isSettled, !hasCameraFailed else { return }
      ruling.judge(
        context.isCameraOn && context.isTorchOn, at: context.now,
        expected: "camera and torch commanded on when start() returns", actual: Self.lights(context))
    case .firstFrame where startReturned != nil: firstFrame = firstFrame ?? context.now
    case .notice(.cameraFailed), .notice(.fact("cameraAccess", "busy")): hasCameraFailed = true
    case .notice(.fact("cameraAccess", "free")): hasCameraFailed = false
    // A camera that falls silent before the first guidance is V37's.
    case .world("camera", let state) where firstFrame != nil && state != "working": isSettled = true
    case .call(.stop): isSettled = true
    case .event(.guidance):
      if let firstFrame {
        ruling.judge(context.now - firstFrame, within: Window.soon, of: "the first guidance", at: context.now)
        isSettled = true
      } else if !context.capture.knowsTruth {
        // Nothing tells of first frames.
        isSettled = true
      }
    case .event(.failed(let error)):
      // A camera that says that it failed may end the session sooner.
      if let startReturned, firstFrame == nil, context.capture.knowsTruth, !hasCameraFailed {
        judgeFailure(error, context.now - startReturned, context)
      }
      isSettled = true
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if !isSettled { judgeOverdue(context) }
  }

  /// While positioning and measuring the session has its camera and its torch; only what ends it takes them away.
  private mutating func judgeDark(_ moment: ReadingMoment, _ context: ReadingContext) {
    if let since = darkSince, context.now - since > Window.atOnce.upperBound {
      ruling.judge(false, at: since, expected: "the torch on until the end", actual: "off")
      darkSince = nil
    }
    switch moment {
    case .torch(isOn: false):
      // In the dark a session may switch to and fro.
      if context.isLive, context.isDelivering, context.isTorchOn, !context.isDark { darkSince = context.now }
    // What takes the camera too is judged with it.
    case .torch(isOn: true), .camera, .call(.stop), .event(.failed), .notice, .world("torch", _): darkSince = nil
    default: break
    }
  }

  private mutating func judgeLight(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment, context.phase == .positioning || context.phase == .measuring else { return }
    // What comes out of place while interrupted is V32's, and the camera may be off while it is restarted.
    if context.isInterrupted || context.isRestoring || context.breakdowns.open != nil { return }
    switch event {
    case .guidance, .started, .preview, .heartbeat, .measurementComplete:
      ruling.judge(
        context.stoppedAt != nil || (context.isCameraOn && context.isTorchOn), at: context.now,
        expected: "camera and torch on with \(event.name)", actual: Self.lights(context))
    case .cancelled, .completed, .failed, .unknown: break
    }
  }

  private mutating func judgeFailure(_ error: String, _ waited: TimeSpan, _ context: ReadingContext) {
    if error == "cameraUnavailable" {
      ruling.judge(waited, within: Window.recovery, of: "failed(cameraUnavailable)", at: context.now, ours: true)
    } else if waited >= Window.recovery.lowerBound {
      ruling.judge(
        false, at: context.now, expected: "failed(cameraUnavailable) when no frame comes", actual: "failed(\(error))",
        ours: true)
    }
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard let startReturned else { return }
    if let firstFrame {
      let waited = context.now - firstFrame
      guard waited > Window.soon.upperBound else { return }
      ruling.judge(waited, within: Window.soon, of: "the first guidance", at: context.now)
    } else {
      guard context.capture.knowsTruth, !hasCameraFailed, context.now - startReturned > Window.recovery.upperBound
      else { return }
      ruling.judge(
        false, at: context.now, expected: "failed(cameraUnavailable) when no frame comes", actual: "no event",
        ours: true)
    }
    isSettled = true
  }

  private static func lights(_ context: ReadingContext) -> String {
    "camera \(context.isCameraOn ? "on" : "off"), torch \(context.isTorchOn ? "on" : "off")"
  }
}

/// V04: guidance about once a second while positioning, with a value and a progress.
struct GuidancePace: ReadingMonitor {
  var ruling = Ruling(rule: "V04")
  private var last: Instant?

  private static let values = readingVocabulary.event("guidance")?.arguments ?? []

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    closeBeforeInterruption(context)
    switch moment {
    case .event(.guidance(let value, let progress)):
      let isWellFormed = Self.values.contains(value) && progress.map { (0...1).contains($0) } ?? false
      ruling.judge(
        isWellFormed, at: context.now, expected: "a guidance value and a startProgress in 0...1",
        actual: "\(value.isEmpty ? "no value" : value), \(progress.map { "progress \($0)" } ?? "no progress")")
      if let last {
        ruling.judge(context.now - last, within: Window.pace, of: "the next guidance", at: context.now)
      }
      // Without frames there is nothing to guide by; a session may be silent then, or go on.
      last = context.isDelivering ? context.now : nil
    case .camera(isOn: false), .notice(.cameraFailed):
      // Without truths nobody can tell for how long frames had been missing by then.
      if context.capture.knowsTruth { close(context) } else { last = nil }
    case .event(.started), .event(.completed), .event(.failed), .call(.stop): close(context)
    case .world("camera", let state): if state != "working" { close(context) }
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    closeBeforeInterruption(context)
    close(context)
  }

  /// An interruption ends a stretch of guidance at its beginning (V32).
  private mutating func closeBeforeInterruption(_ context: ReadingContext) {
    guard let began = context.capture.interruptedSince else { return }
    if let last, began - last > Window.pace.upperBound {
      ruling.judge(began - last, within: Window.pace, of: "the next guidance", at: began)
    }
    last = nil
  }

  /// A stretch of guidance ends here: it must not have fallen silent before.
  private mutating func close(_ context: ReadingContext) {
    if let last, context.now - last > Window.pace.upperBound {
      ruling.judge(context.now - last, within: Window.pace, of: "the next guidance", at: context.now)
    }
    last = nil
  }
}

/// V05: startProgress fills over a few seconds, does not shrink while steady, and shows 1 before started.
struct ProgressFills: ReadingMonitor {
  var ruling = Ruling(rule: "V05")
  private var shown: Double?
  /// The last moment at which the stretch had not begun, and the first that showed it.
  private var lastEmpty: Instant?
  private var firstSteady: Instant?
  /// Whether the stretch has shown a startProgress that was neither empty nor full.
  private var isFilling = false

  /// Since when the fingertip has been away.
  private var lostSince: Instant?
  /// When a lift began that guidance has still to show.
  private var liftSince: Instant?
  /// When it was over, and not too short to be seen.
  private var liftedAt: Instant?

  private static let fastest = TimeSpan.seconds(2)
  /// A lift of that length is seen, and shown by guidance from `told` after its beginning on.
  private static let lift = TimeSpan.milliseconds(500)
  private static let told = TimeSpan.seconds(1)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if context.isInterrupted { begin(at: context.now) }
    switch moment {
    case .firstFrame, .event(.cancelled): begin(at: context.now)
    case .world("contact", "lost"):
      lostSince = lostSince ?? context.now
      if context.phase == .positioning, context.viewSince != nil { liftSince = liftSince ?? context.now }
    case .world("contact", "present"): endLift(context)
    case .event(.guidance("compliant", let progress?)):
      judgeLift(context)
      if let shown {
        ruling.judge(
          progress >= shown, at: context.now, expected: "startProgress of at least \(shown)", actual: "\(progress)",
          ours: true)
      }
      firstSteady = firstSteady ?? context.now
      isFilling = isFilling || (progress > 0 && progress < 1)
      if progress == 1, shown != 1 { judgeFill(context) } else if progress < 1 { judgeOverdue(context) }
      shown = progress
    case .event(.guidance(let value, _)):
      judgeTold(value, context)
      // One that is not over may be told by the next.
      let pending = liftedAt == nil && value != "noContact" ? liftSince : nil
      begin(at: context.now)
      liftSince = pending
    case .event(.started):
      judgeLift(context)
      ruling.judge(
        shown == 1, at: context.now, expected: "started after a guidance with startProgress 1",
        actual: shown.map { "startProgress \($0)" } ?? "no compliant guidance")
      begin(at: context.now)
    default: break
    }
  }

  private mutating func begin(at moment: Instant) {
    shown = nil
    firstSteady = nil
    (liftSince, liftedAt) = (nil, nil)
    lastEmpty = moment
  }

  private mutating func endLift(_ context: ReadingContext) {
    if let lostSince, context.now - lostSince >= Self.lift {
      // No stretch began before the fingertip was back.
      lastEmpty = context.now
      if liftSince != nil { liftedAt = context.now }
    } else {
      liftSince = nil
    }
    lostSince = nil
  }

  /// Of what has been since the guidance before, a lift is the worst.
  private mutating func judgeTold(_ value: String, _ context: ReadingContext) {
    guard liftSince != nil else { return }
    ruling.judge(
      liftedAt == nil || value == "noContact" || value == "frameDrop" && context.capture.slowSince != nil,
      at: context.now, expected: "noContact for the lift since the guidance before it", actual: value, ours: true)
  }

  private mutating func judgeLift(_ context: ReadingContext) {
    guard let since = liftSince, liftedAt != nil || context.now - since >= Self.told else { return }
    ruling.judge(
      false, at: context.now, expected: "a guidance that shows the lift since the one before it", actual: "compliant",
      ours: true)
    (liftSince, liftedAt) = (nil, nil)
  }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard let firstSteady, context.now - firstSteady > Window.filling else { return }
    ruling.judge(
      false, at: context.now, expected: "startProgress full after \(Window.filling.text) of compliant",
      actual: "not full after \((context.now - firstSteady).text)")
  }

  /// The stretch began after `lastEmpty` and not after `firstSteady`, which bounds how long it took to fill.
  private mutating func judgeFill(_ context: ReadingContext) {
    guard let lastEmpty, let firstSteady else { return }
    let longest = context.now - lastEmpty
    let shortest = context.now - firstSteady
    ruling.judge(
      longest >= Self.fastest && shortest <= Window.filling, at: context.now,
      expected: "startProgress full 2 to 6 s after the fingertip is steady",
      actual: "\(shortest.text) to \(longest.text)")
    // Two guidances before the full one are time enough to show that it fills.
    if shortest >= Self.fastest {
      ruling.judge(isFilling, at: context.now, expected: "a startProgress that fills", actual: "0 and then 1 at once")
    }
  }
}

/// V06: a full startProgress starts the reading.
struct StartsByItself: ReadingMonitor {
  var ruling = Ruling(rule: "V06")
  private var fullSince: Instant?
  /// Whether the last guidance showed 1 while the start was held. Letting go may then start at once, or not when the
  /// fingertip has moved since, which no event has told yet.
  private var isHeldFull = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    // Whatever takes the camera keeps the reading from starting.
    if !context.isDelivering { (fullSince, isHeldFull) = (nil, false) }
    switch moment {
    case .event(.guidance(_, let progress)):
      judgeMissing(context)
      fullSince = progress == 1 && context.isAutoStartEnabled ? context.now : nil
      isHeldFull = progress == 1 && !context.isAutoStartEnabled
    case .event(.started):
      if fullSince != nil || isHeldFull { ruling.judge(true, at: context.now, expected: "", actual: "") }
      fullSince = nil
      isHeldFull = false
    case .call(.stop), .call(.setAutoStart), .event(.failed): fullSince = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard context.isDelivering, let fullSince else { return }
    if context.now - fullSince > Window.soon.upperBound { judgeMissing(context) }
  }

  private mutating func judgeMissing(_ context: ReadingContext) {
    guard fullSince != nil else { return }
    ruling.judge(
      false, at: context.now, expected: "started after the guidance that showed startProgress 1", actual: "none")
  }
}

/// V07: the empty preview comes at once after started.
struct EmptyPreview: ReadingMonitor {
  var ruling = Ruling(rule: "V07")
  private var started: Instant?

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    if let started {
      self.started = nil
      if case .preview(let preview) = event {
        ruling.judge(context.now - started, within: Window.atOnce, of: "the empty preview", at: context.now)
        let values = ["heartRateBpm", "rmssdMs", "signalLevel"].filter { preview[$0] != nil }
        ruling.judge(
          preview["progress"]?.number == 0 && values.isEmpty, at: context.now,
          expected: "a preview with progress 0 and no values",
          actual: "progress \(preview["progress"]?.number.map { "\($0)" } ?? "absent")"
            + values.map { ", \($0)" }.joined())
      } else {
        ruling.judge(false, at: context.now, expected: "preview next after started", actual: event.name)
      }
    }
    if case .started = event { started = context.now }
  }

  mutating func finish(_ context: ReadingContext) {
    if let started, context.now - started > Window.atOnce.upperBound {
      ruling.judge(false, at: started, expected: "preview next after started", actual: "none")
    }
  }
}

/// V18: progress only with compliant.
struct ProgressNeedsCompliance: ReadingMonitor {
  var ruling = Ruling(rule: "V18")

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(.guidance(let value, let progress?)) = moment, progress > 0 || value != "compliant" else {
      return
    }
    ruling.judge(
      value == "compliant" || progress == 0, at: context.now, expected: "startProgress 0 with \(value)",
      actual: "startProgress \(progress)", ours: true)
  }
}
