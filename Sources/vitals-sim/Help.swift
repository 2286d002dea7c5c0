/// One line of a help text: what is written, and what it does.
struct HelpRow: Sendable {
  let usage: String
  let about: String

  init(_ usage: String, _ about: String) {
    self.usage = usage
    self.about = about
  }
}

/// The texts that tell how the program is used.
enum Help {
  /// `help` and `help COMMAND`.
  static func perform(_ arguments: [String]) throws(Refusal) -> ExitCode {
    let operands = arguments.filter { $0 != "--help" && $0 != "-h" }
    guard let name = operands.first, name != "help" else {
      StandardStream.output.write(overview)
      return .passed
    }
    if let second = operands.dropFirst().first {
      throw Refusal(request: "unexpected argument \(second)", hint: "try: vitals-sim help \(name)")
    }
    StandardStream.output.write(text(of: try Commands.named(name)))
    return .passed
  }

  private static var overview: String {
    var text = """
      vitals-sim tests fingertip-camera pulse sessions in simulated time: a scenario says
      what happens to the finger, the camera and the app, and what must come of it.

      usage: vitals-sim COMMAND [options]


      """
    let rows = Commands.families.map { family in
      HelpRow(family.commands.map(\.name).joined(separator: ", "), family.about)
    }
    text += columns(rows + [HelpRow("help [COMMAND]", "show this, or how a command is used")])
    text += """

      example: vitals-sim run scenarios
      exit codes: 0 all passed, 1 a check failed or had too little to judge,
      2 the request or a scenario file is wrong, 3 blocked, 130 interrupted
      A test instrument: agreement on the bench does not show accuracy on people.

      """
    return text
  }

  static func text(of command: Command) -> String {
    let synopsis = command.synopsis.isEmpty ? "" : " \(command.synopsis)"
    var text = "usage: vitals-sim \(command.name)\(synopsis)\n\n\(command.about)\n"
    if !command.details.isEmpty { text += "\n" + command.details.map { "\($0)\n" }.joined() }
    if !command.options.isEmpty { text += "\n" + columns(command.options) }
    return text + "\nexample: \(command.example)\n"
  }

  private static func columns(_ rows: [HelpRow]) -> String {
    let width = rows.map(\.usage.count).max() ?? 0
    return rows.map { row in
      "  \(row.usage)\(String(repeating: " ", count: width - row.usage.count))  \(row.about)\n"
    }.joined()
  }
}
