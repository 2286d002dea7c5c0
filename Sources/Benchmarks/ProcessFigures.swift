#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why the built binary could not be timed.
struct UntimedBinary: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "\(path) \(reason): build the product vitals-sim first" }
}

/// Cold processes of the built binary beside this one: a single scenario, and the whole library.
func processFigures(library: String) throws(UntimedBinary) -> [Figure] {
  let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
  let binary = (folder + ["vitals-sim"]).joined(separator: "/")
  func seconds(runs: Int, _ arguments: [String]) throws(UntimedBinary) -> Double {
    try medianSeconds(runs: runs) { () throws(UntimedBinary) in try run(binary, arguments) }
  }
  return [
    Figure(name: "versionProcessMs", value: try seconds(runs: 21, ["version"]) * 1e3),
    Figure(
      name: "contactLostProcessMs", value: try seconds(runs: 21, ["run", "\(library)/contact-lost.yaml"]) * 1e3),
    Figure(name: "libraryProcessMs", value: try seconds(runs: 5, ["run", library]) * 1e3),
  ]
}

/// Runs the binary to its end with its output thrown away; an exit code other than 0 cannot be compared.
private func run(_ binary: String, _ arguments: [String]) throws(UntimedBinary) {
  var process: pid_t = 0
  var files = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&files)
  defer { posix_spawn_file_actions_destroy(&files) }
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
  var words = ([binary] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&process, binary, &files, nil, &words, environ) == 0 else {
    throw UntimedBinary(path: binary, reason: "cannot be run")
  }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  guard status == 0 else {
    throw UntimedBinary(path: binary, reason: "failed with \(arguments.joined(separator: " "))")
  }
}
