import CameraSynthesis
import PulseSynthesis
import VitalsModel

/// The camera of a simulated phone: it takes a while to open, may stall, die or fail, and may be too slow for the rate
/// that was selected. Its frames are on their way for a while, and may have faults.
struct PhoneCamera: Sendable {
  private let settings: PhoneSettings
  /// From capture to delivery, by itself because the settings as a whole are large and this is asked for with every frame.
  private let latency: TimeSpan
  private let seed: UInt64
  private(set) var condition = Condition.working
  /// What slows it, whether it is open or not.
  private var brakes: Brake = []
  private var opened: Open?
  private var clocks: UInt64 = 0
  /// Clock and sensor of the opening, or of the last one. They are large and change with every frame, and so are no part
  /// of what may be missing.
  private var clock: CameraClock
  private var sensor: CameraSensor
  private var shutter: Shutter
  private var way: FrameFaults

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
  struct Brake: OptionSet {
    let rawValue: UInt8

    /// A saving of power: half its rate, in regular frames.
    static let lowPower = Brake(rawValue: 1)
    /// Heat, which does the same.
    static let heat = Brake(rawValue: 2)
    /// A dim room, in which it gathers light for twice as long.
    static let lowLight = Brake(rawValue: 4)
    /// A busy phone: two frames of five are lost.
    static let drops = Brake(rawValue: 8)
  }

  private struct Open {
    var nextCapture: Instant
    var selectedFps: Double
    /// What it says of its rate.
    var declaredFps: Double
    /// Whether it shows anything.
    var isAlive: Bool
  }

  /// The share of its rate that it still manages while it saves power or light, and while it loses frames.
  private static let halvedShare = 0.5
  private static let droppingShare = 0.6
  /// A camera below this share of its selected rate is slow (V36).
  private static let slowShare = 0.8
  /// No camera is adjusted to less.
  private static let slowestFps = 15.0

  init(settings: PhoneSettings, seed: UInt64) {
    self.settings = settings
    latency = settings.latency
    self.seed = seed
    sensor = CameraSensor(settings.camera, seed: seed)
    clock = CameraClock(
      rate: settings.camera.frameRate, jitterMs: settings.camera.jitterMs, seed: seed, opensAt: .zero)
    shutter = Shutter(settings.camera)
    way = FrameFaults(settings.camera, latency: settings.latency, seed: seed)
  }

  var isOpen: Bool { opened != nil }

  /// What it said of its rate when it was opened or adjusted; nil while it is closed.
  var declaredFps: Double? { opened?.declaredFps }

  /// When the next frame is captured; nil while there is none to come.
  var nextCapture: Instant? { opened.flatMap { $0.isAlive ? $0.nextCapture : nil } }

  /// When the next frame is delivered, or captured and delivered without a fault.
  var nextDelivery: Instant? {
    guard let opened, opened.isAlive else { return way.nextTime }
    let regular = opened.nextCapture + latency
    return way.nextTime.map { min($0, regular) } ?? regular
  }

  /// Whether it delivers less than it said.
  var isSlow: Bool { opened.map { managedFps(of: $0.selectedFps) < Self.slowShare * $0.declaredFps } ?? false }

  enum Opening {
    /// It opens then, and says this of its rate.
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
    let selectedFps = settings.camera.frameRateFps
    let declaredFps = settings.camera.declaredFps ?? selectedFps
    clock = newClock(fps: regularFps(of: selectedFps), from: opensAt)
    sensor = sensor.reopened(seed: seedOfLastClock)
    let isAlive = condition != .dead
    opened = Open(nextCapture: clock.next(), selectedFps: selectedFps, declaredFps: declaredFps, isAlive: isAlive)
    return isAlive ? .opens(at: opensAt, fps: declaredFps) : .silent
  }

  /// What was captured still arrives.
  mutating func close(at now: Instant) {
    opened = nil
    way.stop(at: now)
  }

  /// Makes the open camera slower, to what it manages; gives the new rate, of which it now tells the truth, nil when it
  /// is not open.
  mutating func adjust() -> Double? {
    guard let selectedFps = opened?.selectedFps else { return nil }
    let fps = min(selectedFps, max(Self.slowestFps, managedFps(of: selectedFps)))
    opened?.selectedFps = fps
    opened?.declaredFps = fps
    restartClock(at: nil)
    return fps
  }

