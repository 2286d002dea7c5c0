/// A stretch of a line of the file that a mistake can point at.
struct Span: Hashable {
  /// Where it begins.
  var mark: SourceMark
  /// How many characters of that line it covers, at least 1.
  var length: Int
  /// The line on which the thing that it stands for ends.
  var lastLine: Int
}

/// One value of a YAML document, with its place.
struct Node: Hashable {
  /// What the value is.
  var content: Content
  /// Where it stands; for a value that is left out, the key or the dash before it.
  var span: Span

  /// What a value can be.
  enum Content: Hashable {
    /// A text. Nothing is made of it here: `no` and `66` are texts.
    case scalar(String)
    /// No value: left out, or written as `~` or `null`.
    case null
    /// A list.
    case sequence([Node])
    /// Keys with values, no key twice.
    case mapping(Mapping)
    /// Something that could not be read; its mistake is reported already.
    case broken
  }
}

/// Keys with values, in the order of the file.
struct Mapping: Hashable {
  /// The keys with their values.
  var entries: [Entry] = []
  /// Whether its end was reached; if not, a missing key proves nothing.
  var isWhole = true

  /// A key with its value.
  struct Entry: Hashable {
    /// The key.
    let key: String
    /// Where the key stands.
    let keySpan: Span
    /// The value.
    var value: Node
  }
}
