// Packets of two to nine bytes on 115200 baud, wrapped as in `ContecV7Packet`. Sixty times a second a live one of nine:
//
//   0  01
//   1  1, bits 7 of the others
//   2  probe error, beat, SpO2 is low, searches for too long, signal strength 0...8 (four bits, larger is 8)
//   3  searching, pleth (seven bits; 64 all the time on a probe error)
//   4  000, perfusion index is not valid, bar graph (four bits)
//   5  pulse rate 1...254
//   6  SpO2 1...100
//   7  perfusion index in hundredths of a percent, low byte; up to 2200
//   8  its high byte
//
// A pulse rate of 0 or 255, an SpO2 of 0 or 127 and a perfusion index of 65535 are none: on a probe error the maker's
// table has 255 and 127, and a CMS50D+ sends 0 (a capture in a public reader). The bit for a low SpO2 is to be ignored
// by the host. A beat is marked in two packets. Source: the maker's communication protocol V7.0.

/// Decodes contec-v7.
struct ContecV7Decoder: OximeterDecoder {
  private(set) var counts = DecodingCounts()
  private var finder = ContecV7PacketFinder(lengths: ContecV7Packet.length(fromDevice:))
  private var confirmation = FrameConfirmation()
  /// Whether nothing was skipped since the last packet, or the beginning.
  private var isAfterPacket = true

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    bytes.withContiguousBytes { take($0, &frames) }
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ frames: inout [OximeterFrame]) {
    for byte in bytes {
      let step = finder.take(byte)
      if step.cut > 0 {
        counts.short += 1
        skip(step.cut)
      }
      switch step.outcome {
      case .more: break
      case .stray: skip(1)
      case .unknownType:
        counts.unknown += 1
        skip(1)
      case .packet(let packet): take(packet, &frames)
      }
    }
  }

  mutating func finish() {
    counts.skipped += finder.finish()
    confirmation.breakOff(&counts)
    isAfterPacket = true
  }

  private mutating func take(_ packet: ContecV7Packet, _ frames: inout [OximeterFrame]) {
    guard let frame = packet.type == 0x01 ? Self.live(packet, end: finder.place) : answer(packet) else {
      counts.unknown += 1
      skip(packet.length)
      return
    }
    if isAfterPacket, packet.isText {
      // A device that does not stream sends nothing before or after it.
      confirmation.takeCertain(frame, counts: &counts, into: &frames)
    } else {
      confirmation.take(frame, length: packet.length, counts: &counts, into: &frames)
    }
    isAfterPacket = true
  }

  private mutating func skip(_ count: Int) {
    counts.skipped += count
    isAfterPacket = false
    confirmation.loseSync(&counts)
  }

  private func answer(_ packet: ContecV7Packet) -> OximeterFrame? {
    packet.answer.map { OximeterFrame(end: finder.place, answer: $0) }
  }

  /// The frame of a live packet; nil when its values cannot be.
  private static func live(_ packet: ContecV7Packet, end: Int) -> OximeterFrame? {
    let spo2 = Int(packet[4])
    let perfusion = Int(packet[6]) << 8 | Int(packet[5])
    let hasPerfusion = packet[2] & 0x10 == 0 && perfusion != 0xffff
    // The maker's range ends at 22 %; more than 100 % cannot be.
    guard spo2 <= 100 || spo2 == 127, !hasPerfusion || perfusion <= 10_000 else { return nil }
    let rate = Int(packet[3])
    var flags: OximeterFlags = []
    if packet[0] & 0x80 != 0 { flags.insert(.fingerOut) }
    if packet[0] & 0x10 != 0 || packet[1] & 0x80 != 0 { flags.insert(.searching) }
    var reading = OximeterReading(
      pulseRateBpm: rate == 0 || rate == 255 ? nil : rate, spo2Percent: spo2 == 0 || spo2 == 127 ? nil : spo2,
      perfusionIndexHundredths: hasPerfusion ? perfusion : nil, signalStrength: min(Int(packet[0] & 0x0f), 8),
      flags: flags)
    reading.isStale = flags.contains(.fingerOut) && reading.hasValue
    return OximeterFrame(
      end: end, pleth: Int(packet[1] & 0x7f), isBeat: packet[0] & 0x40 != 0, reading: reading)
  }
}

/// Encodes the live packets of contec-v7.
struct ContecV7Encoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] {
    let reading = moment.reading
    let isOut = !reading.flags.isDisjoint(with: [.fingerOut, .sensorFault])
    let level = moment.level
    let perfusion = reading.perfusionIndexHundredths.flatMap { (0...2_200).contains($0) ? $0 : nil }
    let strength = UInt8(min(max(reading.signalStrength ?? 0, 0), 8))
    let wave = isOut ? 0x40 : UInt8((level * 127).rounded())
    return ContecV7Packet(
      type: 0x01,
      payload: [
        (isOut ? 0x80 : 0) | (moment.isBeatMarked ? 0x40 : 0) | strength,
        (reading.flags.contains(.searching) ? 0x80 : 0) | wave,
        (perfusion == nil ? 0x10 : 0) | (isOut ? 0 : UInt8((level * 15).rounded())),
        reading.pulseRateBpm.flatMap { (1...254).contains($0) ? UInt8($0) : nil } ?? 255,
        reading.spo2Percent.flatMap { (1...100).contains($0) ? UInt8($0) : nil } ?? 127,
        UInt8(truncatingIfNeeded: perfusion ?? 0xffff), UInt8(truncatingIfNeeded: (perfusion ?? 0xffff) >> 8),
      ]
    ).line
  }
}
