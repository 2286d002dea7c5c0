import Simulation
import Traces
import VitalsModel

extension Mutant {
  /// What goes wrong between `start()` and `started`.
  static let positioning: [Mutant] = [
    Mutant("begins-in-the-dark", breaks: "V03", .decision, "The camera is opened at start() and the torch is not lit.")
    {
      $0.omits { effect, past in past.openings <= 1 && effect.isCommand("torch", on: true) }
    },
    Mutant("warm-up-of-3-s", breaks: "V03", .input, "The frames of the first 3 s after each opening are thrown away.") {
      $0.sees { frame, past in past.openedAt.map { past.now - $0 < .seconds(3) } ?? false ? nil : frame }
    },
    Mutant("opening-waits-30-s", breaks: "V03", .timer, "A camera without a first frame fails after 30 s, not 10 s.") {
      $0.timing.opening = .seconds(30)
    },
    Mutant("opening-waits-3-s", breaks: "V03", .timer, "A camera without a first frame fails after 3 s, not 10 s.") {
      $0.timing.opening = .seconds(3)
    },
    Mutant("guidance-every-2-s", breaks: "V04", .timer, "Guidance comes every 2 s.") {
      $0.timing.guidance = .seconds(2)
    },
    Mutant("guidance-every-half-second", breaks: "V04", .timer, "Guidance comes twice a second.") {
      $0.timing.guidance = .milliseconds(500)
      $0.timing.leastBetweenGuidances = .milliseconds(400)
    },
    Mutant("guidance-once-a-change", breaks: "V04", .decision, "Guidance comes only when it says something new.") {
      var last: Message?
      $0.tells("guidance") { guidance, past in
        defer { last = guidance }
        return guidance == last ? nil : guidance
      }
    },
    Mutant("timers-late", breaks: "V04", .timer, "Every timer comes 0.9 s late.") {
      $0.wakes = { due, _ in due + .milliseconds(900) }
    },
    Mutant("steady-after-half-a-second", breaks: "V05", .timer, "Half a second of a steady finger fills startProgress.")
    {
      $0.timing.steady = .milliseconds(500)
    },
    Mutant("steady-after-10-s", breaks: "V05", .timer, "startProgress takes 10 s to fill.") {
      $0.timing.steady = .seconds(10)
    },
    Mutant("progress-in-percent", breaks: "V04", .output, "startProgress runs to 100 instead of 1.") {
      $0.tells("guidance") { guidance, _ in
        guidance.with("startProgress", .number((guidance["startProgress"]?.number ?? 0) * 100, places: 3))
      }
    },
    Mutant("progress-survives-a-lift", breaks: "V05", .output, "startProgress goes on where it was before a lift.") {
      var most = 0.0
      $0.says = { effect, _ in
        if effect.isEvent("started") { most = 0 }
        guard let guidance = effect.event, effect.isEvent("guidance", "compliant") else { return [effect] }
        most = max(most, guidance["startProgress"]?.number ?? 0)
        return [.event(guidance.with("startProgress", .number(most, places: 3)))]
      }
    },
    Mutant(
      "short-lift-overlooked", breaks: "V05", .input,
      "A finger that is away for less than 1.2 s is not missed before the start."
    ) {
      var lastFinger: FrameSample?
      var awaySince: Instant?
      $0.sees { frame, past in
        if frame.isOfFinger {
          (lastFinger, awaySince) = (frame, nil)
          return frame
        }
        let since = awaySince ?? past.now
        awaySince = since
        guard past.phase == .positioning, past.now - since < .milliseconds(1_200), let lastFinger else { return frame }
        return FrameSample(captured: frame.captured, values: lastFinger.values)
      }
    },
    Mutant("starts-only-when-asked", breaks: "V06", .decision, "Nothing starts before the app asks for it.") {
      $0.hears = { input, _ in
        input.isCall("start") ? .instead([.ownCall("setAutoStart", "false"), input]) : .asIs
      }
    },
    Mutant("starts-late", breaks: "V06", .timer, "The reading starts 3 s after startProgress is full.") {
      var fullAt: Instant?
      $0.says = { effect, past in
        if effect.isEvent("guidance") {
          fullAt = effect.event?["startProgress"]?.number == 1 ? fullAt ?? past.now : nil
        }
        return [effect]
      }
      $0.hears = { input, past in
        if input.isCall("start") { return .instead([.ownCall("setAutoStart", "false"), input]) }
        guard input.isFrame, let full = fullAt, past.now - full >= .seconds(3), !past.isHeld else { return .asIs }
        fullAt = nil
        return .instead([input, .ownCall("setAutoStart", "true"), .ownCall("setAutoStart", "false")])
      }
    },
    Mutant("no-empty-preview", breaks: "V07", .output, "started is not followed by the empty preview.") {
      $0.omits { effect, past in effect.isEvent("preview") && past.elapsed == .zero }
    },
    Mutant("empty-preview-late", breaks: "V07", .timer, "The empty preview comes 0.4 s after started.") {
      $0.delays(by: .milliseconds(400)) { effect, past in effect.isEvent("preview") && past.elapsed == .zero }
    },
    Mutant("preview-before-started", breaks: "V07", .output, "The empty preview comes just before started.") {
      $0.orders = { effects, _ in
        guard let index = effects.firstIndex(where: { $0.isEvent("started") }) else { return effects }
        var others = effects
        others.insert(others.remove(at: index), at: min(index + 1, others.endIndex))
        return others
      }
    },
    Mutant(
      "empty-preview-full-of-zeros", breaks: "V07", .output, "The empty preview says 0 where it should say nothing."
    ) {
      $0.tells("preview") { preview, past in
        guard past.elapsed == .zero else { return preview }
        return preview.with("heartRateBpm", .number(0, places: 1)).with("rmssdMs", .number(0, places: 1))
      }
    },
    Mutant("no-finger-is-low-quality", breaks: "V15", .decision, "A lens without a finger is called lowQuality.") {
      $0.tells("guidance") { guidance, _ in
        guidance["guidance"]?.text == "noContact" ? guidance.with("guidance", .text("lowQuality")) : guidance
      }
    },
    Mutant("every-finger-is-fine", breaks: "V15", .decision, "A finger that is unsteady or faint is called compliant.")
    {
      $0.tells("guidance") { guidance, _ in
        ["lowQuality", "weakSignal"].contains(guidance["guidance"]?.text)
          ? guidance.with("guidance", .text("compliant")) : guidance
      }
    },
    Mutant("every-other-frame", breaks: "V15", .input, "Every other frame is thrown away, and the camera is blamed.") {
      var count = 0
      $0.sees { frame, _ in
        count += 1
        return count.isMultiple(of: 2) ? nil : frame
      }
    },
    Mutant("ios-profile-on-android", breaks: "V16", .decision, "The session behaves as on iOS, on Android too.") {
      $0.profile = .ios
    },
    Mutant("faint-is-no-finger", breaks: "V15", .decision, "A finger with a faint pulse is called noContact.") {
      $0.tells("guidance") { guidance, _ in
        guidance["guidance"]?.text == "weakSignal" ? guidance.with("guidance", .text("noContact")) : guidance
      }
    },
    Mutant("weak-signal-nowhere", breaks: "V16", .decision, "A faint pulse is called lowQuality on iOS too.") {
      $0.tells("guidance") { guidance, _ in
        guidance["guidance"]?.text == "weakSignal" ? guidance.with("guidance", .text("lowQuality")) : guidance
      }
    },
    Mutant("starts-in-a-frame-drop", breaks: "V17", .decision, "The rate is shown, and the start does not look at it.")
    {
      var selectedFps = 30.0
      var captured: [Instant] = []
      $0.timing.slowShare = 0
      $0.hears = { input, _ in
        switch input {
        case .sample(let frame):
          captured.append(frame.captured)
          captured.removeAll { frame.captured - $0 > .seconds(2) }
        case .notice(let notice):
          if let fps = notice["frameRateFps"]?.number {
            selectedFps = fps
            captured = []
          }
        case .call, .timer: break
        }
        return .asIs
      }
      $0.tells("guidance") { guidance, past in
        let isSlow = past.framesOfOpening > 60 && Double(captured.count) < 0.8 * 2 * selectedFps
        guard isSlow, guidance["guidance"]?.text == "compliant" else { return guidance }
        return guidance.with("guidance", .text("frameDrop")).with("startProgress", .number(0, places: 3))
      }
    },
    Mutant(
      "progress-without-a-finger", breaks: "V18", .output, "startProgress keeps its value while nothing is steady."
    ) {
      var last: FieldValue?
      $0.tells("guidance") { guidance, _ in
        if guidance["guidance"]?.text == "compliant" {
          last = guidance["startProgress"]
          return guidance
        }
        return guidance.with("startProgress", last ?? .number(0, places: 3))
      }
    },
  ]

