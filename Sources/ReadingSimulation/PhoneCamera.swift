import CameraSynthesis
import PulseSynthesis
import VitalsModel

/// The camera of a simulated phone: it takes a while to open, may stall, die or fail, and may be too slow for the rate
/// that was selected.
///
/// Lost frames draw from the stream "camera.drops", one draw to a frame while frames are being lost.
struct PhoneCamera: Sendable {
  private let settings: PhoneSettings
  private let seed: UInt64
  private(set) var condition = Condition.working
  /// What slows it, whether it is open or not.
  private var brakes: Set<Brake> = []
  private var opened: Open?
  private var clocks: UInt64 = 0
  private var drops: SeededGenerator

  /// How it is.
  enum Condition: String {
    case working
    /// The running capture has stopped without a word; one that is opened anew runs.
    case stalled
    /// It opens, and never shows anything.
    case dead
    /// It cannot be opened, and says so after a while.
    case failed
    /// Somebody else has it: it cannot be opened, and says so at once.
    case busy
  }

  /// What makes it slower than its selected rate.
  enum Brake: Hashable {
    /// A saving of power, heat, or a dim room: half its rate, in regular frames.
    case lowPower, heat, dimLight
    /// A busy phone: two frames of five are lost.
    case drops

    /// The share of its rate that it still manages.
    var share: Double {
      switch self {
      case .lowPower, .heat, .dimLight: 0.5
      case .drops: 0.6
      }
    }
  }

  private struct Open {
    var clock: CameraClock
    var sensor: CameraSensor
    var nextCapture: Instant
    var selectedFps: Double
    /// Whether it shows anything.
    var isAlive: Bool
  }

  /// A camera below this share of its selected rate is slow (V36).
  private static let slowShare = 0.8
  /// No camera is adjusted to less.
  private static let slowestFps = 15.0

  init(settings: PhoneSettings, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    drops = SeededGenerator(seed: seed, stream: "camera.drops")
  }

  var isOpen: Bool { opened != nil }

  /// The rate that was selected when it was opened or adjusted; nil while it is closed.
  var selectedFps: Double? { opened?.selectedFps }

  /// When the next frame is captured; nil while there is none to come.
  var nextCapture: Instant? { opened.flatMap { $0.isAlive ? $0.nextCapture : nil } }

  /// Whether it delivers less than it was asked for.
  var isSlow: Bool { opened.map { managedFps(of: $0.selectedFps) < Self.slowShare * $0.selectedFps } ?? false }

  enum Opening {
    /// It opens then, with this rate.
    case opens(at: Instant, fps: Double)
    /// It says then that it cannot be opened.
    case fails(at: Instant)
    /// It opens and says nothing.
    case silent
    /// It is open already.
    case nothing
  }

  mutating func open(at now: Instant) -> Opening {
    guard opened == nil else { return .nothing }
    let opensAt = now + settings.openDelay
    switch condition {
    case .failed: return .fails(at: opensAt)
    case .busy: return .fails(at: now)
    case .working, .stalled: condition = .working
    case .dead: break
    }
    let selectedFps = settings.frameRateFps
    var clock = newClock(fps: regularFps(of: selectedFps), from: opensAt)
    // Every opening has a clock and a sensor of its own, so that one more frame before it changes nothing after.
    let sensor = CameraSensor(noise: .phone, seed: seed &+ (clocks &- 1) &* 0x9e37_79b9_7f4a_7c15)
    let first = clock.next()
    let isAlive = condition != .dead
    opened = Open(clock: clock, sensor: sensor, nextCapture: first, selectedFps: selectedFps, isAlive: isAlive)
    return isAlive ? .opens(at: opensAt, fps: selectedFps) : .silent
  }

  mutating func close() { opened = nil }

  /// Makes the open camera slower, to what it manages; gives the new rate, nil when it is not open.
  mutating func adjust() -> Double? {
    guard let selectedFps = opened?.selectedFps else { return nil }
    let fps = min(selectedFps, max(Self.slowestFps, managedFps(of: selectedFps)))
    opened?.selectedFps = fps
    restartClock(at: nil)
    return fps
  }

  mutating func set(_ brake: Brake, isOn: Bool) {
    if isOn { brakes.insert(brake) } else { brakes.remove(brake) }
    restartClock(at: nil)
  }

  /// It comes into another condition; what the world says of it is not what a new opening makes of it.
  mutating func become(_ next: Condition, at now: Instant) {
    condition = next
    switch next {
    case .working:
      guard opened?.isAlive == false else { return }
      opened?.isAlive = true
      restartClock(at: now)
    case .stalled, .dead: opened?.isAlive = false
    case .failed, .busy: opened = nil
    }
  }

  /// Captures the frame that is due; nil when it is lost.
  mutating func capture(_ light: Light) -> FrameSample? {
    guard let captured = nextCapture, let selectedFps = opened?.selectedFps else { return nil }
    let frame = opened?.sensor.frame(of: light, captured: captured)
    if let next = opened?.clock.next() { opened?.nextCapture = next }
    let lost = 1 - managedFps(of: selectedFps) / regularFps(of: selectedFps)
    return lost > 0 && drops.uniform() < lost ? nil : frame
  }

  /// The rate at which frames are captured.
  private func regularFps(of selectedFps: Double) -> Double {
    let isHalved = brakes.contains(.lowPower) || brakes.contains(.heat) || brakes.contains(.dimLight)
    return isHalved ? min(selectedFps, settings.frameRateFps * Brake.lowPower.share) : selectedFps
  }

  /// The rate at which frames are delivered, on average.
  private func managedFps(of selectedFps: Double) -> Double {
    let regular = regularFps(of: selectedFps)
    return brakes.contains(.drops) ? min(regular, settings.frameRateFps * Brake.drops.share) : regular
  }

  /// Goes on at today's rate, from the next capture or from a moment.
  private mutating func restartClock(at moment: Instant?) {
    guard let open = opened else { return }
    var clock = newClock(fps: regularFps(of: open.selectedFps), from: moment ?? open.nextCapture)
    let first = clock.next()
    opened?.clock = clock
    opened?.nextCapture = moment.map { max(first, $0) } ?? open.nextCapture
  }

  private mutating func newClock(fps: Double, from moment: Instant) -> CameraClock {
    clocks += 1
    return CameraClock(
      frameRateFps: fps, jitterMs: settings.jitterMs, seed: seed &+ (clocks &- 1) &* 0x9e37_79b9_7f4a_7c15,
      opensAt: moment)
  }
}

/// How a simulated phone behaves.
struct PhoneSettings: Sendable {
  /// Frames per second, 15...60.
  let frameRateFps: Double
  /// Standard deviation of a capture time about its regular moment, milliseconds.
  let jitterMs: Double
  /// From a frame's capture to its delivery.
  let latency: TimeSpan
  /// From the command to the first frame.
  let openDelay: TimeSpan
  /// From `buildResult` to its notice.
  let resultDelay: TimeSpan
}
