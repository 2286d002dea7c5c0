import PulseAnalysis
import ReadingSession
import Testing
import VitalsModel

private typealias Act = ReadingBench.Act

/// What a session does, in order, without what comes about once a second.
private func check(
  _ acts: [(Double, Act)], buildsResults: Bool = true, seconds: Double = 75, _ expected: [String],
  _ place: SourceLocation = #_sourceLocation
) {
  for platform in Platform.allCases {
    let bench = ReadingBench(platform: platform, buildsResults: buildsResults, seconds: seconds, acts: acts)
    #expect(bench.effects().compactMap(\.effect.brief) == expected, "\(platform)", sourceLocation: place)
  }
}

private let start = ReadingBench.Act.call(.start(isOnMainThread: true))
private let on = ["camera on", "torch on", "reply 1"]
private let off = ["torch off", "camera off"]

@Test func theHappyPath() {
  check([(0, start)], on + ["started", "complete", "build 1"] + off + ["completed"])
}

@Test func cancels() {
  let again = ["started", "complete", "build 2"] + off + ["completed"]
  check(
    [(0, start), (20, .view(.table)), (30, .view(.finger))], seconds: 110,
    on + ["started", "cancelled contactLost"] + again)
  check(
    [(0, start), (20, .call(.cancelReading))], seconds: 95,
    on + ["started", "cancelled cancelledByApp", "reply 2"] + again)
  // A short lift, a cancel with nothing to cancel, and a lift that the minute outruns.
  let whole = ["complete", "build 1"] + off + ["completed"]
  check([(0, start), (20, .view(.table)), (22, .view(.finger))], on + ["started"] + whole)
  check([(0, start), (1, .call(.cancelReading))], on + ["reply 2", "started"] + whole)
  check([(0, start), (65, .view(.table))], on + ["started"] + whole)
}

@Test func stops() {
  check([(0, .call(.stop)), (1, start)], ["reply 1", "threw 2"])
  check([(0, start), (2, .call(.stop))], on + off + ["reply 2"])
  check([(0, start), (20, .call(.stop)), (21, .call(.stop))], on + ["started"] + off + ["reply 2", "reply 3"])
  // The result is built a second after the minute is full.
  let complete = fullAt
  check(
    [(0, start), (complete + 0.5, .call(.stop)), (complete + 0.6, .call(.stop))],
    on + ["started", "complete", "build 1"] + off + ["reply 2", "reply 3", "completed"])
  check(
    [(0, start), (complete + 5, .call(.stop))],
    on + ["started", "complete", "build 1"] + off + ["completed", "reply 2"])
}

@Test func failures() {
  // A pulse that comes and goes, never away long enough for the attempt to be abandoned.
  var flicker: [(Double, ReadingBench.Act)] = []
  for moment in stride(from: 5.5, to: 62, by: 5) {
    flicker += [(moment, .view(.flatFinger)), (moment + 2.5, .view(.finger))]
  }
  check([(0, start), (0, .view(.nothing))], on + off + ["failed cameraUnavailable"])
  check(
    [(0, start), (3, .input(.cameraFailed)), (4, .input(.cameraFailed))],
    on + restart + off + ["failed cameraUnavailable"])
  check(
    [(0, start)] + flicker,
    on + ["started", "complete", "build 1"] + off + ["failed noHeartRate"])
  check(
    [(0, start)], buildsResults: false, seconds: 90,
    on + ["started", "complete", "build 1"] + off + ["failed internalError(\"the result was not built in time\")"])
}

@Test func callsAtOddTimes() {
  check([(0, start), (1, start)], seconds: 3, on + ["threw 2"])
  check([(0, .call(.cancelReading)), (1, .input(.timer)), (2, .input(.cameraFailed))], seconds: 3, ["reply 1"])
  // A result that nobody asked for, or of another attempt.
  check([(0, start), (1, .input(.resultBuilt(attempt: 1, .noHeartRate)))], seconds: 2, on)
  check(
    [(0, start), (66, .input(.resultBuilt(attempt: 7, .noHeartRate)))], buildsResults: false, seconds: 67,
    on + ["started", "complete", "build 1"])
  // A timer that nobody asked for.
  check((0..<40).map { (Double($0) * 0.1 + 0.05, .input(.timer)) } + [(0, start)], seconds: 4, on)
}

