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

  /// How long before the end a torch may go off and still have waited for the result.
  private static let release = TimeSpan.milliseconds(500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if since != nil, context.isInterrupted { isTaken = true }
    switch moment {
    case .event(.measurementComplete): since = context.now
    case .notice(.cameraFailed): isTaken = since != nil
    case .torch(isOn: false) where since != nil:
      torchOffAt = torchOffAt ?? context.now
      switchedOff.append("torch")
    case .camera(isOn: false) where since != nil: switchedOff.append("camera")
    case .event(.failed("cameraUnavailable")):
      if since != nil {
        ruling.judge(
          false, at: context.now, expected: "completed or failed(noHeartRate), whatever the camera does",
          actual: "failed(cameraUnavailable)")
      }
      since = nil
    case .event(.completed), .event(.failed):
      if let since { judgeEnd(since, context) }
      since = nil
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if let since, context.now - since > Window.finalizing.upperBound {
      ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    }
  }

  private mutating func judgeEnd(_ since: Instant, _ context: ReadingContext) {
    ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    // After stop(), the owner's end or an interruption the camera is gone already, in an order that no rule fixes.
    guard context.stoppedAt == nil, !isTaken else { return }
    ruling.judge(
      switchedOff.prefix(2) == ["torch", "camera"], at: context.now,
      expected: "torch off, then camera off, then the end",
      actual: switchedOff.isEmpty ? "neither was switched off" : switchedOff.joined(separator: " off, ") + " off")
    guard let torchOffAt else { return }
    ruling.judge(
      context.now - torchOffAt <= Self.release, at: torchOffAt, expected: "the torch on until the result is built",
      actual: "off \((context.now - torchOffAt).text) before the end")
  }
}

/// V12: a result has a heart rate; without one the session fails, and only after the minute.
struct HeartRateOrFailure: ReadingMonitor {
  var ruling = Ruling(rule: "V12")
  private var isBuilt = false
  private var wasGood = false

  private static let errors = readingVocabulary.event("failed")?.arguments ?? []

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .notice(.resultBuilt): isBuilt = isBuilt || context.phase == .finalizing
    case .event(.measurementComplete): wasGood = context.isGoodAttempt
    case .event(.completed(let result)):
      ruling.judge(
        result["heartRateBpm"]?.number.map { $0 > 0 } ?? false, at: context.now,
        expected: "a result with a heart rate", actual: "none")
    case .event(.failed(let error)): judge(error, context)
    default: break
    }
  }

  private mutating func judge(_ error: String, _ context: ReadingContext) {
    if error == "noHeartRate" {
      ruling.judge(
        context.phase == .finalizing && !wasGood, at: context.now,
        expected: wasGood
          ? "a heart rate from a signal that was good all through" : "noHeartRate only after the minute",
        actual: "failed(noHeartRate) while \(context.phase.rawValue)")
    } else {
      ruling.judge(
        Self.errors.contains(error) && !isBuilt, at: context.now,
        expected: isBuilt
          ? "completed or failed(noHeartRate) once the result is built" : "an error that failed carries",
        actual: "failed(\(error))")
    }
  }
}

/// Watches that camera and torch go off at once after stop() or the owner's end.
private struct Release {
  let stoppedAt: Instant
  /// How long it took; nil until both are off.
  private(set) var took: TimeSpan?

  init(at moment: Instant, _ context: ReadingContext) {
    stoppedAt = moment
    if !context.isCameraOn, !context.isTorchOn { took = .zero }
  }

  /// The entry itself is not yet in the context.
  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard took == nil else { return }
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
      // What was on its way may come before the call returns.
      if release != nil, !isOnItsWay(context) {
        ruling.judge(false, at: context.now, expected: "no event after stop()", actual: event.name)
      }
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { release?.judge(&ruling) }

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
