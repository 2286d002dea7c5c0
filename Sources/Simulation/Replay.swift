import Scenarios
import Traces
import VitalsModel

/// Feeds the recorded inputs of a trace to a session again, in their order, and gives what happens now.
///
/// A recorded deadline is served when the session asks for it at that moment; one that it asks for at another moment is
/// served then, which shows as a difference. Compare with `inputsAndEffects(of:)` of the trace.
public func replay<Session: SessionUnderTest>(_ trace: [TraceEntry], on session: inout Session) -> [TraceEntry] {
  var again: [TraceEntry] = []
  var latest = Instant.zero
  func feed(_ input: SessionInput<Session.Sample>, as item: TraceItem, at now: Instant) {
    latest = now
    again.append(TraceEntry(at: now, item))
    for effect in session.feed(input, at: now) { again.append(TraceEntry(at: now, TraceItem(effect))) }
  }
  /// What the session asks for before a moment and the recorded one did not.
  func serveDeadlines(before moment: Instant) {
    for _ in 0..<RunLimit.perMoment {
      guard let due = session.deadline.map({ max($0, latest) }), due < moment else { return }
      feed(.timer, as: .timer, at: due)
    }
  }
  for entry in trace {
    serveDeadlines(before: entry.at)
    switch entry.item {
    case .call(let id, let message): feed(.call(id: id, message), as: entry.item, at: entry.at)
    case .notice(let message): feed(.notice(message), as: entry.item, at: entry.at)
    case .sample(let captured, let values):
      feed(.sample(Session.Sample(captured: captured, values: values)), as: entry.item, at: entry.at)
    case .timer:
      if let due = session.deadline, due <= entry.at { feed(.timer, as: .timer, at: entry.at) }
    case .capture, .reference, .reply, .event, .command, .stimulus, .truth: break
    }
  }
  return again
}

/// A trace without what only the harness knew: devices, stimuli and truth.
public func inputsAndEffects(of trace: [TraceEntry]) -> [TraceEntry] {
  trace.filter { entry in
    switch entry.item {
    case .capture, .reference, .stimulus, .truth: false
    case .call, .reply, .notice, .sample, .timer, .event, .command: true
    }
  }
}

extension TraceItem {
  /// An effect as a trace holds it.
  @usableFromInline
  init(_ effect: SessionEffect) {
    self =
      switch effect {
      case .event(let message): .event(message)
      case .command(let message): .command(message)
      case .reply(let id, let reply): .reply(id: id, reply)
      }
  }
}
