import PulseAnalysis
import ReadingSession
import VitalsModel

/// Runs one core: puts what comes from any thread in order, keeps the core's deadlines, and has done what it asks.
///
/// The core is fed under a lock, so that a call has its answer when it returns. What the core asks for is done in its
/// order after the lock is open. While a result is being built the driver lives on, whoever drops it (V40).
final class SessionDriver: Sendable {
  /// How a result is built.
  typealias Builder = @Sendable (PulseRecord) async -> BuiltResult

  /// What a session tells its app, and when it has told everything.
  enum Telling: Sendable {
    case event(Event)
    case end
  }

  private let sdk: VitalsSDK
  private let tell: @Sendable (Telling) -> Void
  private let state: Guarded<State>
  private let errands = Mailbox<Errand>()

  private enum Errand: Sendable {
    case tell(Telling)
    case command(Command)
    case wakeUp(at: Instant)
  }

  /// - Parameter tell: is told everything in order, from any thread; must not block
  init(_ sdk: VitalsSDK, platform: Platform, tell: @escaping @Sendable (Telling) -> Void) throws(ReadingError) {
    var state = State(platform: platform)
    for fact in sdk.facts() { state.feed(fact, at: .zero) }
    if let error = state.engine.creationError { throw error }
    self.sdk = sdk
    self.tell = tell
    self.state = Guarded(state)
    sdk.host.connect(SessionInlet { [weak self] input, now in self?.take(input, at: now) })
  }

  // MARK: Calls

  func start(isOnMainThread: Bool) throws(ReadingError) {
    let facts = sdk.facts()
    switch call(.start(isOnMainThread: isOnMainThread), knowing: facts) {
    case .threw(let error): throw error
    case .returned: break
    }
  }

  func stop() { call(.stop) }

  func cancelReading() { call(.cancelReading) }

  var isAutoStartEnabled: Bool {
    get { state.withLock(\.isAutoStartEnabled) }
    set { call(.setAutoStart(newValue)) }
  }

  @discardableResult
  private func call(_ call: Call, knowing facts: [Input] = []) -> CallOutcome {
    let outcome = state.withLock { state in
      let now = state.advance(to: sdk.clock.now)
      for fact in facts { state.feed(fact, at: now) }
      let outcome = state.call(call, at: now)
      errands.add(state.takeErrands())
      return outcome
    }
    errands.handOver(run)
    return outcome
  }

  // MARK: The host and the time

  private func take(_ input: Input, at moment: Instant) {
    state.withLock { state in
      let now = state.advance(to: moment)
      state.feed(input, at: now)
      errands.add(state.takeErrands())
    }
    errands.handOver(run)
  }

  private func wakeUp() {
    state.withLock { state in
      state.wakeUp(at: sdk.clock.now)
      errands.add(state.takeErrands())
    }
    errands.handOver(run)
  }

  // MARK: Errands

  private func run(_ errand: Errand) {
    switch errand {
    case .tell(let telling): tell(telling)
    case .wakeUp(let moment): sdk.clock.wakeUp(at: moment) { [weak self] in self?.wakeUp() }
    case .command(.camera(let isOn)): sdk.host.setCamera(isOn: isOn)
    case .command(.torch(let isOn)): sdk.host.setTorch(isOn: isOn)
    case .command(.adjustFrameRate): sdk.host.adjustFrameRate()
    case .command(.buildResult(let attempt, let record)):
      // Off every thread that calls; keeps the driver until the result is there.
      Task.detached { [self] in
        let built = await sdk.build(record)
        take(.resultBuilt(attempt: attempt, built), at: sdk.clock.now)
      }
    }
  }

  // MARK: State

  private struct State {
    private(set) var engine: ReadingEngine
    private(set) var isAutoStartEnabled = true
    private var last = Instant.zero
    /// When the next wake-up comes; one that comes too early does no harm.
    private var wakesAt: Instant?
    private var calls = 0
    private var isResultPending = false
    private var errands: [Errand] = []

    init(platform: Platform) {
      engine = ReadingEngine(platform: platform)
    }

    /// A deadline that is missed by more than this belongs to a process that was frozen: whatever was to happen in the
    /// meantime did not.
    private static let freeze = TimeSpan.seconds(1)

    /// Gives the core the deadlines that have passed, each at its own time, so that a wake-up that comes a little late
    /// changes nothing, and after a freeze at the time that it is; and the moment at which an input that comes at `moment` is to be fed, which never falls.
    mutating func advance(to moment: Instant) -> Instant {
      let now = max(last, moment)
      // An input comes before a deadline of the same moment.
      serveTimer(at: now) { $0 < now }
      last = now
      return now
    }

    mutating func wakeUp(at moment: Instant) {
      let now = max(last, moment)
      wakesAt = nil
      serveTimer(at: now) { $0 <= now }
      last = now
    }

    private mutating func serveTimer(at now: Instant, while isDue: (Instant) -> Bool) {
      while let deadline = engine.deadline, isDue(deadline) {
        last = max(last, now - deadline > Self.freeze ? now : deadline)
        feed(.timer, at: last)
      }
    }

    mutating func call(_ call: Call, at now: Instant) -> CallOutcome {
      calls += 1
      if case .setAutoStart(let isEnabled) = call { isAutoStartEnabled = isEnabled }
      var outcome = CallOutcome.returned
      for case .reply(calls, let given) in feed(.call(id: calls, call), at: now) { outcome = given }
      if call == .stop, !isResultPending { errands.append(.tell(.end)) }
      return outcome
    }

    @discardableResult
    mutating func feed(_ input: Input, at now: Instant) -> [Effect] {
      let effects = engine.feed(input, at: now)
      for effect in effects { note(effect) }
      return effects
    }

    private mutating func note(_ effect: Effect) {
      switch effect {
      case .reply: break
      case .command(let command): errands.append(.command(command))
      case .event(let event):
        errands.append(.tell(.event(event)))
        switch event {
        case .measurementComplete: isResultPending = true
        case .completed, .failed:
          isResultPending = false
          errands.append(.tell(.end))
        case .guidance, .started, .preview, .heartbeat, .cancelled: break
        }
      }
    }

    /// What is to be done since this was last asked for, a wake-up among it where the core wants one earlier.
    mutating func takeErrands() -> [Errand] {
      if let deadline = engine.deadline, wakesAt.map({ deadline < $0 }) ?? true {
        wakesAt = deadline
        errands.append(.wakeUp(at: deadline))
      }
      defer { errands = [] }
      return errands
    }
  }
}
