// A line once a second, CR LF, on 9600 baud; the ninth bit that some models send is always a mark:
//
//   SPO2=097 HR=065           values, or --- for none
//   SPO2=097 HR=065 F         values that respond fast
//   10:24:31 SPO2=097 HR=065  with the time of day
//   SPO2=097 HR=065*          an event was marked
//   SPO2=097 HR=065 B         a breath was detected
//
// At power-up comes a heading with the date and the time, whose words no manual gives. Source: the operator's manuals
// of the models 2500, 8500, 8600V, 9600, 9847 and 4100, chapters on serial output.

/// Decodes nonin-ascii.
typealias NoninASCIIDecoder = LineDecoder<NoninLines>

/// What the lines of nonin-ascii mean.
struct NoninLines: LineGrammar {
  // The values are averages over four beats, of which about one comes in a second: a rhythm that is faster by 20 moves
  // the pulse rate by 5. A saturation hardly falls by more than 1 % in a second.
  static let steps = LineConfirmation.Steps(pulseRateBpm: 5, spo2Percent: 2)

  func meaning(of text: [UInt8]) -> LineMeaning? {
    var line = TextScanner(text)
    line.skipBlanks()
    if line.skipTwoDigits(between: UInt8(ascii: ":")), line.skipBlanks() == 0, !line.isAtEnd { return nil }
    guard line.skip("SPO2=") else { return Self.isHeading(text) ? .known() : nil }
    guard let spo2 = Self.value(&line), line.skipBlanks() > 0, line.skip("HR="), let rate = Self.value(&line),
      Self.isRest(&line), let reading = OximeterReading(spo2: spo2, pulseRate: rate)
    else { return nil }
    return .reading(reading)
  }

  /// Three digits, or three dashes. Fewer with blanks before them are another way to write the same.
  private static func value(_ line: inout TextScanner) -> TextValue? {
    line.take(3).flatMap { TextValue($0.drop { $0 == .blank }) }
  }

  /// Whether nothing follows but marks, each once.
  private static func isRest(_ line: inout TextScanner) -> Bool {
    var marks: [UInt8] = []
    while !line.isAtEnd {
      line.skipBlanks()
      guard let mark = line.take(1)?.first else { return true }
      guard [UInt8(ascii: "F"), UInt8(ascii: "B"), UInt8(ascii: "*")].contains(mark), !marks.contains(mark) else {
        return false
      }
      marks.append(mark)
    }
    return true
  }

  /// Whether it has a date or a time, and no value.
  private static func isHeading(_ text: [UInt8]) -> Bool {
    if text.contains(UInt8(ascii: "=")) { return false }
    var line = TextScanner(text)
    repeat {
      if line.skipTwoDigits(between: UInt8(ascii: ":")) || line.skipTwoDigits(between: UInt8(ascii: "/")) {
        return true
      }
    } while line.take(1) != nil
    return false
  }
}

/// Encodes nonin-ascii as the model 2500 does: a heading, and lines of values without the time.
struct NoninASCIIEncoder: OximeterEncoder {
  private var hasHeading = false

  mutating func encode(_ moment: OximeterMoment) -> [UInt8] {
    var bytes: [UInt8] = []
    if !hasHeading {
      let time = DeviceTime(clockSeconds: moment.clockSeconds)
      bytes += Array("REAL TIME DATA \(time.numericDate) \(time.timeOfDay)".utf8) + TextLine.end
      hasHeading = true
    }
    let spo2 = Self.field(TextLine.carried(moment.reading.spo2Percent, upTo: 100))
    let rate = Self.field(TextLine.carried(moment.reading.pulseRateBpm, upTo: TextLine.highestPulseRateBpm))
    return bytes + Array("SPO2=\(spo2) HR=\(rate)".utf8) + TextLine.end
  }

  private static func field(_ value: Int?) -> String { value.map { TextLine.padded($0, 3) } ?? "---" }
}
