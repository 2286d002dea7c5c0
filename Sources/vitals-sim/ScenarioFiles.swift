import Checks
import ReadingContract
import Reporting
import Scenarios

/// A scenario and the file that it was read from.
struct ScenarioFile: Sendable {
  /// The file as the user would write it; `-` for standard input.
  let path: String
  let scenario: Scenario

  /// The file in short: `cancelling/contact-flicker`.
  var shortName: String {
    let name = path.hasSuffix(".yaml") ? String(path.dropLast(5)) : path
    return (name.hasPrefix("scenarios/") ? String(name.dropFirst(10)) : name).withoutControls
  }
}

/// The scenario files that a user names.
enum ScenarioFiles {
  /// The contract that scenarios are written for.
  static let contract = readingContract
  /// The most bytes of a scenario file.
  private static let mostBytes = 1_000_000
  /// Where scenarios are when no path is named.
  static let ownLibrary = ["scenarios"]
  /// Folders that hold what is not to be run: files that must be refused.
  private static let skippedFolders = ["refused"]

  /// Reads every scenario, or refuses with every mistake in any of them, and with what comes of that.
  static func read(_ paths: [String], consequence: String = "") throws(Refusal) -> [ScenarioFile] {
    var scenarios: [ScenarioFile] = []
    var mistakes = (text: "", count: 0, files: 0)
    for path in try find(paths) {
      let bytes = try bytes(of: path)
      do throws(ScenarioRefusal) {
        scenarios.append(ScenarioFile(path: path, scenario: try parseScenario(bytes, vocabulary: contract.vocabulary)))
      } catch {
        mistakes.text += render(error.diagnostics, file: path.withoutControls, bytes: bytes)
        mistakes.count += error.diagnostics.count
        mistakes.files += 1
      }
    }
    guard mistakes.count == 0 else {
      let count = "\(mistakes.count) \(mistakes.count == 1 ? "mistake" : "mistakes")"
      let files = "\(mistakes.files) \(mistakes.files == 1 ? "file" : "files")"
      throw Refusal(mistakes: "\(mistakes.text)\(count) in \(files)\(consequence)\n")
    }
    return scenarios
  }

  /// What is in one file.
  static func bytes(of path: String) throws(Refusal) -> [UInt8] {
    try readFile(path, limit: mostBytes, what: "a scenario")
  }

  /// The files that the paths mean, each once, in the order of the paths and then by name.
  private static func find(_ paths: [String]) throws(Refusal) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for path in paths {
      switch path == "-" ? .other : PathKind(path) {
      case .nothing: throw Refusal(request: "there is no file or directory \(path)")
      case .unreachable(let error): throw Refusal(request: "cannot read \(path): \(reason(error))")
      case .other: if seen.insert(path).inserted { found.append(path) }
      case .directory:
        let inside = try files(under: path, ending: ".yaml", skipping: skippedFolders)
        for other in [".yml", ".YAML", ".YML"] {
          for file in try files(under: path, ending: other, skipping: skippedFolders) {
            StandardStream.error.write(
              "vitals-sim: warning: \(file.withoutControls) is passed over: a scenario file ends in .yaml\n")
          }
        }
        guard !inside.isEmpty else { throw Refusal(request: "there is no scenario (.yaml) under \(path)") }
        found += inside.filter { seen.insert($0).inserted }
      }
    }
    return found
  }
}
