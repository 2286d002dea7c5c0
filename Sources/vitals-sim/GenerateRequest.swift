import Recordings
import Scenarios
import VitalsModel

/// What `generate` was asked for.
struct GenerateRequest: Sendable {
  /// Where the recording goes; `-` is standard output.
  var output: String?
  /// Nil: as the output's name ends.
  var format: RecordingFormat?
  /// Values that take the place of the scenario's, and how the user wrote each.
  var overrides: [(value: SettingOverride, text: String)] = []
  /// Nil: the seed of the scenario.
  var seed: UInt64?
  /// Nil: as long as the scenario's run.
  var length: TimeSpan?
  /// Where the truth goes; nil: nowhere.
  var truthFile: String?
  /// Nil: the scenario's first.
  var platform: String?

  /// The longest recording in seconds, which is the longest that is read: a week.
  private static let longestSeconds = 604_800.0

  static let options: [Option<GenerateRequest>] = [
    Option("output", "o", about: "where to write; - is standard output", .value("FILE", setOutput)),
    Option("format", about: "csv, jsonl or edf; as FILE ends, and csv for -", .value("FORMAT", setFormat)),
    Option("set", about: "SECTION.FIELD=VALUE as in a scenario; may be repeated", .value("SETTING", addOverride)),
    Option("source", about: "what is before the camera, as in a scenario", .value("SOURCE", setSource)),
    Option("seed", "s", about: "of everything left to chance; the scenario's, or 1", .value("N", setSeed)),
    Option("for", about: "how long, such as 90s or 24h; the scenario's run, or 60s", .value("TIME", setLength)),
    Option("truth", about: "write beats, breaths and states, as JSON Lines", .value("FILE", setTruthFile)),
    Option("platform", "p", about: "whose system the phone has: ios or android", .value("NAME", setPlatform)),
  ]

  @Sendable private static func setOutput(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.output, "-o")
    request.output = try fileName(text, of: "-o")
  }

  @Sendable private static func setTruthFile(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    try refuseSecond(request.truthFile, "--truth")
    request.truthFile = try fileName(text, of: "--truth")
  }

  @Sendable private static func setFormat(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    guard let format = RecordingFormat(rawValue: text) else {
      let known = RecordingFormat.allCases.map(\.rawValue)
      let meant = nearest(to: text, among: known).map { "did you mean \($0)?" }
      throw Refusal(
        request: "unknown format \(text.shown)", hint: meant ?? "known are \(known.joined(separator: ", "))")
    }
    request.format = format
  }

  @Sendable private static func addOverride(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    let shown = "--set \(text.asShellWord)"
    let override: SettingOverride
    do throws(SettingOverrideMistake) {
      override = try SettingOverride(text, vocabulary: ScenarioFiles.contract.vocabulary)
    } catch {
      throw Refusal(request: "\(shown): \(error.message)", hint: error.advice)
    }
    try request.add(override, option: "--set \(override.name)", text: shown)
  }

  private mutating func add(_ override: SettingOverride, option: String, text: String) throws(Refusal) {
    if let first = overrides.first(where: { $0.value.name == override.name }) {
      throw Refusal(request: "\(option) is given twice", hint: "the first is \(first.text)")
    }
    overrides.append((override, text))
  }

  @Sendable static func setSource(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    let override = SettingOverride(key: "source", value: text)
    try request.add(override, option: "--source", text: "--source \(text.asShellWord)")
  }

  @Sendable private static func setSeed(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    let isDigits = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isDigits, !text.isEmpty, let seed = Int64(text) else {
      if isDigits, !text.isEmpty {
        throw Refusal(request: "seed \(text) is too large", hint: "the largest is \(Int64.max)")
      }
      throw Refusal(request: "\(text.shown) is not a seed", hint: "write a whole number such as 7")
    }
    request.seed = UInt64(seed)
  }

  @Sendable private static func setLength(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    let seconds = try value(.time, text, of: "--for")
    let length = TimeSpan(seconds: min(seconds, 2 * longestSeconds))
    guard length > .zero, seconds <= longestSeconds else {
      throw Refusal(request: "--for \(text.asShellWord): a recording is longer than no time and at most 168h, a week")
    }
    request.length = length
  }

  @Sendable private static func setPlatform(_ request: inout GenerateRequest, _ text: String) throws(Refusal) {
    request.platform = try knownPlatform(text)
  }
}

/// The name of a platform, when it is one.
func knownPlatform(_ text: String) throws(Refusal) -> String {
  let known = ScenarioFiles.contract.vocabulary.platforms
  guard known.contains(text) else {
    let meant = nearest(to: text, among: known).map { "did you mean \($0)?" }
    throw Refusal(
      request: "unknown platform \(text.shown)", hint: meant ?? "known are \(known.joined(separator: ", "))")
  }
  return text
}
