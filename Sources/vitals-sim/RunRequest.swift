import Checks
import OximeterProtocols
import ReadingWorld
import Scenarios

/// What `run` was asked for.
struct RunRequest: Sendable {
  /// Nil: the seed of each scenario.
  var seeds: ClosedRange<UInt64>?
  /// Nil: every platform of each scenario.
  var platform: String?
  /// A file of frames; nil: what `oximeter` says.
  var recording: String?
  /// An oximeter; nil: what the scenario says, or the recording.
  var oximeter: Oximeter?
  /// Which columns of the recording hold what; nil: found by their names.
  var columns: String?
  /// A file of intervals that a reference device recorded.
  var reference: String?
  /// What is left unjudged.
  var judging = JudgeOptions()
  /// Run scenarios with any of these; empty: all.
  var tags: [String] = []
  var shard: Shard?
  /// Nil: as many as the machine has cores.
  var jobs: Int?
  var jsonFile: String?
  var junitFile: String?
  var traceFolder: String?
  var recordsGoldens = false
  var isQuiet = false

  /// An oximeter as the source.
  enum Oximeter: Sendable {
    /// A virtual one.
    case emulator(OximeterProtocol)
    /// One on a serial port; nil: what it speaks is found out.
    case port(String, OximeterProtocol?)

    /// Whether it takes the time that it takes.
    var isLive: Bool {
      switch self {
      case .emulator: false
      case .port: true
      }
    }
  }

  /// One part of the runs when several machines share them.
  struct Shard: Sendable {
    /// From 1 to `count`.
    let index: Int
    let count: Int
  }

  /// The most seeds of one call.
  private static let mostSeeds: UInt64 = 100_000

  static let options: [Option<RunRequest>] = [
    Option("platform", "p", about: "only this one: ios or android", .value("NAME", setPlatform)),
    Option("seed", "s", about: "instead of the scenario's; 1..50 runs them all", .value("N", setSeeds)),
    Option("tag", "t", about: "only scenarios with this tag; may be repeated", .value("TAG") { $0.tags.append($1) }),
    Option("source", about: "synthetic, recording:FILE, serial:PORT or serial:emulator", .value("SOURCE", setSource)),
    Option("columns", about: "of a recording: time=t:ms,red=R,green=G,blue=B", .value("SPEC") { $0.columns = $1 }),
    Option("reference", about: "intervals in ms recorded with it, as the truth", .value("FILE") { $0.reference = $1 }),
    Option("without", about: "leave unjudged: accuracy, or one measure; may be repeated", .value("WHAT", setWithout)),
    Option("shard", about: "only the I-th of N parts of the runs", .value("I/N", setShard)),
    Option("jobs", "j", about: "runs at a time; as many as there are cores", .value("N", setJobs)),
    Option("json", about: "write a JSON report; - is standard output", .value("FILE") { $0.jsonFile = $1 }),
    Option("junit", about: "write a JUnit XML report; - is standard output", .value("FILE") { $0.junitFile = $1 }),
    Option("trace", about: "write a recording of each run into a folder", .value("DIR") { $0.traceFolder = $1 }),
    Option(
      "record-goldens", about: "write traces to compare with; that run fails", .flag { $0.recordsGoldens = true }),
    Option("quiet", "q", about: "show only what is not green", .flag { $0.isQuiet = true }),
  ]

  @Sendable private static func setPlatform(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    request.platform = try knownPlatform(text)
  }

  @Sendable private static func setSeeds(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    let ends = text.split(separator: ".", omittingEmptySubsequences: false)
    let isRange = ends.count == 3 && ends[1].isEmpty
    let hint = "write a whole number such as 7, or a range such as 1..50"
    guard let first = ends.first.flatMap(seed), let last = ends.last.flatMap(seed), ends.count == 1 || isRange else {
      throw Refusal(request: "\(text.shown) is not a seed", hint: hint)
    }
    guard first <= last else { throw Refusal(request: "the seeds \(text) go backwards", hint: hint) }
    guard last - first < mostSeeds else { throw Refusal(request: "\(text) is more than \(mostSeeds) seeds") }
    request.seeds = first...last
  }

