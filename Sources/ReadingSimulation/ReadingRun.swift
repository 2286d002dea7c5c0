import CameraSynthesis
import OximeterLines
import OximeterProtocols
import PulseSynthesis
import ReadingSession
import Recordings
import ReadingWorld
import Scenarios
import Simulation
import Traces
import VitalsModel

/// Runs a scenario against the built-in engine, and gives what happened.
///
/// - Parameters:
///   - platform: one of the vocabulary's platforms
///   - seed: of every random stream
///   - keepsInputs: whether samples and timers are kept, so that the trace can be replayed
public func runReading(
  _ scenario: Scenario, vocabulary: Vocabulary, platform: String, seed: UInt64, source: ReadingSource,
  keepsInputs: Bool
) -> [TraceEntry] {
  runReading(
    scenario, vocabulary: vocabulary, platform: platform, seed: seed, source: source, keepsInputs: keepsInputs,
    session: { EngineSession(platform: $0) })
}

/// Runs a scenario against any session, and gives what happened.
///
/// - Parameters:
///   - platform: one of the vocabulary's platforms
///   - seed: of every random stream
///   - keepsInputs: whether samples and timers are kept, so that the trace can be replayed
///   - session: makes the session that is driven
package func runReading<Session: SessionUnderTest<FrameSample>>(
  _ scenario: Scenario, vocabulary: Vocabulary, platform: String, seed: UInt64, source: ReadingSource,
  keepsInputs: Bool, session: (Platform) -> Session
) -> [TraceEntry] {
  let plan = RunPlan(
    timeline: scenario.timeline, settings: scenario.settings, vocabulary: vocabulary, until: scenario.until,
    keepsInputs: keepsInputs)
  var session = session(Platform(name: platform))
  func runOnVirtualOximeter(_ speaks: OximeterProtocol) -> [TraceEntry] {
    var phone = VirtualOximeterPhone(
      scenario, speaking: speaks, platform: platform, seed: seed, keepsBytes: keepsInputs)
    return drive(&session, on: &phone, plan: plan)
  }
  switch source {
  case .synthetic:
    guard let speaks = OximeterProtocol(source: scenario.source) else {
      var phone = SimulatedPhone(
        settings: scenario.settings, source: scenario.source, platform: platform, seed: seed)
      return drive(&session, on: &phone, plan: plan)
    }
    return runOnVirtualOximeter(speaks)
  case .virtualOximeter(let speaks): return runOnVirtualOximeter(speaks)
  case .liveOximeter: preconditionFailure("a live oximeter is run on its line")
  case .recording(let recording, let reference):
    let settings = PhoneSettings(scenario.settings)
    var phone = RecordedPhone(recording, reference: reference, resultDelay: settings.resultDelay)
    return drive(&session, on: &phone, plan: plan)
  }
}

/// Runs a scenario on an oximeter that streams, against the built-in engine, and gives what happened.
///
/// It takes the time that it takes. What may be run so `refusal(of:on:)` says.
///
/// - Parameters:
///   - stream: of a protocol with a pleth; the run begins at the moment that it has come to
///   - platform: one of the vocabulary's platforms
///   - ending: what is said where the device is gone for good, as a sentence without a full stop
///   - keepsInputs: whether samples and timers are kept, so that the trace can be replayed
///   - watch: is told of everything that comes of the line, as it comes
public func runReading<Line: OximeterLine>(
  _ scenario: Scenario, vocabulary: Vocabulary, platform: String, on stream: inout OximeterStream<CapturingLine<Line>>,
  ending: String, keepsInputs: Bool, watch: @escaping (LinkEvent) -> Void
) -> [TraceEntry] {
  let resultDelay = PhoneSettings(scenario.settings).resultDelay
  guard let settings = OximeterPhoneSettings(stream.speaks, resultDelay: resultDelay, ending: ending) else {
    preconditionFailure("\(stream.speaks.rawValue) has no pleth")
  }
  var session = EngineSession(platform: Platform(name: platform))
  var phone = OximeterPhone(stream, settings: settings, watch: watch)
  let plan = RunPlan(
    timeline: scenario.timeline, settings: scenario.settings, vocabulary: vocabulary, until: scenario.until,
    keepsInputs: keepsInputs)
  let trace = drive(&session, on: &phone, plan: plan)
  stream = phone.stream
  return trace
}

/// Why nothing can be said of a trace by its times; nil when they are those of a run.
public func refusal(ofTimesIn trace: [TraceEntry]) -> String? {
  var latest = Instant.zero
  for entry in trace {
    let moment = "\(Fixed.text(entry.at.seconds, places: 3)) s"
    guard entry.at >= latest else { return "it goes back in time, to \(moment)" }
    guard entry.at - .zero <= Recording.longest else { return "it goes on for more than 7 days, to \(moment)" }
    latest = entry.at
  }
  return nil
}

/// Why a trace cannot be replayed; nil when it can. A file may have been edited, or be another tool's.
public func refusal(ofReplaying trace: [TraceEntry], vocabulary: Vocabulary) -> String? {
  if let reason = refusal(ofTimesIn: trace) { return reason }
  var hasInputs = false
  for entry in trace {
    switch entry.item {
    case .call(_, let message):
      hasInputs = true
      guard vocabulary.allows(call: message) else {
        return "the call \(message.name) at \(Fixed.text(entry.at.seconds, places: 3)) s is none of this contract, or "
          + "lacks its argument"
      }
    case .sample, .notice: hasInputs = true
    case .capture, .reference, .reply, .timer, .event, .command, .stimulus, .truth: break
    }
  }
  return hasInputs ? nil : "there is nothing in it that a session could be fed"
}

extension Vocabulary {
  fileprivate func allows(call message: Message) -> Bool {
    guard let call = calls.first(where: { $0.name == message.name }) else { return false }
    return message["argument"]?.text.map(call.arguments.contains) ?? !call.needsArgument
  }
}

/// Feeds a recorded input log, which `refusal(ofReplaying:vocabulary:)` lets through, to the built-in engine again, and gives what happened this time.
///
/// What only the trace knew, stimuli and truth, is not in it: compare with `inputsAndEffects(of:)` of the recorded one.
public func replayReading(_ trace: [TraceEntry], platform: String) -> [TraceEntry] {
  var session = EngineSession(platform: Platform(name: platform))
  return replay(trace, on: &session)
}

extension Platform {
  init(name: String) {
    guard let platform = Platform(rawValue: name) else {
      preconditionFailure("no platform is named \(name)")
    }
    self = platform
  }
}

extension PhoneSettings {
  init(_ settings: Settings) {
    self.init(
      camera: CameraSettings(settings), latency: TimeSpan(seconds: settings.value("camera", "latency") / 1_000),
      openDelay: TimeSpan(seconds: settings.value("camera", "openDelay")),
      resultDelay: TimeSpan(seconds: settings.value("host", "resultDelay")))
  }
}
