import Checks
import PulseAnalysis
import PulseSynthesis
import ReadingContract
import ReadingSession
import ReadingSimulation
import Scenarios
import Traces
import VitalsModel

private let steady = """
  name: steady
  about: A still finger for a minute.
  timeline:
    - at: 0 s
      call: start
  expect:
    - sequence: [started, measurementComplete, completed]
    - result:
        heartRate: ± 2 bpm
        rmssd: ± 10 ms
        breathingRate: ± 2 /min
  """

/// One session of a minute from synthesis to verdict, and the parts of it that are not frames.
func sessionFigures() throws(ScenarioRefusal) -> [Figure] {
  let vocabulary = readingContract.vocabulary
  let scenario = try parseScenario(Array(steady.utf8), vocabulary: vocabulary)
  var seed: UInt64 = 0
  var virtual = 0.0
  func run() -> [TraceEntry] {
    seed += 1
    return runReading(
      scenario, vocabulary: vocabulary, platform: "ios", seed: seed, source: .synthetic, keepsInputs: false)
  }
  func verdicts(_ trace: [TraceEntry]) -> [CheckResult] {
    judge(trace, of: scenario, platform: "ios", contract: readingContract, options: JudgeOptions())
  }
  let session = medianSeconds(runs: 101) {
    let trace = run()
    virtual = (trace.last?.at ?? .zero).seconds
    keep(TraceText.hash(of: TraceText.body(trace)))
    keep(verdicts(trace))
  }
  let trace = run()
  let judging = medianSeconds(runs: 101) { keep(verdicts(trace)) }
  let writing = medianSeconds(runs: 101) { keep(TraceText.hash(of: TraceText.body(trace))) }
  let parsing = medianSeconds(runs: 101) {
    keep((try? parseScenario(Array(steady.utf8), vocabulary: vocabulary)) != nil)
  }
  return [
    Figure(name: "sessionTimesFasterThanRealTime", value: virtual / session, places: 0),
    Figure(name: "sessionMs", value: session * 1e3, places: 3),
    Figure(name: "judgingShareOfSessionPercent", value: 100 * judging / session),
    Figure(name: "traceShareOfSessionPercent", value: 100 * writing / session),
    Figure(name: "parsingShareOfSessionPercent", value: 100 * parsing / session),
  ]
}

/// The reading of a minute's light, without a session around it.
func stageFigures() -> [Figure] {
  let count = 1_800
  func moment(_ index: Int) -> Instant { Instant(microseconds: Int64(index) * 33_333) }
  var seed: UInt64 = 0
  func frames() -> [FrameSample] {
    seed += 1
    var scene = FingerScene(subject: Subject(), seed: seed)
    return (0..<count).map { index in
      let light = scene.light(at: moment(index))
      return FrameSample(captured: moment(index), red: light.red, green: light.green, blue: light.blue)
    }
  }
  let minute = frames()
  let streaming = medianSeconds(runs: 51) {
    var analyzer = PulseAnalyzer()
    for frame in minute { keep(analyzer.feed(frame)) }
  }
  var record = PulseRecord()
  for frame in minute { record.append(frame) }
  let measuring = medianSeconds(runs: 51) { keep(measurePulse(record)) }
  return [
    Figure(name: "streamingAnalysisNsPerFrame", value: streaming / Double(count) * 1e9),
    Figure(name: "minuteMeasurementMs", value: measuring * 1e3, places: 3),
    Figure(name: "minuteMeasurementTimesFasterThanRealTime", value: 60 / measuring, places: 0),
  ]
}

/// One step of the engine in which nothing happens: a timer that comes too early, and the question when it is due.
func engineFigures() -> [Figure] {
  let steps = 10_000
  var scene = FingerScene(subject: Subject(), seed: 1)
  var engine = ReadingEngine(platform: .ios)
  keep(engine.feed(.call(id: 1, .start(isOnMainThread: true)), at: .zero).count)
  var index = 0
  /// Feeds frames and deadlines until the engine has been at it for so many seconds.
  func play(until seconds: Double) {
    while Double(index) / 30 < seconds {
      let now = Instant(microseconds: Int64(index) * 33_333)
      if let deadline = engine.deadline, deadline <= now { keep(engine.feed(.timer, at: now).count) }
      let light = scene.light(at: now)
      let frame = FrameSample(captured: now, red: light.red, green: light.green, blue: light.blue)
      keep(engine.feed(.frame(frame), at: now).count)
      index += 1
    }
  }
  func figure(_ name: String, until seconds: Double) -> Figure {
    play(until: seconds)
    let now = Instant(microseconds: Int64(index) * 33_333)
    let step = medianSeconds(runs: 101) {
      for _ in 0..<steps where engine.deadline.map({ $0 > now }) ?? true { keep(engine.feed(.timer, at: now).count) }
    }
    return Figure(name: name, value: step / Double(steps) * 1e9)
  }
  return [
    figure("positioningIdleStepNs", until: 3.5), figure("measuringIdleStepNs", until: 30.5),
  ]
}

/// Uses a value, so that the work behind it is not optimised away.
@inline(never) func keep(_ value: some Any) {}