  /// Digits only, and within what a trace can hold.
  private static func seed(_ text: Substring) -> UInt64? {
    isDigits(text) ? Int64(text).map(UInt64.init) : nil
  }

  private static func isDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  @Sendable private static func setSource(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    (request.recording, request.oximeter) = (nil, nil)
    if text == "synthetic" { return }
    if text.hasPrefix("recording:"), text != "recording:" {
      request.recording = String(text.dropFirst("recording:".count))
    } else if text.hasPrefix("serial:"), text != "serial:" {
      request.oximeter = try Oximeter(String(text.dropFirst("serial:".count)))
    } else {
      throw Refusal(
        request: "unknown source \(text.shown)",
        hint: "write synthetic, recording:FILE, serial:PORT[,PROTOCOL] or serial:emulator[,PROTOCOL]")
    }
  }

  @Sendable private static func setWithout(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    let measures = ScenarioFiles.contract.vocabulary.result?.measures.map(\.name) ?? []
    if text == "accuracy" {
      request.judging.skipsAccuracy = true
    } else if measures.contains(text) {
      request.judging.skippedMeasures.append(text)
    } else {
      let known = ["accuracy"] + measures
      let meant = nearest(to: text, among: known).map { "did you mean \($0)?" }
      throw Refusal(
        request: "cannot run without \(text.shown)", hint: meant ?? "known are \(known.joined(separator: ", "))")
    }
  }

  @Sendable private static func setShard(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      isDigits(part) ? Int(part) : nil
    }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else {
      throw Refusal(request: "\(text.shown) is not a part", hint: "write I/N with I from 1 to N, such as 1/4")
    }
    request.shard = Shard(index: index, count: count)
  }

  @Sendable private static func setJobs(_ request: inout RunRequest, _ text: String) throws(Refusal) {
    request.jobs = try jobCount(text)
  }

  /// Refuses options that do not go together.
  func check() throws(Refusal) {
    if recording == nil, columns != nil || reference != nil {
      throw Refusal(
        request: "--\(columns != nil ? "columns" : "reference") is about a recording",
        hint: "add --source recording:FILE")
    }
    if oximeter?.isLive == true {
      if seeds != nil { throw Refusal(request: "--seed is about chance, and a live oximeter leaves none to it") }
      if let jobs, jobs > 1 {
        throw Refusal(request: "a port serves one run at a time", hint: "leave --jobs out: runs go one after another")
      }
    }
    if recordsGoldens, recording != nil || oximeter != nil || seeds != nil {
      throw Refusal(request: "goldens are of the synthetic source and the scenario's own seed")
    }
    try ReportPlaces.check(json: jsonFile, junit: junitFile)
  }
}

extension RunRequest.Oximeter {
  /// What stands behind `serial:`: a port or `emulator`, and a protocol behind a comma.
  fileprivate init(_ text: String) throws(Refusal) {
    var port = text
    var speaks: OximeterProtocol?
    // A comma may be in a path, and is then before a slash.
    if let comma = text.lastIndex(of: ","), !text[comma...].contains("/") {
      port = String(text[..<comma])
      let name = String(text[text.index(after: comma)...])
      speaks = name == "auto" ? nil : try knownProtocol(name)
    }
    if let speaks { try refuseSource(speaks) }
    guard !port.isEmpty else {
      throw Refusal(request: "serial:\(text) names no port", hint: "vitals-sim devices lists the ports of this machine")
    }
    self = port == "emulator" ? .emulator(speaks ?? .contecV7) : .port(port, speaks)
  }
}

/// Refuses what sends no pleth.
func refuseSource(_ speaks: OximeterProtocol) throws(Refusal) {
  guard let reason = refusal(ofSource: speaks) else { return }
  let known = OximeterProtocol.allCases.filter(\.hasPleth).map(\.rawValue).joined(separator: ", ")
  throw Refusal(request: reason, hint: "those with a pleth are \(known)")
}
