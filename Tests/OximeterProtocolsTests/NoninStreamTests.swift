import Testing
import VitalsModel

@testable import OximeterProtocols

/// What the decoders of nonin-df2 and nonin-df7 make of a stream beyond its single packets.
@Suite(.serialized) struct NoninStreamTests {
  static let layouts: [NoninLayout] = [.df2, .df7]

  /// Packets with these pulse rates, as frames.
  static func frames(_ layout: NoninLayout, rates: [Int], timer: Int = 100) -> [[UInt8]] {
    rates.enumerated().flatMap { index, rate in
      let high = UInt8(rate >> 7)
      let low = UInt8(rate & 0x7f)
      let count = timer + index
      var floats = [UInt8](repeating: 0, count: 25)
      floats[0...6] = [high, low, 97, 48, 0, UInt8(count >> 7 & 0x7f), UInt8(count & 0x7f)]
      return (0..<25).map {
        layout.bytes(
          status: $0 == 0 ? [.always, .sync] : .always, level: Double(index * 25 + $0) / 250, float: floats[$0])
      }
    }
  }

  /// What becomes of packets of 60, 70, 80, 90 and 100 bpm that are damaged, after two of 40 and 50 bpm.
  @Test(arguments: [
    // As they are.
    Damage([60, 70, 80, 90, 100], frames: 125) { $0 },
    // A frame is damaged in one byte: its packet says nothing, and all other frames are there.
    Damage([60, 80, 90, 100], frames: 124, badChecksum: 1, skipped: 5, gaps: 1) { $0.flipping(30, 3) },
    Damage([60, 80, 90, 100], frames: 124, badChecksum: 1, skipped: 5, gaps: 1) { $0.flipping(25, 4) },
    Damage([60, 80, 90, 100], frames: 123, badChecksum: 2, skipped: 10, gaps: 1) { $0.flipping(30, 3).flipping(31, 3) },
    // A frame is missing: only the sync bit that comes too early tells.
    Damage([60, 80, 90, 100], frames: 124, gaps: 1) { $0.removing(40..<41) },
    // The last of a packet, or the first of one.
    Damage([60, 80, 90, 100], frames: 124, gaps: 1) { $0.removing(49..<50) },
    Damage([60, 80, 90, 100], frames: 124, gaps: 1) { $0.removing(25..<26) },
    // The float bytes of one packet would have the meanings of others.
    Damage([60, 80, 90, 100], frames: 115, gaps: 1) { $0.removing(26..<36) },
    // Rests of two packets make a whole one: only the device's counter tells.
    Damage([60, 90, 100], frames: 100, gaps: 1) { $0.removing(26..<51) },
    Damage([60, 100], frames: 75, gaps: 1) { $0.removing(26..<76) },
    // A whole packet is missing; the next one may be such a rest.
    Damage([60, 70, 100], frames: 100, gaps: 1) { $0.removing(50..<75) },
    // The stream ends in a packet, or in a frame.
    Damage([60, 70, 80, 90], frames: 110) { $0.removing(110..<125) },
    Damage([60, 70, 80, 90], frames: 124, short: 1, skipped: 3) { $0.shortening(124, by: 2) },
    // A byte is missing inside a frame.
    Damage([60, 80, 90, 100], frames: 124, badChecksum: 1, skipped: 4, gaps: 1) { $0.shortening(30, by: 1) },
  ])
  func takesDamage(_ damage: Damage) {
    for layout in Self.layouts {
      let clean = Self.frames(layout, rates: [40, 50, 60, 70, 80, 90, 100])
      let stream = clean[..<50] + damage.apply(to: Array(clean[50...]))
      var decoder = NoninWaveDecoder(layout)
      let frames = decoder.decode(Array(stream.joined()))
      decoder.finish()
      #expect(frames.compactMap { $0.reading?.pulseRateBpm } == [40, 50] + damage.rates, "\(layout)")
      #expect(decoder.counts == damage.counts, "\(layout)")
    }
  }

  @Test func beginsInAPacketAndInAFrame() {
    for layout in Self.layouts {
      let clean = Self.frames(layout, rates: [60, 70, 80]).flatMap(\.self)
      for place in 0..<125 {
        var decoder = NoninWaveDecoder(layout)
        let frames = decoder.decode(clean[place...])
        #expect(frames.compactMap { $0.reading?.pulseRateBpm } == (place == 0 ? [60, 70, 80] : [70, 80]))
        #expect(frames.count == 75 - (place + 4) / 5)
        #expect(decoder.counts.skipped == (5 - place % 5) % 5)
      }
    }
  }

  /// A device without a counter has no gaps by it, whatever it sends in its place.
  @Test(arguments: [[0, 0, 0, 0], [7, 9, 3, 4], [5, 5, 6, 6], [16_383, 0, 0, 5]])
  func mistrustsACounterThatStandsOrJumps(_ counters: [Int]) {
    var decoder = NoninDF2Decoder()
    let stream = counters.flatMap { Self.frames(.df2, rates: [60], timer: $0) }.flatMap(\.self)
    #expect(decoder.decode(stream).compactMap(\.reading).count == 4)
    #expect(decoder.counts.gaps == 0)
  }

  @Test func countsAcrossTheEndOfTheCounter() {
    var decoder = NoninDF2Decoder()
    let stream = (16_380..<16_390).flatMap { Self.frames(.df2, rates: [60], timer: $0 & 0x3fff) }.flatMap(\.self)
    _ = decoder.decode(stream)
    #expect(decoder.counts.gaps == 0)
  }