@Test func theStartIsHeld() {
  check([(0, .call(.setAutoStart(false))), (0, start)], ["reply 1", "camera on", "torch on", "reply 2"])
  check(
    [(0, .call(.setAutoStart(false))), (0, start), (20, .call(.setAutoStart(true)))], seconds: 21,
    ["reply 1", "camera on", "torch on", "reply 2", "started", "reply 3"])
  // During a reading it holds only the next one.
  check(
    [(0, start), (20, .call(.setAutoStart(false))), (30, .call(.cancelReading))],
    on + ["started", "reply 2", "cancelled cancelledByApp", "reply 3"])
}

@Test func whatComesEverySecond() {
  let effects = ReadingBench(acts: [(0, start)]).effects()
  var progresses: [Double] = []
  var intervals: [Double?] = []
  var rmssdFrom: Double?
  var startProgress: [Double] = []
  for (_, effect) in effects {
    switch effect {
    case .event(.guidance(_, let progress)): startProgress.append(progress)
    case .event(.preview(let preview)):
      progresses.append(preview.progress)
      if preview.rmssdMs != nil { rmssdFrom = rmssdFrom ?? preview.progress * 60 }
    case .event(.heartbeat(let ibiMs)): intervals.append(ibiMs)
    default: break
    }
  }
  #expect(progresses == (0...60).map { Double($0) / 60 })
  #expect(rmssdFrom == 20)
  #expect(startProgress.last == 1 && startProgress == startProgress.sorted())
  #expect(intervals.first == .some(nil) && intervals.dropFirst().allSatisfy { ($0 ?? 0) > 780 && ($0 ?? 0) < 820 })
  #expect(intervals.count > 70)
}

@Test func guidanceNamesWhatIsWrong() {
  let rows: [(ReadingBench.View, [Platform: Guidance])] = [
    (.table, [.ios: .noContact, .android: .noContact]),
    (.flatFinger, [.ios: .weakSignal, .android: .lowQuality]),
    (.finger, [.ios: .compliant, .android: .compliant]),
  ]
  for (view, words) in rows {
    for (platform, word) in words {
      let bench = ReadingBench(
        platform: platform, seconds: 5, acts: [(0, .view(view)), (0, .call(.setAutoStart(false))), (0, start)])
      let last = bench.effects().reversed().compactMap { effect -> Guidance? in
        if case .event(.guidance(let guidance, _)) = effect.effect { guidance } else { nil }
      }.first
      #expect(last == word, "\(view) on \(platform)")
    }
  }
}

private let restart = ["camera off", "camera on", "torch on"]
private let open = ["camera on", "torch on"]
/// When the minute of the first attempt is full.
private let fullAt =
  ReadingBench(acts: [(0, start)]).effects().first { $0.effect.brief == "complete" }?.at ?? .infinity

@Test func interruptions() {
  let background = Input.host(.app(isInForeground: false))
  let foreground = Input.host(.app(isInForeground: true))
  let again = ["started", "complete", "build 2"] + off + ["completed"]
  let whole = ["started", "complete", "build 1"] + off + ["completed"]
  let cancelled = ["started", "cancelled interrupted"] + off
  check([(0, start), (20, .input(background)), (40, .input(foreground))], seconds: 120, on + cancelled + open + again)
  // Any order of two causes; only when the last is gone does the camera come back.
  check(
    [
      (0, start), (20, .input(.interruptionBegan(.otherApp))), (21, .input(background)),
      (22, .input(.interruptionEnded(.otherApp))), (30, .input(foreground)),
    ], seconds: 110, on + cancelled + open + again)
  check(
    [
      (0, start), (20, .input(.interruptionBegan(.otherApp))), (21, .input(background)), (25, .input(foreground)),
      (30, .input(.interruptionEnded(nil))),
    ], seconds: 110, on + cancelled + open + again)
  // An end without a reason is the end of all of them.
  check(
    [
      (0, start), (20, .input(.interruptionBegan(.otherApp))), (21, .input(.interruptionBegan(.phoneCall))),
      (30, .input(.interruptionEnded(nil))),
    ], seconds: 110, on + cancelled + open + again)
  // Twice, without a beginning, before the start, before the first frame.
  check(
    [
      (0, start), (20, .input(background)), (21, .input(background)), (22, .input(foreground)),
      (23, .input(foreground)),
    ],
    seconds: 110, on + cancelled + open + again)
  check([(0, start), (10, .input(foreground)), (12, .input(.interruptionEnded(nil)))], on + whole)
  check([(0, .input(background)), (1, start), (5, .input(foreground))], ["reply 1"] + open + whole)
  check(
    [(0, .view(.nothing)), (0, start), (1, .input(background)), (60, .input(foreground)), (60, .view(.finger))],
    seconds: 140, on + off + open + whole)
  // After the minute, and in the moment that fills it.
  check([(0, start), (fullAt + 0.5, .input(background))], on + whole)
  check([(0, start), (fullAt, .input(background))], on + whole)
  check(
    [(0, start), (fullAt, .call(.cancelReading))],
    on + ["started", "complete", "build 1", "reply 2"] + off + ["completed"])
  // However long it takes.
  check([(0, start), (20, .input(background))], seconds: 2_000, on + cancelled)
}

