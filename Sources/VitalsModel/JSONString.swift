/// Strings as JSON writes them (RFC 8259, section 7): quotation marks, backslashes and control characters are escaped,
/// everything else is plain UTF-8.
public enum JSONString {
  /// The string in quotation marks.
  public static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds the string in quotation marks to bytes.
  public static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(quote)
    var text = text
    text.withUTF8 { plain in
      if plain.contains(where: needsEscape) {
        for byte in plain { append(escaped: byte, to: &bytes) }
      } else {
        bytes.append(contentsOf: plain)
      }
    }
    bytes.append(quote)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == quote || byte == backslash }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case quote, backslash: bytes += [backslash, byte]
    case UInt8(ascii: "\n"): bytes += [backslash, UInt8(ascii: "n")]
    case UInt8(ascii: "\r"): bytes += [backslash, UInt8(ascii: "r")]
    case UInt8(ascii: "\t"): bytes += [backslash, UInt8(ascii: "t")]
    case 0..<0x20: bytes += Array("\\u00".utf8) + [hexDigit(byte >> 4), hexDigit(byte & 15)]
    default: bytes.append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
