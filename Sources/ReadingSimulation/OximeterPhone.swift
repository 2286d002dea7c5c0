import OximeterLines
import OximeterProtocols
import Recordings
import Scenarios
import Simulation
import Traces
import VitalsModel

/// A phone whose camera is an oximeter: its pleth becomes frames of a lit fingertip, and no finger those of a lens that
/// nothing covers.
///
/// A frame is captured when the device took its value, and delivered when its bytes came. Camera on and off begin and
/// end the frames; the device goes on all the same. It has no torch, and its rate is what it is. Where no value came for
/// half a second the trace is told of a camera that shows nothing (`camera: dead`). What the device says goes into the
/// trace as references, and its bytes as captures where the line keeps them.
struct OximeterPhone<Line: OximeterLine>: Phone {
  private enum Camera {
    case off
    /// Waits for its first frame since it was opened at a moment.
    case opened(at: Instant)
    /// Shows frames.
    case running
  }

  /// What lies in the sensor, by the device's own flags.
  enum Sensor {
    /// The device has said nothing yet.
    case unknown
    case empty
    case finger
    /// A finger whose pulse the device had and lost: what it sends is noise, made as large as a wave by its gain.
    case fingerWithoutPulse
  }

  /// Whether the device's wave comes.
  private enum Flow {
    /// None came yet.
    case awaited
    /// The last value came at a moment.
    case flowing(Instant)
    /// It was told that none comes any more.
    case dry
  }

  /// What comes of the line.
  var stream: OximeterStream<CapturingLine<Line>>
  private(set) var sensor = Sensor.unknown
  /// Whether the device had a pulse of this finger. Before, it searches while its wave is good already.
  private var hadPulse = false
  private let settings: OximeterPhoneSettings
  private let watch: (LinkEvent) -> Void
  /// From the run's time to the line's.
  private let shift: TimeSpan
  private let light: PlethLight
  private var camera = Camera.off
  private var flow = Flow.awaited
  private var rates = PulseRateTrack()
  private var queue = DeliveryQueue()

  /// After this without a value the camera is said to show nothing: a bridge to USB delivers in lumps, and a busy
  /// machine in larger ones.
  private static var silence: TimeSpan { .milliseconds(500) }

  /// A phone over a stream; the run begins at the moment that the stream has come to.
  ///
  /// - Parameter watch: is told of everything as it comes
  init(
    _ stream: OximeterStream<CapturingLine<Line>>, settings: OximeterPhoneSettings,
    watch: @escaping (LinkEvent) -> Void = { _ in }
  ) {
    self.stream = stream
    self.settings = settings
    self.watch = watch
    shift = stream.now - .zero
    light = PlethLight(largestPleth: settings.largestPleth)
    _ = self.stream.line.takeCaptures()
  }

  var exhaustion: String? {
    switch camera {
    case .off: nil
    case .opened, .running: stream.state == .ended && queue.nextTime == nil ? settings.ending : nil
    }
  }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    while true {
      let queuedAt = queue.nextTime
      var horizon = min(limit, queuedAt ?? limit)
      let drought = drought.flatMap { $0 < horizon ? $0 : nil }
      horizon = drought ?? horizon
      if let (at, event) = stream.next(before: horizon + shift) {
        take(event, at: at - shift)
        continue
      }
      keepBytes()
      if let drought {
        dryUp(at: drought)
      } else if let first = queue.nextTime, first < limit {
        return queue.removeFirst()
      } else {
        return nil
      }
    }
  }

  mutating func obey(_ command: Message, at now: Instant) {
    switch (command.name, command["on"], command["attempt"]) {
    case ("camera", .flag(true)?, _):
      if case .off = camera { camera = .opened(at: now) }
    case ("camera", .flag(false)?, _):
      camera = .off
      queue.withdrawNotices(["frameRateSelected"])
      queue.withdrawTruth(about: "firstFrame")
    case ("buildResult", _, let attempt?):
      queue.add(.notice(Message("resultBuilt", [Field("attempt", attempt)])), at: now + settings.resultDelay)
    // It has no torch, and its rate is what it is.
    default: break
    }
  }

  /// A finger that is really there cannot be changed; `refusal(of:on:)` keeps scenarios away that would.
  mutating func change(_ change: WorldChange, at now: Instant) {
    preconditionFailure("\(change.word) is not in anybody's hands here")
  }

  /// The mean of the pulse rates that the device said; they follow the heart by as much as it averages.
  func truth(from start: Instant, to end: Instant) -> [Field] {
    [Field("heartRateBpm", rates.mean(from: start, to: end), places: 2)].compactMap(\.self)
  }
}

