import ReadingSession
import Traces
import VitalsModel

/// What a phone's system does to a session: it moves the app, shows calls and other apps, and takes the camera.
///
/// An interruption that ends is told with its reason while another one goes on, and without one when it was the last,
/// as systems do that only say that a capture may go on.
struct OperatingSystem: Sendable {
  private let platform: Platform
  /// What is on, in the order of its beginning.
  private var active: [Interruption] = []
  private var isInForeground = true

  private struct Interruption {
    let reason: InterruptionReason
    /// When it ends by itself; nil: when the world says so.
    var endsAt: Instant?
  }

  /// How long the system's media services or a turn of the screen keep a session from its camera.
  private static let pause = TimeSpan.milliseconds(400)
  /// How long after a camera breaks under system pressure the reason is told.
  private static let explanation = TimeSpan.milliseconds(5)

  init(platform: Platform) {
    self.platform = platform
  }

  /// Whether an app cannot have the camera now.
  var holdsCamera: Bool { !isInForeground || active.contains { $0.reason.takesCamera(on: platform) } }

  /// When the next interruption ends by itself.
  var deadline: Instant? { active.isEmpty ? nil : active.compactMap(\.endsAt).min() }

  /// One thing that the session is told, and when.
  struct Notice {
    let message: Message
    let at: Instant
  }

  /// What a change of the world comes to; nil when the word is none of the system's.
  mutating func change(_ word: String, to state: String, isCameraOpen: Bool, at now: Instant) -> [Notice]? {
    switch (word, state) {
    case ("app", _):
      isInForeground = state == "foreground"
      return [Notice(message: .state(word, state), at: now)]
    case ("activation", _), ("licence", _), ("permission", _), ("device", _):
      return [Notice(message: .state(word, state), at: now)]
    case ("phoneCall", _): return set(.phoneCall, isOn: state == "ongoing", at: now)
    case ("splitView", _): return set(.splitView, isOn: state == "shown", at: now)
    case ("otherApp", _): return set(.otherApp, isOn: state == "usingCamera", at: now)
    case ("systemPressure", _):
      let isOn = state == "critical"
      guard isOn, isCameraOpen, platform == .ios else { return set(.systemPressure, isOn: isOn, at: now) }
      // The camera breaks first, and only then is told why.
      return [Notice(message: Message("cameraFailed"), at: now)]
        + set(.systemPressure, isOn: true, at: now + Self.explanation)
    case ("mediaServices", "reset"): return set(.mediaServicesReset, isOn: true, until: now + Self.pause, at: now)
    case ("orientation", "turned"):
      // Android builds the screen anew, and its owner with it.
      guard platform == .android else { return set(.rotation, isOn: true, until: now + Self.pause, at: now) }
      return [Notice(message: Message("ownerDestroyed"), at: now)]
    case ("owner", "destroyed"): return [Notice(message: Message("ownerDestroyed"), at: now)]
    case ("mediaServices", _), ("orientation", _), ("owner", _): return []
    default: return nil
    }
  }

  /// Ends what ends by itself at this moment.
  mutating func serveTimer(at now: Instant) -> [Notice] {
    active.filter { $0.endsAt == now }.flatMap { set($0.reason, isOn: false, at: now) }
  }

  private mutating func set(
    _ reason: InterruptionReason, isOn: Bool, until end: Instant? = nil, at now: Instant
  ) -> [Notice] {
    let index = active.firstIndex { $0.reason == reason }
    switch (isOn, index) {
    case (true, nil): active.append(Interruption(reason: reason, endsAt: end))
    case (true, let index?): active[index].endsAt = end
    case (false, nil): return []
    case (false, let index?):
      active.remove(at: index)
      return [Notice(message: .ended(active.isEmpty ? nil : reason), at: now)]
    }
    return [Notice(message: .began(reason), at: now)]
  }
}

extension InterruptionReason {
  /// Whether the system gives the camera to nobody, or to somebody else, meanwhile.
  fileprivate func takesCamera(on platform: Platform) -> Bool {
    switch (platform, self) {
    case (_, .otherApp), (.ios, _): true
    case (.android, .phoneCall), (.android, .splitView), (.android, .systemPressure), (.android, .mediaServicesReset),
      (.android, .rotation):
      false
    }
  }
}

extension Message {
  /// A state of the world, or a fact about the host.
  static func state(_ word: String, _ state: String) -> Message {
    Message(word, [Field("state", .text(state))])
  }

  fileprivate static func began(_ reason: InterruptionReason) -> Message {
    Message("interruptionBegan", [Field("reason", .text(reason.rawValue))])
  }

  fileprivate static func ended(_ reason: InterruptionReason?) -> Message {
    Message("interruptionEnded", reason.map { [Field("reason", .text($0.rawValue))] } ?? [])
  }
}
