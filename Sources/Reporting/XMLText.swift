/// Text as XML 1.0 can carry it.
enum XMLText {
  /// The content of an element.
  static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

  /// The value of an attribute, without its quotation marks.
  static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where inAttribute: result += "&quot;"
      case "\n", "\t":
        // A parser turns these into spaces inside an attribute unless they come as references.
        if inAttribute { result += "&#\(scalar.value);" } else { result.unicodeScalars.append(scalar) }
      case "\r": result += "&#13;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
        // XML 1.0 has no way to write most of these (section 2.2, Char), and discourages the others.
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
