/// The most mistakes that are shown of one file.
private let shownMistakes = 100
/// The most characters of a source line that are shown.
private let shownColumns = 100

/// The mistakes of one file as a terminal shows them: place and message, the line, and a caret with the advice.
///
/// ```
/// scenarios/flat.yaml:12:5: error: unknown key "hartRate" in subject
///    12 |     hartRate: 66
///       |     ^^^^^^^^ did you mean "heartRate"?
/// ```
/// Shows at most 100 mistakes and then says how many more there are. A long line is clipped around its caret, and
/// characters that would act on a terminal are replaced. Every line ends with a newline; no mistakes give no text.
/// - Parameters:
///   - diagnostics: The mistakes, in the order in which to show them.
///   - file: The file's name as the reader knows it.
///   - bytes: The whole file, from which the lines are taken.
public func render(_ diagnostics: [Diagnostic], file: String, bytes: [UInt8]) -> String {
  let lines = SourceLines(bytes)
  // Many mistakes may stand in one long line, which is then taken apart once.
  var line = (number: 0, characters: [Unicode.Scalar]())
  var text = ""
  for diagnostic in diagnostics.prefix(shownMistakes) {
    text += "\(file):\(diagnostic.mark.line):\(diagnostic.mark.column): error: \(diagnostic.message)"
    if diagnostic.length > 0 {
      if line.number != diagnostic.mark.line {
        line = (diagnostic.mark.line, lines[diagnostic.mark.line])
      }
      text += "\n" + excerpt(diagnostic, line: line.characters) + "\n"
    } else {
      text += (diagnostic.advice.map { "; \($0)" } ?? "") + "\n"
    }
  }
  if diagnostics.count > shownMistakes {
    text += "and \(diagnostics.count - shownMistakes) more\n"
  }
  return text
}

/// The source line and the line with the caret below it.
private func excerpt(_ diagnostic: Diagnostic, line: [Unicode.Scalar]) -> String {
  let before = min(diagnostic.mark.column - 1, line.count)
  // A window on a long line: two fifths of it before the caret, the rest after.
  let start = line.count <= shownColumns ? 0 : max(0, min(before - shownColumns * 2 / 5, line.count - shownColumns))
  let end = min(line.count, start + shownColumns)

  var shown = ""
  var padding = ""
  if start > 0 {
    shown = "…"
    padding = " "
  }
  for index in start..<end {
    shown.unicodeScalars.append(printable(line[index]))
    if index < before {
      padding += String(repeating: " ", count: columns(of: printable(line[index])))
    }
  }
  if end < line.count { shown += "…" }

  let covered = line[before..<min(end, max(before, min(before + diagnostic.length, line.count)))]
  let carets = max(1, covered.reduce(0) { $0 + columns(of: printable($1)) })
  let number = String(diagnostic.mark.line)
  let margin = String(repeating: " ", count: max(0, 5 - number.count))
  let blank = String(repeating: " ", count: margin.count + number.count)
  let source = shown.isEmpty ? "" : " " + shown
  let advice = diagnostic.advice.map { " " + $0 } ?? ""
  return "\(margin)\(number) |\(source)\n\(blank) | \(padding)\(String(repeating: "^", count: carets))\(advice)"
}

/// What stands for a character in the shown line: itself, or something that a terminal does not act on.
private func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  switch scalar.properties.generalCategory {
  case .control where scalar == "\t": " "
  case .spaceSeparator: " "
  case .nonspacingMark, .enclosingMark: scalar
  default: isVisible(scalar) ? scalar : "\u{fffd}"
  }
}

/// How many columns of a terminal a character takes: none for a combining mark, two for a wide one.
///
/// The wide ranges are the blocks that Unicode Standard Annex 11 lists as wide throughout.
private func columns(of scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
    0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
    return 2
  default:
    return 1
  }
}

/// The lines of a file, for showing; a byte that is not UTF-8 counts as one character.
private struct SourceLines {
  private let bytes: [UInt8]
  private var starts: [Int]

  init(_ whole: [UInt8]) {
    bytes = whole.starts(with: SourceText.byteOrderMark) ? Array(whole.dropFirst(3)) : whole
    starts = [0]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(index + 1)
    }
  }

  /// The characters of a line, from 1, without its line break; none beyond the end of the file.
  subscript(line: Int) -> [Unicode.Scalar] {
    guard (1...starts.count).contains(line) else { return [] }
    let end = line < starts.count ? starts[line] - 1 : bytes.count
    var scalars: [Unicode.Scalar] = []
    var index = starts[line - 1]
    while index < end {
      if let (scalar, length) = decodeScalar(bytes, at: index), index + length <= end {
        scalars.append(scalar)
        index += length
      } else {
        scalars.append("\u{fffd}")
        index += 1
      }
    }
    if scalars.last == "\r" { scalars.removeLast() }
    return scalars
  }
}