/// What interrupts one platform and not the other.
@Test(arguments: InterruptionReason.allCases) func triggers(reason: InterruptionReason) {
  for platform in Platform.allCases {
    let bench = ReadingBench(
      platform: platform, seconds: 80, acts: [(0, start), (20, .input(.interruptionBegan(reason)))])
    let isCancelled = bench.effects().contains { $0.effect.brief == "cancelled interrupted" }
    #expect(isCancelled == (platform == .ios || reason == .otherApp), "\(platform)")
  }
}

@Test func theCameraIsRestored() {
  let cancelled = on + ["started", "cancelled interrupted"]
  let failed = off + ["failed cameraUnavailable"]
  let again = ["started", "complete", "build 2"] + off + ["completed"]
  let background = Input.host(.app(isInForeground: false))
  let foreground = Input.host(.app(isInForeground: true))
  // One stall is restarted, the second ends it, and so does a camera that never comes back.
  check([(0, start), (20, .view(.nothing)), (22.1, .view(.finger))], seconds: 110, cancelled + restart + again)
  check(
    [(0, start), (20, .view(.nothing)), (22.1, .view(.finger)), (40, .view(.nothing))],
    cancelled + restart + ["started"] + failed)
  check([(0, start), (20, .view(.nothing))], cancelled + restart + failed)
  // Each failure to open is tried again, for 10 s in the foreground.
  check(
    [
      (0, start), (20, .input(background)), (30, .view(.nothing)), (30, .input(foreground)),
      (30, .input(.cameraFailed)), (32, .input(.cameraFailed)),
    ],
    cancelled + off + open + open + open + failed)
  check(
    [
      (0, start), (20, .input(background)), (30, .view(.nothing)), (30, .input(foreground)), (39, .input(background)),
      (50, .input(foreground)), (59, .view(.finger)),
    ], seconds: 130, cancelled + off + open + off + open + again)
  // A camera that breaks is restarted; an interruption that comes right after it is the reason, and does not count.
  check([(0, start), (20, .input(.cameraFailed))], seconds: 100, cancelled + restart + again)
  check(
    [
      (0, start), (20, .input(.cameraFailed)), (20, .input(.interruptionBegan(.otherApp))),
      (25, .input(.interruptionEnded(nil))), (40, .view(.nothing)), (42.1, .view(.finger)),
    ], seconds: 130,
    cancelled + restart + off + open + ["started", "cancelled interrupted"] + restart + [
      "started", "complete", "build 3",
    ] + off
      + ["completed"])
  // The torch is asked for again, where there is a camera.
  check(
    [(0, .input(.torch(isAvailable: true))), (0, start), (20, .input(.torch(isAvailable: false)))],
    on + ["started", "torch on", "complete", "build 1"] + off + ["completed"])
}

@Test func slowCameras() {
  for platform in Platform.allCases {
    func briefs(_ acts: [(Double, ReadingBench.Act)]) -> [String] {
      ReadingBench(platform: platform, seconds: 75, acts: acts).effects().compactMap(\.effect.brief)
    }
    let whole = ["started", "complete", "build 1"] + off + ["completed"]
    // A slow camera holds the start until it is quick again, or is adjusted to what it can do.
    #expect(briefs([(0, .view(.slowFinger)), (0, start)]) == on + (platform == .ios ? ["adjust"] : []))
    #expect(
      briefs([(0, .view(.slowFinger)), (0, start), (5, .input(.frameRateSelected(fps: 15)))])
        .prefix { $0 != "complete" } == on + (platform == .ios ? ["adjust"] : []) + ["started"])
    // While measuring it ends the attempt where it is adjusted, and nothing where it is not.
    #expect(
      Array(briefs([(0, start), (20, .view(.slowFinger))]).dropFirst(3))
        == (platform == .ios ? ["started", "cancelled interrupted", "adjust"] : whole))
  }
}

