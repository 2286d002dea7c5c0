import Scenarios
import Traces
import VitalsModel

/// A trace by what the expectations ask of it: events and commands with their patterns, calls and their replies, changes
/// of the world, the truth.
struct TraceView {
  /// An event or a command.
  struct SeenEffect {
    /// The place in the trace: what comes after a moment may come in the same microsecond.
    let index: Int
    let at: Instant
    /// As a scenario would write it, with its argument: `cancelled(contactLost)`.
    let pattern: EventPattern
    let isCommand: Bool
    /// Whether `sequence` counts it.
    let isLifecycle: Bool
  }

  /// A call as the session got it.
  struct SeenCall {
    let place: Place
    let id: Int
    let name: String
  }

  /// How a call came back the first time, and how often it did.
  struct SeenReply {
    let reply: Reply
    let at: Instant
    var count = 1
  }

  let vocabulary: Vocabulary
  private(set) var effects: [SeenEffect] = []
  private var calls: [SeenCall] = []
  /// Every change of the world; that of a setting has no state.
  private var changes: [(place: Place, word: String, state: String?)] = []
  /// How each call came back, by its id.
  private var replies: [Int: SeenReply] = [:]
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
      case .call(let id, let message): calls.append(SeenCall(place: place, id: id, name: message.name))
      case .reply(let id, let reply):
        if replies[id] != nil { replies[id]?.count += 1 } else { replies[id] = SeenReply(reply: reply, at: entry.at) }
      case .command(let message): add(command: message, at: place)
      case .stimulus(let message): changes.append((place, message.name, message["state"]?.text))
      case .truth(let message): RunTruth(message).map { add($0, message) }
      case .notice, .sample, .capture, .reference, .timer: break
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
    effects.append(
      SeenEffect(
        index: place.index, at: place.at, pattern: EventPattern(name: message.name, argument: argument),
        isCommand: false,
        // An event that the contract does not know belongs in no sequence, and so is counted as one.
        isLifecycle: word?.isLifecycle ?? true))
    if message.name == vocabulary.result?.event { result = message }
  }

  private mutating func add(command message: Message, at place: Place) {
    let argument = vocabulary.command(message.name)?.argumentKey.flatMap { message[$0]?.word }
    effects.append(
      SeenEffect(
        index: place.index, at: place.at, pattern: EventPattern(name: message.name, argument: argument),
        isCommand: true, isLifecycle: false))
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
      let count = replies[call.id]?.count ?? 0
      return count == 1 ? nil : (call.name, call.place.at, count)
    }
  }

  /// The events or the commands that a pattern means, after a place.
  func effects(_ pattern: EventPattern, after start: Place) -> [SeenEffect] {
    let isCommand = vocabulary.command(pattern.name) != nil
    return effects.filter {
      $0.index > start.index && $0.isCommand == isCommand
        && pattern.matches(name: $0.pattern.name, argument: $0.pattern.argument)
    }
  }

  /// The `occurrence`-th (from 1) call of a name; nil where there were not as many.
  func call(_ name: String, occurrence: Int) -> SeenCall? {
    calls.filter { $0.name == name }.dropFirst(occurrence - 1).first
  }

  /// How a call came back the first time; nil where it did not.
  func reply(to call: SeenCall) -> SeenReply? { replies[call.id] }

  /// Where the anchor happened, the start without one; nil when it did not happen.
  func place(of anchor: Expectation.Anchor?) -> Place? {
    func nth(_ places: some Collection<Place>, _ occurrence: Int) -> Place? {
      places.dropFirst(occurrence - 1).first
    }
    switch anchor {
    case nil: return .start
    case .event(let pattern, let occurrence):
      return nth(effects(pattern, after: .start).map { Place(index: $0.index, at: $0.at) }, occurrence)
    case .world(let word, let state, let occurrence):
      return nth(changes.filter { $0.word == word && $0.state == state }.map(\.place), occurrence)
    case .quantity(let word, let occurrence):
      return nth(changes.filter { $0.word == word }.map(\.place), occurrence)
    case .call(let name, let occurrence):
      return call(name, occurrence: occurrence)?.place
    }
  }

  /// Whether everything that the run could show was shown: what the phone played did not run out before the end.
  var isWhole: Bool { exhaustion == nil }
}
