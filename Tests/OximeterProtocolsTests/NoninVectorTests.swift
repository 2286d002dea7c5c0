import Testing
import VitalsModel

@testable import OximeterProtocols

/// Bytes of devices and of makers' documents, and what they say.
@Suite struct NoninVectorTests {
  /// Packets of a bench board's public test (pufferfish, an open ventilator): 72 bpm, 97 %, revision 48.
  static let board: [[UInt8]] = [
    [0x01, 0x81, 0x01, 0x00, 0x83], [0x01, 0x80, 0x01, 0x48, 0xca], [0x01, 0x80, 0x01, 0x61, 0xe3],
    [0x01, 0x80, 0x01, 0x30, 0xb2], [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x00, 0x82],
    [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x61, 0xe3],
    [0x01, 0x80, 0x01, 0x61, 0xe3], [0x01, 0x80, 0x01, 0x61, 0xe3], [0x01, 0x80, 0x01, 0x00, 0x82],
    [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x48, 0xca],
    [0x01, 0x80, 0x01, 0x61, 0xe3], [0x01, 0x80, 0x01, 0x61, 0xe3], [0x01, 0x80, 0x01, 0x00, 0x82],
    [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x48, 0xca],
    [0x01, 0x80, 0x01, 0x00, 0x82], [0x01, 0x80, 0x01, 0x48, 0xca], [0x01, 0x80, 0x01, 0x00, 0x82],
    [0x01, 0x80, 0x01, 0x00, 0x82],
  ]

  /// Frames of a USB board without a finger, from the test of a public reader (app-nonin): sensor alarm, out of track.
  static let noFinger: [UInt8] = [0x01, 0x98, 0x63, 0x00, 0xfc, 0x01, 0x98, 0x63, 0x7f, 0x7b]

  @Test func readsTheBoard() {
    var decoder = NoninDF2Decoder()
    let frames = decoder.decode(Self.board.flatMap(\.self))
    #expect(frames.count == 25)
    #expect(frames.allSatisfy { $0.pleth == 1 && !$0.isBeat })
    #expect(frames.compactMap(\.reading) == [OximeterReading(pulseRateBpm: 72, spo2Percent: 97)])
    #expect(frames.last?.reading != nil)
  }

  @Test func readsTheBoardWithoutFinger() {
    var decoder = NoninDF2Decoder()
    let frames = decoder.decode(Self.noFinger + Self.noFinger)
    #expect(frames.map(\.pleth) == [99, 99, 99, 99])
    #expect(frames.compactMap(\.reading) == [])
  }

  /// One packet: its float bytes by number, a status for all frames, and the reading.
  @Test(arguments: [
    // Pulse rates of nine bits: two and seven.
    row([1: 0, 2: 0x48, 3: 0x61], rate: 72, spo2: 97),
    row([1: 0, 2: 0x7f, 3: 0x64], rate: 127, spo2: 100),
    row([1: 1, 2: 0x00, 3: 0x50], rate: 128, spo2: 80),
    row([1: 1, 2: 0x0e, 3: 0x62], rate: 142, spo2: 98),
    row([1: 1, 2: 0x7f, 3: 0x62], rate: 255, spo2: 98),
    row([1: 2, 2: 0x00, 3: 0x62], rate: 256, spo2: 98),
    row([1: 2, 2: 0x41, 3: 0x62], rate: 321, spo2: 98),
    row([1: 0, 2: 0x12, 3: 0x62], rate: 18, spo2: 98),
    // None: 511 and 127, of both or of one.
    row([1: 3, 2: 0x7f, 3: 0x7f], rate: nil, spo2: nil),
    row([1: 3, 2: 0x7f, 3: 0x61], rate: nil, spo2: 97),
    row([1: 0, 2: 0x48, 3: 0x7f], rate: 72, spo2: nil),
    row([1: 0, 2: 0x00, 3: 0x00], rate: nil, spo2: 0),
    // Reserved bytes may be anything, and so may those bits.
    row([1: 0x7c, 2: 0xc8, 3: 0xe1, 5: 0xff, 12: 0xff, 13: 0x80, 18: 0xff, 25: 0xff], rate: 72, spo2: 97),
    // Held values are never given: SpO2 in 9 and 17, the pulse rate in 20...23.
    row(
      [1: 3, 2: 0x7f, 3: 0x7f, 9: 0x61, 17: 0x61, 20: 0, 21: 0x48, 22: 0, 23: 0x48], status: 0x88, rate: nil,
      spo2: nil, flags: .fingerOut),
    row([1: 0, 2: 0x48, 3: 0x61], status: 0x88, rate: 72, spo2: 97, flags: .fingerOut, isStale: true),
    row([1: 3, 2: 0x7f, 3: 0x7f], status: 0x90, rate: nil, spo2: nil, flags: .searching),
    row([1: 3, 2: 0x7f, 3: 0x7f], status: 0x98, rate: nil, spo2: nil, flags: [.fingerOut, .searching]),
    row([1: 0, 2: 0x48, 3: 0x61], status: 0xa0, rate: 72, spo2: 97, flags: .artifact),
    // The sensor is unplugged; the bit means nothing in some models, which go on with values.
    row([1: 3, 2: 0x7f, 3: 0x7f], status: 0xc0, rate: nil, spo2: nil, flags: .sensorFault),
    row([1: 3, 2: 0x7f, 3: 0x7f], status: 0xc8, rate: nil, spo2: nil, flags: [.sensorFault, .fingerOut]),
    row([1: 0, 2: 0x48, 3: 0x61], status: 0xc0, rate: 72, spo2: 97),
    // Red, yellow, green.
    row([1: 0, 2: 0x48, 3: 0x61], status: 0x84, rate: 72, spo2: 97, flags: .lowPerfusion),
    row([1: 0, 2: 0x48, 3: 0x61], status: 0x86, rate: 72, spo2: 97),
    row([1: 0, 2: 0x48, 3: 0x61], status: 0x82, rate: 72, spo2: 97),
    row([1: 0, 2: 0x48, 3: 0x61, 8: 0x21], rate: 72, spo2: 97, flags: .lowBattery),
    row([1: 0, 2: 0x48, 3: 0x61, 8: 0x20], rate: 72, spo2: 97),
  ])
  func readsPackets(_ row: PacketRow) {
    for layout in [NoninLayout.df2, .df7] {
      var decoder = NoninWaveDecoder(layout)
      let frames = decoder.decode(row.bytes(layout))
      #expect(frames.compactMap(\.reading) == [row.reading], "\(layout)")
      #expect(frames.count == 25)
      #expect(decoder.counts.unknown == 0)
    }
  }

