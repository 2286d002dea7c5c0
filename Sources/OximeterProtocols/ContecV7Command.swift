// What the host may send to a device of contec-v7: packets of nine bytes, 7D, wrapped as the device's are, with a code
// of A0 or more and up to six parameters. Source: the maker's communication protocol V7.0; of three codes only what
// the maker's own program does is known, from captures in public readers.

/// A command of the host to a device of contec-v7.
public enum ContecV7Command: Hashable, Sendable {
  /// Sends live packets from now on.
  case startLive
  /// Sends no more live packets; answered by `ContecV7Answer.stopped`.
  case stopLive
  /// Sends no more of a recording; answered the same.
  case stopRecording
  /// Tells its model, in two packets.
  case askModel
  /// Tells its maker.
  case askVendor
  /// Tells its identifier.
  case askDeviceID
  /// Tells whether it has a perfusion index.
  case askPerfusionIndex
  /// Tells how many users it knows.
  case askUserCount
  /// Tells whether it stores readings.
  case askStorage
  /// The host is there: wanted every five seconds, and not answered.
  case keepAlive
  /// Takes this identifier, of up to seven characters.
  case setDeviceID([UInt8])
  /// Another command, with up to six parameters.
  case other(code: UInt8, parameters: [UInt8])

  /// A command by its code.
  init(code: UInt8, parameters: [UInt8]) {
    self = Self.plain.first { $0.code == code } ?? .other(code: code, parameters: parameters)
  }

  /// Those that have no parameters.
  static let plain: [ContecV7Command] = [
    .startLive, .stopLive, .stopRecording, .askModel, .askVendor, .askDeviceID, .askPerfusionIndex, .askUserCount,
    .askStorage, .keepAlive,
  ]

  /// What tells it from others; 4 where it is the type of its packet that does.
  public var code: UInt8 {
    switch self {
    case .startLive: 0xa1
    case .stopLive: 0xa2
    case .stopRecording: 0xa7
    case .askModel: 0xa8
    case .askVendor: 0xa9
    case .askDeviceID: 0xaa
    case .askPerfusionIndex: 0xac
    case .askUserCount: 0xad
    case .keepAlive: 0xaf
    case .askStorage: 0xb0
    case .setDeviceID: 0x04
    case .other(let code, _): code
    }
  }

  /// Its nine bytes on the line.
  ///
  /// - Precondition: it has at most six parameters, or seven characters.
  public var bytes: [UInt8] {
    switch self {
    case .setDeviceID(let text): ContecV7Packet(type: 0x04, payload: Self.filled(text, to: 7, with: 0x20)).line
    case .other(let code, let parameters):
      ContecV7Packet(type: 0x7d, payload: [code] + Self.filled(parameters, to: 6, with: 0)).line
    default: ContecV7Packet(type: 0x7d, payload: [code, 0, 0, 0, 0, 0, 0]).line
    }
  }

  private static func filled(_ bytes: [UInt8], to count: Int, with filler: UInt8) -> [UInt8] {
    precondition(bytes.count <= count, "a command of contec-v7 has nine bytes")
    return bytes + Array(repeating: filler, count: count - bytes.count)
  }
}

/// Makes commands of what a host sends, however it is cut; what is none is skipped.
public struct ContecV7CommandDecoder: Sendable {
  /// Bytes that belong to no command.
  public private(set) var skipped = 0
  private var finder = ContecV7PacketFinder(lengths: ContecV7Packet.length(fromHost:))

  /// A decoder at the beginning of a stream.
  public init() {}

  /// The commands that more bytes complete.
  public mutating func decode(_ bytes: some Collection<UInt8>) -> [ContecV7Command] {
    var commands: [ContecV7Command] = []
    for byte in bytes {
      let step = finder.take(byte)
      skipped += step.cut
      switch step.outcome {
      case .more: break
      case .stray, .unknownType: skipped += 1
      case .packet(let packet):
        let payload = packet.payload
        commands.append(
          packet.type == 0x04
            ? .setDeviceID(payload) : ContecV7Command(code: payload[0], parameters: Array(payload.dropFirst())))
      }
    }
    return commands
  }

  /// The host is gone: what it sent of a command is none.
  public mutating func finish() { skipped += finder.finish() }
}
