import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Does `count` pieces of work, several at a time, and gives what came of them in order.
///
/// The first refusal, in that order, is thrown once all are over.
func inParallel<Outcome: Sendable>(
  _ count: Int, jobs: Int?, _ work: @Sendable (_ index: Int) throws(Refusal) -> Outcome
) throws(Refusal) -> [Outcome] {
  let queue = WorkQueue<Outcome>(count: count)
  DispatchQueue.concurrentPerform(iterations: min(count, jobs ?? coreCount())) { _ in
    while let index = queue.next() {
      do throws(Refusal) {
        queue.finish(index, .success(try work(index)))
      } catch {
        queue.finish(index, .failure(error))
      }
    }
  }
  var outcomes: [Outcome] = []
  for outcome in queue.outcomes { outcomes.append(try outcome.get()) }
  return outcomes
}

/// Hands out the pieces to the workers and takes in what comes of them.
private final class WorkQueue<Outcome: Sendable>: Sendable {
  private struct State {
    var next = 0
    var outcomes: [Result<Outcome, Refusal>?]
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(outcomes: Array(repeating: nil, count: count))) }

  /// The next piece that nobody does yet; nil when there is none.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.outcomes.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func finish(_ index: Int, _ outcome: Result<Outcome, Refusal>) {
    state.withLock { $0.outcomes[index] = outcome }
  }

  /// What came of the pieces that were done, in order.
  var outcomes: [Result<Outcome, Refusal>] { state.withLock { $0.outcomes.compactMap(\.self) } }
}

private func coreCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The value of `--jobs`.
func jobCount(_ text: String) throws(Refusal) -> Int {
  guard let count = Int(text), (1...1_024).contains(count) else {
    throw Refusal(request: "\(text.shown) is not a number of jobs", hint: "write a whole number from 1 to 1024")
  }
  return count
}