  /// What goes wrong with holding the start.
  static let holding: [Mutant] = [
    Mutant("hold-ignored", breaks: "V19", .input, "setAutoStart(false) is not heard.") {
      $0.ignores { input, _ in input.isCall("setAutoStart", "false") }
    },
    Mutant("hold-inverted", breaks: "V19", .input, "setAutoStart hears false for true and true for false.") {
      $0.hears = { input, _ in
        guard case .call(let id, let call) = input, call.name == "setAutoStart" else { return .asIs }
        let argument = call["argument"]?.text == "true" ? "false" : "true"
        return .instead([.call(id: id, call.with("argument", .text(argument)))])
      }
    },
    Mutant("held-in-silence", breaks: "V19", .decision, "While the start is held there is no guidance.") {
      $0.omits { effect, past in past.isHeld && effect.isEvent("guidance") }
    },
    Mutant("held-at-nothing", breaks: "V19", .decision, "While the start is held startProgress stays 0.") {
      $0.tells("guidance") { guidance, past in
        past.isHeld ? guidance.with("startProgress", .number(0, places: 3)) : guidance
      }
    },
    Mutant("hold-cancels", breaks: "V21", .decision, "setAutoStart(false) abandons the reading that is running.") {
      $0.hears = { input, past in
        guard input.isCall("setAutoStart", "false"), past.phase == .measuring else { return .asIs }
        return .instead([.ownCall("cancelReading"), input])
      }
    },
    Mutant("hold-forgotten", breaks: "V21", .decision, "After a cancel the start is held no more.") {
      var isForgotten = false
      $0.says = { effect, _ in
        if effect.isEvent("cancelled") { isForgotten = true }
        return [effect]
      }
      $0.hears = { input, _ in
        guard isForgotten, input.isFrame else { return .asIs }
        isForgotten = false
        return .instead([.ownCall("setAutoStart", "true"), input])
      }
    },
    Mutant("hold-for-ever", breaks: "V22", .input, "setAutoStart(true) is not heard.") {
      $0.ignores { input, _ in input.isCall("setAutoStart", "true") }
    },
    Mutant("let-go-late", breaks: "V22", .input, "setAutoStart(true) is heard 5 s too late.") {
      $0.hearsLate(by: .seconds(5)) { input, _ in input.isCall("setAutoStart", "true") }
    },
  ]
}

extension FrameSample {
  /// Whether it shows a finger, as far as a careless eye can tell: red light through skin.
  var isOfFinger: Bool { red > 48 && green < 0.6 * red }
}
