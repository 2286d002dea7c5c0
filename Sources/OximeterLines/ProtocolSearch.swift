import OximeterProtocols
import VitalsModel

/// Finds out what a device speaks and how its line must be set.
///
/// It has no clock and does no I/O. It begins with `settings`: the line is opened so, and `begin(at:)` called. Then it
/// takes what comes and is called at its deadline, and says what is to be done next. `run(opening:)` does that for lines
/// of any kind. Listening goes on only while what comes may yet be understood: a second suffices for a protocol with a
/// wave, lines of text take three of them, and a silent line is given up after `budgetOfSilence`.
public struct ProtocolSearch: Sendable {
  /// What is to be done.
  public enum Event: Hashable, Sendable {
    /// These bytes are to be sent.
    case send([UInt8])
    /// The line is to be set so and emptied, or closed and opened again, and `begin(at:)` called.
    case set(LineSettings)
    /// It is over.
    case finished(SearchOutcome)
  }

  private enum State {
    /// The line is not yet set as the first plan wants it.
    case setting(SearchTrial.Plan)
    /// It is listened to.
    case listening(SearchTrial)
    /// The outcome was told.
    case finished
  }

  private let asks: Bool
  private var state: State
  /// What is to be tried next.
  private var plans: [SearchTrial.Plan]
  private var tried: [TriedSettings] = []
  /// The slow protocols that were waited for in vain.
  private var waitedFor: [OximeterProtocol] = []
  /// How long it takes at most to find that nothing comes.
  public let budgetOfSilence: TimeSpan

  /// A search.
  ///
  /// - Parameters:
  ///   - candidates: what the device may speak; at least one
  ///   - asks: whether devices that can be asked for their model, maker and number are
  public init(_ candidates: [OximeterProtocol] = OximeterProtocol.allCases, asks: Bool) {
    precondition(!candidates.isEmpty, "A search needs something to look for")
    var settings: [LineSettings] = []
    for candidate in Self.order where candidates.contains(candidate) {
      settings += candidate.lineSettings.filter { !settings.contains($0) }
    }
    plans = settings.map { SearchTrial.Plan(settings: $0, candidates: candidates) }
    budgetOfSilence = plans.reduce(.zero) { $0 + $1.quiet }
    self.asks = asks
    state = .setting(plans.removeFirst())
  }

  /// Newer devices first; the old one whose speed differs from model to model last.
  private static let order: [OximeterProtocol] = [
    .contecV7, .bci, .noninDF2, .noninDF7, .noninDF8, .noninASCII, .masimoASCII, .nellcorASCII, .contecV5,
  ]

  /// How the line must be set now; nil when it is over.
  public var settings: LineSettings? {
    switch state {
    case .setting(let plan): plan.settings
    case .listening(let trial): trial.plan.settings
    case .finished: nil
    }
  }

  /// The line is set, and nothing that came before is in it.
  public mutating func begin(at now: Instant) -> [Event] {
    guard case .setting(let plan) = state else { return [] }
    state = .listening(SearchTrial(plan, asks: asks, isFirst: tried.isEmpty && plan.confirming == nil, at: now))
    return serveDeadline(at: now)
  }

  /// Takes in what came.
  public mutating func take(_ arrival: LineArrival) -> [Event] {
    guard case .listening(var trial) = state else { return [] }
    switch arrival.content {
    case .bytes(let bytes):
      trial.take(bytes, at: arrival.at)
      return judge(trial, at: arrival.at)
    case .lost, .returned, .ended: return finish(.lost)
    }
  }

  /// When it wants `serveDeadline(at:)` to be called, if nothing comes before.
  public var deadline: Instant? {
    guard case .listening(let trial) = state else { return nil }
    return trial.deadline
  }

  /// Does what is due.
  public mutating func serveDeadline(at now: Instant) -> [Event] {
    guard case .listening(var trial) = state else { return [] }
    let prompts = trial.duePrompts(at: now).map(Event.send)
    return prompts + judge(trial, at: now)
  }

  private mutating func judge(_ trial: SearchTrial, at now: Instant) -> [Event] {
    state = .listening(trial)
    switch trial.verdict(at: now) {
    case .open: return []
    case .found(let found): return confirm(found, trial.plan)
    case .postponed(let awaited):
      var plan = trial.plan
      plan.awaited = awaited
      plans.append(plan)
      return goOn(after: trial)
    case .inVain:
      // What was to be confirmed was understood all the same.
      if let found = trial.plan.confirming { return finish(.found(found)) }
      return goOn(after: trial)
    }
  }

  /// A device that was understood at a speed which is not its own is on a pseudo-terminal, or an odd one: its own speed
  /// is better, if it is understood there as well.
  private mutating func confirm(_ found: FoundOximeter, _ plan: SearchTrial.Plan) -> [Event] {
    guard !plan.usual.contains(found.speaks), !found.speaks.isSlow, let own = found.speaks.lineSettings.first else {
      return finish(.found(found))
    }
    state = .setting(SearchTrial.Plan(settings: own, candidates: [found.speaks], confirming: found))
    return [.set(own)]
  }

  private mutating func goOn(after trial: SearchTrial) -> [Event] {
    tried.removeAll { $0.settings == trial.plan.settings }
    tried.append(trial.tried)
    waitedFor += trial.waitedFor
    // On a pseudo-terminal the same comes with all settings, and waiting once is enough.
    plans.removeAll { !$0.awaited.isEmpty && $0.awaited.allSatisfy(waitedFor.contains) }
    guard !plans.isEmpty else {
      // A few bytes are what a line gives when it is opened.
      let isSilent = tried.allSatisfy { $0.bytes < 4 }
      return finish(isSilent ? .silent(tried: tried) : .unintelligible(tried: tried))
    }
    let plan = plans.removeFirst()
    state = .setting(plan)
    return [.set(plan.settings)]
  }

  private mutating func finish(_ outcome: SearchOutcome) -> [Event] {
    state = .finished
    return [.finished(outcome)]
  }
}

extension ProtocolSearch {
  /// Searches to the end, on lines that are opened with the settings to try; each line's time begins where it likes.
  ///
  /// - Parameter open: opens the line with these settings, after the one before was let go
  public mutating func run<Line: OximeterLine, Failure: Error>(
    opening open: (LineSettings) throws(Failure) -> (line: Line, now: Instant)
  ) throws(Failure) -> SearchOutcome {
    while let settings {
      var (line, now) = try open(settings)
      if let outcome = listen(to: &line, from: now) { return outcome }
    }
    preconditionFailure("A search that has no settings to try has told its outcome")
  }

  /// Listens until other settings are wanted, or the outcome is known.
  private mutating func listen(to line: inout some OximeterLine, from begin: Instant) -> SearchOutcome? {
    var now = begin
    var events = self.begin(at: now)
    while true {
      for event in events {
        switch event {
        case .send(let bytes): line.send(bytes, at: now)
        case .set: return nil
        case .finished(let outcome): return outcome
        }
      }
      guard let deadline else { return nil }
      if let arrival = line.next(before: deadline) {
        now = max(now, arrival.at)
        events = take(LineArrival(at: now, arrival.content))
      } else {
        now = max(now, deadline)
        events = serveDeadline(at: now)
      }
    }
  }
}
