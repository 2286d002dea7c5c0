import CYAML

extension Span {
  /// The stretch between two of libyaml's marks, which count lines and columns from 0 and columns in characters.
  ///
  /// What reaches over a line's end covers one character of its first line, for lack of knowing the line's length.
  init(from start: yaml_mark_t, to end: yaml_mark_t) {
    mark = SourceMark(line: Int(start.line) + 1, column: Int(start.column) + 1)
    length = start.line == end.line ? max(1, Int(end.column) - Int(start.column)) : 1
    // A block ends where the next thing begins, so an end at a line's first column belongs to the line before.
    lastLine = max(mark.line, Int(end.line) + (end.column == 0 ? 0 : 1))
  }

  /// A mistake at this place.
  func mistake(_ message: String, advice: String?) -> Diagnostic {
    Diagnostic(mark: mark, length: length, message: message, advice: advice)
  }
}

/// The syntax error at which libyaml stopped in `text`, in our words.
func syntaxMistake(_ parser: yaml_parser_t, in text: [UInt8]) -> Diagnostic {
  let problem = parser.problem.map { String(cString: $0) } ?? ""
  let context = parser.context.map { String(cString: $0) } ?? ""
  var place = parser.problem_mark
  let (message, advice): (String, String?)
  switch problem {
  case _ where (context + problem).contains("directive") || problem == "found incompatible YAML document":
    (message, advice) = ("a directive is not allowed", "take the line out")
  case _ where context.contains("block scalar"):
    (message, advice) = ("this cannot follow the sign of a text of several lines", "begin the text on the next line")
  case "mapping values are not allowed in this context", "found unexpected ':'":
    (message, advice) = ("a \":\" cannot stand here", "check the indentation, or put the text in quotes")
  case "could not find expected ':'":
    place = parser.context_mark
    (message, advice) = ("a key without its \":\"", "write \"key: value\"")
  case "did not find expected key" where hasWords(text, before: place):
    (message, advice) = ("this does not belong to the value before it", "put the whole text in quotes")
  case "did not find expected key":
    (message, advice) = ("the indentation does not fit the lines before", "keys of one block begin in one column")
  case "did not find expected '-' indicator":
    (message, advice) = ("the indentation does not fit the list before", "items of one list begin in one column")
  case "did not find expected ',' or ']'":
    place = parser.context_mark
    (message, advice) = ("the list is not closed", "expected \",\" or \"]\"")
  case "did not find expected ',' or '}'":
    place = parser.context_mark
    (message, advice) = ("the block of keys is not closed", "expected \",\" or \"}\"")
  case "block sequence entries are not allowed in this context":
    (message, advice) = ("a \"-\" cannot stand here", "a list begins on a line of its own")
  case "mapping keys are not allowed in this context":
    (message, advice) = ("a key cannot stand here", "check the indentation")
  case "found character that cannot start any token":
    (message, advice) = ("a value cannot begin with this character", "put the text in quotes")
  case "found unexpected end of stream", "found unexpected document indicator":
    place = parser.context_mark
    (message, advice) = ("the quotation mark is never closed", nil)
  case "found unknown escape character", "did not find expected hexdecimal number",
    "found invalid Unicode character escape code":
    (message, advice) = ("an escape that YAML does not know", "use single quotes")
  case "did not find expected <document start>":
    (message, advice) = ("the document ends before this line", "check the indentation")
  case "did not find expected node content":
    (message, advice) = ("a value is missing here", nil)
  case "did not find expected alphabetic or numeric character":
    (message, advice) = (
      context.contains("alias") ? "an alias is not allowed" : "an anchor is not allowed", "put the text in quotes"
    )
  case "found undefined tag handle", "did not find expected '!'", "did not find expected tag URI",
    "did not find the expected '>'", "did not find expected whitespace or line break":
    (message, advice) = ("a tag is not allowed", "take it out, or put the text in quotes")
  default:
    (message, advice) = ("this is not YAML", problem.isEmpty ? nil : problem)
  }
  return Span(from: place, to: place).mistake(message, advice: advice)
}

/// Whether anything but spaces stands before a mark in its line.
private func hasWords(_ text: [UInt8], before mark: yaml_mark_t) -> Bool {
  let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  guard Int(mark.line) < lines.count else { return false }
  return lines[Int(mark.line)].prefix(Int(mark.column)).contains { $0 != UInt8(ascii: " ") }
}