  mutating func set(_ brake: Brake, isOn: Bool) {
    guard isOn != brakes.contains(brake) else { return }
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
    case .stalled, .dead:
      opened?.isAlive = false
      way.stop(at: now)
    case .failed, .busy: close(at: now)
    }
  }

  /// The exposure of the frame that is due; nil while there is none to come.
  mutating func expose() -> Exposure? { nextCapture.map { shutter.exposure(until: $0) } }

  /// The world changes: no exposure reaches back beyond this moment any more.
  mutating func hold(at now: Instant) { shutter.hold(at: now) }

  /// Captures the frame that is due, sends it on its way and tells what becomes of it there.
  mutating func capture(_ light: Light) -> FrameFault {
    guard let opened, opened.isAlive else { return [] }
    let frame = sensor.frame(of: light, at: opened.nextCapture)
    self.opened?.nextCapture = clock.next()
    let lost = 1 - brakedFps(of: opened.selectedFps) / regularFps(of: opened.selectedFps)
    return way.take(frame, loss: lost)
  }

  /// The stall that frames are lost to; nil between stalls.
  var stall: Range<Instant>? { way.stall }

  /// What became of the frames so far.
  var frameCounts: FrameCounts { way.counts }

  /// What has arrived by a moment; nil while something that is captured later may come before it.
  func arrival(by moment: Instant) -> FrameDelivery? {
    guard let next = way.nextTime, next <= moment else { return nil }
    if let opened, opened.isAlive, opened.nextCapture + latency < next { return nil }
    return way.next
  }

  /// Takes away the frame that has arrived.
  mutating func removeArrival() { way.removeNext() }

  /// Gives a setting another value, from the next frame on, and tells whether it is one of the camera's.
  mutating func turn(_ setting: String, to value: Double) -> Bool {
    switch setting {
    case "droppedFrames": way.turn(.dropped, to: value)
    case "duplicatedFrames": way.turn(.duplicated, to: value)
    case "reorderedFrames": way.turn(.reordered, to: value)
    case "lateFrames": way.turn(.late, to: value)
    case "stalls": way.turnStalls(perMin: value)
    default: return false
    }
    return true
  }

  /// The rate at which frames are captured.
  private func regularFps(of selectedFps: Double) -> Double {
    let halving: Brake = settings.camera.lowLightHalvesRate ? [.lowPower, .heat, .lowLight] : [.lowPower, .heat]
    guard !brakes.isDisjoint(with: halving) else { return selectedFps }
    return min(selectedFps, settings.camera.frameRateFps * Self.halvedShare)
  }

  /// The rate that a busy phone leaves.
  private func brakedFps(of selectedFps: Double) -> Double {
    let regular = regularFps(of: selectedFps)
    return brakes.contains(.drops) ? min(regular, settings.camera.frameRateFps * Self.droppingShare) : regular
  }

  /// The rate at which frames are delivered, on average, while they do not stall.
  private func managedFps(of selectedFps: Double) -> Double {
    brakedFps(of: selectedFps) * (1 - way.droppedShare)
  }

  /// Goes on at today's rate, from the next capture or from a moment.
  private mutating func restartClock(at moment: Instant?) {
    guard let open = opened else { return }
    clock = newClock(fps: regularFps(of: open.selectedFps), from: moment ?? open.nextCapture)
    let first = clock.next()
    opened?.nextCapture = moment.map { max(first, $0) } ?? open.nextCapture
  }

  /// Every opening has a clock and a sensor of its own, so that one more frame before it changes nothing after.
  private mutating func newClock(fps: Double, from moment: Instant) -> CameraClock {
    clocks += 1
    return CameraClock(
      rate: FrameRate(fps: fps), jitterMs: settings.camera.jitterMs, seed: seedOfLastClock, opensAt: moment)
  }

  private var seedOfLastClock: UInt64 { seed &+ (clocks &- 1) &* 0x9e37_79b9_7f4a_7c15 }
}

/// How a simulated phone behaves.
struct PhoneSettings: Sendable {
  /// Its camera, without contradiction.
  let camera: CameraSettings
  /// From a frame's capture to its delivery.
  let latency: TimeSpan
  /// From the command to the first frame.
  let openDelay: TimeSpan
  /// From `buildResult` to its notice.
  let resultDelay: TimeSpan
}
