import Checks
import Foundation
import ReadingContract
import ReadingSimulation
import Scenarios
import Traces
import VitalsModel

let path = CommandLine.arguments[1]
let seeds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1
let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
do {
  let scenario = try parseScenario(bytes, vocabulary: readingContract.vocabulary)
  for seed in 1...seeds {
  let start = Date()
  let trace = runReading(
    scenario, vocabulary: readingContract.vocabulary, platform: "ios", seed: UInt64(seed), source: .synthetic,
    keepsInputs: false)
  let mid = Date()
  let results = judge(
    trace, of: scenario, platform: "ios", contract: readingContract, options: JudgeOptions())
  let end = Date()
  if seeds == 1 { FileHandle.standardOutput.write(Data(TraceText.body(trace))) }
  print("seed", seed, mid.timeIntervalSince(start), end.timeIntervalSince(mid))
  for result in results where seeds == 1 || result.verdict != .passed {
    print(result.verdict, result.name, result.expected.prefix(70), "|", result.actual, result.margin?.text ?? "")
  }
  }
} catch {
  print(render(error.diagnostics, file: path, bytes: bytes))
}
