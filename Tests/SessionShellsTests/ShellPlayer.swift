import PulseAnalysis
import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

/// Either platform's session, for what holds on both.
@MainActor
enum Shell {
  case ios(VitalsSession)
  case android(AndroidVitalsSession)

  init(_ platform: Platform, _ sdk: VitalsSDK) throws(ReadingError) {
    switch platform {
    case .ios: self = .ios(try VitalsSession(sdk))
    case .android: self = .android(try AndroidVitalsSession(sdk))
    }
  }

  func start() throws(ReadingError) {
    switch self {
    case .ios(let session): try session.start()
    case .android(let session): try session.start()
    }
  }

  func stop() {
    switch self {
    case .ios(let session): session.stop()
    case .android(let session): session.stop()
    }
  }

  func cancelReading() {
    switch self {
    case .ios(let session): session.cancelReading()
    case .android(let session): session.cancelReading()
    }
  }

  var isAutoStartEnabled: Bool {
    get {
      switch self {
      case .ios(let session): session.isAutoStartEnabled
      case .android(let session): session.isAutoStartEnabled
      }
    }
    nonmutating set {
      switch self {
      case .ios(let session): session.isAutoStartEnabled = newValue
      case .android(let session): session.isAutoStartEnabled = newValue
      }
    }
  }

  /// What gives the events one by one, from now on.
  func collect() -> EventTap {
    switch self {
    case .ios(let session): .stream(session.events.makeAsyncIterator())
    case .android(let session): .flow(session.events.makeAsyncIterator())
    }
  }
}

/// One consumer of a session's events.
enum EventTap {
  case stream(AsyncStream<Event>.Iterator)
  case flow(EventFlow.Iterator)

  /// The next event; nil when the stream has ended.
  @MainActor
  func next() async -> Event? {
    switch self {
    case .flow(let iterator): await iterator.next()
    // A copy of an iterator goes on where the others are.
    case .stream(var iterator): await iterator.next(isolation: MainActor.shared)
    }
  }

  /// Reads until the event that ends the session, and gives that.
  @MainActor
  func last() async -> Event? {
    while let event = await next() {
      switch event {
      case .completed, .failed: return event
      case .guidance, .started, .preview, .heartbeat, .cancelled, .measurementComplete: break
      }
    }
    return nil
  }
}

extension ReadingError {
  /// What a throwing call threw; nil when it did not.
  static func thrown(by body: () throws(ReadingError) -> Void) -> ReadingError? {
    do throws(ReadingError) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}

/// A shell that is played like the core, and waits for the events that the core had by then.
@MainActor
final class ShellPlayer: SessionPlayer {
  let host = SimulatedHost()
  let builder = HeldBuilder()
  private(set) var shell: Shell?
  private let tap: EventTap
  private let moments: [Instant]
  private let isClockLate: Bool
  private var lastAct = Instant.zero
  private(set) var log = SessionLog()

  /// - Parameters:
  ///   - moments: when the core's events came
  ///   - isClockLate: whether wake-ups come only with the next input
  init(_ platform: Platform, moments: [Instant], isClockLate: Bool = false) throws(ReadingError) {
    let sdk = VitalsSDK(host: host) { [builder] in await builder.build($0) }
    try sdk.activate(key: "key")
    let shell = try Shell(platform, sdk)
    self.shell = shell
    tap = shell.collect()
    self.moments = moments
    self.isClockLate = isClockLate
  }

  var deadline: Instant? { isClockLate ? nil : host.manualClock.nextWakeUp }
  var isCameraOn: Bool { host.isCameraOn }

  func arrive(at now: Instant) async {
    // A clock that is late gives the deadlines before an input only with that input.
    let past = isClockLate ? lastAct : now
    await receive(atLeast: moments.firstIndex { $0 >= past } ?? moments.count)
    host.manualClock.move(to: now)
  }

  private func receive(atLeast count: Int) async {
    while log.events.count < count, let event = await tap.next() {
      #expect(MainThread.isCurrent)
      log.events.append(event)
    }
  }

  func act(_ act: ScriptedSession.Act, at now: Instant) {
    lastAct = now
    switch act {
    case .view: break
    case .build: builder.letGo()
    case .call(let call): log.outcomes.append(answer(call))
    case .input(.timer): host.manualClock.ring()
    case .input(let input): host.tell { $0.take(input, now) }
    }
  }

  private func answer(_ call: Call) -> CallOutcome {
    switch call {
    case .activate: break
    case .start:
      let error = ReadingError.thrown { () throws(ReadingError) in try shell?.start() }
      if let error { return .threw(error) }
    case .stop: shell?.stop()
    case .cancelReading: shell?.cancelReading()
    case .setAutoStart(let isEnabled): shell?.isAutoStartEnabled = isEnabled
    }
    return .returned
  }

  func drop() { shell = nil }

  /// Everything that is still to come, up to the core's last event.
  func finish(endsStream: Bool) async -> SessionLog {
    host.manualClock.ring()
    await receive(atLeast: moments.count)
    if endsStream { #expect(await tap.next() == nil) }
    log.commands = host.commands
    return log
  }
}
