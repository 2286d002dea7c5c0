import Scenarios

/// One option of a command, and what it does to the command's request.
struct Option<Request>: Sendable {
  /// What an option does.
  enum Action: Sendable {
    /// It stands alone.
    case flag(@Sendable (inout Request) -> Void)
    /// It takes a value, which the help calls `name`; the text is refused with what it should have been.
    case value(_ name: String, @Sendable (inout Request, String) throws(Refusal) -> Void)
  }

  let long: String
  let short: Character?
  let about: String
  let action: Action

  init(_ long: String, _ short: Character? = nil, about: String, _ action: Action) {
    self.long = long
    self.short = short
    self.about = about
    self.action = action
  }

  /// How the help writes it: `-q, --quiet` or `    --json FILE`.
  var usage: String {
    let start = short.map { "-\($0), " } ?? "    "
    return switch action {
    case .flag: "\(start)--\(long)"
    case .value(let name, _): "\(start)--\(long) \(name)"
    }
  }
}

extension String {
  /// An option's value in a message, where an empty one would not be seen.
  var shown: String { isEmpty ? "\"\"" : self }
}

/// What the arguments of a command say.
enum ParsedArguments<Request> {
  /// The user asks how the command is used.
  case help
  /// The request with its options applied, and what is not an option.
  case request(Request, operands: [String])
}

/// Reads GNU-style arguments: `--name value`, `--name=value`, `-n value`, `-nvalue`, flags joined behind one hyphen,
/// operands anywhere, `--` before operands that look like options, and `-` as an operand.
struct ArgumentParser<Request> {
  let command: String
  let options: [Option<Request>]
  private var request: Request
  private var operands: [String] = []
  private var remaining: ArraySlice<String>

  private init(command: String, options: [Option<Request>], request: Request, arguments: [String]) {
    self.command = command
    self.options = options
    self.request = request
    remaining = arguments[...]
  }

  /// Applies the arguments to a request.
  static func parse(
    _ arguments: [String], of command: String, options: [Option<Request>], into request: Request
  ) throws(Refusal) -> ParsedArguments<Request> {
    var parser = ArgumentParser(command: command, options: options, request: request, arguments: arguments)
    while let argument = parser.remaining.popFirst() {
      if argument == "--" {
        parser.operands += parser.remaining
        break
      }
      if argument == "--help" || argument == "-h" { return .help }
      if argument.hasPrefix("--") {
        try parser.applyLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try parser.applyShort(argument)
      } else {
        parser.operands.append(argument)
      }
    }
    return .request(parser.request, operands: parser.operands)
  }

  private mutating func applyLong(_ argument: String) throws(Refusal) {
    let body = argument.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = body.contains("=") ? String(body.dropFirst(name.count + 1)) : nil
    guard let option = options.first(where: { $0.long == name }) else { throw unknown("--\(name)", name) }
    switch option.action {
    case .flag(let apply):
      guard attached == nil else { throw misuse("option --\(name) takes no value") }
      apply(&request)
    case .value(let what, let apply):
      guard let value = attached ?? nextValue() else { throw misuse("option --\(name) needs its \(what)") }
      try apply(&request, value)
    }
  }

  private mutating func applyShort(_ argument: String) throws(Refusal) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw unknown("-\(letter)", String(argument.dropFirst()))
      }
      switch option.action {
      case .flag(let apply): apply(&request)
      case .value(let what, let apply):
        let attached = letters.isEmpty ? nil : String(letters)
        guard let value = attached ?? nextValue() else { throw misuse("option -\(letter) needs its \(what)") }
        try apply(&request, value)
        return
      }
    }
  }

  /// The next argument, unless it is an option of this command: then the value was forgotten.
  private mutating func nextValue() -> String? {
    guard let next = remaining.first, next != "--" else { return nil }
    let isOption = options.contains { option in
      let long = "--\(option.long)"
      return next == long || next.hasPrefix("\(long)=") || option.short.map { next == "-\($0)" } ?? false
    }
    return isOption ? nil : remaining.popFirst()
  }

  private func unknown(_ option: String, _ name: String) -> Refusal {
    let meant = nearest(to: name, among: options.map(\.long) + ["help"]).map { "did you mean --\($0)?" }
    return misuse("\(command) has no option \(option)", hint: meant)
  }

  private func misuse(_ message: String, hint: String? = nil) -> Refusal {
    Refusal(request: message, hint: hint ?? "try: vitals-sim help \(command)")
  }
}