  /// A pulse is marked in twelve frames, and a beat begins with the first; one that was there from the first byte on may
  /// have begun before.
  @Test func marksBeatsAtTheRisingEdge() {
    for layout in Self.layouts {
      var encoder = NoninWaveEncoder(layout)
      let stream = (0..<150).flatMap { index in
        encoder.encode(
          OximeterMoment(
            pleth: Double(index % 60) / 60, isBeatMarked: (index + 5) % 60 < 12,
            reading: OximeterReading(pulseRateBpm: 75, spo2Percent: 98)))
      }
      var decoder = NoninWaveDecoder(layout)
      let beats = decoder.decode(stream).enumerated().filter(\.element.isBeat).map(\.offset)
      #expect(beats == [55, 115])
    }
  }

  /// What is said of a pulse lasts up to the next one; what is said of the finger does not.
  @Test func keepsWhatIsSaidOfAPulse() {
    for layout in Self.layouts {
      let pulses: [NoninStatus] = [[.red, .artifact], [], .green, [], .red, .sensorAlarm, []]
      var stream: [UInt8] = []
      for pulse in pulses {
        for number in 0..<25 {
          var status: NoninStatus = number == 0 ? [.always, .sync] : .always
          if (9..<21).contains(number) || pulse == .sensorAlarm { status.formUnion(pulse) }
          stream += layout.bytes(status: status, level: Double(number) / 25, float: number == 1 ? 60 : 0)
        }
      }
      var decoder = NoninWaveDecoder(layout)
      let flags: [OximeterFlags] = decoder.decode(stream).compactMap { $0.reading?.flags }
      let poor: OximeterFlags = [.lowPerfusion, .artifact]
      #expect(flags == [poor, poor, [], [], .lowPerfusion, .fingerOut, []])
    }
  }

  /// Answers of a device that was told to stream: before the stream, and in it between frames.
  @Test(
    arguments: [
      ([0x06], .acknowledged(true)), ([0x15], .acknowledged(false)),
      (
        [0x02, 0xf2, 0x06, 26, 11, 30, 15, 6, 36, 0x03],
        .packet(type: 0xf2, payload: [26, 11, 30, 15, 6, 36])
      ),
      ([0x02, 0xf4, 0x00, 0x03], .packet(type: 0xf4, payload: [])),
    ] as [([UInt8], DeviceAnswer)])
  func findsAnswers(_ bytes: [UInt8], _ answer: DeviceAnswer) {
    for layout in Self.layouts {
      let clean = Self.frames(layout, rates: [60, 70, 80]).flatMap(\.self)
      for place in bytes.count == 1 ? [0] : [0, 25, 150, 250] {
        let stream = clean[..<place] + bytes + clean[place...]
        var decoder = NoninWaveDecoder(layout)
        let frames = decoder.decode(stream)
        #expect(frames.filter { $0.answer != nil }.map(\.answer) == [answer], "\(layout) at \(place)")
        #expect(frames.first { $0.answer != nil }?.end == place + bytes.count)
        // It is no damage.
        #expect(frames.compactMap { $0.reading?.pulseRateBpm } == [60, 70, 80])
        #expect(decoder.counts.skipped == 0)
      }
      // Inside a frame it is.
      var decoder = NoninWaveDecoder(layout)
      #expect(decoder.decode(clean[..<152] + bytes + clean[152...]).allSatisfy { $0.answer == nil })
    }
  }

  /// The result of a spot check, as the maker's document lays it out, is passed over.
  @Test func passesOverASpotCheck() {
    let spotCheck: [UInt8] = [
      0x00, 0x02, 0x00, 0x0d, 0x00, 0x0e, 0x20, 0x26, 0x11, 0x30, 0x15, 0x06, 0x36, 0x00, 0x00, 0x00, 0x00, 0x48, 0x00,
      0x61, 0x81, 0x03,
    ]
    for layout in Self.layouts {
      let clean = Self.frames(layout, rates: [60, 70, 80]).flatMap(\.self)
      var decoder = NoninWaveDecoder(layout)
      let frames = decoder.decode(clean[..<150] + spotCheck + clean[150...])
      #expect(frames.count == 75)
      #expect(decoder.counts.skipped == spotCheck.count)
    }
    DecoderVerifier(.noninDF8).verifyNothing(in: Array(repeating: spotCheck, count: 30).flatMap(\.self))
  }
}

/// What some damage to five packets costs.
struct Damage: Sendable, CustomTestStringConvertible {
  let rates: [Int]
  let counts: DecodingCounts
  let damage: @Sendable ([[UInt8]]) -> [[UInt8]]

  init(
    _ rates: [Int], frames: Int, short: Int = 0, badChecksum: Int = 0, skipped: Int = 0, gaps: Int = 0,
    _ damage: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
  ) {
    self.rates = rates
    var counts = DecodingCounts()
    counts.good = 50 + frames
    counts.short = short
    counts.badChecksum = badChecksum
    counts.skipped = skipped
    counts.gaps = gaps
    self.counts = counts
    self.damage = damage
  }

  func apply(to frames: [[UInt8]]) -> [[UInt8]] { damage(frames) }

  var testDescription: String { "\(rates), \(counts.good) frames, \(counts.skipped) skipped, \(counts.gaps) gaps" }
}

extension [[UInt8]] {
  fileprivate func flipping(_ frame: Int, _ byte: Int) -> Self {
    var damaged = self
    damaged[frame][byte] ^= 0x10
    return damaged
  }

  fileprivate func removing(_ frames: Range<Int>) -> Self {
    var damaged = self
    damaged.removeSubrange(frames)
    return damaged
  }

  fileprivate func shortening(_ frame: Int, by bytes: Int) -> Self {
    var damaged = self
    damaged[frame].removeLast(bytes)
    return damaged
  }
}
