import Checks
import Scenarios
import VitalsModel

/// The report for a continuous integration server: JUnit XML, one suite for each scenario file, one case for each run.
///
/// What is inconclusive is a failure of the type `inconclusive`, since it must stop a release; what was blocked is an
/// error. Times are seconds on the wall's clock.
public func junitText(of report: LibraryReport, vocabulary: Vocabulary) -> String {
  var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  text += "<testsuites name=\"vitals-sim\"\(counts(report.runs)) time=\"\(seconds(report.wallSeconds))\">\n"
  for (file, runs) in suites(of: report.runs) {
    let time = seconds(runs.reduce(0) { $0 + $1.wallSeconds })
    text += "  <testsuite name=\"\(XMLText.attribute(className(file)))\"\(counts(runs)) time=\"\(time)\">\n"
    for run in runs { text += testCase(run, in: report, vocabulary: vocabulary) }
    text += "  </testsuite>\n"
  }
  return text + "</testsuites>\n"
}

/// The runs by file, in the order in which the files first come.
private func suites(of runs: [RunReport]) -> [(file: String, runs: [RunReport])] {
  var suites: [(file: String, runs: [RunReport])] = []
  var places: [String: Int] = [:]
  for run in runs {
    if let place = places[run.file] {
      suites[place].runs.append(run)
    } else {
      places[run.file] = suites.count
      suites.append((run.file, [run]))
    }
  }
  return suites
}

/// `./scenarios/a/b.yaml` as a server groups it: `scenarios.a.b`. A dot inside a name is not a level.
private func className(_ file: String) -> String {
  let stem = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
  let parts = stem.split(separator: "/").filter { $0 != "." }
  return parts.map { part in String(part.map { $0 == "." ? "_" : $0 }) }.joined(separator: ".")
}

private func counts(_ runs: [RunReport]) -> String {
  func count(_ verdicts: Verdict...) -> Int { runs.filter { verdicts.contains($0.verdict) }.count }
  return " tests=\"\(runs.count)\" failures=\"\(count(.failed, .inconclusive))\""
    + " errors=\"\(count(.blocked))\" skipped=\"\(count(.skipped))\""
}

private func testCase(_ run: RunReport, in report: LibraryReport, vocabulary: Vocabulary) -> String {
  let name = "\(run.scenario) [\(run.platform)]" + (report.tellsSeeds ? " seed \(run.seed)" : "")
  let start =
    "    <testcase classname=\"\(XMLText.attribute(className(run.file)))\" name=\"\(XMLText.attribute(name))\""
    + " file=\"\(XMLText.attribute(run.file))\" time=\"\(seconds(run.wallSeconds))\""
  func element(_ name: String, _ attributes: String = "") -> String {
    let block = XMLText.content(terminalBlock(of: run, in: report, vocabulary: vocabulary))
    return "      <\(name)\(attributes)>\(block)</\(name)>\n"
  }
  func whole(_ elements: String) -> String { "\(start)>\n\(elements)    </testcase>\n" }
  let message = " message=\"\(XMLText.attribute(headline(run)))\""
  switch run.verdict {
  // A run that went well tells of nothing but its waivers.
  case .passed: return run.hasWaivers ? whole(element("system-out")) : "\(start)/>\n"
  case .marginal: return whole(element("system-out"))
  case .skipped: return whole("      <skipped\(message)/>\n" + (run.hasWaivers ? element("system-out") : ""))
  case .failed, .inconclusive: return whole(element("failure", "\(message) type=\"\(run.verdict.rawValue)\""))
  case .blocked: return whole(element("error", "\(message) type=\"\(run.verdict.rawValue)\""))
  }
}

/// The first thing to know of a run that is not green.
private func headline(_ run: RunReport) -> String {
  let telling = run.checks.filter { $0.verdict == run.verdict }
  // A waiver is no reason for a run to be skipped.
  guard let check = telling.first(where: { $0.waiver == nil }) ?? (run.notes.isEmpty ? telling.first : nil) else {
    return run.notes.joined(separator: "; ")
  }
  return "\(check.name): expected \(check.expected), actual \(check.actual)"
}

private func seconds(_ seconds: Double) -> String { Fixed.text(seconds, places: 6) }
