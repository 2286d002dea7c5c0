import Checks
import ReadingContract
import Scenarios
import Testing
import Traces

/// A debug build gives the traces that the release build is held to by `vitals-sim run scenarios`.
@Test(arguments: try Library.names()) func aScenarioGivesItsGoldenTrace(name: String) throws {
  let scenario = try Library.scenario(name)
  #expect(scenario.name == name.split(separator: "/").last.map(String.init))
  for platform in scenario.platforms {
    let run = LibraryRun(scenario, platform: platform, seed: scenario.seed)
    #expect(run.faults == [])
    // Compared outside the expectation, which would print both.
    let isGolden = TraceText.body(run.trace) == Library.golden(name, platform)
    #expect(isGolden, "\(name).\(platform).golden.jsonl is not what the run gives")
  }
}

/// No scenario holds by the luck of its seed.
@Test(arguments: try Library.names()) func aScenarioHoldsWithOtherSeeds(name: String) throws {
  let scenario = try Library.scenario(name)
  for seed in UInt64(1)...5 {
    let faults = LibraryRun(scenario, platform: "ios", seed: seed).faults.filter { !$0.hasPrefix("marginal") }
    #expect(faults == [], "\(name) with seed \(seed)")
  }
}

/// A rule that is watched and never applies in the whole library would pass whatever the engine did.
@Test func everyWatchedRuleApplies() throws {
  let watched = readingContract.monitors("ios").flatMap(\.rulings).map(\.rule)
  var applied: Set<String> = []
  var named: Set<String> = []
  for name in try Library.names() {
    let scenario = try Library.scenario(name)
    named.formUnion(scenario.rules.map(\.value))
    let run = LibraryRun(scenario, platform: "ios", seed: scenario.seed)
    applied.formUnion(run.checks.compactMap(\.rule))
  }
  #expect(watched.count == 22)
  #expect(watched.filter { !applied.contains($0) } == [])
  #expect(watched.filter { !named.contains($0) } == [])
}
