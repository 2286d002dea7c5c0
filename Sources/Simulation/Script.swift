import Scenarios
import VitalsModel

/// The pending part of a timeline: what happens next, and what still waits for an event.
///
/// Due actions are kept in the order (time, file order); what a `for` turns back comes after everything of the file
/// at the same moment.
@usableFromInline
struct Script {
  private struct Due {
    let at: Instant
    let order: Int
    let action: Stimulus.Action
    let duration: TimeSpan?
  }

  private struct Waiting {
    let pattern: EventPattern
    var remaining: Int
    let delay: TimeSpan
    let order: Int
    let stimulus: Stimulus
  }

  private let settings: Settings
  private let vocabulary: Vocabulary
  private var due: [Due] = []
  private var waiting: [Waiting] = []
  /// What holds for a while, in the order in which it began; what began last is what one sees.
  private var passing: [(change: WorldChange, until: Instant)] = []
  /// What holds for good, by word or setting; one that is not here is as the run began.
  private var lasting: [String: WorldChange] = [:]

  @usableFromInline
  init(_ timeline: [Stimulus], beginning settings: Settings, vocabulary: Vocabulary) {
    self.settings = settings
    self.vocabulary = vocabulary
    for (order, stimulus) in timeline.enumerated() {
      switch stimulus.placement {
      case .at(let time):
        insert(Due(at: .zero + time, order: order, action: stimulus.action, duration: stimulus.duration))
      case .after(let pattern, let occurrence, let delay):
        waiting.append(
          Waiting(pattern: pattern, remaining: occurrence, delay: delay, order: order, stimulus: stimulus))
      }
    }
  }

  /// When the next action is due.
  @usableFromInline
  var nextTime: Instant? {
    let reversal = passing.map(\.until).min()
    guard let first = due.first?.at else { return reversal }
    return reversal.map { min($0, first) } ?? first
  }

  /// Takes out the next action; only to be asked when `nextTime` has come.
  @usableFromInline
  mutating func next() -> Stimulus.Action? {
    guard let now = nextTime else { return nil }
    if let first = due.first, first.at == now {
      due.removeFirst()
      if case .world(let change) = first.action { begin(change, for: first.duration, at: now) }
      return first.action
    }
    guard let index = passing.firstIndex(where: { $0.until == now }) else { return nil }
    let ended = passing.remove(at: index).change
    // Under another that began later nothing of its end is seen.
    if passing[index...].contains(where: { $0.change.word == ended.word }) { return next() }
    return rest(of: ended.word).map { .world($0) }
  }

  /// A change for good makes what passes of the same word meaningless.
  private mutating func begin(_ change: WorldChange, for duration: TimeSpan?, at now: Instant) {
    if let duration {
      passing.append((change, now + duration))
    } else {
      passing.removeAll { $0.change.word == change.word }
      lasting[change.word] = change
    }
  }

  /// What a word turns back to when something of it has passed: what else still passes, what holds for good, or how the
  /// run began. It comes at once, and a state that is there already comes again, which changes nothing.
  private func rest(of word: String) -> WorldChange? {
    let rest = passing.last { $0.change.word == word }?.change ?? lasting[word]
    return rest?.atOnce ?? vocabulary.beginning(of: word, in: settings)
  }

  /// The places in the timeline of what has not come about, in order.
  @usableFromInline
  var unreached: [Int] { (due.map(\.order) + waiting.map(\.order)).sorted() }

  /// The places in the timeline of what still waits for an event, in order.
  var unplaced: [Int] { waiting.map(\.order).sorted() }

  /// Places what waited for this event.
  @usableFromInline
  mutating func see(_ eventMatches: (EventPattern) -> Bool, at now: Instant) {
    for index in waiting.indices where waiting[index].remaining > 0 && eventMatches(waiting[index].pattern) {
      waiting[index].remaining -= 1
      if waiting[index].remaining == 0 {
        let item = waiting[index]
        insert(
          Due(
            at: now + item.delay, order: item.order, action: item.stimulus.action, duration: item.stimulus.duration))
      }
    }
    waiting.removeAll { $0.remaining == 0 }
  }

  private mutating func insert(_ item: Due) {
    let index = due.firstIndex { ($0.at, $0.order) > (item.at, item.order) } ?? due.endIndex
    due.insert(item, at: index)
  }
}
