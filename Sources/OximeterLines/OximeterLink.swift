import OximeterProtocols
import VitalsModel

/// Makes readings and samples with times of what a line delivers, and says what is to be sent.
///
/// It has no clock and does no I/O: it is told what came and when, and names the moment at which it wants to be called
/// again. Whoever drives it sends what it asks for (`OximeterStream`). A call before the deadline does nothing.
public struct OximeterLink: Sendable {
  private enum State {
    /// The line is not open yet.
    case idle
    /// Nothing comes. The device is woken where it can be.
    case silent
    /// Bytes come again, and it is too early to say anything of them.
    case listening(since: Instant)
    /// Bytes come that make no frame. Waits for a frame, or for silence.
    case unintelligible
    /// Frames come.
    case streaming(lastFrame: Instant)
    /// The device is gone. Waits for its return; nothing is sent.
    case lost
    /// Nothing comes any more.
    case ended
  }

  /// When the prompts are due.
  private struct Prompting {
    var keepAlive: Instant?
    var wakeUp: Instant?
    var nudge: Instant?

    var next: Instant? { [keepAlive, wakeUp, nudge].compactMap(\.self).min() }
  }

  /// What the line speaks.
  public let speaks: OximeterProtocol
  private let prompts: LinePrompts
  private let patience: LinkPatience
  private var decoder: any OximeterDecoder
  private var timing: SampleTiming
  private var stamps = ByteStamps()
  private var frames: FrameSeries
  private var condition = State.idle
  private var prompting = Prompting()
  private var lastByte = Instant.zero
  /// What was told of the line's state.
  public private(set) var state = LinkState.silent

  /// A link to a device that speaks a protocol.
  ///
  /// - Parameter setsFormat: whether a device that can speak several formats, and keeps the one it was set to, is told
  ///   to use this one
  public init(_ speaks: OximeterProtocol, setsFormat: Bool = false) {
    self.speaks = speaks
    prompts = LinePrompts(speaks, setsFormat: setsFormat)
    patience = LinkPatience(speaks)
    decoder = speaks.decoder()
    timing = SampleTiming(framesPerSecond: speaks.framesPerSecond)
    frames = FrameSeries(speaks)
  }

  /// What became of the bytes so far.
  public var counts: DecodingCounts { decoder.counts }

  /// Frames in a second by the device's clock, as far as is known.
  public var framesPerSecond: Double { timing.framesPerSecond }

  /// What is to be sent before the line is closed; empty for most.
  public var farewell: [UInt8] { prompts.farewell }

  /// The line is open.
  public mutating func begin(at now: Instant) -> [LinkEvent] {
    guard case .idle = condition else { return [] }
    var events: [LinkEvent] = []
    open(at: now, &events)
    return events
  }

  // MARK: What comes

  /// Takes in what came; times must not decrease.
  public mutating func take(_ arrival: LineArrival) -> [LinkEvent] {
    if case .ended = condition { return [] }
    var events: [LinkEvent] = []
    switch arrival.content {
    case .bytes(let bytes): take(bytes, at: arrival.at, &events)
    case .lost:
      condition = .lost
      prompting = Prompting()
      frames.interrupt(.unplugged)
      breakOff()
      tell(.lost, at: arrival.at, &events)
    case .returned:
      // What is left of the time before must not be joined with what comes, also where the loss itself was not told.
      frames.interrupt(.unplugged)
      breakOff()
      open(at: arrival.at, &events)
    case .ended:
      condition = .ended
      prompting = Prompting()
      breakOff()
      tell(.ended, at: arrival.at, &events)
    }
    return events
  }

  /// The gap that is not over yet, for whoever stops here; nil while frames come, and before the first of them.
  ///
  /// It reaches to `now`, where there is no frame, and nothing is changed by asking.
  public func openGap(until now: Instant) -> LinkEvent? {
    switch condition {
    case .idle, .streaming: nil
    case .silent: frames.openGap(until: now, otherwise: .silence)
    case .listening, .unintelligible, .lost, .ended: frames.openGap(until: now, otherwise: .damaged)
    }
  }

