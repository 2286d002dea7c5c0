import Testing
import VitalsModel

@testable import OximeterProtocols

/// What the encoders of nonin-df2 and nonin-df7 send, by the maker's tables.
@Suite struct NoninEncoderTests {
  private static let layouts: [NoninLayout] = [.df2, .df7]

  private func packet(_ reading: OximeterReading, _ layout: NoninLayout, number: Int = 0) -> [UInt8] {
    var encoder = NoninWaveEncoder(layout)
    let frames = (0..<(number + 1) * 25).map { _ in encoder.encode(OximeterMoment(pleth: 0.25, reading: reading)) }
    return frames.suffix(25).map { $0[3] }
  }

  @Test(
    arguments: [
      (
        OximeterReading(pulseRateBpm: 142, spo2Percent: 97), 300,
        [1, 14, 97, 48, 0, 2, 44, 0, 97, 97, 97, 0, 0, 1, 14, 97, 97, 0, 0, 1, 14, 1, 14, 0, 0]
      ),
      (
        OximeterReading(flags: [.fingerOut, .lowBattery]), 0,
        [3, 127, 127, 48, 0, 0, 0, 1, 127, 127, 127, 0, 0, 3, 127, 127, 127, 0, 0, 3, 127, 3, 127, 0, 0]
      ),
      // Only the held fields go on after the finger left.
      (
        OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .fingerOut, isStale: true), 1,
        [3, 127, 127, 48, 0, 0, 1, 0, 97, 127, 127, 0, 0, 3, 127, 127, 97, 0, 0, 0, 72, 0, 72, 0, 0]
      ),
    ] as [(OximeterReading, Int, [UInt8])])
  func fillsAllFloatFields(_ reading: OximeterReading, _ number: Int, _ floats: [UInt8]) {
    for layout in Self.layouts { #expect(packet(reading, layout, number: number) == floats) }
  }

  /// Public readers ask for the sum, for bit 7 of the status and for a float byte of seven bits.
  @Test func suitsPublicReaders() {
    let df2 = DeviceStream.encoded(.noninDF2, frames: 500).pieces(of: 5)
    let df7 = DeviceStream.encoded(.noninDF7, frames: 500).pieces(of: 5)
    #expect((df2 + df7).allSatisfy { $0.last == $0.dropLast().reduce(0, &+) && Array($0)[3] <= 127 })
    #expect(df2.allSatisfy { Array($0)[0] == 1 && Array($0)[1] >= 0x80 })
    #expect(df7.allSatisfy { Array($0)[0] >= 0x80 })
    let firsts = (df2.map { Array($0)[1] & 1 }, df7.map { Array($0)[0] & 1 })
    #expect(firsts.0 == (0..<500).map { $0 % 25 == 0 ? 1 : 0 })
    #expect(firsts.1 == firsts.0)
  }

  /// Decoded again, a packet says what it was made of.
  @Test(arguments: [
    OximeterReading(pulseRateBpm: 18, spo2Percent: 0), OximeterReading(pulseRateBpm: 321, spo2Percent: 100),
    OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: [.artifact, .lowPerfusion, .lowBattery]),
    OximeterReading(flags: [.fingerOut, .searching]), OximeterReading(flags: .sensorFault),
  ])
  func sendsWhatIsRead(_ reading: OximeterReading) {
    for layout in Self.layouts {
      var encoder = NoninWaveEncoder(layout)
      var decoder = NoninWaveDecoder(layout)
      let moment = OximeterMoment(pleth: 1, isBeatMarked: true, reading: reading)
      let frames = decoder.decode((0..<25).flatMap { _ in encoder.encode(moment) })
      #expect(frames.compactMap(\.reading) == [reading])
      #expect(frames.map(\.pleth) == Array(repeating: layout == .df2 ? 255 : 65_535, count: 25))
    }
  }

  @Test func combinesNoValuesOfTwoMoments() {
    var encoder = NoninDF2Encoder()
    var decoder = NoninDF2Decoder()
    let frames = decoder.decode(
      (0..<100).flatMap {
        encoder.encode(OximeterMoment(pleth: 0.5, reading: OximeterReading(pulseRateBpm: 100 + $0, spo2Percent: $0)))
      })
    #expect(frames.compactMap { $0.reading?.pulseRateBpm } == [100, 125, 150, 175])
    #expect(frames.compactMap { $0.reading?.spo2Percent } == [0, 25, 50, 75])
  }
}

@Suite struct NoninCommandTests {
  @Test(
    arguments: [
      (.setFormat(.df2), [0x02, 0x70, 0x02, 0x02, 0x02, 0x03]),
      (.setFormat(.df7), [0x02, 0x70, 0x02, 0x02, 0x07, 0x03]),
      (.setFormat(.df8), [0x02, 0x70, 0x02, 0x02, 0x08, 0x03]),
      (.setFormat(.df13), [0x02, 0x70, 0x02, 0x02, 0x0d, 0x03]),
      (
        .setFormatWithOptions(.df7, isSpotCheck: false, hasBluetoothAtPowerOn: true),
        [0x02, 0x70, 0x04, 0x02, 0x07, 0x21, 0x9e, 0x03]
      ),
      (
        .setFormatWithOptions(.df2, isSpotCheck: true, hasBluetoothAtPowerOn: false),
        [0x02, 0x70, 0x04, 0x02, 0x02, 0x41, 0xb9, 0x03]
      ),
    ] as [(NoninCommand, [UInt8])])
  func hasItsBytes(_ command: NoninCommand, _ bytes: [UInt8]) {
    #expect(command.bytes == bytes)
    for cut in bytes.indices {
      var decoder = NoninCommandDecoder()
      let requests = decoder.decode([0xff, 0x03] + bytes[..<cut]) + decoder.decode(bytes[cut...] + bytes)
      #expect(requests == [.command(command), .command(command)])
    }
  }

  /// What a device refuses, and what is no command.
  @Test(
    arguments: [
      ([0x02, 0x70, 0x02, 0x02, 0x09, 0x03], [.unknown(operation: 0x70)]),
      ([0x02, 0x70, 0x04, 0x02, 0x07, 0x21, 0x9f, 0x03], [.unknown(operation: 0x70)]),
      ([0x02, 0x72, 0x00, 0x03], [.unknown(operation: 0x72)]),
      ([0x02, 0x70, 0x02, 0x02, 0x02, 0x04], []), ([0x06, 0x15, 0x7d, 0x81, 0xa1], []),
      // A broken one hides none that follows.
      ([0x02, 0x70, 0x02, 0x02, 0x70, 0x02, 0x02, 0x08, 0x03], [.command(.setFormat(.df8))]),
    ] as [([UInt8], [NoninCommandDecoder.Request])])
  func tellsOthers(_ bytes: [UInt8], _ requests: [NoninCommandDecoder.Request]) {
    var decoder = NoninCommandDecoder()
    #expect(decoder.decode(bytes) == requests)
  }

  @Test func knowsTheFormatOfAProtocol() {
    let formats = OximeterProtocol.allCases.compactMap { NoninCommand.DataFormat($0) }
    #expect(formats == [.df2, .df7, .df8])
  }
}
