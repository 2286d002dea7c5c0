// A line once a second on 9600 baud, when the serial output is set to ASCII 1:
//
//   02/24/18 04:48:53 SN=0000145838 SPO2=097% BPM=080 PI=04.96% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+--
//   ALARM=0000 EXC=000800
//
// (one line). Models differ in the values that they have, in their order and width, and in whether a % follows; so they
// are read by name. Dashes stand for none. ALARM and EXC are hexadecimal, and 800 in EXC is the normal state. A line of
// the trend has SpO2 and PR instead of SPO2 and BPM, and words behind EXC: it is of the past, and no reading.
//
// The manual of the Rad-8 says that a line ends with LF CR; what readers of these devices received ends with CR LF.
// Sources: that manual (names and the bits of EXC up to 800), and the open readers of the Radical-5, Radical-7 and Rad-8
// (the bits of ALARM, and those of EXC from 1000, which mean the cable).

/// Decodes masimo-ascii.
struct MasimoASCIIDecoder: OximeterDecoder {
  private var lines = LineDecoder<MasimoLines>()
  private var serialNumber = RepeatedAnswer()

  var counts: DecodingCounts { lines.counts }

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    let before = frames.count
    lines.decode(bytes, into: &frames)
    for index in before..<frames.count { frames[index].answer = serialNumber.news(frames[index].answer) }
  }

  mutating func finish() {
    lines.finish()
    serialNumber = RepeatedAnswer()
  }
}

/// An answer that stands in every line, and is told once when it is sure.
private struct RepeatedAnswer {
  private static let sureInARow = 3

  private var told: DeviceAnswer?
  private var latest: DeviceAnswer?
  private var count = 0

  mutating func news(_ answer: DeviceAnswer?) -> DeviceAnswer? {
    guard let answer, answer != told else { return nil }
    count = answer == latest ? count + 1 : 1
    latest = answer
    guard count >= Self.sureInARow else { return nil }
    told = answer
    return answer
  }
}

/// What the lines of masimo-ascii mean.
struct MasimoLines: LineGrammar {
  // The values are averages over two seconds or more, eight as delivered: a rhythm that is faster by 10 moves the
  // shortest by 5 in a second. A saturation hardly falls by more than 1 % in a second.
  static let steps = LineConfirmation.Steps(pulseRateBpm: 5, spo2Percent: 2)

  /// How wide the flags are in the lines of this device, and in a line that was refused for it.
  private var widths: Widths?
  private var unusualWidths: Widths?

  /// How many digits EXC and ALARM have.
  private struct Widths: Equatable {
    var exceptions: Int
    var alarms: Int
  }

  mutating func meaning(of text: [UInt8]) -> LineMeaning? {
    var line = TextScanner(text)
    line.skipBlanks()
    guard line.skipTwoDigits(between: UInt8(ascii: "/")), line.skipBlanks() > 0,
      line.skipTwoDigits(between: UInt8(ascii: ":")), line.skipBlanks() > 0
    else { return nil }
    var values = Values()
    while !line.isAtEnd {
      guard values.add(line.word()) else { return nil }
      line.skipBlanks()
    }
    // A line of the trend has no alarms, and words behind EXC.
    guard case .reading? = values.meaning else { return values.meaning }
    return isAsWide(values.widths) ? values.meaning : nil
  }

  /// Whether the flags have as many digits as in the line before: a device does not change that, but a digit that is
  /// lost or comes twice makes other flags of them. Two such lines in a row are of another device.
  private mutating func isAsWide(_ found: Widths) -> Bool {
    guard let widths, found != widths, found != unusualWidths else {
      widths = found
      unusualWidths = nil
      return true
    }
    unusualWidths = found
    return false
  }

  /// The named values of a line.
  private struct Values {
    private var spo2: TextValue?
    private var pulseRate: TextValue?
    private var trendPulseRate: TextValue?
    private var perfusionIndexHundredths: Int?
    private var alarms: Int?
    private var exceptions: Int?
    private(set) var widths = Widths(exceptions: 0, alarms: 0)
    private var serialNumber: String?

    /// Takes a word of the line; false when it is no named value, comes again or cannot be.
    mutating func add(_ word: ArraySlice<UInt8>) -> Bool {
      guard let sign = word.firstIndex(of: UInt8(ascii: "=")) else { return false }
      let name = word[..<sign]
      let value = word[(sign + 1)...]
      guard !name.isEmpty, !value.isEmpty, !value.contains(UInt8(ascii: "=")) else { return false }
      if TextScanner.isEqual(name, "SPO2") { return Self.set(&spo2, TextValue(Self.withoutPercent(value))) }
      if TextScanner.isEqual(name, "BPM") { return Self.set(&pulseRate, TextValue(Self.withoutPercent(value))) }
      if TextScanner.isEqual(name, "PR") { return Self.set(&trendPulseRate, TextValue(value)) }
      if TextScanner.isEqual(name, "EXC") {
        widths.exceptions = value.count
        return Self.set(&exceptions, Self.hexadecimal(value))
      }
      if TextScanner.isEqual(name, "ALARM") {
        widths.alarms = value.count
        return Self.set(&alarms, Self.hexadecimal(value))
      }
      if TextScanner.isEqual(name, "PI") { return addPerfusionIndex(Self.withoutPercent(value)) }
      if TextScanner.isEqual(name, "SN"), value.contains(where: { $0 != UInt8(ascii: "-") }) {
        return Self.set(&serialNumber, String(decoding: value, as: UTF8.self))
      }
      return true
    }

