import Checks
import ReadingSimulation
import Reporting
import Simulation
import Traces
import VitalsModel

let replayCommand = Command(
  "replay", "TRACE", about: "feed a recorded run to the engine again and compare",
  details: [
    "TRACE is a file that `run --trace DIR` wrote, or - for standard input.", "Exit code 0: equal, 1: they differ.",
  ],
  example: "vitals-sim replay traces/contact-lost.ios.1.jsonl"
) { (operands) throws(Refusal) in
  let trace = try TraceFile(try single(operands, "TRACE", of: "replay"))
  let platform = try trace.replayablePlatform()
  let recorded = inputsAndEffects(of: trace.entries)
  let again = replayReading(trace.entries, platform: platform)
  let difference = firstDifference(recorded, again)
  guard let difference, trace.isWhole || difference.left != nil else {
    let end = trace.isWhole ? "" : ", up to where the trace is cut off"
    StandardStream.output.write("equal: \(recorded.count) lines\(end)\n")
    return .passed
  }
  StandardStream.output.write("differs \(moment(of: difference)) (- recorded, + now):\n\(difference)")
  return .failed
}

let traceCommand = Command(
  "trace", "show FILE | diff LEFT RIGHT", about: "show a trace for reading, or where two traces part",
  details: ["A FILE is a trace, a golden, or - for standard input.", "diff ends with 0: equal, 1: they differ."],
  example: "vitals-sim trace show traces/contact-lost.ios.1.jsonl"
) { (operands) throws(Refusal) in
  switch operands.first {
  case "show":
    showTrace(try TraceFile(try single(operands.dropFirst(), "FILE", of: "trace")))
    return .passed
  case "diff":
    let files = operands.dropFirst()
    guard let left = files.first, let right = files.dropFirst().first else {
      throw Refusal(request: "trace diff needs two files", hint: "try: vitals-sim help trace")
    }
    try refuseOperands(files.dropFirst(2), of: "trace")
    return try diffTraces(try TraceFile(left), try TraceFile(right))
  case let other:
    throw Refusal(
      request: other.map { "trace has no \($0)" } ?? "trace needs to know what to do: show or diff",
      hint: "try: vitals-sim help trace")
  }
}

private func single(
  _ operands: some Collection<String>, _ what: String, of command: String
) throws(Refusal) -> String {
  guard let first = operands.first else {
    throw Refusal(request: "\(command) needs a \(what)", hint: "try: vitals-sim help \(command)")
  }
  try refuseOperands(operands.dropFirst(), of: command)
  return first
}

private func showTrace(_ trace: TraceFile) {
  let excerpt = TraceExcerpt(vocabulary: ScenarioFiles.contract.vocabulary)
  var text = trace.header.map { "\($0.scenario) on \($0.platform), seed \($0.seed), \($0.engine), \($0.tool)\n" } ?? ""
  for entry in trace.entries { text += excerpt.line(entry) + "\n" }
  StandardStream.output.write(text)
}

private func diffTraces(_ left: TraceFile, _ right: TraceFile) throws(Refusal) -> ExitCode {
  guard let difference = firstDifference(left.entries, right.entries) else {
    StandardStream.output.write("equal: \(left.entries.count) lines\n")
    return .passed
  }
  let sides = "- \(left.path.withoutControls), + \(right.path.withoutControls)"
  StandardStream.output.write("they part \(moment(of: difference)) (\(sides)):\n\(difference)")
  return .failed
}

private func moment(of difference: TraceDifference) -> String {
  (difference.left ?? difference.right).map { "at \($0.at.text)" } ?? "at the end"
}
