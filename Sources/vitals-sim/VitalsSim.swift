/// The program: finds the command, lets it work, and leaves with its exit code.
@main
enum VitalsSim {
  /// The tool and its version, as reports and traces name it.
  static let version = "vitals-sim 0.1.0"

  /// The engine that comes with the tool, as traces name it.
  static let engine = "built-in"

  static func main() {
    StandardStream.fillClosed()
    Interruption.watch()
    do throws(Refusal) {
      Interruption.end(with: try run(Array(CommandLine.arguments.dropFirst())))
    } catch {
      StandardStream.error.write(error.text)
      Interruption.end(with: error.exitCode)
    }
  }

  private static func run(_ arguments: [String]) throws(Refusal) -> ExitCode {
    guard let first = arguments.first else {
      throw Refusal(request: "no command is given", hint: "try: vitals-sim help")
    }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "help", "--help", "-h": return try Help.perform(rest)
    case "--version": return try versionCommand.perform(rest)
    default: return try Commands.named(first).perform(rest)
    }
  }
}

/// What the caller learns from the way the program ended.
enum ExitCode: Int32, Sendable {
  case passed = 0
  case failed = 1
  case badRequest = 2
  case blocked = 3
  case hungUp = 129
  case interrupted = 130
  case closedOutput = 141
  case terminated = 143
}
