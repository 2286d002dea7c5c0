import VitalsModel

/// Makes the pulse rate of beats, as an oximeter counts them: it looks for the pulse until it has found some beats, and has
/// lost it when none came for a while.
struct PulseCounter: Sendable {
  /// How the device is about the pulse.
  private enum State: Sendable {
    /// Waits for a finger.
    case idle
    /// Waits for beats in a row.
    case searching(since: Instant)
    /// Has the pulse, of which the last beat was at `last`.
    case tracking(last: Instant)
  }

  /// What it says.
  struct Finding: Hashable, Sendable {
    var isSearching = false
    /// Nil without a pulse.
    var rateBpm: Double?
  }

  private struct Interval: Sendable {
    let seconds: Double
    let end: Instant
  }

  /// Intervals in a row that must have been seen, and how long a search takes at the least: devices show values after
  /// some 4 to 6 s.
  private static let firstIntervals = 4
  private static let shortestSearch = TimeSpan.milliseconds(3_500)
  /// Without a beat for this long, the device searches; and after this, it has no value any more.
  private static let patience = (searches: TimeSpan.seconds(4), gives: TimeSpan.seconds(10))

  private let averaging: OximeterFamily.Averaging
  private var state = State.idle
  private var intervals: [Interval] = []
  private var lastBeat: Instant?

  init(_ averaging: OximeterFamily.Averaging) { self.averaging = averaging }

  /// There is a finger from now on.
  mutating func begin(at now: Instant) {
    forget()
    state = .searching(since: now)
  }

  /// The finger is gone.
  mutating func stop() {
    forget()
    state = .idle
  }

  /// A beat whose wave was clear.
  mutating func take(_ beat: Instant) {
    if let lastBeat { intervals.append(Interval(seconds: (beat - lastBeat).seconds, end: beat)) }
    lastBeat = beat
    drop(before: beat)
    switch state {
    case .idle: break
    case .searching(let since):
      if intervals.count >= Self.firstIntervals, beat - since >= Self.shortestSearch { state = .tracking(last: beat) }
    case .tracking: state = .tracking(last: beat)
    }
  }

  /// A beat was not clear: no interval ends or begins with it.
  mutating func skip() { lastBeat = nil }

  /// What is found by now.
  mutating func finding(at now: Instant) -> Finding {
    switch state {
    case .idle: return Finding()
    case .searching: return Finding(isSearching: true)
    case .tracking(let last):
      if now - last < Self.patience.searches { return Finding(rateBpm: rateBpm) }
      if now - last < Self.patience.gives { return Finding(isSearching: true, rateBpm: rateBpm) }
      begin(at: now)
      return Finding(isSearching: true)
    }
  }

  private var rateBpm: Double? {
    let sum = intervals.reduce(0) { $0 + $1.seconds }
    return sum > 0 ? 60 * Double(intervals.count) / sum : nil
  }

  private mutating func forget() {
    intervals = []
    lastBeat = nil
  }

  private mutating func drop(before now: Instant) {
    switch averaging {
    case .beats(let count): intervals.removeFirst(max(0, intervals.count - count))
    case .seconds(let seconds):
      // A slow pulse leaves fewer; without one there is no mean.
      let old = intervals.prefix { now - $0.end >= .seconds(seconds) }.count
      intervals.removeFirst(min(old, max(0, intervals.count - Self.firstIntervals)))
    }
  }
}
