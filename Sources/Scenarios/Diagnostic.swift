/// One mistake in a scenario file, with its place and, where there is one, the way to put it right.
public struct Diagnostic: Hashable, Sendable {
  /// Where the mistake begins.
  public let mark: SourceMark
  /// How many characters of that line it covers; 0 for a mistake of the file as a whole, shown without its line.
  public let length: Int
  /// What is wrong, such as `unknown key "hartRate" in subject`.
  public let message: String
  /// What to write instead, such as `did you mean "heartRate"?`.
  public let advice: String?

  /// A mistake at its place.
  public init(mark: SourceMark, length: Int, message: String, advice: String?) {
    self.mark = mark
    self.length = length
    self.message = message
    self.advice = advice
  }
}

/// A file that is not a scenario, with every mistake that was found in it.
public struct ScenarioRefusal: Error, Hashable, Sendable {
  /// The mistakes, sorted by their place in the file; never empty.
  public let diagnostics: [Diagnostic]

  /// Sorts the mistakes by place; those at one place keep their order.
  init(_ unsorted: [Diagnostic]) {
    diagnostics = unsorted.enumerated()
      .sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
      .map(\.element)
  }
}

/// `text` in quotation marks for a message: clipped at 40 characters, and what cannot be seen written as `\u{…}`.
func quoted(_ text: String) -> String {
  var result = "\""
  var count = 0
  for scalar in text.unicodeScalars {
    if count == 40 {
      result += "…"
      break
    }
    if isVisible(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    }
    count += 1
  }
  return result + "\""
}

/// Whether a character shows on a terminal as itself; the plain space does.
func isVisible(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return (0x20...0x7e).contains(scalar.value) }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator, .spaceSeparator:
    return false
  default:
    return true
  }
}
