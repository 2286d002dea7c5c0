import Checks
import Reporting

let runCommand = Command(
  "run", "PATH... [options]", about: "run scenarios and judge what came of them",
  details: [
    "A PATH is a scenario file, a directory of them, or - for standard input. Source",
    "serial:PORT[,PROTOCOL] is an oximeter whose pleth is the signal; it runs on the first",
    "platform unless -p names another. serial:emulator[,PROTOCOL] is a virtual one.",
  ],
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
  let places = try ReportPlaces(
    json: request.jsonFile, junit: request.junitFile, isQuiet: request.isQuiet, sparing: inputs)
  if let folder = request.traceFolder { try makeFolder(folder) }

  // A port serves one run at a time.
  let runs = try inParallel(plan.count, jobs: source.port == nil ? request.jobs : 1) { (index) throws(Refusal) in
    try plan[index].run(request: request, source: source)
  }
  let report = LibraryReport(
    tool: VitalsSim.version, source: source.description, runs: runs, wallSeconds: (clock.now - start).seconds)
  return try places.write(report)
}

extension Duration {
  /// The whole of it in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1_000_000_000_000_000_000
  }
}
