import Scenarios
import Traces
import VitalsModel

/// Feeds the recorded inputs of a trace to a session again: its calls, notices and samples at their times, and its
/// deadlines as they come now.
public func replay<Session: SessionUnderTest>(
  _ trace: [TraceEntry], on session: inout Session, vocabulary: Vocabulary
) -> [TraceEntry] {
  let end = trace.last?.at ?? .zero
  let calls = trace.compactMap { entry -> Stimulus? in
    guard case .call(_, let message) = entry.item else { return nil }
    return Stimulus(
      placement: .at(entry.at - .zero), action: .call(message.name, argument: message["argument"]?.text),
      duration: nil, mark: SourceMark(line: 1, column: 1))
  }
  var phone = ReplayedPhone<Session.Sample>(trace)
  let plan = RunPlan(timeline: calls, vocabulary: vocabulary, until: end - .zero, keepsInputs: true)
  return inputsAndEffects(of: drive(&session, on: &phone, plan: plan))
}

/// A trace without what only the harness knew: stimuli and truth.
public func inputsAndEffects(of trace: [TraceEntry]) -> [TraceEntry] {
  trace.filter { entry in
    switch entry.item {
    case .stimulus, .truth: false
    case .call, .reply, .notice, .sample, .timer, .event, .command: true
    }
  }
}

/// A phone that delivers what a trace says was delivered, whatever it is asked.
private struct ReplayedPhone<Sample: SessionSample>: Phone {
  private let deliveries: [Delivery<Sample>]
  private var index = 0

  init(_ trace: [TraceEntry]) {
    deliveries = trace.compactMap { entry in
      switch entry.item {
      case .sample(let captured, let values):
        Delivery(at: entry.at, .sample(Sample(captured: captured, values: values)))
      case .notice(let message): Delivery(at: entry.at, .notice(message))
      case .call, .reply, .timer, .event, .command, .stimulus, .truth: nil
      }
    }
  }

  var exhaustion: String? { nil }

  mutating func next(before limit: Instant) -> Delivery<Sample>? {
    guard index < deliveries.count, deliveries[index].at < limit else { return nil }
    defer { index += 1 }
    return deliveries[index]
  }

  mutating func obey(_ command: Message, at now: Instant) {}

  mutating func change(_ word: String, to state: String, at now: Instant) {}

  func truth(from start: Instant, to end: Instant) -> [Field] { [] }
}
