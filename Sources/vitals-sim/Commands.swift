import Scenarios

/// One command as the help shows it and the program calls it.
struct Command: Sendable {
  let name: String
  /// What follows the name: `PATH... [options]`.
  let synopsis: String
  /// One line for the list of commands.
  let about: String
  /// What else is worth knowing, in lines of at most 80 characters.
  let details: [String]
  /// The options, each as it is written and what it does.
  let options: [HelpRow]
  let example: String
  /// Does the work with the arguments behind the name.
  let work: @Sendable (_ arguments: [String]) throws(Refusal) -> ExitCode?

  /// A command that builds a request from its options and then works on it.
  init<Request: Sendable>(
    _ name: String, _ synopsis: String, about: String, details: [String] = [], options: [Option<Request>],
    example: String, request: Request,
    work: @escaping @Sendable (_ request: Request, _ operands: [String]) throws(Refusal) -> ExitCode
  ) {
    self.name = name
    self.synopsis = synopsis
    self.about = about
    self.details = details
    self.options = options.map { HelpRow($0.usage, $0.about) }
    self.example = example
    self.work = { (arguments) throws(Refusal) in
      switch try ArgumentParser.parse(arguments, of: name, options: options, into: request) {
      case .help: nil
      case .request(let request, let operands): try work(request, operands)
      }
    }
  }

  /// A command without options.
  init(
    _ name: String, _ synopsis: String, about: String, details: [String] = [], example: String,
    work: @escaping @Sendable (_ operands: [String]) throws(Refusal) -> ExitCode
  ) {
    self.init(
      name, synopsis, about: about, details: details, options: [Option<Void>](), example: example, request: ()
    ) { (_, operands) throws(Refusal) in try work(operands) }
  }

  /// Does the work, or shows the help when that is asked for.
  func perform(_ arguments: [String]) throws(Refusal) -> ExitCode {
    if let code = try work(arguments) { return code }
    StandardStream.output.write(Help.text(of: self))
    return .passed
  }
}

/// All commands.
enum Commands {
  /// In the order in which the help lists them. Those that share a line belong together.
  static let families: [Family] = [
    Family(runCommand),
    Family(checkCommand, schemaCommand, about: "say whether scenario files are right; print their JSON Schema"),
    Family(generateCommand), Family(analyzeCommand),
    Family(
      devicesCommand, emulateCommand, about: "list the serial ports, and what speaks there; be an oximeter on one"),
    Family(recordCommand),
    Family(decodeCommand),
    Family(replayCommand, traceCommand, about: "run a recorded run again; show a trace, or where two part"),
    Family(judgeCommand),
    Family(exploreCommand, mutantsCommand, about: "look for orders that break a rule; try sessions broken on purpose"),
    Family(rulesCommand, explainCommand, about: "list the rules and their judges; say what one asks for"),
    Family(versionCommand),
  ]

  static let all = families.flatMap(\.commands)

  /// One line of the help.
  struct Family: Sendable {
    let commands: [Command]
    let about: String

    init(_ command: Command) {
      commands = [command]
      about = command.about
    }

    init(_ first: Command, _ second: Command, about: String) {
      commands = [first, second]
      self.about = about
    }
  }

  static func named(_ name: String) throws(Refusal) -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    guard !name.hasPrefix("-") else {
      throw Refusal(request: "unknown option \(name); options follow the command", hint: "try: vitals-sim help")
    }
    let meant = nearest(to: name, among: all.map(\.name) + ["help"]).map { "did you mean \($0)?" }
    throw Refusal(request: "unknown command \(name)", hint: meant ?? "try: vitals-sim help")
  }
}

/// Refuses operands where a command takes none, or not so many.
func refuseOperands(_ operands: some Collection<String>, of command: String) throws(Refusal) {
  guard let first = operands.first else { return }
  throw Refusal(request: "unexpected argument \(first)", hint: "try: vitals-sim help \(command)")
}

let versionCommand = Command(
  "version", "", about: "say which version this is", example: "vitals-sim version"
) { (operands) throws(Refusal) in
  try refuseOperands(operands, of: "version")
  StandardStream.output.write("\(VitalsSim.version)\n")
  return .passed
}
