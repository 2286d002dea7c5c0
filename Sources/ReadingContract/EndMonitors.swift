import Checks
import Traces
import VitalsModel

/// V11: finalizing ends in time, with the torch on until the end is known, and off before it is told.
struct Finalizing: ReadingMonitor {
  var ruling = Ruling(rule: "V11")
  private var since: Instant?
  private var torchOffAt: Instant?
  private var switchedOff: [String] = []
  /// Whether the camera was taken away meanwhile; then it may be off in any order.
  private var isTaken = false
  /// Whether the camera stalled, slowed down or broke meanwhile.
  private var isTroubled = false
  /// Whether the system has put the torch out.
  private var isDark = false
  /// Whether the torch was off before anything but the result allowed it.
  private var isEarly = false
  /// When the result was built, as far as the trace tells.
  private var builtAt: Instant?

  /// How long before the end a torch may go off and still have waited for the result.
  private static let release = TimeSpan.milliseconds(500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    takeIn(context)
    switch moment {
    case .event(.measurementComplete):
      (since, torchOffAt, isEarly, builtAt) = (context.now, nil, false, nil)
    case .notice(.cameraFailed): isTaken = since != nil
    case .notice(.fact("torch", let state)): isDark = state == "lost"
    case .torch(isOn: false) where since != nil:
      if torchOffAt == nil { isEarly = context.stoppedAt == nil && !isTaken && !isDark && !context.isDark }
      torchOffAt = torchOffAt ?? context.now
      switchedOff.append("torch")
    case .notice(.resultBuilt) where since != nil:
      if isEarly, let torchOffAt { judgeEarly(torchOffAt, false, "off \((context.now - torchOffAt).text) before that") }
      isEarly = false
      builtAt = builtAt ?? context.now
    case .camera(isOn: true) where since != nil && context.stoppedAt == nil:
      ruling.judge(
        false, at: context.now, expected: "no camera for a minute that is captured", actual: "camera on", ours: true)
    case .camera(isOn: false) where since != nil:
      if context.isTorchOn, context.isCameraOn, context.stoppedAt == nil, !isTaken {
        ruling.judge(false, at: context.now, expected: "torch off, then camera off", actual: "camera off first")
      }
      switchedOff.append("camera")
    case .event(.failed("cameraUnavailable")):
      if since != nil {
        ruling.judge(
          false, at: context.now, expected: "completed or failed(noHeartRate), whatever the camera does",
          actual: "failed(cameraUnavailable)", ours: isTroubled || !context.capture.knowsTruth)
      }
      since = nil
    case .event(.completed), .event(.failed):
      if let since { judgeEnd(since, context) }
      since = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard let since else { return }
    if context.now - since > Window.finalizing.upperBound {
      ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    }
    judgeRelease(context)
    judgeBuilt(context)
  }

  /// Nothing is left to wait for once the result is built.
  private mutating func judgeBuilt(_ context: ReadingContext) {
    guard let builtAt, context.now - builtAt > Window.soon.upperBound else { return }
    ruling.judge(context.now - builtAt, within: Window.soon, of: "the end after the result was built", at: context.now)
  }

  private mutating func takeIn(_ context: ReadingContext) {
    guard since != nil else { return }
    if context.isInterrupted { isTaken = true }
    let capture = context.capture
    if !capture.isWorking || capture.slowSince != nil || isTaken { isTroubled = true }
  }

  private mutating func judgeEnd(_ since: Instant, _ context: ReadingContext) {
    ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    judgeBuilt(context)
    // After stop(), the owner's end or an interruption the camera is gone already, in an order that no rule fixes.
    guard context.stoppedAt == nil, !isTaken else { return }
    ruling.judge(
      switchedOff.prefix(2) == ["torch", "camera"], at: context.now,
      expected: "torch off, then camera off, then the end",
      actual: switchedOff.isEmpty ? "neither was switched off" : switchedOff.joined(separator: " off, ") + " off")
    judgeRelease(context)
  }

  private mutating func judgeRelease(_ context: ReadingContext) {
    guard isEarly, let torchOffAt else { return }
    let span = context.now - torchOffAt
    judgeEarly(torchOffAt, span <= Self.release, "off \(span.text) before the end")
  }

  private mutating func judgeEarly(_ torchOffAt: Instant, _ holds: Bool, _ actual: String) {
    ruling.judge(holds, at: torchOffAt, expected: "the torch on until the result is built", actual: actual)
  }
}

/// Watches that camera and torch go off at once after stop() or the owner's end.
private struct Release {
  let stoppedAt: Instant
  /// How long it took; nil until both are off.
  private(set) var took: TimeSpan?
  /// When one of them was first switched on again.
  private var undoneAt: Instant?

  init(at moment: Instant, _ context: ReadingContext) {
    stoppedAt = moment
    if !context.isCameraOn, !context.isTorchOn { took = .zero }
  }

  /// The entry itself is not yet in the context.
  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if took != nil {
      switch moment {
      case .camera(isOn: true), .torch(isOn: true): undoneAt = undoneAt ?? context.now
      default: break
      }
      return
    }
    var (isCameraOn, isTorchOn) = (context.isCameraOn, context.isTorchOn)
    if case .camera(let isOn) = moment { isCameraOn = isOn }
    if case .torch(let isOn) = moment { isTorchOn = isOn }
    if case .notice(.cameraFailed) = moment { isCameraOn = false }
    if !isCameraOn, !isTorchOn { took = context.now - stoppedAt }
  }

