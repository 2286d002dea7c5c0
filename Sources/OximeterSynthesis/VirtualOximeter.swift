import OximeterLines
import OximeterProtocols
import VitalsModel

/// An oximeter that is none: it sees a fingertip, and is the line on which its bytes come.
///
/// It answers at once, in a time of its own that begins with it: whoever plays it gives the time. What it sends depends on
/// the fingertip, the settings, the faults, the seed and on what it is sent, and on nothing else. Draws come from the
/// streams "oximeter.clock", "oximeter.bridge" and, for faults, one with the name of each.
public struct VirtualOximeter<Tip: Fingertip>: OximeterLine, Sendable {
  /// Whether it runs.
  private enum Power: Sendable {
    /// It is there.
    case on
    /// It is pulled out, until a moment or for ever.
    case unplugged(until: Instant?)
    /// There is nothing more to see.
    case ended
  }

  /// What happens next inside it.
  private enum Step {
    case look, unplug, plug
  }

  /// How often a device looks that sends no wave, per second.
  private static var looksPerSecond: Double { 60 }
  /// How long a device takes to send after it was put in.
  private static var startUp: TimeSpan { .milliseconds(250) }

  /// What it sees.
  public var tip: Tip
  /// What it says, whether anything is sent of it or not.
  public private(set) var reading = OximeterReading(flags: .fingerOut)
  /// How the other end reads the line; nil: as it is to be read.
  public var reader: LineSettings?

  private let device: OximeterProtocol
  private let settings: OximeterSettings
  private let line: LineSettings
  private var plan: FaultPlan
  private let looksPerFrame: Int
  private let periodMicroseconds: Double
  private var sensor: OximeterSensor
  private var encoder: any OximeterEncoder
  private var dialogue: HostDialogue
  private var noise: WireNoise
  private var bridge: SerialBridge
  private var power = Power.on
  /// When it was put in last, and how often it has looked since.
  private var begunAt = Instant.zero
  private var looks = 0
  private var unplugs = 0
  private var frozen: OximeterMoment?
  private var arrivals: [LineArrival] = []
  /// The latest moment at which anything came or was sent.
  private var latest = Instant.zero

  /// A device that is switched on at the beginning of its time. Settings and faults with a contradiction are a programming
  /// error.
  ///
  /// - Parameters:
  ///   - device: what it speaks
  ///   - tip: what it sees
  ///   - seed: of everything that is left to chance in the device
  public init(
    _ device: OximeterProtocol, tip: Tip, settings: OximeterSettings = OximeterSettings(),
    faults: [OximeterFault] = [], seed: UInt64
  ) {
    let contradictions = [settings.contradiction(on: device)] + faults.map { $0.contradiction(on: device) }
    if let reason = contradictions.compactMap(\.self).first { preconditionFailure(reason) }
    self.device = device
    self.tip = tip
    self.settings = settings
    line = settings.line ?? device.lineSettings[0]
    plan = FaultPlan(faults)
    var clock = SeededGenerator(seed: seed, stream: "oximeter.clock")
    let drift = settings.clockDriftPpm ?? clock.uniform(in: -50...50)
    looksPerFrame = device.hasPleth ? 1 : Int((Self.looksPerSecond / device.framesPerSecond).rounded())
    let framesPerSecond = (settings.framesPerSecond ?? device.framesPerSecond) * (1 + drift / 1e6)
    periodMicroseconds = 1e6 / (framesPerSecond * Double(looksPerFrame))
    sensor = Self.sensor(device, settings)
    encoder = device.encoder()
    dialogue = HostDialogue(device, settings, at: .zero)
    noise = WireNoise(seed: seed)
    var ticks = SeededGenerator(seed: seed, stream: "oximeter.bridge")
    bridge = SerialBridge(timer: settings.latencyTimer, generator: &ticks)
  }

  private static func sensor(_ device: OximeterProtocol, _ settings: OximeterSettings) -> OximeterSensor {
    let looks = device.hasPleth ? device.framesPerSecond : looksPerSecond
    return OximeterSensor(OximeterFamily(device), settings: settings, samplesPerSecond: looks)
  }

  /// The moment before which nothing comes unless something is sent; nil: nothing comes any more.
  public var nextMoment: Instant? {
    guard let arrival = nextArrival else { return nextStep?.at }
    // A look adds nothing to what has come by then; pulling it out takes it away.
    guard case .on = power, unplugs < plan.unplugged.count else { return arrival }
    return min(arrival, plan.unplugged[unplugs].from)
  }

  /// What comes next, strictly before `limit`; nil when nothing does.
  public mutating func next(before limit: Instant) -> LineArrival? {
    while true {
      let step = nextStep
      if let arrival = nextArrival, arrival < limit, step.map({ arrival < $0.at }) ?? true { return takeArrival() }
      guard let step, step.at < limit else { return nil }
      take(step.step, at: step.at)
    }
  }

  /// Sends bytes to the device, which answers, obeys or passes them over; nobody hears them while it is pulled out.
  public mutating func send(_ bytes: [UInt8], at now: Instant) {
    precondition(now >= latest, "time does not go back")
    comeTo(now)
    latest = now
    guard case .on = power, wrongReader(at: now) == nil else { return }
    let hearsKeepAlive = !plan.holds(.keepAliveLost, at: now)
    for answer in dialogue.take(bytes, at: now, hearsKeepAlive: hearsKeepAlive) { transmit(answer, at: now) }
  }

