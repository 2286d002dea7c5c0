import Scenarios
import Traces
import VitalsModel

/// A timeline with its moments known: what happens, when, and what of it does not.
public struct Timetable: Hashable, Sendable {
  /// What happens, in the order of time; what a `for` turns back is in it.
  public let entries: [Entry]
  /// When each stimulus of the timeline happens, in its order; nil: it waits for an event that never came.
  public let times: [Instant?]
  /// The places in the timeline, from 0, of what waits for an event that never came.
  public let unplaced: [Int]

  /// One thing and its moment.
  public struct Entry: Hashable, Sendable {
    /// When it happens.
    public let at: Instant
    /// What happens.
    public let action: Stimulus.Action

    /// As a trace holds it; nil for a call, which is somebody's to answer.
    public var trace: TraceEntry? {
      switch action {
      case .call: nil
      case .world(let change): TraceEntry(at: at, .stimulus(change.message))
      }
    }
  }

  /// The timetable of a scenario.
  ///
  /// - Parameters:
  ///   - trace: a run of the scenario, whose events place what waits for them; empty where nothing does
  public init(_ scenario: Scenario, vocabulary: Vocabulary, events trace: [TraceEntry] = []) {
    func placed(_ timeline: [Stimulus]) -> Script {
      var script = Script(timeline, beginning: scenario.settings, vocabulary: vocabulary)
      for entry in trace {
        guard case .event(let event) = entry.item else { continue }
        let argument = vocabulary.event(event.name)?.argumentKey.flatMap { event[$0]?.text }
        script.see({ $0.matches(name: event.name, argument: argument) }, at: entry.at)
      }
      return script
    }
    // By itself a stimulus is the first of its script.
    times = scenario.timeline.map { stimulus in
      switch stimulus.placement {
      case .at(let time): .zero + time
      case .after: placed([stimulus]).nextTime
      }
    }
    var script = placed(scenario.timeline)
    unplaced = script.unplaced
    var entries: [Entry] = []
    while let at = script.nextTime {
      guard let action = script.next() else { continue }
      entries.append(Entry(at: at, action: action))
    }
    self.entries = entries
  }
}