    /// What the line says; nil where a value is missing without which the others cannot be judged.
    var meaning: LineMeaning? {
      guard let spo2, let exceptions else { return nil }
      if let trendPulseRate {
        return pulseRate == nil && OximeterReading(spo2: spo2, pulseRate: trendPulseRate) != nil ? .known() : nil
      }
      guard let pulseRate, var reading = OximeterReading(spo2: spo2, pulseRate: pulseRate) else { return nil }
      reading.perfusionIndexHundredths = perfusionIndexHundredths
      reading.flags = MasimoBits.flags(exceptions: exceptions, alarms: alarms ?? 0)
      reading.isStale = exceptions & (MasimoBits.sensorOff | MasimoBits.noSensor) != 0 && reading.hasValue
      return .reading(reading, serialNumber.map { .deviceID($0) })
    }

    /// Hundredths with a point before them, or dashes.
    private mutating func addPerfusionIndex(_ value: ArraySlice<UInt8>) -> Bool {
      if value.first == UInt8(ascii: "-") {
        return value.allSatisfy { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
      }
      let point = value.endIndex - 3
      guard value.count >= 4, value[point] == UInt8(ascii: "."),
        case .number(let whole)? = TextValue(value[..<point]),
        case .number(let hundredths)? = TextValue(value[(point + 1)...])
      else { return false }
      return Self.set(&perfusionIndexHundredths, whole * 100 + hundredths)
    }

    /// Sets what is not set yet; false where it is, or where there is nothing.
    private static func set<Value>(_ target: inout Value?, _ value: Value?) -> Bool {
      guard target == nil, let value else { return false }
      target = value
      return true
    }

    private static func withoutPercent(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      value.last == UInt8(ascii: "%") ? value.dropLast() : value
    }

    /// Up to eight digits; words may follow a colon.
    private static func hexadecimal(_ value: ArraySlice<UInt8>) -> Int? {
      let digits = value.prefix { $0 != UInt8(ascii: ":") }
      guard (1...8).contains(digits.count) else { return nil }
      var number = 0
      for digit in digits {
        guard let digit = digit.hexadecimal else { return nil }
        number = number << 4 | digit
      }
      return number
    }
  }
}

/// The bits of ALARM and EXC.
private enum MasimoBits {
  // EXC.
  static let noSensor = 0x1
  static let defectiveSensor = 0x2
  static let lowPerfusion = 0x4
  static let pulseSearch = 0x8
  static let interference = 0x10
  static let sensorOff = 0x20
  static let ambientLight = 0x40
  static let unrecognizedSensor = 0x80
  static let lowSignalQuality = 0x400
  /// The algorithm runs as it should.
  static let running = 0x800
  /// None, of the wrong kind, unrecognised, defective.
  static let cable = 0x1_d000

  // ALARM.
  /// Saturation and pulse rate, each above and below its limit.
  static let limits = 0xf
  static let sounding = 0x10
  static let lowBattery = 0x40

  static func flags(exceptions: Int, alarms: Int) -> OximeterFlags {
    var flags: OximeterFlags = []
    if exceptions & (noSensor | defectiveSensor | unrecognizedSensor | cable) != 0 { flags.insert(.sensorFault) }
    if exceptions & lowPerfusion != 0 { flags.insert(.lowPerfusion) }
    if exceptions & pulseSearch != 0 { flags.insert(.searching) }
    if exceptions & (interference | ambientLight | lowSignalQuality) != 0 { flags.insert(.artifact) }
    if exceptions & sensorOff != 0 { flags.insert(.fingerOut) }
    if alarms & (limits | sounding) != 0 { flags.insert(.alarm) }
    if alarms & lowBattery != 0 { flags.insert(.lowBattery) }
    return flags
  }

  static func exceptions(_ flags: OximeterFlags) -> Int {
    let bits: [(OximeterFlags, Int)] = [
      (.sensorFault, defectiveSensor), (.lowPerfusion, lowPerfusion), (.searching, pulseSearch),
      (.artifact, interference), (.fingerOut, sensorOff),
    ]
    return bits.reduce(running) { flags.contains($1.0) ? $0 | $1.1 : $0 }
  }

  /// An alarm is that of a saturation that is too low.
  static func alarms(_ flags: OximeterFlags) -> Int {
    (flags.contains(.alarm) ? sounding | 0x2 : 0) | (flags.contains(.lowBattery) ? lowBattery : 0)
  }
}

/// Encodes masimo-ascii as the Rad-8 does.
struct MasimoASCIIEncoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] {
    let time = DeviceTime(clockSeconds: moment.clockSeconds)
    let reading = moment.reading
    let spo2 = TextLine.carried(reading.spo2Percent, upTo: 100).map { TextLine.padded($0, 3) } ?? "---"
    let rate =
      TextLine.carried(reading.pulseRateBpm, upTo: TextLine.highestPulseRateBpm).map { TextLine.padded($0, 3) } ?? "---"
    let alarms = Self.hexadecimal(MasimoBits.alarms(reading.flags), 4)
    let exceptions = Self.hexadecimal(MasimoBits.exceptions(reading.flags), 6)
    let line = """
      \(time.numericDate) \(time.timeOfDay) SN=0000012345 SPO2=\(spo2)% BPM=\(rate) \
      PI=\(Self.perfusionIndex(reading.perfusionIndexHundredths))% SPCO=--.-% SPMET=--.-% DESAT=-- PIDELTA=+-- \
      ALARM=\(alarms) EXC=\(exceptions)
      """
    return Array(line.utf8) + TextLine.end
  }

  private static func perfusionIndex(_ hundredths: Int?) -> String {
    guard let hundredths, (0...9_999).contains(hundredths) else { return "--.--" }
    return "\(TextLine.padded(hundredths / 100, 2)).\(TextLine.padded(hundredths % 100, 2))"
  }

  private static func hexadecimal(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
