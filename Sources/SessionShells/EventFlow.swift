import ReadingSession

/// The events of one Android session, for any number of collectors (V48).
///
/// A collector gets what is emitted after it began: iterating begins with `makeAsyncIterator()`. Each keeps 64 events
/// that it has not taken; beyond that the oldest that may be dropped goes, but never `cancelled`, `completed` or
/// `failed`. The flow never ends by itself: cancel the collecting task, or leave its loop.
public struct EventFlow: AsyncSequence, Sendable {
  private let collectors = Collectors()

  func emit(_ event: Event) { collectors.emit(event) }

  /// How many collect now.
  var collectorCount: Int { collectors.count }

  /// Begins collecting.
  public func makeAsyncIterator() -> Iterator { Iterator(collectors.add()) }

  /// One collector; it leaves when it is dropped.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let membership: Membership

    fileprivate init(_ membership: Membership) {
      self.membership = membership
    }

    /// The next event; nil once the task that collects is cancelled. One task at a time may wait for it.
    public func next() async -> Event? { await membership.collector.next() }
  }
}

/// Those who collect now.
private final class Collectors: Sendable {
  private struct State {
    var collectors: [(id: Int, collector: Collector)] = []
    var added = 0
  }

  private let state = Guarded(State())

  var count: Int { state.withLock(\.collectors.count) }

  func emit(_ event: Event) {
    for collector in state.withLock({ $0.collectors.map(\.collector) }) { collector.add(event) }
  }

  func add() -> Membership {
    let collector = Collector()
    let id = state.withLock { state in
      state.added += 1
      state.collectors.append((state.added, collector))
      return state.added
    }
    return Membership(collector) { [weak self] in self?.remove(id) }
  }

  private func remove(_ id: Int) {
    state.withLock { state in state.collectors.removeAll { $0.id == id } }
  }
}

/// Ends with the iterator that holds it.
private final class Membership: Sendable {
  let collector: Collector
  private let leave: @Sendable () -> Void

  init(_ collector: Collector, leave: @escaping @Sendable () -> Void) {
    self.collector = collector
    self.leave = leave
  }

  deinit { leave() }
}

/// Hands events from whoever emits to the task that collects, if it waits, or keeps them for it.
private final class Collector: Sendable {
  private enum State {
    case collecting(CollectorBuffer)
    /// Nothing is kept, and a task waits for the next event.
    case waiting(CheckedContinuation<Event?, Never>)
    case cancelled
  }

  private let state = Guarded(State.collecting(CollectorBuffer()))

  func add(_ event: Event) {
    let waiting = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      switch state {
      case .collecting(var buffer):
        buffer.add(event)
        state = .collecting(buffer)
        return nil
      case .waiting(let continuation):
        state = .collecting(CollectorBuffer())
        return continuation
      case .cancelled: return nil
      }
    }
    waiting?.resume(returning: event)
  }

  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      cancel()
    }
  }

  private func wait(_ continuation: CheckedContinuation<Event?, Never>) {
    let next = state.withLock { state -> Event?? in
      switch state {
      case .collecting(var buffer):
        guard let event = buffer.takeFirst() else {
          state = .waiting(continuation)
          return nil
        }
        state = .collecting(buffer)
        return event
      case .waiting: preconditionFailure("two tasks wait for the next event of one collector")
      case .cancelled: return .some(nil)
      }
    }
    if let next { continuation.resume(returning: next) }
  }

  private func cancel() {
    let waiting = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      defer { state = .cancelled }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(returning: nil)
  }
}