  // MARK: What goes wrong

  /// From now on something goes wrong, until `end` says otherwise; beside the faults that were known from the beginning.
  public mutating func begin(_ kind: OximeterFault.Kind, at now: Instant) {
    let fault = OximeterFault(kind, from: now)
    if let reason = fault.contradiction(on: device) { preconditionFailure(reason) }
    comeTo(now)
    guard kind == .unplugged else { return plan.begin(fault) }
    if case .on = power { unplug(at: now, until: nil) }
  }

  /// What `begin` said is over.
  public mutating func end(_ kind: OximeterFault.Kind, at now: Instant) {
    comeTo(now)
    guard kind == .unplugged else { return plan.end(kind, at: now) }
    if case .unplugged(until: nil) = power { power = .unplugged(until: now) }
  }

  /// Lets everything happen that does before `now`.
  private mutating func comeTo(_ now: Instant) {
    while let step = nextStep, step.at < now { take(step.step, at: step.at) }
  }

  // MARK: What comes

  private var nextArrival: Instant? { arrivals.first?.at ?? bridge.nextLump }

  private mutating func takeArrival() -> LineArrival? {
    let arrival: LineArrival
    if !arrivals.isEmpty {
      arrival = arrivals.removeFirst()
    } else if let lump = bridge.takeLump() {
      arrival = LineArrival(at: lump.at, .bytes(lump.bytes))
    } else {
      return nil
    }
    // What came while the reader was busy sending is read after that.
    latest = max(latest, arrival.at)
    return LineArrival(at: latest, arrival.content)
  }

  // MARK: What happens

  private var nextStep: (at: Instant, step: Step)? {
    switch power {
    case .on:
      let look = begunAt + TimeSpan(microseconds: Int64((Double(looks + 1) * periodMicroseconds).rounded()))
      guard unplugs < plan.unplugged.count, plan.unplugged[unplugs].from <= look else { return (look, .look) }
      return (plan.unplugged[unplugs].from, .unplug)
    case .unplugged(let until): return until.map { ($0, .plug) }
    case .ended: return nil
    }
  }

  private mutating func take(_ step: Step, at now: Instant) {
    switch step {
    case .look: look(at: now)
    case .unplug:
      unplug(at: now, until: plan.unplugged[unplugs].to)
      unplugs += 1
    case .plug: plug(at: now)
    }
  }

  private mutating func look(at now: Instant) {
    if let end = tip.end, now >= end {
      finish(at: now)
      return
    }
    looks += 1
    var look = tip.look(at: now)
    let isHeld = plan.holds(.held, at: now)
    if isHeld || plan.holds(.fingerOut, at: now) { look.coverage = 0 }
    var moment = sensor.moment(of: look, at: now, hold: isHeld ? .seconds(10) : nil)
    moment = plan.holds(.frozen, at: now) ? freeze(moment) : thaw(moment)
    reading = moment.reading
    guard looks % looksPerFrame == 0, dialogue.isStreaming(at: now) else { return }
    moment.clockSeconds = settings.clockSeconds + Int(now.seconds.rounded())
    transmit(encoder.encode(moment), at: now)
  }

  private mutating func freeze(_ moment: OximeterMoment) -> OximeterMoment {
    var still = frozen ?? moment
    still.isBeatMarked = false
    frozen = still
    return still
  }

  private mutating func thaw(_ moment: OximeterMoment) -> OximeterMoment {
    frozen = nil
    return moment
  }

  private mutating func finish(at now: Instant) {
    power = .ended
    var last = now
    while let lump = bridge.takeLump() {
      arrivals.append(LineArrival(at: lump.at, .bytes(lump.bytes)))
      last = max(last, lump.at)
    }
    arrivals.append(LineArrival(at: last, .ended))
  }

  private mutating func unplug(at now: Instant, until: Instant?) {
    power = .unplugged(until: until)
    bridge.cut()
    arrivals.append(LineArrival(at: now, .lost))
  }

  private mutating func plug(at now: Instant) {
    power = .on
    begunAt = now + Self.startUp
    looks = 0
    frozen = nil
    sensor = Self.sensor(device, settings)
    encoder = device.encoder()
    dialogue = HostDialogue(device, settings, at: begunAt)
    arrivals.append(LineArrival(at: now, .returned(port: settings.port)))
  }

  // MARK: The wire

  private mutating func transmit(_ bytes: [UInt8], at now: Instant) {
    if plan.holds(.silent, at: now) { return }
    let sent = noise.garble(bytes, plan, at: now)
    guard let reader = wrongReader(at: now) else {
      bridge.put(sent, at: now, settings: line)
      return
    }
    // A slow reader is still within its last byte when the next frame comes, and misses it.
    if bridge.isBusy(at: now) { return }
    bridge.put(MisreadLine(sent: line, read: reader).bytes(of: sent), at: now, settings: reader)
  }

  /// How the line is read, where that is not as it is to be read.
  private func wrongReader(at now: Instant) -> LineSettings? {
    if plan.holds(.wrongSpeed, at: now) { return settings.wrongReader ?? Self.otherLine(than: line) }
    return reader == line ? nil : reader
  }

  private static func otherLine(than line: LineSettings) -> LineSettings {
    LineSettings(baud: line.baud == 9_600 ? 19_200 : 9_600, parity: .none)
  }
}
