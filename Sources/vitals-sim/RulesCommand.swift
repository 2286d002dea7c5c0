import Checks
import Scenarios

/// What `rules` was asked for.
struct RulesRequest: Sendable {
  /// What `swift test` said; nil: tests are taken at their word.
  var testOutput: String?
  /// Names every scenario.
  var showsAll = false
  /// Nil: as many as the machine has cores.
  var jobs: Int?

  static let options: [Option<RulesRequest>] = [
    Option(
      "tests", about: "what swift test said: a test counts only if it passed", .value("FILE") { $0.testOutput = $1 }),
    Option("all", "a", about: "name every scenario, not only the first few", .flag { $0.showsAll = true }),
    Option("jobs", "j", about: "runs at a time; as many as there are cores", .value("N", setJobs)),
  ]

  @Sendable private static func setJobs(_ request: inout RulesRequest, _ text: String) throws(Refusal) {
    request.jobs = try jobCount(text)
  }
}

let rulesCommand = Command(
  "rules", "[PATH...] [options]", about: "list the rules, who judges each and what exercises it",
  details: [
    "A PATH is a scenario file or a directory of them; without one, ./scenarios.",
    "A scenario exercises a rule when the rule applied in its run. Exit code 1: a rule",
    "has no judge, or nothing exercises it.",
  ],
  options: RulesRequest.options, example: "vitals-sim rules --tests swift-test.log", request: RulesRequest()
) { (request, paths) throws(Refusal) in
  let tests = try request.testOutput.map { (path) throws(Refusal) in try TestOutput(path) }
  let files = try ScenarioFiles.read(paths.isEmpty ? ScenarioFiles.ownLibrary : paths, consequence: ", nothing was run")
  let table = RuleTable(exercisedBy: try exercises(files, jobs: request.jobs), tests: tests, showsAll: request.showsAll)
  StandardStream.output.write(table.text)
  return table.gaps.isEmpty ? .passed : .failed
}

/// For each rule the scenarios in which it applied, each once, those that name it first.
private func exercises(_ files: [ScenarioFile], jobs: Int?) throws(Refusal) -> [String: [String]] {
  let runs = files.flatMap { file in
    file.scenario.platforms.map { PlannedRun(file: file, platform: $0, seed: file.scenario.seed) }
  }
  let applied = try inParallel(runs.count, jobs: jobs) { (index) throws(Refusal) in runs[index].appliedRules }
  // Those that name a rule are about it, and so come first.
  var naming: [String: [String]] = [:]
  var others: [String: [String]] = [:]
  for (run, rules) in zip(runs, applied) {
    let (name, named) = (run.file.shortName, run.file.scenario.rules.map(\.value))
    for rule in rules {
      if named.contains(rule) {
        if naming[rule]?.last != name { naming[rule, default: []].append(name) }
      } else if others[rule]?.last != name {
        others[rule, default: []].append(name)
      }
    }
  }
  return naming.merging(others) { $0 + $1 }
}

/// Which tests passed, from what `swift test` said.
struct TestOutput: Sendable {
  private var passed: Set<String> = []
  private static let mostBytes = 100_000_000

  init(_ path: String) throws(Refusal) {
    self.init(
      text: String(decoding: try readFile(path, limit: Self.mostBytes, what: "the output of tests"), as: UTF8.self))
    guard !passed.isEmpty else {
      throw Refusal(request: "no test passed in \(path)", hint: "write it with: swift test > FILE 2>&1")
    }
  }

  /// Takes in lines such as `✔ Test holdsTheStart(platform:) with 2 test cases passed after 0.1 seconds.`
  private init(text: String) {
    let (good, bad) = ("✔ Test ", "✘ Test ")
    var failed: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let name = String(line.dropFirst(good.count).prefix { $0 != "(" })
      if line.hasPrefix(good), line.contains(" passed after ") { passed.insert(name) }
      if line.hasPrefix(bad) { failed.insert(name) }
    }
    passed.subtract(failed)
  }

  func hasPassed(_ test: String) -> Bool { passed.contains(test) }
}

/// The rules of the contract with their judges and what exercises them.
private struct RuleTable {
  let exercisedBy: [String: [String]]
  let tests: TestOutput?
  let showsAll: Bool
  private let monitored: Set<String>
  private static let mostNames = 3

  init(exercisedBy: [String: [String]], tests: TestOutput?, showsAll: Bool) {
    self.exercisedBy = exercisedBy
    self.tests = tests
    self.showsAll = showsAll
    monitored = ScenarioFiles.contract.monitoredRules
  }

  private var rules: [Rule] { ScenarioFiles.contract.rules }

  /// What is missing, a sentence each.
  var gaps: [String] { rules.compactMap { rule in gap(rule).map { "\(rule.number) \($0)" } } }

  private func gap(_ rule: Rule) -> String? {
    switch rule.judge {
    case .monitor where !monitored.contains(rule.number): "has no judge"
    case .monitor: exercisedBy[rule.number] == nil ? "is exercised by no scenario" : nil
    case .tests([]): "has no judge"
    case .tests(let names):
      tests.flatMap { tests in names.first { !tests.hasPassed($0) } }.map {
        "is judged by the test \($0), which did not pass"
      }
    }
  }

  var text: String {
    let gaps = self.gaps
    let judged = rules.count - gaps.count
    let closing = "\(judged) of \(rules.count) rules have a judge that ran"
    return rules.map { line($0) }.joined() + "\n" + gaps.map { "missing: \($0)\n" }.joined() + closing + "\n"
  }

  private func line(_ rule: Rule) -> String {
    switch rule.judge {
    case .monitor:
      let scenarios = exercisedBy[rule.number] ?? []
      let shown = showsAll ? scenarios[...] : scenarios.prefix(Self.mostNames)
      return line(
        rule, monitored.contains(rule.number) ? "monitor" : "no one", scenarios.count, "scenario",
        shown.joined(separator: ", ") + (scenarios.count > shown.count ? ", ..." : ""))
    case .tests(let names):
      let told = names.map { name in tests.map { $0.hasPassed(name) ? name : "\(name) (did not pass)" } ?? name }
      return line(rule, names.isEmpty ? "no one" : "tests", names.count, "test", told.joined(separator: ", "))
    }
  }

  /// `V25  monitor    9 scenarios  cancelling/short-lift, ...`.
  private func line(_ rule: Rule, _ judge: String, _ count: Int, _ what: String, _ names: String) -> String {
    let number = String(count).padded(toAtLeast: 4, side: .left)
    let things = count == 1 ? what : "\(what)s"
    let start = "\(rule.number)  \(judge.padded(toAtLeast: 7))  \(number) \(things)"
    return names.isEmpty ? "\(start)\n" : "\(start.padded(toAtLeast: 28))  \(names)\n"
  }
}

extension Contract {
  /// The rules that a monitor judges, on any platform.
  var monitoredRules: Set<String> {
    Set(vocabulary.platforms.flatMap { monitors($0).flatMap { $0.rulings.map(\.rule) } })
  }
}
