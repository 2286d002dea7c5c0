/// Where the parts of a frame are: nonin-df2 and nonin-df7 differ in the wave alone.
///
/// Both have five bytes, of which the last is the sum of the others modulo 256.
enum NoninLayout: Sendable {
  /// 1, status, pleth, float, sum.
  case df2
  /// Status, pleth (high byte, low byte), float, sum.
  case df7

  /// Bytes of a frame.
  static let length = 5

  /// What five bytes are, or fewer at the end of what has come.
  func judge(_ bytes: [UInt8], at start: Int) -> NoninForm {
    let available = bytes.count - start
    guard available > 0 else { return .incomplete }
    switch self {
    case .df2:
      guard bytes[start] == 1 else { return .none }
      guard available > 1 else { return .incomplete }
      guard bytes[start + 1] & 0x80 != 0 else { return .none }
    case .df7:
      guard bytes[start] & 0x80 != 0 else { return .none }
    }
    guard available >= Self.length else { return .incomplete }
    let sum = bytes[start] &+ bytes[start + 1] &+ bytes[start + 2] &+ bytes[start + 3]
    return sum == bytes[start + 4] ? .good : .wrongSum
  }

  /// The frame in five bytes that have its form.
  func frame(_ bytes: [UInt8], at start: Int) -> NoninFrame {
    switch self {
    case .df2:
      NoninFrame(
        status: NoninStatus(rawValue: bytes[start + 1]), pleth: Int(bytes[start + 2]), float: bytes[start + 3])
    case .df7:
      NoninFrame(
        status: NoninStatus(rawValue: bytes[start]), pleth: Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]),
        float: bytes[start + 3])
    }
  }

  /// The five bytes of a frame whose wave is at `level`, 0...1 of its range.
  func bytes(status: NoninStatus, level: Double, float: UInt8) -> [UInt8] {
    let level = min(max(level, 0), 1)
    var bytes: [UInt8]
    switch self {
    case .df2: bytes = [1, status.rawValue, UInt8((level * 255).rounded()), float]
    case .df7:
      let pleth = UInt16((level * 65_535).rounded())
      bytes = [status.rawValue, UInt8(pleth >> 8), UInt8(pleth & 0xff), float]
    }
    bytes.append(bytes.reduce(0, &+))
    return bytes
  }
}

/// What some bytes are.
enum NoninForm {
  /// They are no frame.
  case none
  /// They have the form of a frame, and their sum is wrong.
  case wrongSum
  /// They are a frame.
  case good
  /// More must come to tell.
  case incomplete
}

/// One of the 25 frames of a packet.
struct NoninFrame {
  let status: NoninStatus
  /// The wave as the device scales it.
  let pleth: Int
  /// The byte whose meaning goes by the number of the frame.
  let float: UInt8
}

/// The status byte; bit 7 is always set.
///
/// Bits 2 and 1 are set for twelve frames at each pulse: 01 green, good; 11 yellow, marginal; 10 red, poor.
struct NoninStatus: OptionSet {
  let rawValue: UInt8

  static let always = NoninStatus(rawValue: 0x80)
  /// The sensor is unplugged; without a meaning in some models.
  static let disconnected = NoninStatus(rawValue: 0x40)
  /// This pulse is disturbed.
  static let artifact = NoninStatus(rawValue: 0x20)
  /// No good pulse for a while.
  static let outOfTrack = NoninStatus(rawValue: 0x10)
  /// There is no finger, or nothing to be made of the signal.
  static let sensorAlarm = NoninStatus(rawValue: 0x08)
  static let red = NoninStatus(rawValue: 0x04)
  static let green = NoninStatus(rawValue: 0x02)
  /// This is the first frame of a packet.
  static let sync = NoninStatus(rawValue: 0x01)

  /// Whether the device marks a pulse.
  var isPulse: Bool { !isDisjoint(with: [.red, .green]) }
  /// Whether it calls the pulse that it marks poor.
  var isPoor: Bool { contains(.red) && !contains(.green) }
}

/// Values as all three formats send them.
enum NoninValue {
  /// A pulse rate of nine bits, two in the first byte and seven in the second, and an SpO2 of seven bits, without flags;
  /// nil when they cannot be.
  ///
  /// 511 and 127 are sent for none. A pulse rate outside of 18...321 no device of this family gives.
  static func reading(pulseRate high: UInt8, _ low: UInt8, spo2: UInt8) -> OximeterReading? {
    let rate = Int(high & 0x03) << 7 | Int(low & 0x7f)
    let spo2 = Int(spo2 & 0x7f)
    let hasRate = rate != 511 && rate != 0
    let hasSpo2 = spo2 != 127
    guard rates.contains(rate) || !hasRate, spo2 <= 100 || !hasSpo2 else { return nil }
    return OximeterReading(pulseRateBpm: hasRate ? rate : nil, spo2Percent: hasSpo2 ? spo2 : nil)
  }

  /// The two bytes of a pulse rate; what the format cannot carry is sent as none.
  static func bytes(pulseRate: Int?) -> (high: UInt8, low: UInt8) {
    let rate = pulseRate.flatMap { rates.contains($0) ? $0 : nil } ?? 511
    return (UInt8(rate >> 7), UInt8(rate & 0x7f))
  }

  /// The byte of an SpO2; what the format cannot carry is sent as none.
  static func byte(spo2: Int?) -> UInt8 {
    spo2.flatMap { (0...100).contains($0) ? UInt8($0) : nil } ?? 127
  }

  private static let rates = 18...321
}
