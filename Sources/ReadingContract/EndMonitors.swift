import Checks
import Traces
import VitalsModel

/// V11: finalizing ends in time, with the torch on until the end is known, and off before it is told.
struct Finalizing: ReadingMonitor {
  var ruling = Ruling(rule: "V11")
  private var since: Instant?
  private var torchOffAt: Instant?
  private var cameraOffAt: Instant?
  private var offOrder: [String] = []

  /// How long before the end a torch may go off and still have waited for the result.
  private static let release = TimeSpan.milliseconds(500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.measurementComplete): since = context.now
    case .torch(isOn: false) where since != nil:
      torchOffAt = context.now
      offOrder.append("torch")
    case .camera(isOn: false) where since != nil:
      cameraOffAt = context.now
      offOrder.append("camera")
    case .event(.completed), .event(.failed):
      if let since { judgeEnd(since, context) }
      since = nil
    case .call, .returned, .threw, .event, .camera, .torch, .firstFrame, .world, .other: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if let since, context.now - since > Window.finalizing.upperBound {
      ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    }
  }

  private mutating func judgeEnd(_ since: Instant, _ context: ReadingContext) {
    ruling.judge(context.now - since, within: Window.finalizing, of: "the end", at: context.now)
    ruling.judge(
      offOrder == ["torch", "camera"], at: context.now, expected: "torch off, then camera off, then the end",
      actual: offOrder.isEmpty ? "neither was switched off" : offOrder.joined(separator: " off, ") + " off")
    guard context.stoppedAt == nil, let torchOffAt else { return }
    ruling.judge(
      context.now - torchOffAt <= Self.release, at: torchOffAt, expected: "the torch on until the result is built",
      actual: "off \((context.now - torchOffAt).text) before the end")
  }
}

/// V12: a result has a heart rate; without one the session fails, and only after the minute.
struct HeartRateOrFailure: ReadingMonitor {
  var ruling = Ruling(rule: "V12")

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.completed(let result)):
      ruling.judge(
        result["heartRateBpm"]?.number.map { $0 > 0 } ?? false, at: context.now,
        expected: "a result with a heart rate", actual: "none")
    case .event(.failed("noHeartRate")):
      ruling.judge(
        context.phase == .finalizing, at: context.now, expected: "failed(noHeartRate) only after the full minute",
        actual: "while \(context.phase.rawValue)")
    case .call, .returned, .threw, .event, .camera, .torch, .firstFrame, .world, .other: break
    }
  }
}

/// V39: stop() before the minute is full ends everything at once.
struct StopEnds: ReadingMonitor {
  var ruling = Ruling(rule: "V39")
  private var stoppedAt: Instant?
  private var isReleased = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .call(_, .stop) where context.phase == .positioning || context.phase == .measuring:
      stoppedAt = context.now
    case .event(let event):
      if stoppedAt != nil {
        ruling.judge(false, at: context.now, expected: "no event after stop()", actual: event.name)
      }
    case .camera, .torch, .returned(.stop): judgeRelease(moment, context)
    case .call, .returned, .threw, .firstFrame, .world, .other: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard let stoppedAt, !isReleased else { return }
    ruling.judge(
      false, at: stoppedAt, expected: "camera and torch off at once after stop()",
      actual: "camera \(context.isCameraOn ? "on" : "off"), torch \(context.isTorchOn ? "on" : "off")")
  }

  /// The entry itself is not yet in the context.
  private mutating func judgeRelease(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard let stoppedAt, !isReleased else { return }
    var (isCameraOn, isTorchOn) = (context.isCameraOn, context.isTorchOn)
    if case .camera(let isOn) = moment { isCameraOn = isOn }
    if case .torch(let isOn) = moment { isTorchOn = isOn }
    guard !isCameraOn, !isTorchOn else { return }
    isReleased = true
    ruling.judge(
      context.now - stoppedAt, within: Window.atOnce, of: "camera and torch off after stop()", at: context.now)
  }
}

/// V40: stop() after the minute releases the camera and still delivers.
struct StopDeliversMeasured: ReadingMonitor {
  var ruling = Ruling(rule: "V40")
  private var completeAt: Instant?
  private var stoppedAt: Instant?
  private var isSettled = false

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.measurementComplete): completeAt = context.now
    case .call(_, .stop) where context.phase == .finalizing: stoppedAt = stoppedAt ?? context.now
    case .returned(.stop):
      if let stoppedAt, !isSettled {
        ruling.judge(
          !context.isCameraOn && !context.isTorchOn && Window.atOnce.contains(context.now - stoppedAt),
          at: context.now, expected: "camera and torch off at once",
          actual: "camera \(context.isCameraOn ? "on" : "off"), torch \(context.isTorchOn ? "on" : "off")")
      }
    case .event(.completed), .event(.failed):
      if stoppedAt != nil, let completeAt {
        ruling.judge(context.now - completeAt, within: Window.finalizing, of: "the end", at: context.now)
        isSettled = true
      }
    case .call, .returned, .threw, .event, .camera, .torch, .firstFrame, .world, .other: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    guard stoppedAt != nil, !isSettled, let completeAt else { return }
    if context.now - completeAt > Window.finalizing.upperBound {
      ruling.judge(false, at: context.now, expected: "the measured reading is still delivered", actual: "no end came")
    }
  }
}