/// Time stamps that stand still, go back or jump crash nothing, and do not make a camera slow.
@Test func strangeTimeStamps() {
  var engine = ReadingEngine(platform: .ios)
  _ = engine.feed(.call(id: 1, .start(isOnMainThread: true)), at: .zero)
  var now = Instant.zero
  for captured in [0, 33_000, 33_000, -5_000_000, 66_000, .min / 4, 9_000_000, 8_000_000, .max / 4, 0] as [Int64] {
    now = now + .milliseconds(33)
    let frame = FrameSample(captured: Instant(microseconds: captured), red: 200, green: 30, blue: 25)
    #expect(engine.feed(.frame(frame), at: now).isEmpty)
  }
}

@Test func facts() {
  func reply(_ platform: Platform, _ facts: [HostFact], isOnMainThread: Bool = true) -> CallOutcome? {
    var engine = ReadingEngine(platform: platform)
    for fact in facts { _ = engine.feed(.host(fact), at: .zero) }
    let before = engine
    let effects = engine.feed(.call(id: 1, .start(isOnMainThread: isOnMainThread)), at: .zero)
    guard case .reply(_, let outcome)? = effects.last else { return nil }
    // One that throws leaves the session as it was (V46).
    if case .threw = outcome { #expect(effects.count == 1 && engine.deadline == before.deadline) }
    return outcome
  }
  let mainThread = ReadingError.internalError("start() must be called on the main thread")
  let rows: [([HostFact], ios: ReadingError?, android: ReadingError?)] = [
    ([.activation(isDone: false)], .notActivated, .notActivated),
    (
      [.device(fault: "noRearCamera")], .unsupportedDevice(reason: "noRearCamera"),
      .unsupportedDevice(reason: "noRearCamera")
    ),
    ([.permission(isGranted: false)], .cameraPermissionDenied, .cameraPermissionDenied),
    ([.camera(isBusy: true)], .cameraUnavailable, nil),
    ([.permission(isGranted: false), .activation(isDone: false)], .notActivated, .notActivated),
    ([.permission(isGranted: false), .permission(isGranted: true)], nil, nil),
    ([.licence(fault: "expired")], nil, nil),
  ]
  for (facts, ios, android) in rows {
    #expect(reply(.ios, facts) == ios.map { .threw($0) } ?? .returned)
    #expect(reply(.android, facts) == android.map { .threw($0) } ?? .returned)
  }
  #expect(reply(.ios, [], isOnMainThread: false) == .returned)
  #expect(reply(.android, [], isOnMainThread: false) == .threw(mainThread))
}

@Test func theOwnerEnds() {
  for platform in Platform.allCases {
    let bench = ReadingBench(platform: platform, acts: [(0, start), (20, .input(.ownerDestroyed))])
    let briefs = bench.effects().compactMap(\.effect.brief)
    let whole = ["complete", "build 1"] + off + ["completed"]
    #expect(briefs == on + ["started"] + (platform == .android ? off : whole))
  }
}

/// Calls, views and failures in any order: nothing crashes, at most one end, and nothing after it.
@Test(arguments: UInt64(1)...60) func anyOrderOfCalls(seed: UInt64) {
  var random = SeededGenerator(seed: seed, stream: "calls")
  let choices: [Act] = [
    start, .call(.stop), .call(.cancelReading), .call(.setAutoStart(true)), .call(.setAutoStart(false)),
    .view(.finger), .view(.finger), .view(.table), .view(.nothing), .view(.flatFinger), .input(.cameraFailed),
    .input(.timer),
    .input(.resultBuilt(attempt: 1, .noHeartRate)),
  ]
  let acts =
    [(0.0, start)]
    + (0..<12).map { _ in
      (random.uniform(in: 0...80), choices[Int(random.uniform() * Double(choices.count))])
    }
  let effects = ReadingBench(seconds: 90, acts: acts).effects().map(\.effect)
  let ends = effects.indices.filter { index in
    switch effects[index] {
    case .event(.completed), .event(.failed): true
    default: false
    }
  }
  #expect(ends.count <= 1)
  if let end = ends.first {
    #expect(effects[(end + 1)...].allSatisfy { effect in if case .reply = effect { true } else { false } })
  }
}
