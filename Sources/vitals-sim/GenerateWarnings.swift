import ReadingSimulation
import Recordings
import Scenarios
import VitalsModel

/// Tells on standard error what the user might miss.
func warn(_ warning: String) {
  StandardStream.error.write("vitals-sim: warning: \(warning.withoutControls)\n")
}

extension Take {
  /// What was asked for and has no effect on the recording.
  var warnings: [String] {
    unplacedWarnings + lateWarnings
      + overrides.compactMap { override in
        withoutEffect(override.value.name).map { "\(override.text) has no effect on a recording: \($0)" }
      }
  }

  private var unplacedWarnings: [String] {
    let isStarted = scenario.timeline.contains { $0.action == .call("start", argument: nil) }
    let reason = isStarted ? "" : ", in which nothing calls start"
    return timetable.unplaced.map { scenario.timeline[$0] }.filter(\.isChange).map { stimulus in
      "\(place(of: stimulus)): left out, since what it comes after never came in a run\(reason)"
    }
  }

  private var lateWarnings: [String] {
    zip(scenario.timeline, timetable.times).compactMap { stimulus, time in
      guard stimulus.isChange, let time, time >= .zero + length else { return nil }
      let (at, end) = (Quantity.time.text(time.seconds), Quantity.time.text(length.seconds))
      return "\(place(of: stimulus)): left out, since it comes at \(at) and the recording ends at \(end)"
    }
  }

  private func place(of stimulus: Stimulus) -> String { "\(path ?? ""):\(stimulus.mark.line)" }

  /// Why a setting does nothing here; nil where it may do something.
  private func withoutEffect(_ setting: String) -> String? {
    switch setting {
    case "camera.openDelay": "it begins when the camera is open"
    case "camera.latency": "its frames are as they were captured"
    case "camera.declaredRate": "it holds no more of the camera's rate than its frames"
    case "camera.torchWarmUp" where !mayLoseTorch: "the torch is warm when it begins, and never goes out"
    case "host.resultDelay": "it has no result"
    case "host.activation", "host.licence", "host.permission", "host.device": "only a session heeds it"
    default: nil
    }
  }

  /// Words of the world that may keep the camera from the app, and the torch with it.
  private static let takingCamera = ["camera", "app", "phoneCall", "splitView", "otherApp", "systemPressure"]
  /// Words that may put out the torch for a while.
  private static let puttingOutTorch = takingCamera + ["torch", "mediaServices", "orientation"]

  /// Whether the torch may be lit anew during the recording.
  private var mayLoseTorch: Bool { !states(of: Self.puttingOutTorch).isEmpty }

  /// What a recording without a frame says, and why, as far as it is known.
  var noFrameWarning: String {
    let states = states(of: Self.takingCamera).map { "\($0.word) is \($0.state)" }
    let reason = states.isEmpty ? "" : ": \(states.joined(separator: ", "))"
    return "the recording has no frame\(reason)"
  }

  /// Every state other than the usual one that one of these words of the world begins in, or comes into before the end.
  private func states(of words: [String]) -> [(word: String, state: String)] {
    let changes = timetable.entries.filter { $0.at < .zero + length }.compactMap { entry -> (String, String)? in
      guard case .world(.state(let word, let state)) = entry.action else { return nil }
      return (word, state)
    }
    return (scenario.settings.firstStates + changes).filter { word, state in
      let usual = ScenarioFiles.contract.vocabulary.world.first { $0.name == word }?.states.first
      return words.contains(word) && state != usual
    }
  }
}

extension GeneratedPlaces {
  /// What the format cannot hold as it was asked for.
  func warnings(about take: Take) -> [String] {
    let written = take.edfTiming.rateHz
    // The rates of video are written exactly, though a scenario rounds them.
    guard format == .edf, (written - take.frameRateFps).magnitude > 0.000_5 else { return [] }
    let (asked, rate) = (Quantity.frameRate.text(take.frameRateFps), Quantity.frameRate.text(written))
    return ["EDF+ has no place for \(asked): its samples are put on a grid of \(rate)"]
  }
}