  private mutating func open(at now: Instant, _ events: inout [LinkEvent]) {
    condition = .silent
    tell(.silent, at: now, &events)
    lastByte = now
    if !prompts.start.isEmpty { events.append(.send(prompts.start)) }
    prompting = Prompting(
      keepAlive: prompts.keepAlive.map { now + $0.every }, wakeUp: prompts.wakeUp.map { now + $0.every },
      nudge: prompts.nudge.isEmpty ? nil : now + patience.silence)
  }

  private mutating func breakOff() {
    decoder.finish()
    timing.forget()
  }

  private mutating func take(_ bytes: [UInt8], at now: Instant, _ events: inout [LinkEvent]) {
    guard !bytes.isEmpty else { return }
    if now - lastByte > patience.pause { frames.interrupt(.silence) }
    lastByte = now
    stamps.add(bytes.count, at: now)
    switch condition {
    case .silent, .lost, .idle: condition = .listening(since: now)
    case .listening, .unintelligible, .streaming, .ended: break
    }
    if prompting.nudge != nil { prompting.nudge = now + patience.silence }
    var found: [OximeterFrame] = []
    decoder.decode(bytes, into: &found)
    guard !found.isEmpty else { return doubt(at: now, &events) }
    condition = .streaming(lastFrame: now)
    tell(.streaming, at: now, &events)
    if frames.append(found, at: now, &stamps, &timing, to: &events), let wakeUp = prompts.wakeUp {
      prompting.wakeUp = now + wakeUp.every
    }
  }

  private mutating func tell(_ new: LinkState, at now: Instant, _ events: inout [LinkEvent]) {
    guard state != new else { return }
    state = new
    events.append(.state(new, at: now))
  }

  // MARK: Time

  /// When it wants `serveDeadline(at:)` to be called; nil for never, unless something comes.
  public var deadline: Instant? {
    [stateDeadline, prompting.next].compactMap(\.self).min()
  }

  private var stateDeadline: Instant? {
    switch condition {
    case .idle, .silent, .lost, .ended: nil
    case .unintelligible: lastByte + patience.silence
    case .listening(let since): deadline(withoutFrameSince: since)
    case .streaming(let lastFrame): deadline(withoutFrameSince: lastFrame)
    }
  }

  private func deadline(withoutFrameSince since: Instant) -> Instant {
    let nonsense = since + patience.nonsense
    // A few bytes and then nothing are a silence.
    return lastByte + patience.pause > nonsense ? nonsense : lastByte + patience.silence
  }

  /// Bytes came that make no frame.
  private mutating func doubt(at now: Instant, _ events: inout [LinkEvent]) {
    guard let due = stateDeadline, now >= due else { return }
    condition = .unintelligible
    tell(.unintelligible, at: now, &events)
  }

  /// Does what is due.
  public mutating func serveDeadline(at now: Instant) -> [LinkEvent] {
    var events: [LinkEvent] = []
    if let due = stateDeadline, now >= due {
      if now >= lastByte + patience.silence {
        condition = .silent
        tell(.silent, at: now, &events)
      } else {
        condition = .unintelligible
        tell(.unintelligible, at: now, &events)
      }
    }
    if let wakeUp = prompts.wakeUp, let due = prompting.wakeUp, now >= due {
      events.append(.send(wakeUp.bytes))
      prompting.wakeUp = now + wakeUp.every
    }
    if let keepAlive = prompts.keepAlive, let due = prompting.keepAlive, now >= due {
      events.append(.send(keepAlive.bytes))
      prompting.keepAlive = now + keepAlive.every
    }
    if let due = prompting.nudge, now >= due {
      events.append(.send(prompts.nudge))
      prompting.nudge = nil
    }
    return events
  }
}

/// How long a line may do something before it is called that.
struct LinkPatience: Sendable {
  /// Without a byte it is silent.
  let silence: TimeSpan
  /// With bytes and no frame it is unintelligible: three frames in a row are needed, and the first may be cut.
  let nonsense: TimeSpan
  /// A longer one between bytes is a silence of the device, where frames are missing.
  let pause: TimeSpan

  init(_ oximeterProtocol: OximeterProtocol) {
    let period = 1 / oximeterProtocol.framesPerSecond
    silence = TimeSpan(seconds: max(2, 3 * period))
    nonsense = TimeSpan(seconds: max(2, 6 * period))
    pause = TimeSpan(seconds: max(1, 1.5 * period))
  }
}
