import Testing
import VitalsModel

@testable import OximeterProtocols

@Suite struct NoninDF8Tests {
  @Test(
    arguments: [
      // Pulse rates of nine bits.
      ([0x80, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97)),
      ([0x80, 0x7f, 0x64, 0x00], OximeterReading(pulseRateBpm: 127, spo2Percent: 100)),
      ([0x81, 0x00, 0x61, 0x00], OximeterReading(pulseRateBpm: 128, spo2Percent: 97)),
      ([0x81, 0x0e, 0x61, 0x00], OximeterReading(pulseRateBpm: 142, spo2Percent: 97)),
      ([0x81, 0x7f, 0x61, 0x00], OximeterReading(pulseRateBpm: 255, spo2Percent: 97)),
      ([0x82, 0x00, 0x61, 0x00], OximeterReading(pulseRateBpm: 256, spo2Percent: 97)),
      ([0x82, 0x41, 0x61, 0x00], OximeterReading(pulseRateBpm: 321, spo2Percent: 97)),
      ([0x83, 0x7f, 0x7f, 0x00], OximeterReading()),
      ([0x80, 0x48, 0x7f, 0x00], OximeterReading(pulseRateBpm: 72)),
      // First byte.
      ([0x84, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .artifact)),
      ([0x88, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97)),
      ([0x90, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .lowPerfusion)),
      ([0xa0, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .searching)),
      ([0xc3, 0x7f, 0x7f, 0x00], OximeterReading(flags: .sensorFault)),
      ([0xc0, 0x48, 0x61, 0x00], OximeterReading(pulseRateBpm: 72, spo2Percent: 97)),
      // Fourth byte: held values, an alarm without, batteries; spot checks and their quality say nothing here.
      ([0x80, 0x48, 0x61, 0x08], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .fingerOut, isStale: true)),
      ([0x83, 0x7f, 0x7f, 0x08], OximeterReading(flags: .fingerOut)),
      ([0xc3, 0x7f, 0x7f, 0x08], OximeterReading(flags: [.fingerOut, .sensorFault])),
      ([0x80, 0x48, 0x61, 0x01], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .lowBattery)),
      ([0x80, 0x48, 0x61, 0x02], OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .lowBattery)),
      ([0x80, 0x48, 0x61, 0x24], OximeterReading(pulseRateBpm: 72, spo2Percent: 97)),
    ] as [([UInt8], OximeterReading)])
  func reads(_ frame: [UInt8], _ reading: OximeterReading) {
    var decoder = NoninDF8Decoder()
    #expect(decoder.decode(frame + frame) == [])
    #expect(decoder.decode(frame + frame).map(\.reading) == [reading, reading, reading, reading])
  }

  /// Values that cannot be, and the three bytes of the format without a fourth.
  @Test(
    arguments: [
      [0x82, 0x42, 0x61, 0x00], [0x83, 0x7e, 0x61, 0x00], [0x80, 0x11, 0x61, 0x00], [0x80, 0x48, 0x65, 0x00],
      [0x80, 0x48, 0x61],
    ] as [[UInt8]])
  func refuses(_ frame: [UInt8]) {
    DecoderVerifier(.noninDF8).verifyNothing(in: Array(repeating: frame, count: 100).flatMap(\.self))
  }

  /// Flags that come and go are no damage.
  @Test func keepsFramesWhoseFlagsComeAndGo() {
    let firsts: [UInt8] = [0x80, 0x80, 0x80, 0x84, 0x80, 0x90, 0x94, 0x80, 0xa0, 0x80, 0x80]
    var decoder = NoninDF8Decoder()
    let frames = decoder.decode(firsts.flatMap { [$0, 0x48, 0x61, 0x00] })
    #expect(frames.count == firsts.count)
  }

  /// Pulse rates, one a second, of which those that jump for one frame are garbled.
  @Test(arguments: [
    ([72, 73, 75, 80, 88], [72, 73, 75, 80, 88]), ([72, 72], []), ([72, 72, 72], [72, 72, 72]),
    ([72, 72, 72, 200, 72, 73], [72, 72, 72, 72, 73]), ([72, 72, 72, 100, 102, 103], [72, 72, 72, 100, 102, 103]),
    ([72, 72, 72, 100, 150, 73], [72, 72, 72, 73]), ([72, 72, 72, 100, 150, 200], [72, 72, 72]),
    ([72, 72, 72, 100, 150, 151], [72, 72, 72, 150, 151]),
    ([72, 72, 72, 100, 150, 200, 250], [72, 72, 72, 100, 150, 200, 250]),
    // Noise before a stream that has the form of a frame.
    ([200, 72, 72, 73], [72, 72, 73]), ([200, 72, 72], []),
    // Each frame another.
    ([127, 142, 255, 256, 321, 18], [127, 142, 255, 256, 321, 18]),
    // 511 is none.
    ([72, 72, 72, 511, 511, 72, 73], [72, 72, 72, 511, 511, 72, 73]), ([72, 72, 72, 511, 72], [72, 72, 72, 511]),
  ])
  func holdsValuesThatJump(_ sent: [Int], _ given: [Int]) {
    var stream: [UInt8] = []
    for rate in sent { stream += [0x80 | UInt8(rate >> 7), UInt8(rate & 0x7f), rate == 511 ? 127 : 0x61, 0] }
    var decoder = NoninDF8Decoder()
    let frames = decoder.decode(stream)
    decoder.finish()
    #expect(frames.map { $0.reading?.pulseRateBpm ?? 511 } == given)
    #expect(decoder.counts.good * 4 + decoder.counts.skipped == stream.count)
  }

  /// Where sync is lost (0) right after values that jump, those that come next tell whether they were right.
  @Test(arguments: [
    ([72, 72, 72, 100, 0, 100, 101, 102], [72, 72, 72, 100, 100, 101, 102]),
    ([72, 72, 72, 100, 0, 72, 72, 72], [72, 72, 72, 72, 72, 72]),
    ([72, 72, 72, 100, 0, 100, 0, 100, 100, 100], [72, 72, 72, 100, 100, 100, 100]),
    ([72, 72, 72, 100, 0, 100], [72, 72, 72]),
  ])
  func holdsValuesOverLossOfSync(_ sent: [Int], _ given: [Int]) {
    var stream: [UInt8] = []
    for rate in sent { stream += rate == 0 ? [0x22] : [0x80 | UInt8(rate >> 7), UInt8(rate & 0x7f), 0x61, 0] }
    var decoder = NoninDF8Decoder()
    let frames = decoder.decode(stream)
    decoder.finish()
    #expect(frames.map(\.reading?.pulseRateBpm) == given)
    #expect(decoder.counts.good * 4 + decoder.counts.skipped == stream.count)
  }

  /// Bytes lost, doubled and put in between are no values; a bit that is flipped may be, where the value is near.
  @Test(arguments: UInt64(0)..<30) func makesNothingOfDamage(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed, stream: "damage")
    let clean = DeviceStream.encoded(.noninDF8, frames: 400, seed: seed).pieces(of: 4)
    let right = NoninDF8Decoder.readings(of: clean.flatMap(\.self))
    var stream: [UInt8] = []
    for (index, frame) in clean.enumerated() {
      stream += frame
      guard index % 9 == 8 else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: stream += random.bytes(Int.random(in: 1...40, using: &random))
      case 1: stream.remove(at: stream.count - Int.random(in: 1...4, using: &random))
      case 2:
        let place = stream.count - Int.random(in: 1...4, using: &random)
        stream.insert(stream[place], at: place)
      default: stream[stream.count - Int.random(in: 1...4, using: &random)] ^= 0x80
      }
    }
    let given = NoninDF8Decoder.readings(of: stream)
    #expect(given.filter { !right.contains($0) } == [])
    // Each damage costs its frame and the two around it at the most, and a jump before it.
    #expect(given.count > 400 - 5 * 44)
  }

  @Test func sendsWhatItReads() {
    let readings = [
      OximeterReading(pulseRateBpm: 321, spo2Percent: 70), OximeterReading(pulseRateBpm: 18, spo2Percent: 0),
      OximeterReading(flags: [.fingerOut, .searching]), OximeterReading(flags: [.sensorFault, .lowBattery]),
      OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: .fingerOut, isStale: true),
      OximeterReading(pulseRateBpm: 72, spo2Percent: 97, flags: [.artifact, .lowPerfusion]),
    ]
    for reading in readings {
      let bytes = NoninDF8Encoder().encode(OximeterMoment(pleth: 0.5, reading: reading))
      var decoder = NoninDF8Decoder()
      #expect(decoder.decode(bytes + bytes + bytes).map(\.reading) == [reading, reading, reading])
    }
    // What it cannot carry is sent as none.
    for rate in [-1, 0, 17, 322, 511, 512, 10_000] {
      let reading = OximeterReading(pulseRateBpm: rate, spo2Percent: 101)
      #expect(NoninDF8Encoder().encode(OximeterMoment(pleth: 0, reading: reading)) == [0x83, 0x7f, 0x7f, 0x00])
    }
  }
}

extension NoninDF8Decoder {
  fileprivate static func readings(of stream: [UInt8]) -> [OximeterReading] {
    var decoder = NoninDF8Decoder()
    return decoder.decode(stream).compactMap(\.reading)
  }
}
