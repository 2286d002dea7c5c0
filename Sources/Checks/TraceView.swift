import Scenarios
import Traces
import VitalsModel

/// A trace by what the expectations ask of it: events with their patterns, calls, changes of the world, the truth.
struct TraceView {
  struct SeenEvent {
    /// The place in the trace: what comes after a moment may come in the same microsecond.
    let index: Int
    let at: Instant
    /// As a scenario would write it, with its argument: `cancelled(contactLost)`.
    let pattern: EventPattern
    let isLifecycle: Bool
  }

  let vocabulary: Vocabulary
  private(set) var events: [SeenEvent] = []
  private var calls: [(place: Place, id: Int, name: String)] = []
  private var changes: [(place: Place, word: String, state: String)] = []
  /// How often each call came back, by its id.
  private var replies: [Int: Int] = [:]
  /// What the last result should have said, by field name; nil when the trace has no truth about it.
  private(set) var realised: Message?
  private(set) var result: Message?
  /// When the run ended, and why; nil for a trace that was cut.
  private(set) var end = Instant.zero
  private(set) var endReason: RunEnd?
  /// The places in the timeline of what never came about.
  private(set) var unreached: [Int] = []
  /// Set when what the phone played ran out; the sentence says how.
  private(set) var exhaustion: String?

  init(_ trace: [TraceEntry], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    for (index, entry) in trace.enumerated() {
      let place = Place(index: index, at: entry.at)
      end = entry.at
      switch entry.item {
      case .event(let message): add(message, at: place)
      case .call(let id, let message): calls.append((place, id, message.name))
      case .reply(let id, _): replies[id, default: 0] += 1
      case .stimulus(let message): changes.append((place, message.name, message["state"]?.text ?? ""))
      case .truth(let message): RunTruth(message).map { add($0, message) }
      case .notice, .sample, .timer, .command: break
      }
    }
  }

  /// A place in the trace and its time.
  struct Place {
    let index: Int
    let at: Instant

    /// Before everything.
    static let start = Place(index: -1, at: .zero)
  }

  private mutating func add(_ message: Message, at place: Place) {
    let word = vocabulary.event(message.name)
    let argument = word?.argumentKey.flatMap { message[$0]?.text }
    events.append(
      SeenEvent(
        index: place.index, at: place.at, pattern: EventPattern(name: message.name, argument: argument),
        // An event that the contract does not know belongs in no sequence, and so is counted as one.
        isLifecycle: word?.isLifecycle ?? true))
    if message.name == vocabulary.result?.event { result = message }
  }

  private mutating func add(_ truth: RunTruth, _ message: Message) {
    switch truth {
    case .realised: realised = message
    case .exhausted(let sentence): exhaustion = sentence
    case .unreached(let stimulus): unreached.append(stimulus)
    case .end(let reason): endReason = reason
    }
  }

  /// The calls that did not come back exactly once, with how often they did.
  var badReplies: [(name: String, at: Instant, count: Int)] {
    calls.compactMap { call in
      let count = replies[call.id] ?? 0
      return count == 1 ? nil : (call.name, call.place.at, count)
    }
  }

  /// The events that a pattern means, after a place.
  func events(_ pattern: EventPattern, after start: Place) -> [SeenEvent] {
    events.filter { $0.index > start.index && pattern.matches(name: $0.pattern.name, argument: $0.pattern.argument) }
  }

  /// Where the anchor happened, the start without one; nil when it did not happen.
  func place(of anchor: Expectation.Anchor?) -> Place? {
    func nth(_ places: some Collection<Place>, _ occurrence: Int) -> Place? {
      places.dropFirst(occurrence - 1).first
    }
    switch anchor {
    case nil: return .start
    case .event(let pattern, let occurrence):
      return nth(events(pattern, after: .start).map { Place(index: $0.index, at: $0.at) }, occurrence)
    case .world(let word, let state, let occurrence):
      return nth(changes.filter { $0.word == word && $0.state == state }.map(\.place), occurrence)
    case .call(let name, let occurrence):
      return nth(calls.filter { $0.name == name }.map(\.place), occurrence)
    }
  }

  /// Whether everything that the run could show was shown: what the phone played did not run out before the end.
  var isWhole: Bool { exhaustion == nil }
}
