import OximeterProtocols
import ReadingSimulation
import ReadingWorld
import Recordings
import Scenarios
import Simulation
import Traces
import VitalsModel

let generateCommand = Command(
  "generate", "[SCENARIO] -o FILE [options]", about: "write a synthetic recording, with the truth about it",
  details: [
    "SCENARIO is a file or - for standard input; without one, options alone say what is",
    "recorded. Camera and torch are on from the beginning, and calls are left out. What",
    "a scenario places after an event happens when it does in a run of that scenario.",
    "csv holds frames; jsonl is a trace of frames and truths, which run --source reads;",
    "edf is EDF+ on a regular grid, with truths as annotations, on the phone's clock. In",
    "truths t is true time; a frame's stamp is its time on the phone's clock, as in csv.",
  ],
  options: GenerateRequest.options,
  example: "vitals-sim generate -o a.csv --truth a.jsonl --set subject.heartRate=58bpm",
  request: GenerateRequest()
) { (request, operands) throws(Refusal) in
  try refuseOperands(operands.dropFirst(), of: "generate")
  let places = try GeneratedPlaces(request, sparing: operands.first)
  let take = try Take(request, scenarioPath: operands.first)
  if let source = take.scenario.source, OximeterProtocol(source: source) != nil {
    throw Refusal(
      request: "source: \(source) is an oximeter, and generate records what a camera sees",
      hint: "its frames are in the trace of a run: vitals-sim run PATH --trace DIR")
  }
  for warning in take.warnings + places.warnings(about: take) { warn(warning) }
  if try places.write(take) == 0 { warn(take.noFrameWarning) }
  return .passed
}

/// What is to be recorded.
struct Take {
  let scenario: Scenario
  let platform: String
  let seed: UInt64
  let length: TimeSpan
  /// The scenario's file as the user wrote it; nil: there is none.
  let path: String?
  /// The settings that options gave.
  let overrides: [(value: SettingOverride, text: String)]
  let timetable: Timetable

  /// The scenario of options alone.
  private static let plain = """
    name: generated
    about: A finger that options describe.
    timeline:
      - at: 0 s
        call: start
    expect:
      - see: completed
    """
  private static let plainLength = TimeSpan.seconds(60)

  init(_ request: GenerateRequest, scenarioPath path: String?) throws(Refusal) {
    let bytes = try path.map { (path) throws(Refusal) in try ScenarioFiles.bytes(of: path) } ?? Array(Self.plain.utf8)
    self.path = path
    overrides = request.overrides
    scenario = try Self.scenario(bytes, path: path ?? "generate", request)
    let (scenario, vocabulary) = (scenario, ScenarioFiles.contract.vocabulary)
    platform = request.platform ?? scenario.platforms[0]
    guard scenario.platforms.contains(platform) else {
      throw Refusal(request: "\(path ?? "") runs only on \(scenario.platforms.joined(separator: ", "))")
    }
    seed = request.seed ?? scenario.seed
    let (platform, seed) = (platform, seed)
    lazy var run = runReading(
      scenario, vocabulary: vocabulary, platform: platform, seed: seed, source: .synthetic, keepsInputs: false)
    timetable = Timetable(scenario, vocabulary: vocabulary, events: scenario.hasWaitingChange ? run : [])
    length = request.length ?? (path == nil ? Self.plainLength : (run.last?.at ?? .zero) - .zero)
  }

  /// The scenario of a file with the values of the options in it, or every mistake in either.
  private static func scenario(
    _ bytes: [UInt8], path: String, _ request: GenerateRequest
  ) throws(Refusal) -> Scenario {
    do throws(ScenarioRefusal) {
      return try parseScenario(
        bytes, vocabulary: ScenarioFiles.contract.vocabulary, overriding: request.overrides.map(\.value))
    } catch {
      var text = ""
      for mistake in error.diagnostics {
        guard let index = mistake.override else { continue }
        let message = "\(request.overrides[index].text): \(mistake.message)"
        text += Refusal(request: message, hint: mistake.advice).text
      }
      text += render(error.diagnostics.filter { $0.override == nil }, file: path.withoutControls, bytes: bytes)
      throw Refusal(mistakes: text)
    }
  }

  /// A recorder at the beginning.
  func recorder(keepsFrameTruth: Bool) -> SyntheticRecorder {
    SyntheticRecorder(
      scenario, timetable: timetable, platform: platform, seed: seed, length: length,
      keepsFrameTruth: keepsFrameTruth)
  }

  /// The first line of a trace of it.
  var header: TraceHeader {
    TraceHeader(
      tool: VitalsSim.version, contract: ScenarioFiles.contract.name, scenario: scenario.name, platform: platform,
      seed: seed, engine: "none", channels: FrameSample.channels,
      further: [
        Field("synthetic", .flag(true)),
        Field("beatTime", .text("the foot of the pulse wave at the fingertip")),
        Field("breathTime", .text("the beginning of the inspiration")),
        Field("time", .text("true seconds since the recording began")),
        Field("stamp", .text(stampMeaning)),
      ] + settings)
  }

  /// Frames that are stamped by their delivery cannot be told by it before they are delivered.
  private var stampMeaning: String {
    clock.isReadAtDelivery
      ? "seconds on the phone's clock at the capture of a frame, which itself carries those of its delivery"
      : "seconds on the phone's clock, as the frame carries them"
  }

  /// The phone's clock.
  var clock: RecordingClock { RecordingClock(scenario.settings) }

  /// What is set, in the words of a scenario.
  private var settings: [Field] {
    let settings = SyntheticRecorder.settings(of: scenario)
    let source = scenario.source.map { Field("source", .text($0)) }
    return [source].compactMap(\.self)
      + ScenarioFiles.contract.vocabulary.sections.map { section in
        let numbers = section.fields.compactMap { field in
          settings[section.name, field.name].map { Field(field.name, .text(field.quantity.text($0))) }
        }
        let choices = section.choices.compactMap { choice in
          settings[choice: section.name, choice.name].map { Field(choice.name, .text($0)) }
        }
        return Field(section.name, .object(numbers + choices))
      }
  }

  /// Frames per second, as the scenario sets them.
  var frameRateFps: Double { scenario.settings["camera", "frameRate"] ?? 30 }
}

extension Scenario {
  /// Whether a change of the world waits for an event.
  fileprivate var hasWaitingChange: Bool {
    timeline.contains { stimulus in
      if case .after = stimulus.placement { stimulus.isChange } else { false }
    }
  }
}

extension Stimulus {
  /// Whether it is a change of the world, and no call.
  var isChange: Bool {
    switch action {
    case .call: false
    case .world: true
    }
  }
}
