import Dispatch
import ReadingSession
import Testing

@testable import SessionShells

private func guidance(_ number: Int) -> Event { .guidance(.compliant, startProgress: Double(number) / 1_000) }

private let cancelled = Event.cancelled(.contactLost)

// MARK: V48: what a collector that lags keeps

@Test func aBufferKeepsSixtyFourAndDropsTheOldestThatMayGo() {
  let many = (0..<100).map(guidance)
  let rows: [(added: [Event], kept: [Event])] = [
    ([], []),
    (Array(many.prefix(64)), Array(many.prefix(64))),
    (many, Array(many.suffix(64))),
    // The oldest stays when it is one of those that always arrive.
    ([cancelled] + many, [cancelled] + many.suffix(63)),
    (many + [.failed(.cameraUnavailable)], many.suffix(63) + [.failed(.cameraUnavailable)]),
    (Array(many.prefix(10)) + [.started, cancelled] + many, [cancelled] + many.suffix(63)),
    // Beyond 64, where nothing may be dropped; and then what comes is itself the oldest that may.
    (Array(repeating: cancelled, count: 200), Array(repeating: cancelled, count: 200)),
    (Array(repeating: cancelled, count: 70) + many, Array(repeating: cancelled, count: 70)),
    (
      Array(many.prefix(64)) + Array(repeating: cancelled, count: 70) + [.failed(.noHeartRate)],
      Array(repeating: cancelled, count: 70) + [.failed(.noHeartRate)]
    ),
  ]
  for (added, kept) in rows {
    var buffer = CollectorBuffer()
    for event in added { buffer.add(event) }
    #expect(buffer.events == kept)
    for event in kept { #expect(buffer.takeFirst() == event) }
    #expect(buffer.takeFirst() == nil)
  }
}

@Test func everyKindOfEventIsDroppedOrKept() {
  let rows: [(Event, isKept: Bool)] = [
    (guidance(0), false), (.started, false), (.preview(.empty), false), (.heartbeat(ibiMs: nil), false),
    (.measurementComplete, false), (cancelled, true), (.failed(.noHeartRate), true),
    (.completed(.sample), true),
  ]
  for (event, isKept) in rows {
    var buffer = CollectorBuffer()
    buffer.add(event)
    for number in 1...64 { buffer.add(guidance(number)) }
    #expect(buffer.events.contains(event) == isKept, "\(event)")
    #expect(buffer.events.count == 64)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct EventFlowTests {
  @Test func aSlowCollectorGetsEveryCancelledAndTheEnd() async {
    let flow = EventFlow()
    let slow = flow.makeAsyncIterator()
    for number in 0..<100 {
      flow.emit(cancelled)
      flow.emit(guidance(number))
    }
    flow.emit(.failed(.cameraUnavailable))
    for _ in 0..<100 { #expect(await slow.next() == cancelled) }
    #expect(await slow.next() == .failed(.cameraUnavailable))
  }

  @Test func eachCollectorHasItsOwnBuffer() async {
    let flow = EventFlow()
    let (fast, slow) = (flow.makeAsyncIterator(), flow.makeAsyncIterator())
    for number in 0..<100 {
      flow.emit(guidance(number))
      #expect(await fast.next() == guidance(number))
    }
    for number in 36..<100 { #expect(await slow.next() == guidance(number)) }
  }

  @Test func aLateCollectorGetsOnlyWhatComesAfter() async {
    let flow = EventFlow()
    let early = flow.makeAsyncIterator()
    flow.emit(cancelled)
    let late = flow.makeAsyncIterator()
    flow.emit(.started)
    #expect(await early.next() == cancelled)
    for collector in [early, late] { #expect(await collector.next() == .started) }
  }

  /// It has nothing more to give after the end, and gives what comes all the same.
  @Test func aFlowNeverEndsByItselfAndACollectorEndsByCancelling() async {
    let flow = EventFlow()
    let events = flow.makeAsyncIterator()
    for event in [Event.completed(.sample), .started] {
      flow.emit(event)
      #expect(await events.next() == event)
    }
    let collecting = Task { await events.next() }
    collecting.cancel()
    #expect(await collecting.value == nil)
  }

  /// Whether it waits already or not when it is cancelled.
  @Test func cancellingWakesAWaitingCollector() async {
    for _ in 0..<200 {
      let flow = EventFlow()
      let events = flow.makeAsyncIterator()
      let collecting = Task.detached { await events.next() }
      async let cancelling: Void = Task.detached { collecting.cancel() }.value
      await cancelling
      #expect(await collecting.value == nil)
    }
  }

  @Test func aCollectorWaitsForWhatIsEmittedElsewhere() async {
    let flow = EventFlow()
    let events = flow.makeAsyncIterator()
    for number in 0..<200 {
      let emitting = Task.detached { flow.emit(guidance(number)) }
      #expect(await events.next() == guidance(number))
      await emitting.value
    }
  }

  @Test func aCollectorThatIsDroppedIsForgotten() {
    let flow = EventFlow()
    var events: EventFlow.Iterator? = flow.makeAsyncIterator()
    let other = flow.makeAsyncIterator()
    #expect(flow.collectorCount == 2)
    events = nil
    #expect(events == nil && flow.collectorCount == 1)
    withExtendedLifetime(other) {}
  }

  @Test func collectorsComeAndGoWhileEventsAreEmitted() async {
    let flow = EventFlow()
    let staying = flow.makeAsyncIterator()
    // Enough that more than one thread comes to it; and none of these events may be dropped.
    DispatchQueue.concurrentPerform(iterations: 4_000) { number in
      if number.isMultiple(of: 2) { flow.emit(cancelled) } else { _ = flow.makeAsyncIterator() }
    }
    #expect(flow.collectorCount == 1)
    flow.emit(.failed(.noHeartRate))
    for _ in 0..<2_000 { #expect(await staying.next() == cancelled) }
    #expect(await staying.next() == .failed(.noHeartRate))
  }
}
