import VitalsModel

/// Why a file is not a trace.
public struct TraceReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
  public let column: Int
  /// What was expected there and what was found.
  public let message: String

  init(line: Int, _ fault: TraceLineFault) {
    self.line = line
    column = fault.column
    message = fault.message
  }

  /// `line 12, column 3: expected …, found …`.
  public var description: String { "line \(line), column \(column): \(message)" }
}

/// The header and the entries of a trace file's bytes, in the order of the file.
///
/// A writer that lost its power leaves half a line: a last line without a newline that cannot be read is left out, and
/// `warning` says so. Any other line that is not one of a trace is an error, and so is a file without a whole header.
/// Writing the entries again with `TraceText` gives the bytes that a `TraceText` wrote.
public func readTrace(
  _ bytes: [UInt8]
) throws(TraceReadError) -> (header: TraceHeader, entries: [TraceEntry], warning: String?) {
  var lines = TraceLines(bytes)
  let header: TraceHeader
  do throws(TraceLineFault) {
    header = try readHeader(lines.next()?.text ?? [])
  } catch {
    throw TraceReadError(line: 1, error)
  }
  let body = try readEntries(from: &lines, channels: header.channels.count)
  return (header, body.entries, body.warning)
}

/// The entries of a golden trace, which `TraceText.body` wrote: lines without a header and without samples, on the terms
/// of `readTrace`.
public func readTraceBody(_ bytes: [UInt8]) throws(TraceReadError) -> (entries: [TraceEntry], warning: String?) {
  var lines = TraceLines(bytes)
  return try readEntries(from: &lines, channels: nil)
}

/// Goes through a file line by line.
private struct TraceLines {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the line given last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next line without its newline, and whether it has one; nil after the last.
  mutating func next() -> (text: ArraySlice<UInt8>, isEnded: Bool)? {
    guard position < bytes.endIndex else { return nil }
    number += 1
    let start = position
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      position = bytes.endIndex
      return (bytes[start...], false)
    }
    position = end + 1
    return (bytes[start..<end], true)
  }
}

/// The entries of all lines that are left; `channels` is how many values a sample has, nil where there are no samples.
private func readEntries(
  from lines: inout TraceLines, channels: Int?
) throws(TraceReadError) -> (entries: [TraceEntry], warning: String?) {
  var entries: [TraceEntry] = []
  while let line = lines.next() {
    do throws(TraceLineFault) {
      entries.append(try readEntry(line.text, channels: channels))
    } catch {
      let error = TraceReadError(line: lines.number, error)
      if line.isEnded { throw error }
      return (entries, "\(error); the line was cut off and is left out")
    }
  }
  return (entries, nil)
}

private func readHeader(_ line: ArraySlice<UInt8>) throws(TraceLineFault) -> TraceHeader {
  var parser = TraceLineParser(line)
  try parser.expect(UInt8(ascii: "{"))
  try parser.key(TraceHeader.Key.format.rawValue)
  let format = parser.place
  if try parser.string() != TraceHeader.format { throw parser.fault("\"\(TraceHeader.format)\"", at: format) }
  func text(_ key: TraceHeader.Key) throws(TraceLineFault) -> String {
    try parser.next(key)
    return try parser.string()
  }
  try parser.next(.version)
  let version = parser.place
  if try parser.unsigned() != UInt64(TraceHeader.version) {
    throw parser.fault("version \(TraceHeader.version) of the format", at: version)
  }
  let tool = try text(.tool)
  let contract = try text(.contract)
  let scenario = try text(.scenario)
  let platform = try text(.platform)
  try parser.next(.seed)
  let seed = try parser.unsigned()
  let engine = try text(.engine)
  try parser.next(.channels)
  let channels = try parser.list { (parser) throws(TraceLineFault) in try parser.string() }
  let further = try parser.rest { TraceHeader.Key(rawValue: $0) == nil }
  return TraceHeader(
    tool: tool, contract: contract, scenario: scenario, platform: platform, seed: seed, engine: engine,
    channels: channels, further: further)
}

