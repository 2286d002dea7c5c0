struct BCIDecoder: OximeterDecoder {
  private(set) var counts = DecodingCounts()
  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    counts.skipped += bytes.count
  }
  mutating func finish() {}
}

struct BCIEncoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] { [] }
}