  func judge(_ ruling: inout Ruling, after what: String = "stop()") {
    if let took {
      ruling.judge(took, within: Window.atOnce, of: "camera and torch off after \(what)", at: stoppedAt + took)
    } else {
      ruling.judge(false, at: stoppedAt, expected: "camera and torch off at once after \(what)", actual: "not off")
    }
    if let undoneAt {
      ruling.judge(false, at: undoneAt, expected: "camera and torch off for good after \(what)", actual: "on again")
    }
  }
}

/// V39: stop() before the minute is full ends everything at once.
struct StopEnds: ReadingMonitor {
  var ruling = Ruling(rule: "V39")
  private var release: Release?
  private var hasReturned = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    release?.observe(moment, context)
    switch moment {
    case .call(.stop(by: .app)) where release == nil && context.isLive:
      release = Release(at: context.now, context)
    case .event(.measurementComplete) where isOnItsWay(context):
      // The minute was full before the call reached the session: V40 goes on from here.
      release = nil
    case .returned(.stop): hasReturned = release != nil
    case .threw(.stop, _):
      ruling.judge(false, at: context.now, expected: "stop() returns", actual: "it threw")
    case .event(let event):
      // What was on its way may come before the call returns, but neither a beginning nor an end.
      if release != nil, !(isOnItsWay(context) && Self.isInPassing(event)) {
        ruling.judge(false, at: context.now, expected: "no event after stop()", actual: event.name)
      }
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { release?.judge(&ruling) }

  private static func isInPassing(_ event: ReadingMoment.Event) -> Bool {
    switch event {
    case .guidance, .preview, .heartbeat: true
    case .started, .cancelled, .measurementComplete, .completed, .failed, .unknown: false
    }
  }

  private func isOnItsWay(_ context: ReadingContext) -> Bool {
    guard let release, !hasReturned else { return false }
    return context.now - release.stoppedAt <= Window.atOnce.upperBound
  }
}

/// V40: stop() after the minute releases the camera and still delivers.
struct StopDeliversMeasured: ReadingMonitor {
  var ruling = Ruling(rule: "V40")
  private var completeAt: Instant?
  private var release: Release?
  private var isDelivered = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    release?.observe(moment, context)
    switch moment {
    case .event(.measurementComplete): completeAt = context.now
    // Called in the last moment of the minute, it finds a reading that is measured.
    case .call(.stop(by: .app)) where release == nil && context.stoppedAt == nil:
      if context.phase == .measuring || context.phase == .finalizing { release = Release(at: context.now, context) }
    case .event(.completed), .event(.failed):
      if release != nil, let completeAt {
        ruling.judge(context.now - completeAt, within: Window.finalizing, of: "the end", at: context.now)
      }
      isDelivered = true
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard let release, let completeAt else { return }
    release.judge(&ruling)
    if !isDelivered, context.now - completeAt > Window.finalizing.upperBound {
      ruling.judge(false, at: context.now, expected: "the measured reading is still delivered", actual: "no end came")
    }
  }
}

/// V38: the owner's end is a stop(): nothing after it before the minute is full, and the end still delivered after.
struct OwnerEnds: ReadingMonitor {
  var ruling = Ruling(rule: "V38")
  private var release: Release?
  private var completeAt: Instant?
  /// Whether a measured reading was still to be delivered when the owner ended, and whether it was.
  private var isOwed = false
  private var isDelivered = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    release?.observe(moment, context)
    switch moment {
    case .call(.stop(by: .owner)) where release == nil && context.phase != .ended && context.stoppedAt == nil:
      release = Release(at: context.now, context)
      isOwed = context.phase == .finalizing
    case .camera(isOn: true), .torch(isOn: true): judgeSilence("switched on", isAtOnce: true, context)
    case .event(.measurementComplete):
      completeAt = context.now
      // It was full before the owner's end reached the session.
      if let release, context.now - release.stoppedAt <= Window.atOnce.upperBound { isOwed = true }
      judgeSilence("measurementComplete", isAtOnce: false, context)
    case .event(.completed), .event(.failed):
      if release != nil, isOwed, let completeAt {
        ruling.judge(context.now - completeAt, within: Window.finalizing, of: "the end", at: context.now)
      } else {
        judgeSilence("an end", isAtOnce: true, context)
      }
      isDelivered = true
    // What was on its way still comes, but none of these would have come without the owner's end.
    case .event(.cancelled), .event(.started): judgeSilence("an event", isAtOnce: true, context)
    case .event(let event): judgeSilence(event.name, isAtOnce: false, context)
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard let release else { return }
    release.judge(&ruling, after: "the owner's end")
    guard isOwed, !isDelivered, let completeAt, context.now - completeAt > Window.finalizing.upperBound else { return }
    ruling.judge(false, at: context.now, expected: "the measured reading is still delivered", actual: "no end came")
  }

  private mutating func judgeSilence(_ what: String, isAtOnce: Bool, _ context: ReadingContext) {
    guard let release, !isDelivered else { return }
    if isAtOnce || context.now - release.stoppedAt > Window.atOnce.upperBound {
      ruling.judge(false, at: context.now, expected: "nothing after the owner's end", actual: what)
    }
  }
}
