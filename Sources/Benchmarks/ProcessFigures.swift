import Foundation

/// Why the built binary could not be timed.
struct MissingBinary: Error, CustomStringConvertible {
  let path: String
  var description: String { "there is no \(path): build the product vitals-sim first" }
}

/// Cold processes of the built binary beside this one: a single scenario, and the whole library.
func processFigures(library: String) throws -> [Figure] {
  let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "vitals-sim")
  guard FileManager.default.isExecutableFile(atPath: binary.path) else { throw MissingBinary(path: binary.path) }
  func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = binary
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
  let version = try medianSeconds(runs: 21) { try run(["version"]) }
  let single = try medianSeconds(runs: 21) { try run(["run", "\(library)/contact-lost.yaml"]) }
  let all = try medianSeconds(runs: 5) { try run(["run", library]) }
  return [
    Figure(name: "versionProcessMs", value: version * 1e3),
    Figure(name: "contactLostProcessMs", value: single * 1e3),
    Figure(name: "libraryProcessMs", value: all * 1e3),
  ]
}
