import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong when the camera does.
  static let cameraHealth: [Mutant] = [
    Mutant("slow-frames-unseen", breaks: "V36", .decision, "A camera is slow below 30 % of its rate, not below 80 %.") {
      $0.timing.slowShare = 0.3
    },
    Mutant("slow-frames-fail", breaks: "V36", .decision, "A slow camera ends the session.") {
      $0.says = { effect, _ in
        effect.isEvent("guidance", "frameDrop") || effect.isCommand("adjustFrameRate")
          ? SessionEffect.release + [.failed("cameraUnavailable")] : [effect]
      }
    },
    Mutant("never-adjusted", breaks: "V36", .decision, "A slow camera is not adjusted on iOS.") {
      $0.omits { effect, _ in effect.isCommand("adjustFrameRate") }
    },
    Mutant("first-stall-fails", breaks: "V37", .decision, "The first stall ends the session.") {
      $0.timing.restarts = 0
    },
    Mutant("stalls-without-end", breaks: "V37", .decision, "A camera is restarted after each of five stalls.") {
      $0.timing.restarts = 5
    },
    Mutant("second-stall-unseen", breaks: "V37", .timer, "After one restart stalls are not looked for.") {
      $0.wakes = { due, past in past.openings > 1 && past.framesOfOpening > 0 ? due + .seconds(20) : due }
    },
    Mutant("stall-of-8-s-allowed", breaks: "V37", .timer, "A camera may be silent for 8 s.") {
      $0.timing.stall = .seconds(8)
    },
    Mutant("hiccup-is-a-stall", breaks: "V37", .timer, "A camera that is silent for 0.4 s has stalled.") {
      $0.timing.stall = .milliseconds(400)
    },
    Mutant("restart-without-closing", breaks: "V37", .decision, "A stalled camera is opened without being closed.") {
      $0.omits { effect, past in
        effect.isCommand("camera", on: false) && !past.isInterrupted && past.phase == .positioning
      }
    },
    Mutant("restarts-twice", breaks: "V37", .output, "A stalled camera is restarted twice at once.") {
      $0.orders = { effects, past in
        guard let index = effects.firstIndex(where: { $0.isCommand("camera", on: false) }),
          effects.dropFirst(index).contains(where: { $0.isCommand("camera", on: true) })
        else { return effects }
        return effects + effects[index...]
      }
    },
    Mutant("stall-spoils-the-minute", breaks: "V11", .timer, "Silence of the camera while finalizing ends the session.")
    {
      var lastFrame: Instant?
      $0.hears = { input, past in
        if input.isFrame { lastFrame = past.now }
        return .asIs
      }
      $0.alarm = { past in past.phase == .finalizing ? lastFrame.map { $0 + .milliseconds(1_200) } : nil }
      $0.rings = { _ in SessionEffect.release + [.failed("cameraUnavailable")] }
    },
    Mutant("owner-unheard", breaks: "V38", .input, "The end of the lifecycle owner is not heard.") {
      $0.ignores { input, _ in input.isNotice("ownerDestroyed") }
    },
    Mutant("owner-takes-the-minute", breaks: "V38", .decision, "The owner's end while finalizing loses the result.") {
      $0.hears = { input, past in
        input.isNotice("ownerDestroyed") && past.phase == .finalizing ? .over(SessionEffect.release) : .asIs
      }
    },
    Mutant("owner-fails", breaks: "V38", .decision, "The owner's end fails the session.") {
      $0.hears = { input, past in
        guard input.isNotice("ownerDestroyed"), past.phase == .positioning || past.phase == .measuring else {
          return .asIs
        }
        return .over(SessionEffect.release + [.failed("internalError")])
      }
    },
    Mutant("owner-leaves-the-light-on", breaks: "V38", .decision, "The torch stays on after the owner's end.") {
      var isOwnerGone = false
      $0.hears = { input, _ in
        isOwnerGone = input.isNotice("ownerDestroyed")
        return .asIs
      }
      $0.omits { effect, _ in isOwnerGone && effect.isCommand("torch", on: false) }
    },
  ]
}
