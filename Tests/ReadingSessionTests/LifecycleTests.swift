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

private let on = ["camera on", "torch on", "reply 1"]
private let off = ["torch off", "camera off"]

@Test func theHappyPath() {
  check([(0, .call(.start))], on + ["started", "complete", "build 1"] + off + ["completed"])
}

@Test func cancels() {
  let again = ["started", "complete", "build 2"] + off + ["completed"]
  check(
    [(0, .call(.start)), (20, .view(.table)), (30, .view(.finger))], seconds: 110,
    on + ["started", "cancelled contactLost"] + again)
  check(
    [(0, .call(.start)), (20, .call(.cancelReading))], seconds: 95,
    on + ["started", "cancelled cancelledByApp", "reply 2"] + again)
  // A short lift, a cancel with nothing to cancel, and a lift that the minute outruns.
  let whole = ["complete", "build 1"] + off + ["completed"]
  check([(0, .call(.start)), (20, .view(.table)), (22, .view(.finger))], on + ["started"] + whole)
  check([(0, .call(.start)), (1, .call(.cancelReading))], on + ["reply 2", "started"] + whole)
  check([(0, .call(.start)), (65, .view(.table))], on + ["started"] + whole)
}

@Test func stops() {
  check([(0, .call(.stop)), (1, .call(.start))], ["reply 1", "threw 2"])
  check([(0, .call(.start)), (2, .call(.stop))], on + off + ["reply 2"])
  check([(0, .call(.start)), (20, .call(.stop)), (21, .call(.stop))], on + ["started"] + off + ["reply 2", "reply 3"])
  // The full minute is 60 s after the start; the result is built a second later.
  let late = ReadingBench(acts: [(0, .call(.start))]).effects()
  guard let complete = late.first(where: { $0.effect.brief == "complete" })?.at else {
    Issue.record("the minute never filled")
    return
  }
  check(
    [(0, .call(.start)), (complete + 0.5, .call(.stop)), (complete + 0.6, .call(.stop))],
    on + ["started", "complete", "build 1"] + off + ["reply 2", "reply 3", "completed"])
  check(
    [(0, .call(.start)), (complete + 5, .call(.stop))],
    on + ["started", "complete", "build 1"] + off + ["completed", "reply 2"])
}

@Test func failures() {
  check([(0, .call(.start)), (0, .view(.nothing))], on + off + ["failed cameraUnavailable"])
  check([(0, .call(.start)), (3, .cameraFailed), (4, .cameraFailed)], on + off + ["failed cameraUnavailable"])
  check([(0, .call(.start)), (20, .cameraFailed)], on + ["started"] + off + ["failed cameraUnavailable"])
  check(
    [(0, .call(.start)), (9, .view(.flatFinger))],
    on + ["started", "complete", "build 1"] + off + ["failed noHeartRate"])
  check(
    [(0, .call(.start))], buildsResults: false, seconds: 90,
    on + ["started", "complete", "build 1"] + off + ["failed internalError(\"the result was not built in time\")"])
}

@Test func callsAtOddTimes() {
  check([(0, .call(.start)), (1, .call(.start))], seconds: 3, on + ["threw 2"])
  check([(0, .call(.cancelReading)), (1, .timer), (2, .cameraFailed)], seconds: 3, ["reply 1"])
  // A result that nobody asked for, or of another attempt.
  check([(0, .call(.start)), (1, .resultBuilt(attempt: 1, .noHeartRate))], seconds: 2, on)
  check(
    [(0, .call(.start)), (66, .resultBuilt(attempt: 7, .noHeartRate))], buildsResults: false, seconds: 67,
    on + ["started", "complete", "build 1"])
  // A timer that nobody asked for.
  check((0..<40).map { (Double($0) * 0.1 + 0.05, .timer) } + [(0, .call(.start))], seconds: 4, on)
}

@Test func theStartIsHeld() {
  check([(0, .call(.setAutoStart(false))), (0, .call(.start))], ["reply 1", "camera on", "torch on", "reply 2"])
  check(
    [(0, .call(.setAutoStart(false))), (0, .call(.start)), (20, .call(.setAutoStart(true)))], seconds: 21,
    ["reply 1", "camera on", "torch on", "reply 2", "started", "reply 3"])
  // During a reading it holds only the next one.
  check(
    [(0, .call(.start)), (20, .call(.setAutoStart(false))), (30, .call(.cancelReading))],
    on + ["started", "reply 2", "cancelled cancelledByApp", "reply 3"])
}

@Test func whatComesEverySecond() {
  let effects = ReadingBench(acts: [(0, .call(.start))]).effects()
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
        platform: platform, seconds: 5, acts: [(0, .view(view)), (0, .call(.setAutoStart(false))), (0, .call(.start))])
      let last = bench.effects().reversed().compactMap { effect -> Guidance? in
        if case .event(.guidance(let guidance, _)) = effect.effect { guidance } else { nil }
      }.first
      #expect(last == word, "\(view) on \(platform)")
    }
  }
}

/// Calls, views and failures in any order: nothing crashes, at most one end, and nothing after it.
@Test(arguments: UInt64(1)...60) func anyOrderOfCalls(seed: UInt64) {
  var random = SeededGenerator(seed: seed, stream: "calls")
  let choices: [Act] = [
    .call(.start), .call(.stop), .call(.cancelReading), .call(.setAutoStart(true)), .call(.setAutoStart(false)),
    .view(.finger), .view(.finger), .view(.table), .view(.nothing), .view(.flatFinger), .cameraFailed, .timer,
    .resultBuilt(attempt: 1, .noHeartRate),
  ]
  let acts =
    [(0.0, Act.call(.start))]
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
