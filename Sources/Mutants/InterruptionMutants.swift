import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong when the system takes the camera.
  static let interruptions: [Mutant] = [
    Mutant("android-profile-on-ios", breaks: "V31", .decision, "The session behaves as on Android, on iOS too.") {
      $0.profile = .android
    },
    Mutant("calls-unheard", breaks: "V31", .input, "A phone call is no interruption.") {
      $0.ignores { input, _ in input.isNotice("interruptionBegan", "phoneCall") }
    },
    Mutant("split-view-unheard", breaks: "V31", .input, "Split View is no interruption.") {
      $0.ignores { input, _ in input.isNotice("interruptionBegan", "splitView") }
    },
    Mutant("pressure-unheard", breaks: "V31", .input, "System pressure is no interruption.") {
      $0.ignores { input, _ in input.isNotice("interruptionBegan", "systemPressure") }
    },
    Mutant("media-reset-unheard", breaks: "V31", .input, "A reset of the media services is no interruption.") {
      $0.ignores { input, _ in input.isNotice("interruptionBegan", "mediaServicesReset") }
    },
    Mutant("other-app-unheard", breaks: "V31", .input, "Another app that takes the camera is no interruption.") {
      $0.ignores { input, _ in input.isNotice("interruptionBegan", "otherApp") }
    },
    Mutant("background-unheard", breaks: "V31", .input, "The background is no interruption.") {
      $0.ignores { input, past in input.isNotice("app", "background") && past.phase != .idle }
    },
    Mutant("calls-heard-on-android", breaks: "V31", .input, "A phone call is an interruption on Android too.") {
      $0.hears = { input, _ in
        for name in ["interruptionBegan", "interruptionEnded"] where input.isNotice(name, "phoneCall") {
          return .instead([.interruption(name, "otherApp")])
        }
        return .asIs
      }
    },
    Mutant("guidance-while-interrupted", breaks: "V32", .decision, "Guidance goes on while the camera is taken.") {
      $0.alarm = { past in
        guard past.phase == .positioning, let since = past.interruptedSince else { return nil }
        return max(past.rungAt ?? since, since) + .seconds(1)
      }
      $0.rings = { _ in [.guidance("frameDrop")] }
    },
    Mutant("interruption-heard-late", breaks: "V32", .input, "Interruptions are heard 1.5 s too late.") {
      $0.hearsLate(by: .milliseconds(1_500)) { input, _ in
        input.isNotice("interruptionBegan") || input.isNotice("app", "background")
      }
    },
    Mutant(
      "end-without-reason-unheard", breaks: "V33", .input, "The end of an interruption is heard only with its reason."
    ) {
      $0.ignores { input, _ in
        guard case .notice(let notice) = input else { return false }
        return notice.name == "interruptionEnded" && notice["reason"] == nil
      }
    },
    Mutant("end-with-reason-unheard", breaks: "V33", .input, "Only the end of all interruptions is heard.") {
      $0.ignores { input, _ in
        guard case .notice(let notice) = input else { return false }
        return notice.name == "interruptionEnded" && notice["reason"] != nil
      }
    },
    Mutant("one-end-ends-all", breaks: "V32", .input, "The first end of an interruption is taken for the end of all.") {
      $0.hears = { input, _ in
        input.isNotice("interruptionEnded")
          ? .instead([.notice(Message("interruptionEnded"))]) : .asIs
      }
    },
    Mutant("foreground-unheard", breaks: "V33", .input, "The app's return to the foreground is not heard.") {
      $0.ignores { input, _ in input.isNotice("app", "foreground") }
    },
    Mutant("dark-after-interruption", breaks: "V33", .decision, "After an interruption the torch stays off.") {
      $0.omits { effect, past in effect.isCommand("torch", on: true) && past.clearedAt != nil }
    },
    Mutant("restored-late", breaks: "V33", .timer, "After an interruption the camera is opened 4 s late.") {
      $0.delays(by: .seconds(4)) { effect, past in
        past.clearedAt == past.now && (effect.isCommand("camera", on: true) || effect.isCommand("torch", on: true))
      }
    },
    Mutant("interruption-fails", breaks: "V34", .decision, "An interruption while measuring ends the session.") {
      $0.says = { effect, past in
        effect.isEvent("cancelled", "interrupted") && past.isInterrupted
          ? SessionEffect.release + [.failed("cameraUnavailable")] : [effect]
      }
    },
    Mutant("wait-of-30-s", breaks: "V34", .timer, "An interruption of more than 30 s ends the session.") {
      $0.alarm = { past in
        past.phase == .positioning ? past.interruptedSince.map { $0 + .seconds(30) } : nil
      }
      $0.rings = { _ in [.failed("cameraUnavailable")] }
    },
    Mutant(
      "interruption-spoils-the-minute", breaks: "V34", .decision, "An interruption while finalizing loses the result."
    ) {
      $0.hears = { input, past in
        let isTaken = input.isNotice("interruptionBegan") || input.isNotice("app", "background")
        guard isTaken, past.phase == .finalizing else { return .asIs }
        return .over(SessionEffect.release + [.failed("internalError")])
      }
    },
    Mutant(
      "interruption-beats-the-minute", breaks: "V34", .decision,
      "An interruption in the moment of the full minute cancels it."
    ) {
      var isTaken = false
      $0.hears = { input, past in
        isTaken = input.isNotice("interruptionBegan") || input.isNotice("app", "background")
        return .asIs
      }
      $0.orders = { effects, _ in
        guard isTaken, effects.contains(where: { $0.isEvent("measurementComplete") }) else { return effects }
        return [.cancelled("interrupted")] + SessionEffect.release + [.failed("cameraUnavailable")]
      }
    },
    Mutant("recovery-of-30-s", breaks: "V35", .timer, "A camera that does not come back fails after 30 s, not 10 s.") {
      $0.timing.opening = .seconds(30)
      // The first opening still fails in time.
      $0.alarm = { past in
        let isFirst = past.openings == 1 && past.framesOfOpening == 0 && past.phase == .positioning
        return isFirst ? past.openedAt.map { $0 + .seconds(10) } : nil
      }
      $0.rings = { _ in SessionEffect.release + [.failed("cameraUnavailable")] }
    },
    Mutant("recovery-counts-the-background", breaks: "V35", .timer, "The 10 s of a recovery go on in the background.") {
      var since: Instant?
      $0.hears = { input, past in
        let isBack = input.isNotice("app", "foreground") || input.isNotice("interruptionEnded")
        if isBack, past.phase == .positioning, past.attempts > 0, since == nil { since = past.now }
        if input.isFrame { since = nil }
        return .asIs
      }
      $0.alarm = { past in past.phase == .positioning ? since.map { $0 + .seconds(10) } : nil }
      $0.rings = { _ in SessionEffect.release + [.failed("cameraUnavailable")] }
    },
    Mutant("no-second-try", breaks: "V33", .decision, "A camera that could not be reopened is not tried again.") {
      var tries = 0
      $0.hears = { input, _ in
        if input.isNotice("cameraFailed") { tries += 1 }
        if input.isFrame || input.isNotice("app") || input.isNotice("interruptionEnded") { tries = 0 }
        return .asIs
      }
      $0.omits { effect, past in
        tries > 0 && past.framesOfOpening == 0
          && (effect.isCommand("camera", on: true) || effect.isCommand("torch", on: true))
      }
    },
  ]
}
