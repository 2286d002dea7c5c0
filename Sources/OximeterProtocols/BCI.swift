// Five bytes, 100 times a second, on 115200 baud. Bit 7 is set in the first byte of a frame only:
//
//   0  1, beat, sensor unplugged, no signal, signal strength 0...8 (four bits)
//   1  0, pleth (seven bits, 0...100)
//   2  0, bit 7 of the pulse rate, searching, no finger, bar graph (four bits)
//   3  0, bits 6...0 of the pulse rate
//   4  0, SpO2 (seven bits)
//
// A pulse rate of 255 and an SpO2 of 127 are none; here 0 is none too. A pleth of 0 is both none and the lowest value,
// so that it says nothing. Two flags of the first byte are not those of contec-v5, which is else the same. Source: BCI
// protocol V1.2.

/// Decodes bci.
struct BCIDecoder: OximeterDecoder {
  private(set) var counts = DecodingCounts()
  private var scanner = FiveByteScanner()

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    bytes.withContiguousBytes { scanner.scan($0, counts: &counts, into: &frames, frame: Self.frame) }
  }

  mutating func finish() { scanner.finish(counts: &counts) }

  private static func frame(_ bytes: FiveBytes) -> OximeterFrame? {
    var flags: OximeterFlags = []
    // A device without a signal has no pulse to show.
    if bytes.first & 0x10 != 0 || bytes.third & 0x20 != 0 { flags.insert(.searching) }
    if bytes.first & 0x20 != 0 { flags.insert(.sensorFault) }
    if bytes.third & 0x10 != 0 { flags.insert(.fingerOut) }
    return bytes.frame(flags: flags)
  }
}

/// Encodes bci.
struct BCIEncoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] {
    let flags = moment.reading.flags
    return FiveBytes(
      moment, first: flags.contains(.sensorFault) ? 0x20 : 0,
      third: (flags.contains(.searching) ? 0x20 : 0) | (flags.contains(.fingerOut) ? 0x10 : 0)
    ).all
  }
}
