import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong while a minute is measured.
  static let measuring: [Mutant] = [
    Mutant("ninth-event", breaks: "V02", .output, "An event of its own comes beside every fifth preview.") {
      var count = 0
      $0.says = { effect, _ in
        guard effect.isEvent("preview") else { return [effect] }
        count += 1
        return count.isMultiple(of: 5) ? [effect, .event(Message("signalQuality"))] : [effect]
      }
    },
    Mutant("preview-every-3-s", breaks: "V08", .timer, "Previews come every 3 s.") { $0.timing.preview = .seconds(3) },
    Mutant("last-preview-missing", breaks: "V08", .output, "The preview that shows the full minute does not come.") {
      $0.omits { effect, past in effect.isEvent("preview") && past.elapsed >= .seconds(60) }
    },
    Mutant("progress-by-frames", breaks: "V08", .decision, "Progress counts 30 frames as a second, at any rate.") {
      $0.tells("preview") { preview, past in
        preview.with("progress", .number(min(1, Double(past.framesOfAttempt) / 1_800), places: 6))
      }
    },
    Mutant("progress-goes-back", breaks: "V08", .output, "Progress begins anew after half a minute.") {
      $0.tells("preview") { preview, past in
        let progress = preview["progress"]?.number ?? 0
        return preview.with("progress", .number(progress > 0.5 && progress < 1 ? progress - 0.5 : progress, places: 6))
      }
    },
    Mutant("heartbeat-missing", breaks: "V09", .output, "Every fifth heartbeat does not come.") {
      var count = 0
      $0.says = { effect, _ in
        guard effect.isEvent("heartbeat") else { return [effect] }
        count += 1
        return count.isMultiple(of: 5) ? [] : [effect]
      }
    },
    Mutant("heartbeat-twice", breaks: "V09", .output, "Every heartbeat comes twice.") {
      $0.doubles { effect, _ in effect.isEvent("heartbeat") }
    },
    Mutant("heartbeat-halved", breaks: "V09", .output, "Every interval is told as two halves.") {
      $0.says = { effect, _ in
        guard let beat = effect.event, beat.name == "heartbeat", let ibi = beat["ibiMs"]?.number else {
          return [effect]
        }
        let half = SessionEffect.event(beat.with("ibiMs", .number(ibi / 2, places: 1)))
        return [half, half]
      }
    },
    Mutant("interval-in-seconds", breaks: "V09", .output, "ibiMs holds seconds.") {
      $0.tells("heartbeat") { beat, _ in
        beat.with("ibiMs", beat["ibiMs"]?.number.map { .number($0 / 1_000, places: 4) })
      }
    },
    Mutant("first-interval-made-up", breaks: "V09", .decision, "The first beat of an attempt has an interval.") {
      $0.tells("heartbeat") { beat, _ in beat["ibiMs"] == nil ? beat.with("ibiMs", .number(900, places: 1)) : beat }
    },
    Mutant("frames-stretched", breaks: "V09", .input, "A frame's time stamp is taken for a tenth later than it is.") {
      $0.sees { frame, _ in
        FrameSample(
          captured: Instant(microseconds: frame.captured.microseconds * 11 / 10), values: frame.values)
      }
    },
    Mutant("minute-of-50-s", breaks: "V10", .timer, "50 s are taken for the minute.") {
      $0.timing.reading = .seconds(50)
    },
    Mutant("minute-of-frames", breaks: "V10", .decision, "The minute is 1,800 frames, at any rate.") {
      $0.clock = .frames
    },
    Mutant("clock-fast", breaks: "V10", .timer, "The session's clock runs 2 % fast.") { $0.clock = .speed(1.02) },
    Mutant("complete-twice", breaks: "V10", .output, "measurementComplete comes twice.") {
      $0.doubles { effect, _ in effect.isEvent("measurementComplete") }
    },
    Mutant("complete-late", breaks: "V10", .timer, "measurementComplete comes half a second after the minute.") {
      $0.delays(by: .milliseconds(500)) { effect, _ in effect.isEvent("measurementComplete") }
    },
    Mutant("guidance-while-measuring", breaks: "V14", .decision, "Guidance goes on beside the previews.") {
      $0.says = { effect, past in
        effect.isEvent("preview") && past.elapsed > .zero ? [effect, .guidance("compliant", progress: 1)] : [effect]
      }
    },
    Mutant("preview-while-finalizing", breaks: "V14", .timer, "One more preview comes while the result is built.") {
      $0.alarm = { past in
        past.phase == .finalizing && past.rungAt == nil ? past.filledAt.map { $0 + .milliseconds(500) } : nil
      }
      $0.rings = { _ in [.event(Message("preview", [Field("progress", .number(1, places: 6))]))] }
    },
    Mutant("heartbeats-late", breaks: "V14", .timer, "Heartbeats come 1.2 s late, beyond the minute too.") {
      $0.delays(by: .milliseconds(1_200)) { effect, _ in effect.isEvent("heartbeat") }
    },
    Mutant("heart-rate-never", breaks: "V29", .output, "No preview has a heart rate.") {
      $0.tells("preview") { preview, _ in preview.with("heartRateBpm", nil) }
    },
    Mutant("heart-rate-after-15-s", breaks: "V29", .timer, "Previews have no heart rate in the first 15 s.") {
      $0.tells("preview") { preview, past in
        past.elapsed < .seconds(15) ? preview.with("heartRateBpm", nil) : preview
      }
    },
    Mutant("rmssd-after-10-s", breaks: "V29", .timer, "Previews have an RMSSD from 10 s on.") {
      $0.timing.provisionalRMSSD = .seconds(10)
    },
    Mutant("rmssd-after-30-s", breaks: "V29", .timer, "Previews have an RMSSD from 30 s on.") {
      $0.timing.provisionalRMSSD = .seconds(30)
    },
    Mutant("rmssd-frozen", breaks: "V29", .decision, "The first RMSSD of an attempt stays to its end.") {
      var first: FieldValue?
      $0.tells("preview") { preview, past in
        if past.elapsed == .zero { first = nil }
        first = first ?? preview["rmssdMs"]
        return preview.with("rmssdMs", first)
      }
    },
    Mutant("rmssd-forgotten", breaks: "V29", .decision, "Every third preview has no RMSSD.") {
      var count = 0
      $0.tells("preview") { preview, _ in
        count += 1
        return count.isMultiple(of: 3) ? preview.with("rmssdMs", nil) : preview
      }
    },
    Mutant("level-leaps", breaks: "V30", .decision, "signalLevel leaps from strong to weak and back at times.") {
      $0.tells("preview") { preview, past in
        let isLow = Int(past.elapsed.seconds) % 10 == 7
        return isLow && preview["signalLevel"] != nil ? preview.with("signalLevel", .text("weak")) : preview
      }
    },
    Mutant("level-in-stars", breaks: "V30", .output, "signalLevel is excellent where it should be strong.") {
      $0.tells("preview") { preview, _ in
        preview["signalLevel"]?.text == "strong" ? preview.with("signalLevel", .text("excellent")) : preview
      }
    },
  ]
}
