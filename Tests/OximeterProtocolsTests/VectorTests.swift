import Testing

@testable import OximeterProtocols

/// What devices sent, or their makers' documents say that they send, decoded by hand.
@Suite struct VectorTests {
  @Test func contecV5() {
    // 72 bpm, 98 %: the public readers of the CMS50D+.
    check(.contecV5, "88 40 07 48 62", 64, OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 8))
    // Bit 7 of the pulse rate is bit 6 of the third byte.
    check(.contecV5, "85 00 00 7f 62", 0, OximeterReading(pulseRateBpm: 127, spo2Percent: 98, signalStrength: 5))
    check(.contecV5, "85 00 40 00 62", 0, OximeterReading(pulseRateBpm: 128, spo2Percent: 98, signalStrength: 5))
    check(.contecV5, "85 7f 4f 0e 64", 127, OximeterReading(pulseRateBpm: 142, spo2Percent: 100, signalStrength: 5))
    check(.contecV5, "85 13 40 7e 0a", 19, OximeterReading(pulseRateBpm: 254, spo2Percent: 10, signalStrength: 5))
    check(.contecV5, "85 11 40 7f 7f", 17, OximeterReading(signalStrength: 5))
    check(.contecV5, "85 11 00 00 00", 17, OximeterReading(signalStrength: 5))
    check(.contecV5, "8f 11 07 48 62", 17, OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 8))
    check(.contecV5, "80 00 10 00 00", 0, OximeterReading(signalStrength: 0, flags: .fingerOut))
    check(.contecV5, "83 20 20 7f 7f", 32, OximeterReading(pulseRateBpm: 127, signalStrength: 3, flags: .searching))
    check(.contecV5, "93 20 40 7f 7f", 32, OximeterReading(signalStrength: 3, flags: .searching))
    check(
      .contecV5, "a3 20 07 48 50", 32,
      OximeterReading(pulseRateBpm: 72, spo2Percent: 80, signalStrength: 3, flags: .alarm))
    check(
      .contecV5, "80 00 10 48 62", 0,
      OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 0, flags: .fingerOut, isStale: true))
    check(.contecV5, "88 40 07 48 65", nil, nil)
    check(.contecV5, "88 40 07 48 7e", nil, nil)
  }

  @Test func bci() {
    check(.bci, "88 40 07 48 62", 64, OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 8))
    check(.bci, "85 64 4f 0e 64", 100, OximeterReading(pulseRateBpm: 142, spo2Percent: 100, signalStrength: 5))
    check(.bci, "90 00 40 7f 7f", 0, OximeterReading(signalStrength: 0, flags: .searching))
    check(.bci, "a0 00 40 7f 7f", 0, OximeterReading(signalStrength: 0, flags: .sensorFault))
    check(.bci, "80 00 50 7f 7f", 0, OximeterReading(signalStrength: 0, flags: .fingerOut))
    check(.bci, "83 20 65 7f 7f", 32, OximeterReading(signalStrength: 3, flags: .searching))
    check(
      .bci, "a0 00 00 48 62", 0,
      OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 0, flags: .sensorFault, isStale: true))
  }

  @Test func contecV7() {
    // A capture of a CMS50E.
    check(
      .contecV7, "01 E0 84 93 92 BC E3 FF FF", 19,
      OximeterReading(pulseRateBpm: 60, spo2Percent: 99, signalStrength: 4))
    // Captures of a CMS50D+ in public readers: with a finger, and without.
    check(
      .contecV7, "01 E0 85 B3 96 C1 E1 FF FF", 51,
      OximeterReading(pulseRateBpm: 65, spo2Percent: 97, signalStrength: 5))
    check(.contecV7, "01 e1 84 c0 90 80 80 ff ff", 64, OximeterReading(signalStrength: 4, flags: .fingerOut))
    // The maker's table: bit 7 of the pulse rate is bit 3 of the second byte.
    check(
      .contecV7, "01 E8 85 80 90 8E E2 FF FF", 0,
      OximeterReading(pulseRateBpm: 142, spo2Percent: 98, signalStrength: 5))
    check(
      .contecV7, "01 E8 85 80 90 80 E2 FF FF", 0,
      OximeterReading(pulseRateBpm: 128, spo2Percent: 98, signalStrength: 5))
    check(
      .contecV7, "01 E0 85 80 90 FF E2 FF FF", 0,
      OximeterReading(pulseRateBpm: 127, spo2Percent: 98, signalStrength: 5))
    check(
      .contecV7, "01 E8 85 80 90 FE E2 FF FF", 0,
      OximeterReading(pulseRateBpm: 254, spo2Percent: 98, signalStrength: 5))
    check(.contecV7, "01 E8 85 80 90 FF FF FF FF", 0, OximeterReading(signalStrength: 5))
    check(.contecV7, "01 E9 80 C0 90 FF FF FF FF", 64, OximeterReading(signalStrength: 0, flags: .fingerOut))
    check(.contecV7, "01 EA 83 A0 90 FF FF FF FF", 32, OximeterReading(signalStrength: 3, flags: .searching))
    check(.contecV7, "01 E8 93 A0 90 FF FF FF FF", 32, OximeterReading(signalStrength: 3, flags: .searching))
    check(
      .contecV7, "01 E1 80 C0 90 C8 E2 FF FF", 64,
      OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 0, flags: .fingerOut, isStale: true))
    // A low SpO2 is the host's to see.
    check(
      .contecV7, "01 E0 A5 80 90 C8 D0 FF FF", 0,
      OximeterReading(pulseRateBpm: 72, spo2Percent: 80, signalStrength: 5))
    // Perfusion indices of 0, 4.96 % and 22 %, and one that is none though it is said to be valid.
    for (text, index) in [
      ("01 80 85 80 85 C8 E2 80 80", 0), ("01 A0 85 80 85 C8 E2 F0 81", 496), ("01 A0 85 80 85 C8 E2 98 88", 2_200),
      ("01 E0 85 80 85 C8 E2 FF FF", nil), ("01 A0 85 80 95 C8 E2 F0 81", nil),
    ] as [(String, Int?)] {
      check(
        .contecV7, text, 0,
        OximeterReading(
          pulseRateBpm: 72, spo2Percent: 98, perfusionIndexHundredths: index, signalStrength: 5))
    }
    check(.contecV7, "01 E0 85 80 90 C8 E5 FF FF", nil, nil)
    check(.contecV7, "01 F0 85 80 90 C8 E2 FF FF", nil, nil)
    check(.contecV7, "01 E0 85 80 85 C8 E2 FF FE", nil, nil)
  }

  /// Three equal frames are given, each with this pleth and reading; two are not; nor is a frame that cannot be.
  private func check(
    _ oximeter: OximeterProtocol, _ text: String, _ pleth: Int?, _ reading: OximeterReading?,
    at location: SourceLocation = #_sourceLocation
  ) {
    let frame = bytes(text)
    for count in 1...6 {
      var decoder = oximeter.decoder()
      let frames = decoder.decode(Array(repeatElement(frame, count: count).joined()))
      decoder.finish()
      let isGiven = reading != nil && count >= 3
      let expected = (1...count).map { OximeterFrame(end: $0 * frame.count, pleth: pleth, reading: reading) }
      #expect(frames == (isGiven ? expected : []), "\(count) times", sourceLocation: location)
      #expect(decoder.counts.unknown == (reading == nil ? count : 0), sourceLocation: location)
      #expect(decoder.counts.skipped == (isGiven ? 0 : count * frame.count), sourceLocation: location)
    }
  }
}

/// Bytes from their hexadecimal digits; whatever is none lies between two of them.
func bytes(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
