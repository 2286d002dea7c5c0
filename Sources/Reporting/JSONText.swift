import VitalsModel

/// A JSON document as it grows: two spaces of indent, keys in the order in which they are written.
struct JSONText {
  private(set) var text = ""
  /// For each open object or array, whether something already stands in it.
  private var open: [Bool] = []

  /// An object of what `body` writes.
  mutating func object(_ key: String? = nil, _ body: (inout JSONText) -> Void) { nest("{", "}", key, body) }

  /// An array of what `body` writes.
  mutating func array(_ key: String? = nil, _ body: (inout JSONText) -> Void) { nest("[", "]", key, body) }

  /// A string; nothing when there is none.
  mutating func string(_ key: String? = nil, _ value: String?) {
    if let value { raw(key, JSONString.quoted(value)) }
  }

  /// A whole number.
  mutating func integer(_ key: String? = nil, _ value: some BinaryInteger) { raw(key, String(value)) }

  /// A number with fixed decimals; nothing when it is not finite, since JSON cannot say so.
  mutating func number(_ key: String? = nil, _ value: Double, places: Int) {
    if value.isFinite { raw(key, Fixed.text(value, places: places)) }
  }

  /// A value that already is JSON.
  mutating func raw(_ key: String?, _ value: String) {
    begin(key)
    text += value
  }

  private mutating func nest(_ left: String, _ right: String, _ key: String?, _ body: (inout JSONText) -> Void) {
    begin(key)
    text += left
    open.append(false)
    body(&self)
    if open.removeLast() { newLine() }
    text += right
  }

  private mutating func begin(_ key: String?) {
    if let last = open.indices.last {
      if open[last] { text += "," }
      open[last] = true
      newLine()
    }
    if let key { text += "\(JSONString.quoted(key)): " }
  }

  private mutating func newLine() { text += "\n" + String(repeating: "  ", count: open.count) }
}
