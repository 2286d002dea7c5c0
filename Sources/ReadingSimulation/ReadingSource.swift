import OximeterProtocols
import ReadingWorld
import Recordings
import Scenarios

/// Where the frames of a run come from.
public enum ReadingSource: Sendable {
  /// What the scenario says: a synthetic finger on a simulated phone, or in a virtual oximeter.
  case synthetic
  /// The scenario's finger in a virtual oximeter that speaks a protocol with a pleth, whatever it says.
  case virtualOximeter(OximeterProtocol)
  /// An oximeter with a finger of flesh and blood.
  case liveOximeter
  /// A recording, and what a reference device recorded with it.
  case recording(Recording, reference: ReferenceIntervals?)
}

/// Why a scenario cannot run on a source, as the end of a sentence; nil when it can.
///
/// A recording and a live finger are what they are: nothing can be put in their place, and nothing about them can change.
public func refusal(of scenario: Scenario, on source: ReadingSource) -> String? {
  switch source {
  case .synthetic: nil
  case .virtualOximeter: refusal(ofCamerasIn: scenario)
  case .liveOximeter: refusal(ofChangesIn: scenario, what: "a live oximeter")
  case .recording: refusal(ofChangesIn: scenario, what: "a recording")
  }
}

private func refusal(ofCamerasIn scenario: Scenario) -> String? {
  let reason = "and an oximeter has neither camera nor torch; run it on a synthetic finger"
  for stimulus in scenario.timeline {
    guard case .world(let change) = stimulus.action, phoneKeys.contains(change.word) else { continue }
    return "\(change.text) on line \(stimulus.mark.line) is about a phone's camera, \(reason)"
  }
  if let (word, state) = scenario.settings.firstStates.first(where: { phoneKeys.contains($0.word) }) {
    return "\(word): \(state) is about a phone's camera, \(reason)"
  }
  return nil
}

private func refusal(ofChangesIn scenario: Scenario, what: String) -> String? {
  let advice = "run a scenario that only calls the session"
  if let source = scenario.source {
    return "source: \(source) puts something before the session, and \(what) shows what it shows; \(advice)"
  }
  for stimulus in scenario.timeline {
    guard case .world(let change) = stimulus.action else { continue }
    return
      "\(change.text) on line \(stimulus.mark.line) changes the finger, and \(what) cannot be changed; \(advice)"
  }
  if let (word, state) = scenario.settings.firstStates.first {
    return "\(word): \(state) changes the phone, and \(what) has none; \(advice)"
  }
  return nil
}

extension WorldChange {
  /// As a scenario has it: `contact: lost`, or the word alone.
  fileprivate var text: String {
    switch self {
    case .state(let word, let state): "\(word): \(state)"
    case .quantity(let word, _, _): word
    }
  }
}
