import Checks
import Reporting

let runCommand = Command(
  "run", "PATH... [options]", about: "run scenarios and judge what came of them",
  details: ["A PATH is a scenario file, a directory of them, or - for standard input."],
  options: RunRequest.options, example: "vitals-sim run scenarios --platform ios --junit report.xml",
  request: RunRequest()
) { (request, paths) throws(Refusal) in
  guard !paths.isEmpty else {
    throw Refusal(request: "run needs a PATH: a scenario file or a directory", hint: "try: vitals-sim help run")
  }
  try request.check()
  let clock = ContinuousClock()
  let start = clock.now
  let source = try RunSource(request)
  let files = try ScenarioFiles.read(paths, consequence: ", nothing was run")
  let plan = try RunPlanner(request: request, source: source).plan(files)
  // Every place to write to is opened before anything is run, so that a wrong one costs no time.
  let inputs = files.map(\.path) + [request.recording, request.reference].compactMap(\.self)
  let json = try destination(request.jsonFile, sparing: inputs)
  let junit = try destination(request.junitFile, sparing: inputs + [request.jsonFile].compactMap(\.self))
  if let folder = request.traceFolder { try makeFolder(folder) }

  let runs = try inParallel(plan.count, jobs: request.jobs) { (index) throws(Refusal) in
    try plan[index].run(request: request, source: source)
  }
  let report = LibraryReport(
    tool: VitalsSim.version, source: source.description, runs: runs, wallSeconds: (clock.now - start).seconds)

  let vocabulary = ScenarioFiles.contract.vocabulary
  try json?.write(Array(jsonText(of: report).utf8))
  try junit?.write(Array(junitText(of: report, vocabulary: vocabulary).utf8))
  // A report for a machine has standard output for itself.
  let isTaken = json?.isStandardOutput ?? false || junit?.isStandardOutput ?? false
  let stream: StandardStream = isTaken ? .error : .output
  let style = TerminalStyle(usesColor: stream.wantsColor, isQuiet: request.isQuiet)
  stream.write(terminalText(of: report, vocabulary: vocabulary, style: style))
  return ExitCode(rawValue: report.exitCode) ?? .blocked
}

/// The place of a report; one that would take the place of a file that the run needs is refused.
private func destination(_ path: String?, sparing files: [String]) throws(Refusal) -> Destination? {
  guard let path else { return nil }
  let destination = try Destination(opening: path)
  if let file = files.first(where: destination.replaces) {
    destination.abandon()
    throw Refusal(request: "cannot write \(path): it would take the place of \(file)")
  }
  return destination
}

extension Duration {
  /// The whole of it in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
  }
}
