// Five bytes, 75 times a second: 1, status, pleth (eight bits, compressed by the device), float, sum. `NoninFrame` has
// what the status says, `NoninPacket` what the float bytes of 25 frames do.

/// Decodes nonin-df2.
struct NoninDF2Decoder: OximeterDecoder {
  private var decoder = NoninWaveDecoder(.df2)
  var counts: DecodingCounts { decoder.counts }

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    decoder.decode(bytes, into: &frames)
  }

  mutating func finish() { decoder.finish() }
}

/// Encodes nonin-df2.
struct NoninDF2Encoder: OximeterEncoder {
  private var encoder = NoninWaveEncoder(.df2)

  mutating func encode(_ moment: OximeterMoment) -> [UInt8] { encoder.encode(moment) }
}
