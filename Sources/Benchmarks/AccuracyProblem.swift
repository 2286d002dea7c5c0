/// Why a recording or a reference could not be scored: the file, and the line where it is known.
struct AccuracyProblem: Error, Codable {
  let file: String
  var line: Int?
  let message: String

  /// `file:line: message`.
  var text: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
