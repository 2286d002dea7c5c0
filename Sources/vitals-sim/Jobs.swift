import Dispatch
import Reporting
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Does every planned run, several at a time, and gives the reports in the order of the plan.
///
/// The first refusal, in that order, is thrown once all runs are over.
func runAll(
  _ plan: [PlannedRun], jobs: Int?, _ run: @Sendable (PlannedRun) throws(Refusal) -> RunReport
) throws(Refusal) -> [RunReport] {
  let workers = min(plan.count, jobs ?? coreCount())
  let queue = RunQueue(count: plan.count)
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    while let index = queue.next() {
      do throws(Refusal) {
        queue.finish(index, .success(try run(plan[index])))
      } catch {
        queue.finish(index, .failure(error))
      }
    }
  }
  var reports: [RunReport] = []
  for outcome in queue.outcomes { reports.append(try outcome.get()) }
  return reports
}

/// Hands out the runs to the workers and takes in what comes of them.
private final class RunQueue: Sendable {
  private struct State {
    var next = 0
    var outcomes: [Result<RunReport, Refusal>?]
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(outcomes: Array(repeating: nil, count: count))) }

  /// The next run that nobody does yet; nil when there is none.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.outcomes.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func finish(_ index: Int, _ outcome: Result<RunReport, Refusal>) {
    state.withLock { $0.outcomes[index] = outcome }
  }

  /// What came of the runs that were done, in the order of the plan.
  var outcomes: [Result<RunReport, Refusal>] { state.withLock { $0.outcomes.compactMap(\.self) } }
}

private func coreCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
