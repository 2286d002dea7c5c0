import Mutants
import Reporting
import Scenarios
import VitalsModel

/// What `mutants` was asked for.
struct MutantsRequest: Sendable {
  /// Only these, by name; empty: all.
  var only: [Mutant] = []
  /// Says what there is instead of trying it.
  var listsThem = false
  /// Nil: as many as the machine has cores.
  var jobs: Int?

  static let options: [Option<MutantsRequest>] = [
    Option("only", about: "only this one; may be repeated", .value("NAME", add)),
    Option("list", about: "say what each of them does, and run nothing", .flag { $0.listsThem = true }),
    Option("jobs", "j", about: "mutants at a time; as many as there are cores", .value("N", setJobs)),
  ]

  @Sendable private static func add(_ request: inout MutantsRequest, _ name: String) throws(Refusal) {
    guard let mutant = Mutant.all.first(where: { $0.name == name }) else {
      let meant = nearest(to: name, among: Mutant.all.map(\.name)).map { "did you mean \($0)?" }
      throw Refusal(request: "no mutant is named \(name.shown)", hint: meant ?? "try: vitals-sim mutants --list")
    }
    request.only.append(mutant)
  }

  @Sendable private static func setJobs(_ request: inout MutantsRequest, _ text: String) throws(Refusal) {
    request.jobs = try jobCount(text)
  }
}

let mutantsCommand = Command(
  "mutants", "[PATH...] [options]", about: "say whether the scenarios catch sessions that are broken on purpose",
  details: [
    "A PATH is a scenario file or a directory of them; without one, ./scenarios.",
    "A mutant is killed when the monitor of the rule that it breaks says so, or an",
    "expectation of a scenario fails. Exit code 1: at least one survived.",
  ],
  options: MutantsRequest.options, example: "vitals-sim mutants --only cancel-ignored", request: MutantsRequest()
) { (request, paths) throws(Refusal) in
  let mutants = request.only.isEmpty ? Mutant.all : request.only
  if request.listsThem {
    try refuseOperands(paths, of: "mutants")
    StandardStream.output.write(list(of: mutants))
    return .passed
  }
  let clock = ContinuousClock()
  let start = clock.now
  let trial = try MutantTrial(
    try ScenarioFiles.read(
      paths.isEmpty ? ScenarioFiles.ownLibrary : paths, consequence: ", nothing was run"), jobs: request.jobs)
  if trial.excusedCount > 0 {
    let checks = trial.excusedCount == 1 ? "1 check" : "\(trial.excusedCount) checks"
    StandardStream.error.write(
      "vitals-sim: warning: the built-in engine fails \(checks) here, which kills nothing\n")
  }
  let kills = try inParallel(mutants.count, jobs: request.jobs) { (index) throws(Refusal) in
    trial.kill(of: mutants[index])
  }
  StandardStream.output.write(report(mutants, kills, seconds: (clock.now - start).seconds))
  return kills.contains { $0 == nil } ? .failed : .passed
}

private func list(of mutants: [Mutant]) -> String {
  let width = mutants.map(\.name.count).max() ?? 0
  return mutants.map { mutant in
    "\(mutant.name.padded(toAtLeast: width))  \(mutant.rule)  \(mutant.kind.rawValue.padded(toAtLeast: 8))  \(mutant.about)\n"
  }.joined() + "\(mutants.count) mutants, \(countsByKind(mutants))\n"
}

private func report(_ mutants: [Mutant], _ kills: [MutantTrial.Kill?], seconds: Double) -> String {
  let width = mutants.map(\.name.count).max() ?? 0
  let lines = zip(mutants, kills).map { mutant, kill in
    let name = mutant.name.padded(toAtLeast: width)
    guard let kill else { return "survived  \(name)  \(mutant.rule)  \(mutant.about)\n" }
    if kill.rule != nil { return "killed    \(name)  \(mutant.rule)  by \(kill.run)\n" }
    // An expectation has spoken where the rule's monitor has not: what else broke says how far the monitors see.
    let also = kill.companions.isEmpty ? "" : "; also breaks \(kill.companions.joined(separator: ", "))"
    return "killed    \(name)  \(mutant.rule)  by \(kill.judge) of \(kill.run)\(also)\n"
  }
  let count = kills.filter { $0 != nil }.count
  let share = Fixed.text(Double(count) / Double(max(mutants.count, 1)) * 100, places: count == mutants.count ? 0 : 1)
  return lines.joined() + "\n\(count) of \(mutants.count) mutants killed (\(share) %), \(countsByKind(mutants)), in "
    + "\(Fixed.text(seconds, places: 2)) s\n"
}

/// `20 decision, 12 timer, 15 input, 10 output`.
private func countsByKind(_ mutants: [Mutant]) -> String {
  Mutant.Kind.allCases.map { kind in "\(mutants.count { $0.kind == kind }) \(kind.rawValue)" }.joined(separator: ", ")
}
