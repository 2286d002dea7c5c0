import Reporting

/// Where the reports of a call go: to a terminal, and to files where that is asked for.
struct ReportPlaces {
  private let json: Destination?
  private let junit: Destination?
  private let isQuiet: Bool

  /// Opens every place, so that a wrong one is refused before anything is done; so is one that would take the place
  /// of a file that is read.
  init(json jsonFile: String?, junit junitFile: String?, isQuiet: Bool, sparing inputs: [String]) throws(Refusal) {
    json = try Self.destination(jsonFile, sparing: inputs)
    junit = try Self.destination(junitFile, sparing: inputs + [jsonFile].compactMap(\.self))
    self.isQuiet = isQuiet
  }

  private static func destination(_ path: String?, sparing files: [String]) throws(Refusal) -> Destination? {
    guard let path else { return nil }
    let destination = try Destination(opening: path)
    if let file = files.first(where: destination.replaces) {
      destination.abandon()
      throw Refusal(request: "cannot write \(path): it would take the place of \(file)")
    }
    return destination
  }

  /// Refuses two reports in one place.
  static func check(json jsonFile: String?, junit junitFile: String?) throws(Refusal) {
    if let jsonFile, jsonFile == junitFile {
      let place = jsonFile == "-" ? "standard output" : jsonFile
      throw Refusal(request: "only one report can go to \(place)")
    }
  }

  /// Writes all of them, and gives the exit code that they come to.
  func write(_ report: LibraryReport) throws(Refusal) -> ExitCode {
    let vocabulary = ScenarioFiles.contract.vocabulary
    try json?.write(Array(jsonText(of: report).utf8))
    try junit?.write(Array(junitText(of: report, vocabulary: vocabulary).utf8))
    // A report for a machine has standard output for itself.
    let isTaken = json?.isStandardOutput ?? false || junit?.isStandardOutput ?? false
    let stream: StandardStream = isTaken ? .error : .output
    let style = TerminalStyle(usesColor: stream.wantsColor, isQuiet: isQuiet)
    stream.write(terminalText(of: report, vocabulary: vocabulary, style: style))
    return ExitCode(rawValue: report.exitCode) ?? .blocked
  }
}
