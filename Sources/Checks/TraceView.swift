import Scenarios
import Traces
import VitalsModel

/// A trace by what the expectations ask of it: events with their patterns, calls, changes of the world, the truth.
struct TraceView {
  struct SeenEvent {
    let at: Instant
    let message: Message
    /// As a scenario would write it, with its argument: `cancelled(contactLost)`.
    let pattern: EventPattern
    let isLifecycle: Bool
  }

  let vocabulary: Vocabulary
  private(set) var events: [SeenEvent] = []
  private var calls: [(at: Instant, name: String)] = []
  private var changes: [(at: Instant, word: String, state: String)] = []
  /// What the last result should have said, by field name; nil when the trace has no truth about it.
  private(set) var realised: Message?
  private(set) var result: Message?
  private(set) var end = Instant.zero
  private(set) var endReason = ""
  /// Set when what the phone played ran out; the sentence says how.
  private(set) var exhaustion: String?

  init(_ trace: [TraceEntry], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    for entry in trace {
      switch entry.item {
      case .event(let message): add(message, at: entry.at)
      case .call(_, let message): calls.append((entry.at, message.name))
      case .stimulus(let message): changes.append((entry.at, message.name, message["state"]?.text ?? ""))
      case .truth(let message): addTruth(message, at: entry.at)
      case .reply, .notice, .sample, .timer, .command: break
      }
    }
  }

  private mutating func add(_ message: Message, at moment: Instant) {
    let word = vocabulary.event(message.name)
    let argument = word?.argumentKey.flatMap { message[$0]?.text }
    events.append(
      SeenEvent(
        at: moment, message: message, pattern: EventPattern(name: message.name, argument: argument),
        // An event that the contract does not know belongs in no sequence, and so is counted as one.
        isLifecycle: word?.isLifecycle ?? true))
    if message.name == vocabulary.result?.event { result = message }
  }

  private mutating func addTruth(_ message: Message, at moment: Instant) {
    switch message.name {
    case "realised": realised = message
    case "exhausted": exhaustion = message["what"]?.text
    case "end":
      end = moment
      endReason = message["reason"]?.text ?? ""
    default: break
    }
  }

  /// The events that a pattern means, from a moment on.
  func events(_ pattern: EventPattern, from start: Instant) -> [SeenEvent] {
    events.filter { $0.at >= start && pattern.matches(name: $0.pattern.name, argument: $0.pattern.argument) }
  }

  /// When the anchor happened; nil when it did not.
  func moment(of anchor: Expectation.Anchor) -> Instant? {
    func nth(_ moments: some Collection<Instant>, _ occurrence: Int) -> Instant? {
      moments.dropFirst(occurrence - 1).first
    }
    switch anchor {
    case .event(let pattern, let occurrence):
      return nth(events(pattern, from: .zero).map(\.at), occurrence)
    case .world(let word, let state, let occurrence):
      return nth(changes.filter { $0.word == word && $0.state == state }.map(\.at), occurrence)
    case .call(let name, let occurrence):
      return nth(calls.filter { $0.name == name }.map(\.at), occurrence)
    }
  }

  /// Whether everything that the run could show was shown: what the phone played did not run out before the end.
  var isWhole: Bool { exhaustion == nil }
}
