// What a device of contec-v7 says beside its live packets. The model comes in two packets: 0, six characters, then 255
// and the rest, filled up with blanks, as a CMS50D+ sends it (a capture in a public reader). Vendor and identifier are
// seven characters. Source of types and reasons: the maker's communication protocol V7.0.

/// Packets of a device that is asked something, as bytes of the line.
public enum ContecV7Answer {
  /// Why a command was answered with a refusal, or that it was not.
  public enum Reason: UInt8, Sendable {
    /// It is done.
    case done = 0x00
    /// The device shuts down.
    case shutsDown = 0x01
    /// The user was changed.
    case userChanged = 0x02
    /// The device is recording.
    case recording = 0x03
    /// Nothing was deleted.
    case deleteFailed = 0x04
    /// There is no such command.
    case notSupported = 0x05
    /// Something else.
    case unknown = 0xff
  }

  /// It stopped what it was sending.
  public static let stopped: [UInt8] = ContecV7Packet(type: 0x0c, payload: []).line

  /// The answer to a command that asks for nothing, or that there is not.
  public static func result(ofCommand code: UInt8, _ reason: Reason) -> [UInt8] {
    ContecV7Packet(type: 0x0b, payload: [code, reason.rawValue]).line
  }

  /// It ends the connection.
  public static func disconnecting(_ reason: Reason) -> [UInt8] {
    ContecV7Packet(type: 0x0d, payload: [reason.rawValue]).line
  }

  /// Whether its live packets have a perfusion index.
  public static func perfusionIndex(isSupported: Bool) -> [UInt8] {
    ContecV7Packet(type: 0x0e, payload: [isSupported ? 0 : 1]).line
  }

  /// How many users it knows.
  public static func userCount(_ count: UInt8) -> [UInt8] { ContecV7Packet(type: 0x10, payload: [count]).line }

  /// Whether it stores readings.
  public static func storage(isSupported: Bool) -> [UInt8] {
    ContecV7Packet(type: 0x11, payload: [1, isSupported ? 1 : 0, 0, 0, 0, 0, 0]).line
  }

  /// Its model, in two packets; nil for more than 12 characters or others than ASCII ones.
  public static func model(_ name: String) -> [UInt8]? {
    guard let text = padded(name, to: 12) else { return nil }
    return ContecV7Packet(type: 0x02, payload: [0x00] + text.prefix(6)).line
      + ContecV7Packet(type: 0x02, payload: [0xff] + text.dropFirst(6)).line
  }

  /// Its maker; nil for more than 7 characters or others than ASCII ones.
  public static func vendor(_ name: String) -> [UInt8]? {
    padded(name, to: 7).map { ContecV7Packet(type: 0x03, payload: $0).line }
  }

  /// Its own number or name; nil for more than 7 characters or others than ASCII ones.
  public static func deviceID(_ name: String) -> [UInt8]? {
    padded(name, to: 7).map { ContecV7Packet(type: 0x04, payload: $0).line }
  }

  private static func padded(_ text: String, to count: Int) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count <= count, bytes.allSatisfy({ ContecV7Packet.printable.contains($0) }) else { return nil }
    return bytes + Array(repeating: 0x20, count: count - bytes.count)
  }
}

extension ContecV7Packet {
  fileprivate static let printable: ClosedRange<UInt8> = 0x20...0x7e

  /// Whether it is a text, in a form that noise hardly ever has.
  var isText: Bool { text != nil }

  /// What it says, of any type but the live one; nil when a device would not say so. One wrong bit makes a live packet
  /// one of another type, but not one that says what that type does.
  var answer: DeviceAnswer? {
    guard isTidy else { return nil }
    switch type {
    case 0x02: return text.map(DeviceAnswer.model)
    case 0x03: return text.map(DeviceAnswer.vendor)
    case 0x04: return text.map(DeviceAnswer.deviceID)
    case 0x0b: return .acknowledged(self[1] == ContecV7Answer.Reason.done.rawValue)
    case 0x0c: return .acknowledged(true)
    case 0x0d: return .disconnecting(reason: self[0])
    default: return isPlausible ? .packet(type: type, payload: payload) : nil
    }
  }

  /// Whether a packet without a meaning here, but of the length of a live one, says what its type does.
  private var isPlausible: Bool {
    switch type {
    case 0x05: isBlank(after: 1, or: Self.printable)
    case 0x11: self[0] == 1 && self[1] <= 1 && isBlank(after: 2)
    case 0x13, 0x14: isBlank(after: 0, or: Self.printable)
    case 0x15: 0xa0...0xa1 ~= self[2] && isBlank(after: 3)
    default: true
    }
  }

  /// Whether all bytes from one on are 0, or in a range.
  private func isBlank(after start: Int, or range: ClosedRange<UInt8>? = nil) -> Bool {
    payload.dropFirst(start).allSatisfy { $0 == 0 || range?.contains($0) ?? false }
  }

  /// The text of a packet that is one, without the blanks that fill it up; nil of any other.
  private var text: String? {
    guard (0x02...0x04).contains(type), isTidy else { return nil }
    // Before a part of the model stands its number; the last part has 255.
    let isNumbered = type == 0x02 && !Self.printable.contains(self[0])
    var characters = payload.dropFirst(isNumbered ? 1 : 0)
    while characters.last == 0 { characters.removeLast() }
    guard characters.allSatisfy({ Self.printable.contains($0) }) else { return nil }
    // A blank at the end of a part may be one between two words.
    if !isNumbered || self[0] == 0xff {
      while characters.last == 0x20 { characters.removeLast() }
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