  /// Values that cannot be: the wave is given, the reading is not.
  @Test(arguments: [
    row([1: 2, 2: 0x42, 3: 0x61], rate: nil, spo2: nil), row([1: 3, 2: 0x7e, 3: 0x61], rate: nil, spo2: nil),
    row([1: 0, 2: 0x11, 3: 0x61], rate: nil, spo2: nil), row([1: 0, 2: 0x48, 3: 0x65], rate: nil, spo2: nil),
    row([1: 0, 2: 0x48, 3: 0x7e], rate: nil, spo2: nil),
  ])
  func refusesImpossibleValues(_ row: PacketRow) {
    for layout in [NoninLayout.df2, .df7] {
      var decoder = NoninWaveDecoder(layout)
      let frames = decoder.decode(row.bytes(layout))
      #expect(frames.compactMap(\.reading) == [])
      #expect(frames.count == 25)
      #expect(decoder.counts.unknown == 1)
    }
  }

  /// The wave of nonin-df7 has sixteen bits, high byte first.
  @Test(
    arguments: [
      ([0x80, 0x00, 0x00, 0x00, 0x80], 0), ([0x80, 0x00, 0xff, 0x00, 0x7f], 255),
      ([0x80, 0x01, 0x00, 0x00, 0x81], 256), ([0x80, 0xff, 0xff, 0x00, 0x7e], 65_535),
      ([0x82, 0x9c, 0xe4, 0x30, 0x32], 40_164),
    ] as [([UInt8], Int)])
  func readsTheWave(_ bytes: [UInt8], _ pleth: Int) {
    var decoder = NoninDF7Decoder()
    let first: [UInt8] = [0x81, 0x12, 0x34, 0x00, 0xc7]
    let frames = decoder.decode(first + Array(repeating: bytes, count: 4).flatMap(\.self))
    #expect(frames.map(\.pleth) == [0x1234, pleth, pleth, pleth, pleth])
  }
}

/// A packet of 25 frames and its reading.
struct PacketRow: Sendable, CustomTestStringConvertible {
  let floats: [Int: UInt8]
  let status: UInt8
  let reading: OximeterReading

  var testDescription: String {
    "\(floats.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }), status \(status)"
  }

  func bytes(_ layout: NoninLayout) -> [UInt8] {
    (1...25).flatMap {
      layout.bytes(
        status: NoninStatus(rawValue: status | ($0 == 1 ? 1 : 0)), level: Double($0) / 30, float: floats[$0] ?? 0)
    }
  }
}

private func row(
  _ floats: [Int: UInt8], status: UInt8 = 0x80, rate: Int?, spo2: Int?, flags: OximeterFlags = [], isStale: Bool = false
) -> PacketRow {
  PacketRow(
    floats: floats, status: status,
    reading: OximeterReading(pulseRateBpm: rate, spo2Percent: spo2, flags: flags, isStale: isStale))
}
