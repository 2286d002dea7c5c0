// Five bytes, 75 times a second: status, pleth (sixteen bits, high byte first), float, sum. `NoninFrame` has what the
// status says, `NoninPacket` what the float bytes of 25 frames do.

/// Decodes nonin-df7.
struct NoninDF7Decoder: OximeterDecoder {
  private var decoder = NoninWaveDecoder(.df7)
  var counts: DecodingCounts { decoder.counts }

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    decoder.decode(bytes, into: &frames)
  }

  mutating func finish() { decoder.finish() }
}

/// Encodes nonin-df7.
struct NoninDF7Encoder: OximeterEncoder {
  private var encoder = NoninWaveEncoder(.df7)

  mutating func encode(_ moment: OximeterMoment) -> [UInt8] { encoder.encode(moment) }
}
