// A line every two seconds on 9600 baud, CR LF, in columns:
//
//   07-Jan-04 11:24:54   100     102      36    MO             AO
//   29-Dec-17 07:19:01    79*     66      18    MO SL       AS
//
// Saturation (columns 21 to 23), pulse rate (29 to 31) and pulse amplitude (37 to 39, without a unit), each with a star
// behind it when it is outside its limits, and codes of two letters from column 44 on, three columns apart. Dashes stand
// for none, and so do zeros while the pulse is searched for. A handheld one has zeros in front of the amplitude. Other
// models shift the columns, so the values are read as words. Three lines of headings come at the start, every 25 lines and when a limit changes:
//
//   N-560    VERSION 1.56.00    CRC:XXXX  SpO2 Limit: 90-100%    PR Limit: 60-170BPM
//                                ADULT            0SAT-S
//   TIME                 %SpO2   BPM     PA     Status
//
// A heading with TREND begins a dump of the past, which ends with "Output Complete". Sources: the operator's manuals of
// the NPB-290, NPB-295 and N-395, chapters on the data port, lines of an N-560 in the tests of an open reader, and those
// of a handheld device in a public account of its memory.

/// Decodes nellcor-ascii.
typealias NellcorASCIIDecoder = LineDecoder<NellcorLines>

/// What the lines of nellcor-ascii mean.
struct NellcorLines: LineGrammar {
  // The values are averages over several seconds, and what is garbled in the second digit differs by 10: the steps are
  // as wide as leaves room for a change in the two seconds between lines.
  static let steps = LineConfirmation.Steps(pulseRateBpm: 6, spo2Percent: 3)

  private var isTrend = false
  /// The version in the latest heading, which its second line tells: the first tells the model.
  private var version: String?

  mutating func meaning(of text: [UInt8]) -> LineMeaning? {
    var line = TextScanner(text)
    line.skipBlanks()
    let first = line.word()
    guard Self.isDate(first) else { return heading(first, &line) }
    line.skipBlanks()
    guard line.skipTwoDigits(between: UInt8(ascii: ":")), let spo2 = Measure(&line), let rate = Measure(&line),
      Measure(&line) != nil, var reading = OximeterReading(spo2: spo2.value, pulseRate: rate.value),
      let flags = Self.flags(&line)
    else { return nil }
    guard !isTrend else { return .known() }
    reading.flags = spo2.isOutsideLimits || rate.isOutsideLimits ? flags.union(.alarm) : flags
    reading.isStale = !flags.isDisjoint(with: [.fingerOut, .sensorFault]) && reading.hasValue
    return .reading(reading)
  }

  /// A value in its column.
  private struct Measure {
    let value: TextValue
    let isOutsideLimits: Bool

    init?(_ line: inout TextScanner) {
      guard line.skipBlanks() > 0 else { return nil }
      let word = line.word()
      isOutsideLimits = word.last == UInt8(ascii: "*")
      let digits = isOutsideLimits ? word.dropLast() : word
      // Blanks are in front of a number, or zeros up to three digits: "00" is a 100 that lost one.
      guard let value = TextValue(digits), digits.count != 2 || digits.first != UInt8(ascii: "0") else { return nil }
      self.value = value
    }
  }

  /// `07-Jan-04`, in letters of any case.
  private static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    let parts = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 3 && [parts[0], parts[2]].allSatisfy { $0.count == 2 && $0.allSatisfy(\.isDigit) }
      && DeviceTime.isMonthName(parts[1])
  }

  /// What the codes up to the end say; nil where something is no code.
  private static func flags(_ line: inout TextScanner) -> OximeterFlags? {
    var flags: OximeterFlags = []
    while line.skipBlanks() > 0, !line.isAtEnd {
      let code = line.word()
      guard code.count == 2, code.allSatisfy(\.isCapital) else { return nil }
      flags.formUnion(NellcorCode(rawValue: String(decoding: code, as: UTF8.self))?.flags ?? [])
    }
    return line.isAtEnd ? flags : nil
  }

  private mutating func heading(_ first: ArraySlice<UInt8>, _ line: inout TextScanner) -> LineMeaning? {
    line.skipBlanks()
    let second = line.word()
    line.skipBlanks()
    let third = line.word()
    if TextScanner.isEqual(second, "VERSION") {
      guard third.contains(where: \.isDigit) else { return nil }
      line.skipBlanks()
      isTrend = TextScanner.isEqual(line.word(), "TREND")
      version = String(decoding: third, as: UTF8.self)
      return .known(.model(String(decoding: first, as: UTF8.self)))
    }
    if TextScanner.isEqual(first, "Output"), TextScanner.isEqual(second, "Complete") {
      isTrend = false
      return .known()
    }
    let isOfColumns = TextScanner.isEqual(first, "TIME") && TextScanner.isEqual(second, "%SpO2")
    guard isOfColumns || TextScanner.isEqual(second.suffix(5), "SAT-S") else { return nil }
    defer { version = nil }
    return .known(version.map { .firmware($0) })
  }
}

