import Scenarios
import Traces
import VitalsModel

/// How a run is driven, beyond its scenario.
public struct RunPlan: Sendable {
  /// What happens to the session and around it.
  public let timeline: [Stimulus]
  /// How the run begins, which is what a `for` turns back to.
  public let settings: Settings
  /// The words of the contract.
  public let vocabulary: Vocabulary
  /// When the run ends whatever happens; nil: after the terminal event.
  public let until: TimeSpan?
  /// Whether samples and timers are kept, so that the trace can be replayed.
  public let keepsInputs: Bool

  /// A plan.
  public init(
    timeline: [Stimulus], settings: Settings, vocabulary: Vocabulary, until: TimeSpan?, keepsInputs: Bool
  ) {
    self.timeline = timeline
    self.settings = settings
    self.vocabulary = vocabulary
    self.until = until
    self.keepsInputs = keepsInputs
  }
}

/// The limits of a run that a scenario does not set.
public enum RunLimit {
  /// How long a run goes on after the terminal event, to see that nothing follows.
  public static let afterTerminal = TimeSpan.seconds(3)
  /// How long a run without `until` may take.
  public static let longest = TimeSpan.seconds(600)
  /// How long a run in which nothing more can happen is left alone, so that what should still have come is missed: more
  /// than the longest window of a rule.
  public static let quiet = TimeSpan.seconds(15)
  /// How many things may happen in one moment before the session is stuck.
  public static let perMoment = 10_000
}

/// Drives a session on a phone through a timeline, and gives what happened.
///
/// The loop serves whatever comes first: the next stimulus, the next delivery of the phone, the session's deadline.
/// In the same moment stimuli come before deliveries and deliveries before the deadline; what a phone has to say from the
/// beginning comes before everything. Effects are carried out in
/// their order before anything else happens. The trace ends with what of the timeline never came about, and with the
/// reason of its end.
@inlinable
public func drive<Session: SessionUnderTest, Device: Phone>(
  _ session: inout Session, on phone: inout Device, plan: RunPlan
) -> [TraceEntry] where Device.Sample == Session.Sample {
  var loop = Loop<Session.Sample>(plan: plan)
  return loop.run(&session, on: &phone)
}

/// A run under way. Generic over the sample and inlinable with it: the contract's own module then gets a loop for its
/// own types, where one that asks at run time what it is dealing with costs about a sixth of a session more.
@usableFromInline
struct Loop<Sample: SessionSample> {
  @usableFromInline let plan: RunPlan
  @usableFromInline var script: Script
  @usableFromInline var trace: [TraceEntry] = []
  @usableFromInline var calls = 0
  @usableFromInline var now = Instant.zero
  @usableFromInline var thingsThisMoment = 0
  @usableFromInline var endsAt: Instant
  @usableFromInline var end: RunEnd
  @usableFromInline var opened: Instant?
  @usableFromInline var closed: Instant?

  @inlinable init(plan: RunPlan) {
    self.plan = plan
    script = Script(plan.timeline, beginning: plan.settings, vocabulary: plan.vocabulary)
    endsAt = .zero + (plan.until ?? RunLimit.longest)
    end = plan.until == nil ? .limit : .until
  }

  @inlinable mutating func run<Session: SessionUnderTest, Device: Phone>(
    _ session: inout Session, on phone: inout Device
  ) -> [TraceEntry] where Session.Sample == Sample, Device.Sample == Sample {
    while let delivery = phone.next(before: now + TimeSpan(microseconds: 1)), advance(to: delivery.at) {
      deliver(delivery.content, to: &session, &phone)
    }
    while step(&session, &phone) {}
    for stimulus in script.unreached { record(.truth(RunTruth.unreached(stimulus: stimulus).message)) }
    record(.truth(RunTruth.end(end).message))
    return trace
  }

