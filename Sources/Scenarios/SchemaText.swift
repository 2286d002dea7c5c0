import VitalsModel

/// A JSON value whose keys keep the order in which they were written.
indirect enum SchemaValue {
  case text(String)
  case integer(Int64)
  /// A number as JSON writes it.
  case number(String)
  case flag(Bool)
  case list([SchemaValue])
  case object([(key: String, value: SchemaValue)])

  /// The value as JSON text, indented by two spaces for each level; a list of plain values stays on one line if it is
  /// short.
  func text(indent: Int = 0) -> String {
    switch self {
    case .text(let text): return JSONString.quoted(text)
    case .integer(let number): return String(number)
    case .number(let digits): return digits
    case .flag(let flag): return flag ? "true" : "false"
    case .list(let items):
      let parts = items.map { $0.text(indent: indent + 2) }
      let line = "[" + parts.joined(separator: ", ") + "]"
      if line.utf8.count + indent <= 100, !line.utf8.contains(UInt8(ascii: "\n")) { return line }
      return Self.block("[", parts, "]", indent)
    case .object(let entries):
      if entries.isEmpty { return "{}" }
      return Self.block(
        "{", entries.map { "\(JSONString.quoted($0.key)): \($0.value.text(indent: indent + 2))" }, "}", indent)
    }
  }

  private static func block(_ open: String, _ parts: [String], _ close: String, _ indent: Int) -> String {
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    return open + "\n" + parts.map { inner + $0 }.joined(separator: ",\n") + "\n" + outer + close
  }
}
