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
