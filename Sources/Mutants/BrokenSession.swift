import ReadingSession
import ReadingSimulation
import Simulation
import Traces
import VitalsModel

/// A built-in engine behind a fault: what the engine hears and does passes through it.
///
/// It is a reference, because a fault remembers what it has done; each run needs one of its own.
public final class BrokenSession: SessionUnderTest {
  private let fault: Fault
  private var engine: EngineSession
  private var twin: EngineSession?
  private var past: Past
  /// What is still to be done or heard, by its time.
  private var late: [(at: Instant, thing: Late)] = []
  /// Set when nothing comes any more, although the engine would go on.
  private var isOver = false
  private var frames: Int64 = 0

  private enum Late {
    case heard(Heard)
    case done(SessionEffect)
  }

  init(_ fault: Fault) {
    self.fault = fault
    engine = EngineSession(platform: fault.profile, timing: fault.timing)
    twin = fault.hasTwin ? engine : nil
    past = Past(platform: fault.platform)
  }

  /// When it wants to be fed `timer`, which may not be when it should.
  public var deadline: Instant? {
    let moments = [engineDeadline, late.first?.at, alarm]
    return moments.compactMap(\.self).min()
  }

  private var alarm: Instant? { isOver ? nil : fault.alarm?(past) }

  private var engineDeadline: Instant? {
    guard !isOver, let due = [engine.deadline, twin?.deadline].compactMap(\.self).min() else { return nil }
    guard let moment = realTime(due) else { return nil }
    return fault.wakes.map { $0(moment, past) } ?? moment
  }

  /// Takes in one input, or what the fault makes of it, and gives what the session does because of it.
  public func feed(_ input: SessionInput<FrameSample>, at now: Instant) -> [SessionEffect] {
    past.now = now
    guard case .timer = input else { return hear(input) }
    var effects: [SessionEffect] = []
    while let next = late.first, next.at <= now {
      late.removeFirst()
      switch next.thing {
      case .heard(let input): effects += run([input])
      case .done(let effect): effects.append(effect)
      }
    }
    if let alarm, alarm <= now {
      effects += emit(fault.rings?(past) ?? [])
      past.rungAt = now
    }
    if let due = engineDeadline, due <= now { effects += run([.timer]) }
    return effects
  }

  private func hear(_ input: Heard) -> [SessionEffect] {
    if isOver { return deafReply(to: input) }
    let hearing = fault.hears?(input, past) ?? .asIs
    past.note(input)
    switch hearing {
    case .asIs: return run([input])
    case .instead(let inputs): return run(inputs)
    case .nothing: return input.callID.map { [.reply(id: $0, .returned)] } ?? []
    case .late(let span):
      guard case .call(let id, let call) = input else {
        wait(.heard(input), for: span)
        return []
      }
      wait(.heard(.call(id: -1, call)), for: span)
      return [.reply(id: id, .returned)]
    case .answered(let effects): return effects
    case .over(let effects):
      isOver = true
      return effects
    case .renewed(let inputs):
      engine = EngineSession(platform: fault.profile, timing: fault.timing)
      let now = past.now
      past = Past(platform: fault.platform)
      past.now = now
      for input in inputs { past.note(input) }
      return run(inputs)
    }
  }

  /// How a session that is over, and whose engine is not, comes back from a call.
  private func deafReply(to input: Heard) -> [SessionEffect] {
    guard let id = input.callID else { return [] }
    guard input.isCall("start") else { return [.reply(id: id, .returned)] }
    return [.reply(id: id, .threw(Message("internalError", [Field("message", .text("the session has ended"))])))]
  }

  private func run(_ inputs: [Heard]) -> [SessionEffect] {
    inputs.flatMap { input -> [SessionEffect] in
      if isOver { return [] }
      if input.isFrame { frames += 1 }
      let moment = engineTime(past.now)
      let fed = inEngineTime(input)
      var effects = engine.feed(fed, at: moment)
      if case .frames = fault.clock, input.isFrame {
        while let due = engine.deadline, due <= moment { effects += engine.feed(.timer, at: moment) }
      }
      let echo = twin?.feed(fed, at: moment).filter { $0.event != nil } ?? []
      return spoil(effects + echo)
    }
  }

  private func spoil(_ effects: [SessionEffect]) -> [SessionEffect] {
    if effects.isEmpty { return [] }
    var done: [SessionEffect] = []
    for effect in fault.orders?(effects, past) ?? effects {
      let instead = fault.says?(effect, past) ?? [effect]
      for item in instead {
        if let span = fault.lateness?(item, past) { wait(.done(item), for: span) } else { done.append(item) }
      }
      past.note(effect)
      if !effect.isEnd, instead.contains(where: \.isEnd) {
        isOver = true
        break
      }
    }
    return done.filter { if case .reply(id: ..<0, _) = $0 { false } else { true } }
  }

  /// What the session does of its own accord; its end is one.
  private func emit(_ effects: [SessionEffect]) -> [SessionEffect] {
    if past.phase != .ended, effects.contains(where: \.isEnd) { isOver = true }
    return effects
  }

  private func wait(_ thing: Late, for span: TimeSpan) {
    let moment = past.now + span
    late.insert((moment, thing), at: late.firstIndex { $0.at > moment } ?? late.endIndex)
  }
}

// MARK: Time

extension BrokenSession {
  /// How long a frame counts where frames are the clock.
  private static let frame = TimeSpan(microseconds: 1_000_000 / 30)

  private func engineTime(_ moment: Instant) -> Instant {
    switch fault.clock {
    case .right: moment
    case .speed(let speed): .zero + TimeSpan(seconds: moment.seconds * speed)
    case .frames: .zero + Self.frame * frames
    }
  }

  /// When the engine's moment comes; nil: nobody can say.
  private func realTime(_ moment: Instant) -> Instant? {
    switch fault.clock {
    case .right: moment
    // One more, lest rounding wake it a microsecond before its time.
    case .speed(let speed): .zero + TimeSpan(microseconds: Int64(Double(moment.microseconds) / speed) + 1)
    case .frames: nil
    }
  }

  private func inEngineTime(_ input: Heard) -> Heard {
    switch (fault.clock, input) {
    case (.speed, .sample(let frame)):
      .sample(FrameSample(captured: engineTime(frame.captured), values: frame.values))
    case (.frames, .sample(let frame)): .sample(FrameSample(captured: engineTime(past.now), values: frame.values))
    default: input
    }
  }
}
