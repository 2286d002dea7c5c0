/// What a host may send to a device of this family that has commands, such as those with Bluetooth.
///
/// A device takes them within five seconds from the connection and answers with one byte; it keeps the format when it
/// is switched off. Source: the maker's specification of the finger device with Bluetooth (short form); a public reader
/// of the wrist-worn one (long form).
public enum NoninCommand: Hashable, Sendable {
  /// Sends the data in this format from now on.
  case setFormat(DataFormat)
  /// The same with options and a checksum, for the wrist-worn devices.
  case setFormatWithOptions(DataFormat, isSpotCheck: Bool, hasBluetoothAtPowerOn: Bool)

  /// A format by the maker's number.
  public enum DataFormat: UInt8, CaseIterable, Sendable {
    /// nonin-df2.
    case df2 = 2
    /// nonin-df7.
    case df7 = 7
    /// nonin-df8.
    case df8 = 8
    /// One result for each measurement, which is of no use here.
    case df13 = 13

    /// The format in which a protocol is sent; nil for a protocol that is not of this family.
    public init?(_ spoken: OximeterProtocol) {
      switch spoken {
      case .noninDF2: self = .df2
      case .noninDF7: self = .df7
      case .noninDF8: self = .df8
      case .contecV5, .contecV7, .bci, .noninASCII, .masimoASCII, .nellcorASCII: return nil
      }
    }
  }

  /// The answer of a device that does as it is told.
  public static let acknowledgement: UInt8 = 0x06
  /// The answer of a device that does not.
  public static let refusal: UInt8 = 0x15

  static let begin: UInt8 = 0x02
  static let end: UInt8 = 0x03
  /// More than any command or answer that is known has.
  static let longestPayload = 32
  private static let setFormatOperation: UInt8 = 0x70
  private static let spotCheck: UInt8 = 0x40
  private static let bluetoothAtPowerOn: UInt8 = 0x20

  /// Its bytes.
  public var bytes: [UInt8] {
    switch self {
    case .setFormat(let format):
      return [Self.begin, Self.setFormatOperation, 2, 2, format.rawValue, Self.end]
    case .setFormatWithOptions(let format, let isSpotCheck, let hasBluetoothAtPowerOn):
      let options = 1 | (isSpotCheck ? Self.spotCheck : 0) | (hasBluetoothAtPowerOn ? Self.bluetoothAtPowerOn : 0)
      let summed = [Self.setFormatOperation, 4, 2, format.rawValue, options]
      return [Self.begin] + summed + [summed.reduce(0, &+), Self.end]
    }
  }

  /// The command of an operation with its payload; nil when it is none of these.
  init?(operation: UInt8, payload: [UInt8]) {
    guard operation == Self.setFormatOperation, payload.first == 2 else { return nil }
    switch payload.count {
    case 2:
      guard let format = DataFormat(rawValue: payload[1]) else { return nil }
      self = .setFormat(format)
    case 4:
      guard let format = DataFormat(rawValue: payload[1]) else { return nil }
      self = .setFormatWithOptions(
        format, isSpotCheck: payload[2] & Self.spotCheck != 0,
        hasBluetoothAtPowerOn: payload[2] & Self.bluetoothAtPowerOn != 0)
      guard bytes[6] == payload[3] else { return nil }
    default: return nil
    }
  }
}

/// Makes commands of what a host sends, for a virtual device.
public struct NoninCommandDecoder: Sendable {
  /// What a host wants.
  public enum Request: Hashable, Sendable {
    /// A command that is known.
    case command(NoninCommand)
    /// Another one, which a device refuses.
    case unknown(operation: UInt8)
  }

  private var partial: [UInt8] = []

  /// A decoder to which nothing has been sent.
  public init() {}

  /// The requests that are complete with these bytes; bytes between requests are passed over.
  public mutating func decode(_ bytes: some Collection<UInt8>) -> [Request] {
    var requests: [Request] = []
    partial.append(contentsOf: bytes)
    var start = 0
    while start < partial.count {
      guard partial[start] == NoninCommand.begin else {
        start += 1
        continue
      }
      guard partial.count > start + 2 else { break }
      guard Int(partial[start + 2]) <= NoninCommand.longestPayload else {
        start += 1
        continue
      }
      let end = start + 3 + Int(partial[start + 2])
      guard partial.count > end else { break }
      guard partial[end] == NoninCommand.end else {
        start += 1
        continue
      }
      let operation = partial[start + 1]
      let command = NoninCommand(operation: operation, payload: Array(partial[start + 3..<end]))
      requests.append(command.map { .command($0) } ?? .unknown(operation: operation))
      start = end + 1
    }
    partial.removeFirst(start)
    return requests
  }
}
