import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong with results, ends and `stop()`.
  static let ends: [Mutant] = [
    Mutant("second-reading", breaks: "V01", .decision, "After a result the session reads again.") {
      var hasResult = false
      $0.says = { effect, _ in
        if effect.isEvent("completed") { hasResult = true }
        return [effect]
      }
      $0.alarm = { past in hasResult ? past.now : nil }
      $0.rings = { _ in
        hasResult = false
        return [.camera(true), .torch(true), .guidance("compliant", progress: 1), .event(Message("started"))]
      }
    },
    Mutant("dark-while-finalizing", breaks: "V11", .decision, "The torch goes off with the full minute.") {
      $0.says = { effect, _ in effect.isEvent("measurementComplete") ? [effect, .torch(false)] : [effect] }
    },
    Mutant("finalizing-of-30-s", breaks: "V11", .timer, "A result may take 30 s.") {
      $0.timing.finalizing = .seconds(30)
    },
    Mutant("end-before-dark", breaks: "V11", .output, "completed comes before torch and camera are off.") {
      $0.orders = { effects, _ in
        guard let index = effects.firstIndex(where: { $0.isEvent("completed") }) else { return effects }
        var others = effects
        others.insert(others.remove(at: index), at: 0)
        return others
      }
    },
    Mutant("camera-off-first", breaks: "V11", .output, "The camera goes off before the torch at the end.") {
      $0.orders = { effects, past in
        guard past.phase == .finalizing, let torch = effects.firstIndex(where: { $0.isCommand("torch", on: false) }),
          let camera = effects.firstIndex(where: { $0.isCommand("camera", on: false) }), torch < camera
        else { return effects }
        var others = effects
        others.swapAt(torch, camera)
        return others
      }
    },
    Mutant("result-from-nothing", breaks: "V12", .decision, "A minute without a heart rate gives a result of 72 bpm.") {
      $0.says = { effect, _ in
        guard effect.isEvent("failed", "noHeartRate") else { return [effect] }
        return [.event(.madeUp)]
      }
    },
    Mutant("result-without-heart-rate", breaks: "V12", .output, "A result has no heart rate.") {
      $0.tells("completed") { result, _ in result.with("heartRateBpm", nil) }
    },
    Mutant("word-after-the-end", breaks: "V13", .timer, "One more guidance comes half a second after the end.") {
      $0.alarm = { past in past.rungAt == nil ? past.endedAt.map { $0 + .milliseconds(500) } : nil }
      $0.rings = { _ in [.guidance("compliant")] }
    },
    Mutant("end-twice", breaks: "V13", .output, "The last event comes twice.") {
      $0.doubles { effect, _ in effect.isEnd }
    },
    Mutant("light-left-on", breaks: "V13", .decision, "The torch is left on at the end.") {
      $0.omits { effect, past in effect.isCommand("torch", on: false) && past.phase == .finalizing }
    },
    Mutant("camera-left-on", breaks: "V13", .decision, "The camera is left on at the end.") {
      $0.omits { effect, past in effect.isCommand("camera", on: false) && past.phase == .finalizing }
    },
    Mutant("stop-ignored", breaks: "V39", .input, "stop() is not heard before the minute is full.") {
      $0.ignores { input, past in input.isCall("stop") && past.phase != .finalizing }
    },
    Mutant("stop-late", breaks: "V39", .input, "stop() is heard 1.5 s too late.") {
      $0.hearsLate(by: .milliseconds(1_500)) { input, _ in input.isCall("stop") }
    },
    Mutant("stop-leaves-the-light-on", breaks: "V39", .decision, "stop() leaves the torch on.") {
      var isStopping = false
      $0.hears = { input, past in
        isStopping = input.isCall("stop") && past.phase != .finalizing
        return .asIs
      }
      $0.omits { effect, _ in isStopping && effect.isCommand("torch", on: false) }
    },
    Mutant("stop-fails", breaks: "V39", .decision, "stop() before the minute is full tells a failure.") {
      $0.hears = { input, past in
        guard let id = input.callID, input.isCall("stop"), past.phase == .positioning || past.phase == .measuring
        else { return .asIs }
        return .over(SessionEffect.release + [.failed("internalError"), .reply(id: id, .returned)])
      }
    },
    Mutant("stop-loses-the-minute", breaks: "V40", .decision, "stop() while finalizing loses the result.") {
      $0.hears = { input, past in
        guard let id = input.callID, input.isCall("stop"), past.phase == .finalizing else { return .asIs }
        return .over(SessionEffect.release + [.reply(id: id, .returned)])
      }
    },
    Mutant("stop-waits-for-the-result", breaks: "V40", .decision, "stop() while finalizing keeps the camera.") {
      $0.ignores { input, past in input.isCall("stop") && past.phase == .finalizing }
    },
    Mutant(
      "guesses-what-it-withholds", breaks: "V50", .decision, "A measure that cannot be trusted is 15, without a word."
    ) {
      $0.tells("completed") { result, _ in
        guard case .object(let withheld)? = result["withheld"] else { return result }
        return withheld.reduce(result.with("withheld", nil)) { $0.with($1.key, .number(15, places: 2)) }
      }
    },
    Mutant(
      "withholds-without-a-word", breaks: "V50", .output,
      "A measure that cannot be trusted is left out without a reason."
    ) {
      $0.tells("completed") { result, _ in result.with("withheld", nil) }
    },
    Mutant("always-72", breaks: "V50", .decision, "Every result is 72 bpm.") {
      $0.tells("completed") { result, _ in result.with("heartRateBpm", .number(72, places: 2)) }
    },
    Mutant("rmssd-of-the-result-in-seconds", breaks: "V50", .output, "The RMSSD of a result is in seconds.") {
      $0.tells("completed") { result, _ in
        result.with("rmssdMs", result["rmssdMs"]?.number.map { .number($0 / 1_000, places: 4) })
      }
    },
  ]

  /// What goes wrong with `start()` and with errors.
  static let errors: [Mutant] = [
    Mutant("broken-camera-is-internal", breaks: "V44", .decision, "A camera that cannot be opened is an internalError.")
    {
      $0.tells("failed") { event, _ in
        event["error"]?.text == "cameraUnavailable"
          ? event.with("error", .text("internalError")).with("message", .text("no camera")) : event
      }
    },
    Mutant(
      "broken-camera-without-permission", breaks: "V44", .decision,
      "A camera that cannot be opened is cameraPermissionDenied."
    ) {
      $0.tells("failed") { event, _ in
        event["error"]?.text == "cameraUnavailable" ? event.with("error", .text("cameraPermissionDenied")) : event
      }
    },
    Mutant("broken-camera-unheard", breaks: "V44", .input, "A camera that cannot be opened is waited for without end.")
    {
      $0.ignores { input, past in input.isNotice("cameraFailed") && past.openings == 1 }
      $0.timing.opening = .seconds(1_000)
    },
    Mutant("failed-start-ends", breaks: "V46", .decision, "A session whose start() threw cannot be started any more.") {
      var hasThrown = false
      $0.says = { effect, past in
        if case .reply(_, .threw) = effect, past.phase == .idle { hasThrown = true }
        return [effect]
      }
      $0.hears = { input, _ in
        guard hasThrown, let id = input.callID, input.isCall("start") else { return .asIs }
        return .answered([
          .reply(id: id, .threw(Message("internalError", [Field("message", .text("start() was called before"))])))
        ])
      }
    },
    Mutant("failed-start-keeps-the-camera", breaks: "V46", .decision, "A start() that throws leaves the camera on.") {
      $0.says = { effect, past in
        if case .reply(_, .threw) = effect, past.phase == .idle { [.camera(true), effect] } else { [effect] }
      }
    },
    Mutant(
      "starts-again-after-the-end", breaks: "V46", .decision, "start() on a session that has ended begins a new one."
    ) {
      $0.hears = { input, past in
        input.isCall("start") && past.phase == .ended ? .renewed([input]) : .asIs
      }
    },
    Mutant("starts-in-the-background", breaks: "V46", .input, "start() in the background opens the camera at once.") {
      $0.ignores { input, past in input.isNotice("app", "background") && past.phase == .idle }
    },
  ]
}

extension Message {
  /// A result that nobody measured.
  fileprivate static let madeUp = Message(
    "completed",
    [
      Field("heartRateBpm", .number(72, places: 2)), Field("rmssdMs", .number(40, places: 2)),
      Field("sdnnMs", .number(50, places: 2)), Field("meanNNMs", .number(833.33, places: 2)),
      Field("breathingRatePerMin", .number(15, places: 2)), Field("perfusionIndexPercent", .number(1, places: 3)),
      Field("quality", .number(0.5, places: 3)),
    ])
}
