import Dispatch
import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DeliveryTests {
  // MARK: V47: the iOS stream

  @Test func theStreamEndsAfterCompleted() async throws {
    let setup = try Setup { _ in .result(.sample) }
    let session = try VitalsSession(setup.sdk)
    try session.start()
    setup.run(to: 67)
    let events = await all(session)
    #expect(events.last == .completed(.sample))
    #expect(events.filter { $0 == .started || $0 == .measurementComplete } == [.started, .measurementComplete])
  }

  @Test func theStreamEndsAfterFailed() async throws {
    let setup = try Setup()
    let session = try VitalsSession(setup.sdk)
    try session.start()
    setup.run(to: 11, .nothing)
    #expect(await all(session) == [.failed(.cameraUnavailable)])
  }

  @Test func theStreamEndsOnAStopWithNoResultPending() async throws {
    for seconds in [0, 2.5, 20] {
      let setup = try Setup()
      let session = try VitalsSession(setup.sdk)
      try session.start()
      setup.run(to: seconds)
      session.stop()
      setup.run(from: seconds, to: seconds + 5)
      let events = await all(session)
      #expect(events.contains(.started) == (seconds == 20))
      #expect(!events.contains { $0.isEnd })
    }
    let unstarted = try VitalsSession(Setup().sdk)
    unstarted.stop()
    #expect(await all(unstarted) == [])
  }

  @Test func theStreamGoesOnAfterAStopWhileAResultIsPending() async throws {
    let setup = try Setup()
    let session = try VitalsSession(setup.sdk)
    try session.start()
    setup.run(to: 67)
    session.stop()
    #expect(!setup.host.isCameraOn && setup.host.commands.suffix(2) == ["torch off", "camera off"])
    setup.builder.letGo()
    guard case .completed? = await all(session).last else {
      Issue.record("the result did not come")
      return
    }
    #expect(setup.host.commands == ["camera on", "torch on", "torch off", "camera off"])
  }

  /// Whoever consumes, and wherever the frames come from. This consumer goes on within what tells it, so that the thread
  /// which it sees is the one that told.
  @Test func everyEventOfIOSIsToldOnTheMainThread() async throws {
    let setup = try Setup()
    let session = try VitalsSession(setup.sdk)
    let consumer = Task(executorPreference: InlineExecutor()) { @concurrent [events = session.events] in
      var toldOnMainThread: [Bool] = []
      for await _ in events { toldOnMainThread.append(MainThread.isCurrent) }
      return toldOnMainThread
    }
    try session.start()
    await Task.detached { setup.run(to: 3.5) }.value
    session.stop()
    #expect(await consumer.value == [true, true, true])
  }

  @Test func aStreamHasOneConsumerAndGivesEachEventOnce() async throws {
    let setup = try Setup()
    let session = try VitalsSession(setup.sdk)
    try session.start()
    setup.run(to: 3.5)
    session.stop()
    #expect(await all(session).count == 3)
    #expect(await all(session) == [])
  }

  private func all(_ session: VitalsSession) async -> [Event] {
    var events: [Event] = []
    for await event in session.events {
      #expect(MainThread.isCurrent)
      events.append(event)
    }
    return events
  }

  // MARK: V48: Android's collectors, on a session

  @Test func aSlowCollectorOfASessionStillGetsTheResult() async throws {
    let setup = try Setup { _ in .result(.sample) }
    let session = try AndroidVitalsSession(setup.sdk)
    let (slow, fast) = (session.events.makeAsyncIterator(), session.events.makeAsyncIterator())
    try session.start()
    setup.run(to: 20)
    session.cancelReading()
    setup.run(from: 20, to: 90)
    // Once one collector has the result, every other has it too.
    repeat {} while await fast.next() != .completed(.sample)
    var kept: [Event] = []
    repeat { kept += [await slow.next()].compactMap(\.self) } while kept.last != .completed(.sample)
    #expect(kept.count == CollectorBuffer.capacity && kept.first == .cancelled(.cancelledByApp))
  }

  @Test func androidTellsOffTheMainThread() async throws {
    let setup = try Setup()
    let session = try AndroidVitalsSession(setup.sdk)
    let events = session.events.makeAsyncIterator()
    try session.start()
    setup.run(to: 1.5)
    // The main thread is held here, and the event comes all the same.
    let arrived = DispatchSemaphore(value: 0)
    Task.detached {
      _ = await events.next()
      arrived.signal()
    }
    #expect(waits(for: arrived))
  }

  @Test func aDestroyedOwnerStopsAnAndroidSessionOnly() async throws {
    for platform in Platform.allCases {
      let setup = try Setup()
      let shell = try Shell(platform, setup.sdk)
      try shell.start()
      setup.run(to: 3)
      setup.host.tell { $0.ownerDestroyed(at: moment(3)) }
      #expect(setup.host.isCameraOn == (platform == .ios))
      let isOver = setup.startError(shell) == .internalError("start() on a session that has ended")
      #expect(isOver == (platform == .android))
    }
  }
}

/// Runs what is ready at once, on the thread that made it ready.
private final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Whether a signal comes, for which the thread is held; synchronous on purpose.
private func waits(for signal: DispatchSemaphore) -> Bool { signal.wait(timeout: .now() + .seconds(30)) == .success }

extension Event {
  fileprivate var isEnd: Bool {
    switch self {
    case .completed, .failed, .cancelled: true
    case .guidance, .started, .preview, .heartbeat, .measurementComplete: false
    }
  }
}
