import Reporting

/// Why a command did not do what it was asked: what to print on standard error, and the exit code.
struct Refusal: Error, Sendable {
  let text: String
  let exitCode: ExitCode

  /// A request that cannot be met: arguments or files that are not right.
  init(request message: String, hint: String? = nil) {
    self.init(message, hint: hint, exitCode: .badRequest)
  }

  /// Something outside the request that stops the work, such as a full disk.
  init(blocked message: String, hint: String? = nil) {
    self.init(message, hint: hint, exitCode: .blocked)
  }

  /// Mistakes in scenario files, already written out.
  init(mistakes text: String) {
    self.text = text
    exitCode = .badRequest
  }

  private init(_ message: String, hint: String?, exitCode: ExitCode) {
    let lines = ["vitals-sim: error: \(message)"] + (hint.map { ["  \($0)"] } ?? [])
    text = lines.map { "\($0.withoutControls)\n" }.joined()
    self.exitCode = exitCode
  }
}
