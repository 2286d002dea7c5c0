// Five bytes, 60 times a second, on 19200 or 4800 baud with odd parity. Bit 7 is set in the first byte of a frame only:
//
//   0  1, beat, SpO2 falls, searches for too long, signal strength 0...8 (four bits, up to 15 occur)
//   1  0, pleth (seven bits)
//   2  0, bit 7 of the pulse rate, searching, probe error, bar graph (four bits)
//   3  0, bits 6...0 of the pulse rate
//   4  0, SpO2 (seven bits)
//
// A pulse rate of 0 or 255 and an SpO2 of 0 or 127 are none. Source: the maker's communication protocol V5.0A, and the
// readers of the Linux tools for these devices, which agree but for "searches for too long", which one calls "finger
// out".

/// What a host may send to a device of contec-v5, which streams without being asked.
public enum ContecV5Command {
  /// Go back to the live stream from sending the recording. Source: the Linux tools for these devices.
  public static let live: [UInt8] = [0xf6, 0xf6, 0xf6]
}

/// Decodes contec-v5.
struct ContecV5Decoder: OximeterDecoder {
  private(set) var counts = DecodingCounts()
  private var scanner = FiveByteScanner()

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    bytes.withContiguousBytes { scanner.scan($0, counts: &counts, into: &frames, frame: Self.frame) }
  }

  mutating func finish() { scanner.finish(counts: &counts) }

  private static func frame(_ bytes: FiveBytes) -> OximeterFrame? {
    var flags: OximeterFlags = []
    if bytes.first & 0x10 != 0 || bytes.third & 0x20 != 0 { flags.insert(.searching) }
    if bytes.first & 0x20 != 0 { flags.insert(.alarm) }
    if bytes.third & 0x10 != 0 { flags.insert(.fingerOut) }
    return bytes.frame(flags: flags)
  }
}

/// Encodes contec-v5.
struct ContecV5Encoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] {
    let flags = moment.reading.flags
    return FiveBytes(
      moment, first: flags.contains(.alarm) ? 0x20 : 0,
      third: (flags.contains(.searching) ? 0x20 : 0)
        | (flags.isDisjoint(with: [.fingerOut, .sensorFault]) ? 0 : 0x10)
    ).all
  }
}