/// What a device says in two letters. A code that is not among them says nothing against the values.
private enum NellcorCode: String {
  case alarmOff = "AO"
  case alarmSilenced = "AS"
  case lowBattery = "LB"
  case pulseLostInMotion = "LM"
  case pulseLost = "LP"
  case motion = "MO"
  case pulseHigh = "PH"
  case pulseLow = "PL"
  case pulseSearch = "PS"
  case saturationHigh = "SH"
  case saturationLow = "SL"
  case sensorDisconnected = "SD"
  case sensorOff = "SO"

  var flags: OximeterFlags {
    switch self {
    case .alarmOff, .alarmSilenced: []
    case .lowBattery: .lowBattery
    case .pulseLostInMotion: [.artifact, .searching]
    case .pulseLost, .pulseSearch: .searching
    case .motion: .artifact
    case .pulseHigh, .pulseLow, .saturationHigh, .saturationLow: .alarm
    case .sensorDisconnected: .sensorFault
    case .sensorOff: .fingerOut
    }
  }

  /// The column of its code, counted from the first one.
  var column: Int {
    switch self {
    case .pulseLostInMotion, .pulseLost, .motion, .pulseSearch, .sensorDisconnected, .sensorOff: 0
    case .saturationHigh, .saturationLow: 1
    case .pulseHigh, .pulseLow: 2
    case .lowBattery: 3
    case .alarmSilenced: 4
    case .alarmOff: 5
    }
  }
}

/// Encodes nellcor-ascii as the N-560 does.
///
/// Of a missing sensor, a missing finger, a search and motion it names the first that holds; it has no word for a faint
/// pulse.
struct NellcorASCIIEncoder: OximeterEncoder {
  private static let linesBetweenHeadings = 25
  private static let codeColumns = 6
  private static let lowestSpO2 = 85
  private static let pulseRateLimits = 40...170

  private var linesSinceHeadings = Self.linesBetweenHeadings

  mutating func encode(_ moment: OximeterMoment) -> [UInt8] {
    var lines: [String] = []
    if linesSinceHeadings == Self.linesBetweenHeadings {
      lines = Self.headings
      linesSinceHeadings = 0
    }
    linesSinceHeadings += 1
    lines.append(Self.line(moment))
    return lines.flatMap { Array($0.utf8) + TextLine.end }
  }

  private static var headings: [String] {
    [
      "N-560    VERSION 1.61.00    CRC:XXXX  SpO2 Limit: \(lowestSpO2)-100%    "
        + "PR Limit: \(pulseRateLimits.lowerBound)-\(pulseRateLimits.upperBound)BPM",
      "                             ADULT            0SAT-S ",
      "TIME                 %SpO2   BPM     PA     Status",
    ]
  }

  private static func line(_ moment: OximeterMoment) -> String {
    let time = DeviceTime(clockSeconds: moment.clockSeconds)
    let reading = moment.reading
    let spo2 = TextLine.carried(reading.spo2Percent, upTo: 100)
    let rate = TextLine.carried(reading.pulseRateBpm, upTo: TextLine.highestPulseRateBpm)
    // An alarm without a pulse rate that explains it is one of the saturation.
    let alarm = reading.flags.contains(.alarm) ? rate.flatMap(alarmOfRate) ?? .saturationLow : nil
    // The amplitude has no unit: twelve for each step of the signal's strength, as far as a usual one goes.
    let amplitude = rate == nil ? nil : (reading.signalStrength ?? 4) * 12
    let codes = [condition(reading.flags), alarm, reading.flags.contains(.lowBattery) ? .lowBattery : nil]
    return "\(time.namedDate) \(time.timeOfDay)   "
      + column(spo2, isOutsideLimits: alarm?.column == NellcorCode.saturationLow.column)
      + column(rate, isOutsideLimits: alarm?.column == NellcorCode.pulseLow.column)
      + column(amplitude, isOutsideLimits: false).dropLast()
      + status(codes.compactMap(\.self))
  }

  /// Three places for a number, one for the star and four blanks.
  private static func column(_ value: Int?, isOutsideLimits: Bool) -> String {
    let digits = value.map(String.init) ?? "---"
    let star = isOutsideLimits && value != nil ? "*" : " "
    return String(repeating: " ", count: max(3 - digits.count, 0)) + digits + star + "    "
  }

  private static func status(_ codes: [NellcorCode]) -> String {
    (0..<codeColumns).map { column in codes.first { $0.column == column }?.rawValue ?? "  " }.joined(separator: " ")
  }

  private static func condition(_ flags: OximeterFlags) -> NellcorCode? {
    if flags.contains(.sensorFault) { return .sensorDisconnected }
    if flags.contains(.fingerOut) { return .sensorOff }
    if flags.isSuperset(of: [.searching, .artifact]) { return .pulseLostInMotion }
    if flags.contains(.searching) { return .pulseSearch }
    return flags.contains(.artifact) ? .motion : nil
  }

  private static func alarmOfRate(_ rate: Int) -> NellcorCode? {
    if pulseRateLimits.contains(rate) { return nil }
    return rate < pulseRateLimits.lowerBound ? .pulseLow : .pulseHigh
  }
}
