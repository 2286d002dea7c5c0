let checkCommand = Command(
  "check", "PATH...", about: "say whether scenario files are written right, without running them",
  details: ["A PATH is a scenario file, a directory of them, or - for standard input."],
  example: "vitals-sim check scenarios"
) { (paths) throws(Refusal) in
  guard !paths.isEmpty else {
    throw Refusal(request: "check needs a PATH: a scenario file or a directory", hint: "try: vitals-sim help check")
  }
  let count = try ScenarioFiles.read(paths).count
  StandardStream.output.write(count == 1 ? "1 scenario is written right\n" : "\(count) scenarios are written right\n")
  return .passed
}
