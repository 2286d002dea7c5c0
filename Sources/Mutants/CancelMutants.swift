import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong with abandoned attempts.
  static let cancelling: [Mutant] = [
    Mutant("two-engines", breaks: "V01", .decision, "Two engines read the same frames, and both are heard.") {
      $0.hasTwin = true
    },
    Mutant("cancel-unsaid", breaks: "V23", .output, "An attempt is abandoned without cancelled.") {
      $0.omits { effect, _ in effect.isEvent("cancelled") }
    },
    Mutant("cancel-twice", breaks: "V23", .output, "cancelled comes twice.") {
      $0.doubles { effect, _ in effect.isEvent("cancelled") }
    },
    Mutant("cancel-for-another-reason", breaks: "V23", .output, "cancelled says fingerLifted for contactLost.") {
      $0.tells("cancelled") { event, _ in
        event["reason"]?.text == "contactLost" ? event.with("reason", .text("fingerLifted")) : event
      }
    },
    Mutant("stop-cancels", breaks: "V23", .decision, "stop() while measuring tells cancelled(cancelledByApp) first.") {
      $0.hears = { input, past in
        input.isCall("stop") && past.phase == .measuring ? .instead([.ownCall("cancelReading"), input]) : .asIs
      }
    },
    Mutant(
      "lift-cancels-before-the-start", breaks: "V23", .decision,
      "A lost finger is cancelled(contactLost) before the start too."
    ) {
      var last: String?
      $0.says = { effect, past in
        guard let value = effect.event?["guidance"]?.text else { return [effect] }
        defer { last = value }
        return value == "noContact" && last == "compliant" ? [.cancelled("contactLost"), effect] : [effect]
      }
    },
    Mutant("silent-after-cancel", breaks: "V24", .decision, "After a cancel there is no guidance until the next start.")
    {
      var isSilent = false
      $0.says = { effect, _ in
        if effect.isEvent("cancelled") { isSilent = true }
        if effect.isEvent("started") { isSilent = false }
        return isSilent && effect.isEvent("guidance") ? [] : [effect]
      }
    },
    Mutant("waits-after-cancel", breaks: "V24", .decision, "After a cancel nothing starts by itself.") {
      var isCancelled = false
      $0.says = { effect, _ in
        if effect.isEvent("cancelled") { isCancelled = true }
        return [effect]
      }
      $0.hears = { input, _ in
        guard isCancelled, input.isFrame else { return .asIs }
        isCancelled = false
        return .instead([.ownCall("setAutoStart", "false"), input])
      }
    },
    Mutant("cancel-closes-the-camera", breaks: "V24", .decision, "After a cancel camera and torch are off.") {
      $0.says = { effect, _ in
        effect.isEvent("cancelled") && !effect.isEvent("cancelled", "interrupted")
          ? [effect] + SessionEffect.release : [effect]
      }
    },
    Mutant("lift-of-7-s-allowed", breaks: "V25", .timer, "A finger may be away for 7 s.") {
      $0.timing.contactGrace = .seconds(7)
    },
    Mutant("lift-of-1-s-cancels", breaks: "V25", .timer, "A finger that is away for 1 s has left.") {
      $0.timing.contactGrace = .seconds(1)
    },
    Mutant("lift-unseen", breaks: "V25", .input, "While measuring, a lens without a finger looks like the last finger.")
    {
      var last: FrameSample?
      $0.sees { frame, past in
        if frame.isOfFinger { last = frame }
        guard !frame.isOfFinger, past.phase == .measuring, let last else { return frame }
        return FrameSample(captured: frame.captured, values: last.values)
      }
    },
    Mutant("lift-is-poor-signal", breaks: "V25", .decision, "A finger that has left is cancelled with poorSignal.") {
      $0.tells("cancelled") { event, _ in
        event["reason"]?.text == "contactLost" ? event.with("reason", .text("poorSignal")) : event
      }
    },
    Mutant("poor-for-1-s-cancels", breaks: "V26", .timer, "A second of a poor signal ends the attempt.") {
      $0.timing.poorGrace = .seconds(1)
      $0.timing.poorShown = .milliseconds(500)
    },
    Mutant("poor-for-30-s-allowed", breaks: "V26", .timer, "A signal may be poor for 30 s.") {
      $0.timing.poorGrace = .seconds(30)
    },
    Mutant("poor-unsaid", breaks: "V26", .output, "The previews before cancelled(poorSignal) say good.") {
      $0.tells("preview") { preview, _ in
        ["fair", "weak"].contains(preview["signalLevel"]?.text) ? preview.with("signalLevel", .text("good")) : preview
      }
    },
    Mutant("interrupted-by-the-app", breaks: "V27", .decision, "An interruption is cancelled with cancelledByApp.") {
      $0.tells("cancelled") { event, _ in
        event["reason"]?.text == "interrupted" ? event.with("reason", .text("cancelledByApp")) : event
      }
    },
    Mutant("stall-is-a-lost-finger", breaks: "V27", .decision, "A stall is cancelled with contactLost.") {
      $0.tells("cancelled") { event, past in
        event["reason"]?.text == "interrupted" && !past.isInterrupted
          ? event.with("reason", .text("contactLost")) : event
      }
    },
    Mutant("cancel-ignored", breaks: "V28", .input, "cancelReading() is not heard.") {
      $0.ignores { input, _ in input.isCall("cancelReading") }
    },
    Mutant("cancel-late", breaks: "V28", .input, "cancelReading() is heard 1 s too late.") {
      $0.hearsLate(by: .seconds(1)) { input, _ in input.isCall("cancelReading") }
    },
    Mutant("cancel-while-positioning", breaks: "V28", .decision, "cancelReading() is answered while positioning too.") {
      $0.hears = { input, past in
        guard let id = input.callID, input.isCall("cancelReading"), past.phase == .positioning else { return .asIs }
        return .answered([.cancelled("cancelledByApp"), .reply(id: id, .returned)])
      }
    },
    Mutant(
      "cancel-loses-the-minute", breaks: "V28", .decision, "cancelReading() while finalizing throws the minute away."
    ) {
      $0.hears = { input, past in
        guard let id = input.callID, input.isCall("cancelReading"), past.phase == .finalizing else { return .asIs }
        return .over(SessionEffect.release + [.cancelled("cancelledByApp"), .reply(id: id, .returned)])
      }
    },
  ]
}
