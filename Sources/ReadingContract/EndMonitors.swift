import Checks
import Traces
import VitalsModel

/// V11: finalizing ends in time, with the torch on until the end is known, and off before it is told.
struct Finalizing: ReadingMonitor {
  var ruling = Ruling(rule: "V11")
  private var since: Instant?
  private var torchOffAt: Instant?
  private var switchedOff: [String] = []

  /// How long before the end a torch may go off and still have waited for the result.
  private static let release = TimeSpan.milliseconds(500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.measurementComplete): since = context.now
    case .torch(isOn: false) where since != nil:
      torchOffAt = torchOffAt ?? context.now
      switchedOff.append("torch")
    case .camera(isOn: false) where since != nil: switchedOff.append("camera")
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
    // After stop() the camera is gone already, in an order that no rule fixes.
    guard context.stoppedAt == nil else { return }
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

/// Watches that camera and torch go off at once after stop().
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
    if !isCameraOn, !isTorchOn { took = context.now - stoppedAt }
  }

  func judge(_ ruling: inout Ruling) {
    if let took {
      ruling.judge(took, within: Window.atOnce, of: "camera and torch off after stop()", at: stoppedAt + took)
    } else {
      ruling.judge(false, at: stoppedAt, expected: "camera and torch off at once after stop()", actual: "not off")
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
    case .call(.stop) where release == nil && (context.phase == .positioning || context.phase == .measuring):
      release = Release(at: context.now, context)
    case .returned(.stop): hasReturned = release != nil
    case .threw(.stop, _):
      ruling.judge(false, at: context.now, expected: "stop() returns", actual: "it threw")
    case .event(let event):
      // What was on its way may come before the call returns.
      if let release, hasReturned || context.now - release.stoppedAt > Window.atOnce.upperBound {
        ruling.judge(false, at: context.now, expected: "no event after stop()", actual: event.name)
      }
    default: break
    }
  }

  mutating func finish(_ context: ReadingContext) { release?.judge(&ruling) }
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
    case .call(.stop) where release == nil && context.phase == .finalizing:
      release = Release(at: context.now, context)
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