  /// Serves the next thing; false when the run is over.
  @inlinable mutating func step<Session: SessionUnderTest, Device: Phone>(
    _ session: inout Session, _ phone: inout Device
  ) -> Bool where Session.Sample == Sample, Device.Sample == Sample {
    let stimulus = script.nextTime
    let deadline = session.deadline.map { max($0, now) }
    // Strictly before a stimulus, and up to and including a deadline or the end.
    var limit = endsAt + TimeSpan(microseconds: 1)
    if let stimulus { limit = min(limit, stimulus) }
    if let deadline { limit = min(limit, deadline + TimeSpan(microseconds: 1)) }
    if let delivery = phone.next(before: limit) {
      guard advance(to: delivery.at) else { return false }
      deliver(delivery.content, to: &session, &phone)
      return true
    }
    if let sentence = phone.exhaustion {
      record(.truth(RunTruth.exhausted(sentence).message))
      end = .exhausted
      return false
    }
    switch (stimulus, deadline) {
    case (let stimulus?, let deadline) where stimulus <= min(endsAt, deadline ?? stimulus):
      guard advance(to: stimulus) else { return false }
      if let action = script.next() { perform(action, on: &session, &phone) }
      return true
    case (_, let deadline?) where deadline <= endsAt:
      guard advance(to: deadline) else { return false }
      record(.timer)
      carryOut(session.feed(.timer, at: now), &phone)
      return true
    case (nil, nil) where end == .limit:
      end = .quiet
      now = now + RunLimit.quiet
      return false
    default:
      now = endsAt
      return false
    }
  }

  /// Moves time on; false when it has stopped moving.
  @inlinable mutating func advance(to time: Instant) -> Bool {
    thingsThisMoment = time == now ? thingsThisMoment + 1 : 0
    now = time
    guard thingsThisMoment < RunLimit.perMoment else {
      end = .stuck
      return false
    }
    return true
  }

  @inlinable mutating func record(_ item: TraceItem) {
    switch item {
    case .sample, .capture, .timer:
      if plan.keepsInputs { trace.append(TraceEntry(at: now, item)) }
    case .call, .reply, .notice, .reference, .event, .command, .stimulus, .truth:
      trace.append(TraceEntry(at: now, item))
    }
  }

  @inlinable mutating func deliver<Session: SessionUnderTest, Device: Phone>(
    _ content: Delivery<Sample>.Content, to session: inout Session, _ phone: inout Device
  ) where Session.Sample == Sample, Device.Sample == Sample {
    switch content {
    case .sample(let sample):
      // Asked here as well as in `record`, because the values are only gathered for a trace that keeps them.
      if plan.keepsInputs { record(.sample(captured: sample.captured, values: sample.values)) }
      carryOut(session.feed(.sample(sample), at: now), &phone)
    case .notice(let notice):
      record(.notice(notice))
      carryOut(session.feed(.notice(notice), at: now), &phone)
    case .capture(let bytes): record(.capture(bytes))
    case .reference(let reference): record(.reference(reference))
    case .truth(let truth):
      record(.truth(truth))
    }
  }

  @inlinable mutating func perform<Session: SessionUnderTest, Device: Phone>(
    _ action: Stimulus.Action, on session: inout Session, _ phone: inout Device
  ) where Session.Sample == Sample, Device.Sample == Sample {
    switch action {
    case .call(let name, let argument):
      calls += 1
      let call = Message(name, argument.map { [Field("argument", .text($0))] } ?? [])
      record(.call(id: calls, call))
      carryOut(session.feed(.call(id: calls, call), at: now), &phone)
    case .world(let change):
      record(.stimulus(change.message))
      phone.change(change, at: now)
    }
  }

  @inlinable mutating func carryOut<Device: Phone>(_ effects: [SessionEffect], _ phone: inout Device)
  where Device.Sample == Sample {
    for effect in effects {
      record(TraceItem(effect))
      switch effect {
      case .reply: break
      case .command(let command): phone.obey(command, at: now)
      case .event(let event): note(event, phone)
      }
    }
  }

  /// What an event means for the run: the stretch that a result speaks of, what waited for it, and the end.
  @inlinable mutating func note<Device: Phone>(_ event: Message, _ phone: Device) where Device.Sample == Sample {
    let word = plan.vocabulary.event(event.name)
    let argument = word?.argumentKey.flatMap { event[$0]?.text }
    script.see({ $0.matches(name: event.name, argument: argument) }, at: now)
    if let result = plan.vocabulary.result {
      if event.name == result.opens { (opened, closed) = (now, nil) }
      if event.name == result.closes { closed = now }
      if event.name == result.event, let opened {
        let fields = phone.truth(from: opened, to: closed ?? now)
        if !fields.isEmpty { record(.truth(RunTruth.realised(fields).message)) }
      }
    }
    if word?.isTerminal == true, end == .limit {
      endsAt = now + RunLimit.afterTerminal
      end = .terminal
    }
  }
}
