import VitalsModel

/// A camera that fell silent or failed while frames flowed, until frames flow again.
struct Breakdown {
  /// When it fell silent, by the truth, or said that it failed.
  let since: Instant
  /// Whether an attempt was running.
  let wasMeasuring: Bool
  /// Whether the session has had an earlier one, after which frames came back.
  let isSecond: Bool
  /// When the camera said that it failed; nil for one that is only silent.
  private(set) var toldAt: Instant?
  /// When the session first switched it off and on again.
  private(set) var restartedAt: Instant?
  private var isOff = false

  init(since: Instant, wasMeasuring: Bool, isSecond: Bool) {
    self.since = since
    self.wasMeasuring = wasMeasuring
    self.isSecond = isSecond
  }

  mutating func observe(_ moment: ReadingMoment, at now: Instant) {
    switch moment {
    case .notice(.cameraFailed): toldAt = toldAt ?? now
    case .camera(isOn: false): isOff = true
    case .camera(isOn: true):
      if isOff { restartedAt = restartedAt ?? now }
      isOff = false
    default: break
    }
  }
}

/// The breakdowns of a session: the one that is open, and how many count (V37).
struct Breakdowns {
  private(set) var open: Breakdown?
  /// How many are over, of those that the session met with a restart or was told of.
  private(set) var count = 0
  /// When one that was long enough for a restart went on by itself, until it is too late for that.
  private var mendedAt: Instant?

  /// Takes in an entry; `context` is the run before it.
  mutating func advance(past moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .world("camera", let state) where state != "working": begin(context)
    case .notice(.cameraFailed): begin(context)
    case .world("camera", "working") where open?.restartedAt == nil && open?.toldAt == nil:
      if let open, context.now - open.since >= Window.stall.lowerBound { mendedAt = context.now }
      open = nil
    // The restart that was due for it comes all the same, before the session has seen a frame.
    case .camera(isOn: false):
      if context.isLive, let mendedAt, context.now - mendedAt <= Window.interrupted.upperBound { count += 1 }
      mendedAt = nil
    case .firstFrame:
      if open?.restartedAt != nil || open?.toldAt != nil { count += 1 }
      open = nil
    // Whoever takes the camera was the cause: such a breakdown does not count.
    case .notice(.interruptionBegan(let reason)) where context.capture.isTrigger(reason): open = nil
    case .notice(.fact("app", CaptureState.background)): open = nil
    case .call(.stop), .event(.measurementComplete), .event(.failed): open = nil
    default: break
    }
    open?.observe(moment, at: context.now)
  }

  private mutating func begin(_ context: ReadingContext) {
    guard open == nil, context.isLive, context.isDelivering else { return }
    open = Breakdown(since: context.now, wasMeasuring: context.phase == .measuring, isSecond: count > 0)
  }
}
