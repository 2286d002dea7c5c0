import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct TextLineTests {
  /// Each letter or number is a line: a pulse rate, `-` for no values, `h` for a heading, `x` for what is no line; and
  /// `|` is a byte of noise.
  @Test(arguments: [
    // Three that say nearly the same, and what goes on from them.
    ("80", ""), ("80 80", ""), ("80 80 80", "80 80 80"), ("80 84 79", "80 84 79"), ("127 128 129", "127 128 129"),
    ("255 256 257 321", "255 256 257"), ("321 321 321", "321 321 321"),
    ("80 80 80 83 88 93", "80 80 80 83 88 93"),
    // A garbled digit: at the start, in between, twice, and where it is no value at all.
    ("180 80 80 80", "80 80 80"), ("80 80 80 180 80 80", "80 80 80 80 80"), ("80 80 80 90 180 80", "80 80 80 80"),
    ("80 180 80 80 80", "80 80 80 80"), ("80 80 80 480 80 80", "80 80 80"),
    ("80 80 80 480 80 80 80", "80 80 80 80 80 80"),
    // A jump.
    ("80 80 80 120 121 122 121", "80 80 80 120 121 122 121"), ("80 80 80 92 103 119", "80 80 80 92 103 119"),
    ("80 80 80 120 121", "80 80 80"), ("80 80 80 120 180 121", "80 80 80"),
    ("80 80 80 120 180 121 122", "80 80 80 120 121 122"), ("80 80 80 12 120 121 122", "80 80 80 120 121 122"),
    ("80 80 80 86 85", "80 80 80 86 85"), ("80 80 80 100 60 90 70 110", "80 80 80 100 60 90 70 110"),
    // A pulse that has just been found.
    ("140 119 103 90 70", "140 119 103 90 70"), ("140 119 103 90", ""),
    // No values: nothing to be confirmed once there is sync, and nothing that confirms.
    ("- - -", "- - -"), ("80 80 80 -", "80 80 80 -"), ("80 80 80 - 81 - 82", "80 80 80 - 81 - 82"),
    ("80 80 80 - 120 -", "80 80 80 - -"), ("- - - 94 94", "- - -"), ("- - - 94 94 94", "- - - 94 94 94"),
    ("- - 119 103 92", "- - 119 103 92"), ("80 - - -", "- - -"),
    // What is said twice in a row, or nearly, is right though it does not last; a first value alone may be garbled, and
    // so may a last one.
    ("80 80 80 120 120 -", "80 80 80 120 120 -"), ("80 80 80 120 121 80", "80 80 80 120 121 80"),
    ("- - - 12 128 128", "- - -"), ("- - - 12 128 128 128", "- - - 128 128 128"),
    ("- - - 80 80 142", "- - -"), ("- - - 80 80 142 80", "- - - 80 80 80"),
    // Headings break nothing and confirm nothing.
    ("h h h", ""), ("h 80 h 80 80", "h 80 h 80 80"), ("80 80 80 h 80", "80 80 80 h 80"),
    ("80 80 80 120 h 121 122", "80 80 80 120 h 121 122"), ("80 80 80 120 h 80", "80 80 80 h 80"),
    ("h h h h h h h h h h h h h h h 80 80 80", "h h h h h h h h h 80 80 80"),
    // After a break three again; those before it are given if these go on from them.
    ("80 80 80 x 80 80", "80 80 80"), ("80 80 80 x 80 80 80", "80 80 80 80 80 80"), ("80 | 80 80 80", "80 80 80 80"),
    ("80 80 80 120 x 121 122 123", "80 80 80 120 121 122 123"), ("80 80 80 120 x 80 80 80", "80 80 80 80 80 80"),
    ("80 80 | 80 80 | 80 80 | 80 80", ""), ("80 80 80 | - - -", "80 80 80 - - -"),
    ("80 80 80 120 | - - -", "80 80 80 - - -"),
  ])
  func confirms(_ lines: String, _ given: String) {
    var decoder = OximeterProtocol.noninASCII.decoder()
    var bytes: [UInt8] = []
    var texts: [Int: Substring] = [:]
    for line in lines.split(separator: " ") {
      switch line {
      case "|": bytes.append(0xff)
      case "x": bytes += Array("SPO2=0".utf8)
      case "h": bytes += Array("LOG 02/24/18".utf8)
      case "-": bytes += Array("SPO2=--- HR=---".utf8)
      default: bytes += Array("SPO2=097 HR=\(TextLine.padded(Int(line) ?? 0, 3))".utf8)
      }
      if line != "|" {
        bytes.append(0x0d)
        texts[bytes.count] = line
        bytes.append(0x0a)
      }
    }
    let frames = decoder.decode(bytes)
    #expect(frames.compactMap { texts[$0.end] }.joined(separator: " ") == given)
    #expect(frames.count == given.split(separator: " ").count)
  }

  /// Ends of lines of every kind, and what breaks a line; all three lines are given where it is none, and `end` is the
  /// first byte that ends the line.
  @Test(arguments: [
    ("\r", 3, 0, 0), ("\n", 3, 0, 0), ("\n\r", 3, 0, 0), ("\r\n", 3, 0, 0), ("\r\n\r\n  \r\n", 3, 0, 0),
    ("\0\r\n", 0, 3, 0), ("\u{7f}\r", 0, 3, 0), ("\u{11}\r", 0, 3, 0), ("\t\r", 0, 3, 0), ("SPO2\r", 0, 1, 2),
    (String(repeating: " ", count: 300) + "\r", 0, 0, 3), ("", 0, 1, 0),
  ])
  func endsLines(_ end: String, _ good: Int, _ short: Int, _ unknown: Int) {
    let line = "SPO2=097 HR=065"
    var decoder = OximeterProtocol.noninASCII.decoder()
    let bytes = Array(String(repeating: line + end, count: 3).utf8)
    let frames = decoder.decode(bytes)
    decoder.finish()
    #expect(frames.map(\.end) == (0..<good).map { ($0 + 1) * line.utf8.count + $0 * end.utf8.count + 1 })
    #expect([decoder.counts.good, decoder.counts.short, decoder.counts.unknown] == [good, short, unknown])
  }

  /// A device's clock.
  @Test(arguments: [
    (0, "01/01/00 00:00:00", "01-Jan-00"), (-1, "12/31/99 23:59:59", "31-Dec-99"),
    (59 * 86_400, "02/29/00 00:00:00", "29-Feb-00"), (60 * 86_400, "03/01/00 00:00:00", "01-Mar-00"),
    (365 * 86_400 + 59 * 86_400 + 86_400, "03/01/01 00:00:00", "01-Mar-01"),
    (572_763_533, "02/24/18 04:58:53", "24-Feb-18"), (700_000_000, "03/07/22 20:26:40", "07-Mar-22"),
    (36_525 * 86_400 + 58 * 86_400, "02/28/00 00:00:00", "28-Feb-00"),
    (36_525 * 86_400 + 59 * 86_400, "03/01/00 00:00:00", "01-Mar-00"),
  ])
  func tellsTime(_ seconds: Int, _ numeric: String, _ named: String) {
    let time = DeviceTime(clockSeconds: seconds)
    #expect("\(time.numericDate) \(time.timeOfDay)" == numeric)
    #expect(time.namedDate == named)
  }
}
