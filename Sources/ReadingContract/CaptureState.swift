import VitalsModel

/// What keeps the camera from a session, and what camera and frames are really like, as far as a trace tells.
struct CaptureState {
  private let isAndroid: Bool
  /// The active causes of an interruption: triggers of the platform only.
  private var causes: [String] = []
  /// Since when there has been a cause; nil while there is none.
  private(set) var interruptedSince: Instant?
  /// When the last interruption was over; nil before the first one, and during one.
  private(set) var clearedAt: Instant?
  /// When the last interruption began, over or not.
  private(set) var lastInterruptedAt: Instant?
  /// Whether the truths of a simulated phone are in the trace. They are not in a replay or in another engine's log.
  private(set) var knowsTruth = false
  /// Whether the camera really works; true as long as nothing says otherwise.
  private(set) var isWorking = true
  /// Since when the camera has not really worked.
  private(set) var brokenSince: Instant?
  /// When it last worked again after it had not for as long as a session needs to see that.
  private(set) var mendedAt: Instant?
  /// Since when frames have come too slowly, by the truth.
  private(set) var slowSince: Instant?
  /// When the camera last said that it failed.
  private(set) var cameraFailedAt: Instant?
  /// When the first frame came after the camera was opened; nil until then, and when the camera has gone since.
  private(set) var framesSince: Instant?

  /// The cause that the `app` fact is.
  static let background = "background"
  /// The only reason of an interruption that takes the camera from an Android session (V31).
  private static let androidTrigger = "otherApp"

  init(platform: String) { isAndroid = platform == "android" }

  /// Whether a reason takes the camera away on this platform (V31).
  func isTrigger(_ reason: String) -> Bool { !isAndroid || reason == Self.androidTrigger }

  mutating func advance(past moment: ReadingMoment, at now: Instant) {
    switch moment {
    case .notice(.fact("app", let state)):
      if state == Self.background { begin(Self.background, now) } else { end([Self.background], now) }
    case .notice(.interruptionBegan(let reason)): if isTrigger(reason) { begin(reason, now) }
    case .notice(.interruptionEnded(let reason)):
      end(reason.map { [$0] } ?? causes.filter { $0 != Self.background }, now)
    case .notice(.cameraFailed):
      cameraFailedAt = now
      framesSince = nil
    case .camera(isOn: false): framesSince = nil
    case .firstFrame:
      knowsTruth = true
      framesSince = now
    case .world(let word, let state):
      knowsTruth = true
      change(word, to: state, now)
    case .call, .returned, .threw, .event, .notice, .camera, .torch, .adjustFrameRate, .buildResult, .realised, .other:
      break
    }
  }

  /// Whether an interruption is going on, or was until just now.
  func isInterrupting(at now: Instant) -> Bool {
    interruptedSince != nil || Self.isRecent(clearedAt, by: Window.interrupted.upperBound, now)
  }

  /// Whether the camera has been silent for long enough to be restarted, or has failed, or was like that just now.
  func isBreakingDown(at now: Instant) -> Bool {
    brokenSince.map { now - $0 >= Window.stall.lowerBound } ?? false
      || Self.isRecent(mendedAt, by: Window.interrupted.upperBound, now)
      || Self.isRecent(cameraFailedAt, by: Window.stall.upperBound, now)
  }

  private static func isRecent(_ moment: Instant?, by span: TimeSpan, _ now: Instant) -> Bool {
    moment.map { now - $0 <= span } ?? false
  }

  private mutating func begin(_ cause: String, _ now: Instant) {
    if !causes.contains(cause) { causes.append(cause) }
    if interruptedSince == nil { lastInterruptedAt = now }
    interruptedSince = interruptedSince ?? now
    clearedAt = nil
  }

  private mutating func end(_ over: [String], _ now: Instant) {
    guard interruptedSince != nil else { return }
    causes.removeAll { over.contains($0) }
    if causes.isEmpty {
      interruptedSince = nil
      clearedAt = now
    }
  }

  private mutating func change(_ word: String, to state: String, _ now: Instant) {
    switch word {
    case "camera":
      isWorking = state == "working"
      if isWorking, let brokenSince, now - brokenSince >= Window.stall.lowerBound { mendedAt = now }
      brokenSince = isWorking ? nil : brokenSince ?? now
    case "frames": slowSince = state == "slow" ? slowSince ?? now : nil
    default: break
    }
  }
}

extension ReadingContext {
  /// Whether frames have come too slowly for that long, on the platform where that interrupts an attempt (V36).
  func isSlowOnIOS(for span: TimeSpan) -> Bool {
    platform == "ios" && (capture.slowSince.map { now - $0 >= span } ?? false)
  }
}
