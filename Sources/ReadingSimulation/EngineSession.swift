import PulseAnalysis
import ReadingSession
import Simulation
import Traces
import VitalsModel

/// The built-in engine as a session under test.
///
/// It keeps what `buildResult` carries and builds the result when the host says that it is due, so that the notice in
/// a trace is enough to replay a run.
package struct EngineSession: SessionUnderTest {
  private var engine: ReadingEngine
  private var recordsToBuild: [Int: PulseRecord] = [:]

  /// The engine as it is, or with times that no app could give it.
  package init(platform: Platform, timing: Timing = .standard) {
    engine = ReadingEngine(platform: platform, timing: timing)
  }

  package var deadline: Instant? { engine.deadline }

  package mutating func feed(_ input: SessionInput<FrameSample>, at now: Instant) -> [SessionEffect] {
    guard let input = translate(input) else { return [] }
    return engine.feed(input, at: now).map { effect in
      if case .command(.buildResult(let attempt, let record)) = effect { recordsToBuild[attempt] = record }
      return SessionEffect(effect)
    }
  }

  private mutating func translate(_ input: SessionInput<FrameSample>) -> Input? {
    switch input {
    case .sample(let frame): return .frame(frame)
    case .timer: return .timer
    case .call(let id, let message): return .call(id: id, Call(message))
    case .notice(let notice):
      if case .integer(let attempt)? = notice["attempt"], notice.name == "resultBuilt" {
        let record = recordsToBuild.removeValue(forKey: Int(attempt))
        return record.map { .resultBuilt(attempt: Int(attempt), buildResult($0)) }
      }
      return Input(notice)
    }
  }
}
