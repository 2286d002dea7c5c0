import VitalsModel

/// The text of a trace: JSON Lines, a header line and then one line for each thing that happened.
///
/// Every line begins with `t`, the moment in seconds with six decimals, and the key that says what it is:
/// `{"t":1.000000,"event":"preview","progress":0.017}`. The same entries give the same bytes on every machine.
public enum TraceText {
  /// One entry's line, without its newline.
  public static func line(_ entry: TraceEntry) -> String {
    var bytes: [UInt8] = []
    append(entry, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The header's line, without its newline.
  public static func line(_ header: TraceHeader) -> String {
    var bytes: [UInt8] = []
    append(header, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A whole trace: the header and every entry, each line ended by a newline.
  public static func file(_ header: TraceHeader, _ entries: [TraceEntry]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(header, to: &bytes)
    bytes.append(newline)
    for entry in entries {
      append(entry, to: &bytes)
      bytes.append(newline)
    }
    return bytes
  }

  /// What a golden trace holds: every entry but samples, captures and timers, each line ended by a newline.
  public static func body(_ entries: [TraceEntry]) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      switch entry.item {
      case .sample, .capture, .timer: continue
      case .call, .reply, .notice, .reference, .event, .command, .stimulus, .truth: break
      }
      append(entry, to: &bytes)
      bytes.append(newline)
    }
    return bytes
  }

  /// FNV-1a with 64 bits over a trace's body, as 16 hexadecimal digits: tells runs apart, protects nothing
  /// (Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm").
  public static func hash(of body: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    var digits: [UInt8] = []
    for shift in stride(from: 60, through: 0, by: -4) {
      digits.append(hexDigit: UInt8(truncatingIfNeeded: hash >> UInt64(shift)) & 15)
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the header's line, without its newline.
  public static func append(_ header: TraceHeader, to bytes: inout [UInt8]) {
    bytes.append(ascii: "{\"format\":")
    bytes.append(json: TraceHeader.format)
    bytes.append(ascii: ",\"version\":")
    bytes.append(TraceHeader.version)
    bytes.append(ascii: ",\"tool\":")
    bytes.append(json: header.tool)
    bytes.append(ascii: ",\"contract\":")
    bytes.append(json: header.contract)
    bytes.append(ascii: ",\"scenario\":")
    bytes.append(json: header.scenario)
    bytes.append(ascii: ",\"platform\":")
    bytes.append(json: header.platform)
    bytes.append(ascii: ",\"seed\":")
    bytes.append(header.seed)
    bytes.append(ascii: ",\"engine\":")
    bytes.append(json: header.engine)
    bytes.append(ascii: ",\"channels\":[")
    for (index, channel) in header.channels.enumerated() {
      if index > 0 { bytes.append(comma) }
      bytes.append(json: channel)
    }
    bytes.append(UInt8(ascii: "]"))
    append(header.further, to: &bytes) { TraceHeader.Key(rawValue: $0) == nil }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends one entry's line, without its newline.
  ///
  /// Fields of a message have distinct keys, at most 256 of them, and none called `t`, `id` or like a kind of line;
  /// sample values are finite.
  public static func append(_ entry: TraceEntry, to bytes: inout [UInt8]) {
    bytes.append(ascii: "{\"t\":")
    bytes.append(units: entry.at.microseconds, places: 6)
    switch entry.item {
    case .call(let id, let message):
      bytes.append(ascii: ",\"call\":")
      bytes.append(json: message.name)
      append(id: id, to: &bytes)
      append(fieldsOf: message, to: &bytes)
    case .reply(let id, .returned):
      bytes.append(ascii: ",\"reply\":\"returned\"")
      append(id: id, to: &bytes)
    case .reply(let id, .threw(let error)):
      bytes.append(ascii: ",\"reply\":\"threw\"")
      append(id: id, to: &bytes)
      bytes.append(ascii: ",\"error\":")
      bytes.append(json: error.name)
      append(error.fields, to: &bytes) { $0 != "error" && !TraceKind.isReserved($0) }
    case .notice(let message):
      bytes.append(ascii: ",\"notice\":")
      append(message, to: &bytes)
    case .sample(let captured, let values):
      append(values, captured: captured, to: &bytes)
    case .capture(let captured):
      bytes.append(ascii: ",\"capture\":\"")
      for byte in captured {
        bytes.append(hexDigit: byte >> 4)
        bytes.append(hexDigit: byte & 15)
      }
      bytes.append(UInt8(ascii: "\""))
    case .reference(let message):
      bytes.append(ascii: ",\"reference\":")
      append(message, to: &bytes)
    case .timer:
      bytes.append(ascii: ",\"timer\":true")
    case .event(let message):
      bytes.append(ascii: ",\"event\":")
      append(message, to: &bytes)
    case .command(let message):
      bytes.append(ascii: ",\"command\":")
      append(message, to: &bytes)
    case .stimulus(let message):
      bytes.append(ascii: ",\"stimulus\":")
      append(message, to: &bytes)
    case .truth(let message):
      bytes.append(ascii: ",\"truth\":")
      append(message, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static let newline = UInt8(ascii: "\n")
  private static let comma = UInt8(ascii: ",")

  private static func append(_ message: Message, to bytes: inout [UInt8]) {
    bytes.append(json: message.name)
    append(fieldsOf: message, to: &bytes)
  }

  private static func append(fieldsOf message: Message, to bytes: inout [UInt8]) {
    append(message.fields, to: &bytes) { !TraceKind.isReserved($0) }
  }

  private static func append(id: Int, to bytes: inout [UInt8]) {
    bytes.append(ascii: ",\"id\":")
    bytes.append(Int64(id))
  }

  private static func append(_ values: [Double], captured: Instant, to bytes: inout [UInt8]) {
    bytes.append(ascii: ",\"sample\":[")
    for (index, value) in values.enumerated() {
      precondition(value.isFinite, "a sample's values are finite")
      if index > 0 { bytes.append(comma) }
      // The shortest text that reads back as the same number.
      var text = value.description
      text.withUTF8 { bytes.append(contentsOf: $0) }
    }
    bytes.append(ascii: "],\"captured\":")
    bytes.append(units: captured.microseconds, places: 6)
  }

  /// The fields of a line, each behind a comma.
  private static func append(_ fields: [Field], to bytes: inout [UInt8], isAllowed: (String) -> Bool) {
    checkDistinct(fields)
    for field in fields {
      precondition(isAllowed(field.key), "this key belongs to the line, not to a message")
      bytes.append(comma)
      bytes.append(json: field.key)
      bytes.append(UInt8(ascii: ":"))
      append(field.value, depth: 1, to: &bytes)
    }
  }

  private static func append(_ value: FieldValue, depth: Int, to bytes: inout [UInt8]) {
    switch value {
    case .text(let text): bytes.append(json: text)
    case .integer(let number): bytes.append(number)
    case .fixed(let units, let places): bytes.append(units: units, places: places)
    case .flag(true): bytes.append(ascii: "true")
    case .flag(false): bytes.append(ascii: "false")
    case .object(let fields):
      precondition(depth <= TraceLimits.depth, "objects too deep inside one another")
      checkDistinct(fields)
      bytes.append(UInt8(ascii: "{"))
      for (index, field) in fields.enumerated() {
        if index > 0 { bytes.append(comma) }
        bytes.append(json: field.key)
        bytes.append(UInt8(ascii: ":"))
        append(field.value, depth: depth + 1, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func checkDistinct(_ fields: [Field]) {
    precondition(fields.count <= TraceLimits.fields, "too many fields for one message")
    for later in fields.indices {
      for earlier in 0..<later {
        precondition(fields[earlier].key != fields[later].key, "the keys of a message are distinct")
      }
    }
  }
}