private func readEntry(_ line: ArraySlice<UInt8>, channels: Int?) throws(TraceLineFault) -> TraceEntry {
  var parser = TraceLineParser(line)
  try parser.expect(UInt8(ascii: "{"))
  try parser.key("t")
  let at = Instant(microseconds: try parser.microseconds())
  try parser.expect(UInt8(ascii: ","))
  let start = parser.place
  guard let kind = TraceKind(key: try parser.key()) else {
    let kinds = TraceKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw parser.fault("one of the keys \(kinds)", at: start)
  }
  return TraceEntry(at: at, try readItem(kind, from: &parser, channels: channels))
}

private func readItem(
  _ kind: TraceKind, from parser: inout TraceLineParser, channels: Int?
) throws(TraceLineFault) -> TraceItem {
  switch kind {
  case .call:
    let name = try parser.string()
    let id = try parser.id()
    return .call(id: id, Message(name, try parser.rest { !TraceKind.isReserved($0) }))
  case .reply: return try readReply(from: &parser)
  case .notice: return .notice(try parser.message())
  case .sample:
    guard let channels else { throw parser.fault("no samples in a golden trace") }
    let start = parser.place
    let values = try parser.list { (parser) throws(TraceLineFault) in try parser.double() }
    if values.count != channels { throw parser.fault("\(channels) values", at: start) }
    try parser.expect(UInt8(ascii: ","))
    try parser.key("captured")
    let captured = Instant(microseconds: try parser.microseconds())
    try parser.close()
    return .sample(captured: captured, values: values)
  case .capture:
    let captured = try parser.hexBytes()
    try parser.close()
    return .capture(captured)
  case .reference: return .reference(try parser.message())
  case .timer:
    let start = parser.place
    if try !parser.flag() { throw parser.fault("true", at: start) }
    try parser.close()
    return .timer
  case .event: return .event(try parser.message())
  case .command: return .command(try parser.message())
  case .stimulus: return .stimulus(try parser.message())
  case .truth: return .truth(try parser.message())
  }
}

private func readReply(from parser: inout TraceLineParser) throws(TraceLineFault) -> TraceItem {
  let start = parser.place
  let word = try parser.string()
  let id = try parser.id()
  switch word {
  case "returned":
    try parser.close()
    return .reply(id: id, .returned)
  case "threw":
    try parser.expect(UInt8(ascii: ","))
    try parser.key("error")
    let name = try parser.string()
    return .reply(id: id, .threw(Message(name, try parser.rest { $0 != "error" && !TraceKind.isReserved($0) })))
  default: throw parser.fault("\"returned\" or \"threw\"", at: start)
  }
}

extension TraceLineParser {
  /// A comma and a header's next key.
  fileprivate mutating func next(_ expected: TraceHeader.Key) throws(TraceLineFault) {
    try expect(UInt8(ascii: ","))
    try key(expected.rawValue)
  }

  /// A comma and a call's number.
  fileprivate mutating func id() throws(TraceLineFault) -> Int {
    try expect(UInt8(ascii: ","))
    try key("id")
    let start = place
    let number = try number(orElse: "a whole number")
    guard number.places == 0, let id = Int(exactly: number.units) else { throw fault("a whole number", at: start) }
    return id
  }

  /// A name and fields up to the end of the line.
  fileprivate mutating func message() throws(TraceLineFault) -> Message {
    let name = try string()
    return Message(name, try rest { !TraceKind.isReserved($0) })
  }

  /// Fields, each behind a comma, up to the end of the line.
  fileprivate mutating func rest(isAllowed: (String) -> Bool) throws(TraceLineFault) -> [Field] {
    var fields: [Field] = []
    while take(UInt8(ascii: ",")) {
      try field(into: &fields, depth: 0, isAllowed: isAllowed)
    }
    try close()
    return fields
  }

  /// Items between brackets.
  fileprivate mutating func list<Item>(
    _ item: (inout TraceLineParser) throws(TraceLineFault) -> Item
  ) throws(TraceLineFault) -> [Item] {
    try expect(UInt8(ascii: "["))
    if take(UInt8(ascii: "]")) { return [] }
    var items: [Item] = []
    repeat {
      items.append(try item(&self))
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return items
  }

  fileprivate mutating func close() throws(TraceLineFault) {
    try expect(UInt8(ascii: "}"))
    try end()
  }
}