// MARK: What comes

extension OximeterPhone {
  private mutating func take(_ event: LinkEvent, at now: Instant) {
    keepBytes()
    watch(event)
    if let reference = event.reference(since: .zero + shift) { queue.add(.reference(reference), at: now) }
    switch event {
    case .send, .answer, .gap: break
    case .sample(let sample): take(sample, at: now)
    case .reading(let timed):
      sensor = sensor.next(timed.reading, hadPulse: hadPulse)
      hadPulse = sensor != .empty && (hadPulse || timed.reading.isUsable)
      rates.add(timed.reading, at: timed.captured - shift)
    case .state(let state, _):
      switch state {
      case .lost, .ended:
        hadPulse = false
        dryUp(at: now)
      case .silent, .unintelligible, .streaming: break
      }
    }
  }

  private mutating func keepBytes() {
    for lump in stream.line.takeCaptures() { queue.add(.capture(lump.bytes), at: lump.at - shift) }
  }

  private mutating func take(_ sample: OximeterSample, at now: Instant) {
    if case .dry = flow { queue.add(.truth(.state("camera", "working")), at: now) }
    flow = .flowing(now)
    let captured = sample.captured - shift
    switch (camera, sensor) {
    case (.off, _), (_, .unknown): return
    case (.opened(let openedAt), _):
      guard captured >= openedAt else { return }
      camera = .running
      queue.add(.notice(.frameRate(settings.frameRateFps)), at: now)
      queue.add(.truth(Message("firstFrame")), at: now)
    case (.running, _): break
    }
    let frame =
      switch sensor {
      case .finger: light.finger(pleth: sample.pleth, captured: captured)
      case .fingerWithoutPulse: light.finger(pleth: nil, captured: captured)
      case .empty, .unknown: PlethLight.uncovered(captured: captured)
      }
    queue.add(.sample(frame), at: now)
  }

  /// When it is to be told that no value comes any more; nil where nothing is awaited, or never will come.
  private var drought: Instant? {
    guard case .flowing(let last) = flow, stream.state != .ended else { return nil }
    return last + Self.silence
  }

  private mutating func dryUp(at now: Instant) {
    guard case .flowing = flow else { return }
    flow = .dry
    queue.add(.truth(.state("camera", "dead")), at: now)
  }
}

extension OximeterPhone.Sensor {
  /// Whether a finger lies in it.
  var isFinger: Bool {
    switch self {
    case .unknown, .empty: false
    case .finger, .fingerWithoutPulse: true
    }
  }

  /// What lies in the sensor by what the device says now.
  fileprivate func next(_ reading: OximeterReading, hadPulse: Bool) -> Self {
    guard reading.flags.isDisjoint(with: [.fingerOut, .sensorFault]) else { return .empty }
    return hadPulse && reading.flags.contains(.searching) ? .fingerWithoutPulse : .finger
  }
}

/// How a phone is whose camera is an oximeter.
struct OximeterPhoneSettings: Sendable {
  /// The largest value of the pleth.
  let largestPleth: Int
  /// Values of the pleth in a second.
  let frameRateFps: Double
  /// From `buildResult` to its notice.
  let resultDelay: TimeSpan
  /// What is said of a run whose device is gone for good, as a sentence without a full stop.
  let ending: String

  /// A phone for a protocol; nil where that has no pleth.
  init?(_ speaks: OximeterProtocol, resultDelay: TimeSpan, ending: String) {
    guard let largestPleth = speaks.largestPleth else { return nil }
    self.largestPleth = largestPleth
    frameRateFps = speaks.framesPerSecond
    self.resultDelay = resultDelay
    self.ending = ending
  }
}
