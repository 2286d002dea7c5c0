import Testing
import Traces
import VitalsModel

/// What the harness writes of itself comes back from a file as it was.
@Test(
  arguments: RunEnd.allCases.map { RunTruth.end($0) } + [
    .exhausted("the recording \"ended\""), .unreached(stimulus: 3),
    .realised([Field("heartRateBpm", .number(66.5, places: 2))]), .realised([]),
  ]) func aRunTruthIsWrittenAndRead(truth: RunTruth) throws
{
  let entry = TraceEntry(at: Instant(microseconds: 1_500_000), .truth(truth.message))
  let read = try readTraceBody(Array((TraceText.line(entry) + "\n").utf8)).entries
  #expect(read == [entry])
  guard case .truth(let message)? = read.first?.item else {
    Issue.record("no truth")
    return
  }
  #expect(RunTruth(message) == truth)
}
