import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import ReadingSession
import Scenarios
import Simulation
import Traces
import VitalsModel

/// A phone whose camera is a virtual oximeter, with a scenario's finger in it.
///
/// Its system moves the app, interrupts and takes the camera as that of any phone. It tells the trace what is true of the
/// finger: what is there no more at once, and what comes only when the device shows a finger.
struct VirtualOximeterPhone: Phone {
  private var bench: OximeterPhone<VirtualOximeter<ScenarioFingertip>>
  private var system: OperatingSystem
  private let openDelay: TimeSpan
  private var isCameraOn = false
  private var fault: OximeterFault.Kind?
  /// What is true of the finger's pulse and light, whatever the device makes of them.
  private var pulse = "present"
  private var light = "clean"
  /// Whether the device sees no pulse and amplifies noise.
  private var isNoise = false
  /// What has come true of the finger and does not show yet.
  private var unseen: [LensWorld.Truth] = []
  private var queue = DeliveryQueue()

  /// A phone in the world that a scenario describes.
  ///
  /// - Parameters:
  ///   - speaks: a protocol with a pleth
  ///   - platform: one of the vocabulary's platforms
  init(_ scenario: Scenario, speaking speaks: OximeterProtocol, platform: String, seed: UInt64, keepsBytes: Bool) {
    let phone = PhoneSettings(scenario.settings)
    openDelay = phone.openDelay
    guard
      let settings = OximeterPhoneSettings(
        speaks, resultDelay: phone.resultDelay, ending: "the oximeter has nothing more to say")
    else { preconditionFailure("\(speaks.rawValue) has no pleth") }
    var tip = ScenarioFingertip(scenario, seed: seed)
    tip.keepsNews = true
    let truths = tip.firstTruths()
    let line = CapturingLine(VirtualOximeter(speaks, tip: tip, seed: seed), keeps: keepsBytes)
    bench = OximeterPhone(OximeterStream(line, speaking: speaks), settings: settings)
    system = OperatingSystem(platform: Platform(name: platform))
    tellFinger(truths)
    for (word, state) in scenario.settings.firstStates { change(.state(word: word, state: state), at: .zero) }
  }

  var exhaustion: String? { bench.exhaustion }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    while true {
      let queuedAt = queue.nextTime.flatMap { $0 < limit ? $0 : nil }
      let due = system.deadline.flatMap { $0 < queuedAt ?? limit ? $0 : nil }
      if let delivery = bench.next(before: due ?? queuedAt ?? limit) {
        // A trace that keeps bytes is the same otherwise.
        if !delivery.isCapture { news(at: delivery.at) }
        return delivery
      }
      if let due {
        tell(system.serveTimer(at: due))
      } else if queuedAt != nil {
        return queue.removeFirst()
      } else {
        return nil
      }
    }
  }

  mutating func obey(_ command: Message, at now: Instant) {
    if command.name == "camera", let isOn = command["on"] {
      if isOn == .flag(true), system.holdsCamera {
        return queue.add(.notice(Message("cameraFailed")), at: now + openDelay)
      }
      isCameraOn = isOn == .flag(true)
      if !isCameraOn { queue.withdrawNotices(["cameraFailed"]) }
    }
    bench.obey(command, at: now)
  }

  mutating func change(_ change: WorldChange, at now: Instant) {
    if case .state("oximeter", let state) = change { return become(state, at: now) }
    if case .state(let word, let state) = change,
      let notices = system.change(word, to: state, isCameraOpen: isCameraOn, at: now)
    {
      if system.holdsCamera, isCameraOn { obey(Message("camera", [Field("on", .flag(false))]), at: now) }
      return tell(notices)
    }
    tellFinger(bench.stream.line.line.tip.turn(change, at: now))
  }

  /// What the finger's own heart and breath did.
  func truth(from start: Instant, to end: Instant) -> [Field] {
    bench.stream.line.line.tip.world.realised(from: start, to: end)
  }

  /// The device comes into another state.
  private mutating func become(_ state: String, at now: Instant) {
    let wasFrozen = fault == .frozen
    if let fault { bench.stream.line.line.end(fault, at: now) }
    fault = Self.fault(state)
    if let fault { bench.stream.line.line.begin(fault, at: now) }
    queue.add(.truth(.state("oximeter", state)), at: now)
    // A wave that stands still is none.
    let isFrozen = fault == .frozen
    if isFrozen != wasFrozen { tell([LensWorld.Truth(message: .state("pulse", isFrozen ? "absent" : pulse), at: now)]) }
  }

  /// What goes wrong in a state of the device; nil: nothing.
  static func fault(_ state: String) -> OximeterFault.Kind? {
    switch state {
    case "working": nil
    case "unplugged": .unplugged
    case "silent": .silent
    case "garbled": .garbage
    case "frozen": .frozen
    default: preconditionFailure("an oximeter cannot be \(state)")
    }
  }

  // MARK: What is true

  /// What passed in the finger, and what shows of it by now.
  private mutating func news(at now: Instant) {
    for passed in bench.stream.line.line.tip.takeNews() { queue.add(.truth(passed), at: now) }
    guard !unseen.isEmpty, bench.sensor.isFinger else { return }
    let seen = unseen.filter { $0.at <= now }
    unseen.removeAll { $0.at <= now }
    for truth in seen { queue.add(.truth(truth.message), at: now) }
    if isNoise, seen.contains(where: { $0.message.name == "pulse" }) {
      isNoise = false
      tell([LensWorld.Truth(message: .state("light", light), at: now)])
    }
  }

  /// Takes in what has become true of the finger. Without a pulse the device amplifies whatever it sees until it fills the
  /// range, were it noise.
  private mutating func tellFinger(_ truths: [LensWorld.Truth]) {
    var shown: [LensWorld.Truth] = []
    for truth in truths {
      switch (truth.message.name, truth.message["state"]?.text) {
      case ("pulse", let state?):
        pulse = state
        if fault != .frozen { shown.append(truth) }
        guard state == "absent" else { continue }
        isNoise = true
        shown.append(LensWorld.Truth(message: .state("light", "disturbed"), at: truth.at))
      case ("light", let state?):
        light = state
        if !isNoise { shown.append(truth) }
      default: shown.append(truth)
      }
    }
    tell(shown)
  }

  private mutating func tell(_ truths: [LensWorld.Truth]) {
    for truth in truths {
      queue.withdrawTruth(about: truth.message.name)
      unseen.removeAll { $0.message.name == truth.message.name }
    }
    for truth in truths {
      if Self.awaits(truth.message) { unseen.append(truth) } else { queue.add(.truth(truth.message), at: truth.at) }
    }
  }

  /// Whether something is true only when the device shows it.
  private static func awaits(_ truth: Message) -> Bool {
    switch (truth.name, truth["state"]?.text) {
    case ("contact", "present"), ("pulse", "present"), ("pulse", "faint"): true
    default: false
    }
  }

  private mutating func tell(_ notices: [OperatingSystem.Notice]) {
    for notice in notices { queue.add(.notice(notice.message), at: notice.at) }
  }
}

extension Delivery {
  fileprivate var isCapture: Bool {
    switch content {
    case .capture: true
    case .sample, .notice, .reference, .truth: false
    }
  }
}
