import ReadingSimulation
import Scenarios

/// Which runs a request means, in the order of the report.
struct RunPlanner {
  let request: RunRequest
  let source: RunSource

  /// Every scenario with a wanted tag, on each platform, with each seed; then the part of them that is asked for.
  func plan(_ files: [ScenarioFile]) throws(Refusal) -> [PlannedRun] {
    let selected = try select(files)
    for file in selected {
      if let reason = refusal(of: file.scenario, on: source.frames) {
        throw Refusal(request: "\(file.path) cannot run on \(source.kind): \(reason)")
      }
    }
    var runs: [PlannedRun] = []
    for file in selected {
      for platform in platforms(of: file.scenario) {
        for seed in request.seeds ?? file.scenario.seed...file.scenario.seed {
          runs.append(PlannedRun(file: file, platform: platform, seed: seed))
        }
      }
    }
    if let platform = request.platform, !runs.contains(where: \.isOnItsPlatform) {
      throw Refusal(request: "no scenario here runs on \(platform)")
    }
    return nameTraces(part(of: runs))
  }

  /// The platforms to run on: a live oximeter is not held up for another minute unless that is asked for.
  private func platforms(of scenario: Scenario) -> [String] {
    if let platform = request.platform { return [platform] }
    return source.port == nil ? scenario.platforms : Array(scenario.platforms.prefix(1))
  }

  private func select(_ files: [ScenarioFile]) throws(Refusal) -> [ScenarioFile] {
    let known = files.flatMap(\.scenario.tags)
    for tag in request.tags where !known.contains(tag) {
      let meant = nearest(to: tag, among: known).map { "did you mean \($0)?" }
      throw Refusal(request: "no scenario here has the tag \(tag.shown)", hint: meant)
    }
    guard !request.tags.isEmpty else { return files }
    return files.filter { file in file.scenario.tags.contains { request.tags.contains($0) } }
  }

  /// Every `count`-th run, so that each part has some of every folder.
  private func part(of runs: [PlannedRun]) -> [PlannedRun] {
    guard let shard = request.shard else { return runs }
    return runs.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(\.element)
  }

  /// Names the file that each run's recording goes to. Two scenarios of one name get different ones.
  private func nameTraces(_ runs: [PlannedRun]) -> [PlannedRun] {
    guard let folder = request.traceFolder else { return runs }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    var uses: [String: Int] = [:]
    return runs.map { run in
      let stem = "\(base)\(run.file.scenario.name).\(run.platform).\(run.seed)"
      let use = uses[stem, default: 0] + 1
      uses[stem] = use
      var named = run
      named.traceFile = use == 1 ? "\(stem).jsonl" : "\(stem).\(use).jsonl"
      return named
    }
  }
}
