import Checks
import ReadingSimulation
import Scenarios
import Simulation
import Traces
import VitalsModel

let exploreCommand = Command(
  "explore", "[options]", about: "try random orders of calls and faults, and shrink what breaks a rule",
  details: [
    "Prints a scenario for each rule that broke, with as few steps as it takes. Run K",
    "uses the seed S + K, so that a run can be had again: --seed K --runs 1.",
  ],
  options: ExploreRequest.options, example: "vitals-sim explore --runs 10000", request: ExploreRequest()
) { (request, operands) throws(Refusal) in
  try refuseOperands(operands, of: "explore")
  let outcomes = try inParallel(request.runs, jobs: request.jobs) { (index) throws(Refusal) -> [String] in
    Exploration(seed: request.seed + UInt64(index)).brokenRules
  }
  let platforms = ScenarioFiles.contract.vocabulary.platforms.joined(separator: " and ")
  var text = ""
  var told: Set<String> = []
  for (index, rules) in outcomes.enumerated() {
    for rule in rules where told.insert(rule).inserted {
      text += Exploration(seed: request.seed + UInt64(index)).text(breaking: rule) + "\n"
    }
  }
  let broken = outcomes.count { !$0.isEmpty }
  let last = request.seed + UInt64(request.runs - 1)
  text += "\(request.runs) orders (seeds \(request.seed) to \(last)) on \(platforms), \(broken) broke a rule\n"
  StandardStream.output.write(text)
  return broken == 0 ? .passed : .failed
}

/// What `explore` was asked for.
struct ExploreRequest: Sendable {
  var runs = 1_000
  var seed: UInt64 = 1
  var jobs: Int?

  static let options: [Option<ExploreRequest>] = [
    Option("runs", "n", about: "how many orders; 1000", .value("N", setRuns)),
    Option("seed", "s", about: "of the first one; 1", .value("S", setSeed)),
    Option("jobs", "j", about: "runs at a time; as many as there are cores", .value("N", setJobs)),
  ]

  @Sendable private static func setRuns(_ request: inout ExploreRequest, _ text: String) throws(Refusal) {
    request.runs = try number(text, in: 1...10_000_000, "a number of orders")
  }

  @Sendable private static func setSeed(_ request: inout ExploreRequest, _ text: String) throws(Refusal) {
    request.seed = UInt64(try number(text, in: 0...1_000_000_000_000, "a seed"))
  }

  @Sendable private static func setJobs(_ request: inout ExploreRequest, _ text: String) throws(Refusal) {
    request.jobs = try number(text, in: 1...1_024, "a number of jobs")
  }

  private static func number(_ text: String, in range: ClosedRange<Int>, _ what: String) throws(Refusal) -> Int {
    let isDigits = text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isDigits, let number = Int(text), range.contains(number) else {
      throw Refusal(
        request: "\(text.shown) is not \(what)",
        hint: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// One random order, on every platform.
private struct Exploration {
  let seed: UInt64
  private let contract = ScenarioFiles.contract
  private let timeline: [Stimulus]

  /// Long enough for an attempt that is spoiled, and for one that completes.
  private static let until = TimeSpan.seconds(150)

  init(seed: UInt64) {
    self.seed = seed
    var random = RandomTimeline(
      vocabulary: contract.vocabulary, opening: .call("start", argument: nil), seed: seed)
    timeline = random.next()
  }

  /// The rules, and the checks that need no rule, that break on any platform.
  var brokenRules: [String] {
    var broken: [String] = []
    for platform in contract.vocabulary.platforms {
      for check in faults(of: timeline, on: platform) where !broken.contains(check.name) { broken.append(check.name) }
    }
    return broken
  }

  /// The smallest scenario that still breaks it, and what breaks.
  func text(breaking rule: String) -> String {
    for platform in contract.vocabulary.platforms {
      guard faults(of: timeline, on: platform).contains(where: { $0.name == rule }) else { continue }
      let smallest = shrunk(timeline) { shorter in faults(of: shorter, on: platform).contains { $0.name == rule } }
      let fault = faults(of: smallest, on: platform).first { $0.name == rule }
      let scenario = scenario(smallest, about: "Breaks \(rule).", platforms: [platform])
      return scenarioText(of: scenario, vocabulary: contract.vocabulary)
        + "# \(rule): expected \(fault?.expected ?? ""), at \(fault?.at?.text ?? "the end") came \(fault?.actual ?? "")\n"
    }
    return ""
  }

  private func faults(of timeline: [Stimulus], on platform: String) -> [CheckResult] {
    let scenario = scenario(timeline, about: "", platforms: [platform])
    let trace = runReading(
      scenario, vocabulary: contract.vocabulary, platform: platform, seed: seed, source: .synthetic,
      keepsInputs: false)
    return judge(trace, of: scenario, platform: platform, contract: contract, options: JudgeOptions())
      .filter { $0.verdict == .failed }
  }

  private func scenario(_ timeline: [Stimulus], about: String, platforms: [String]) -> Scenario {
    Scenario(
      name: "explored-\(seed)", about: about, rules: [], platforms: platforms, tags: [], seed: seed,
      settings: contract.vocabulary.standardSettings, timeline: timeline, expectations: [], until: Self.until)
  }
}
