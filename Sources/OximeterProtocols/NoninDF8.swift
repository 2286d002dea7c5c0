// Four bytes, once a second. Bit 7 is set in the first byte of a frame only:
//
//   0  1, sensor disconnected, out of track, low perfusion, marginal perfusion, artifact, bits 8 and 7 of the pulse rate
//   1  0, bits 6...0 of the pulse rate
//   2  0, SpO2
//   3  0, -, quality of a spot check, -, sensor alarm, spot check, battery critical, battery low
//
// A pulse rate of 511 and an SpO2 of 127 are none. Both are held for ten seconds after the finger left, with the sensor
// alarm. Source: the maker's specification of the finger device with Bluetooth, where the first byte's bit 6 and the
// fourth's bits 2 and 1 are reserved, and a public reader of the older wrist-worn one, which has all of them.

/// Decodes nonin-df8.
struct NoninDF8Decoder: OximeterDecoder {
  private static let length = 4
  /// What may change in a second, or in one and a half, which is how often a device has new values.
  private static let steps = FrameConfirmation.Steps(pulseRateBpm: 12, spo2Percent: 4)

  private(set) var counts = DecodingCounts()
  private var partial: [UInt8] = []
  /// How many bytes came before `partial`.
  private var place = 0
  private var confirmation = FrameConfirmation(Self.steps)

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    for byte in bytes {
      if byte & 0x80 != 0, !partial.isEmpty {
        counts.short += 1
        skipPartial()
      } else if byte & 0x80 == 0, partial.isEmpty {
        counts.skipped += 1
        place += 1
        confirmation.breakOff(&counts)
        continue
      }
      partial.append(byte)
      if partial.count == Self.length { takePartial(into: &frames) }
    }
  }

  mutating func finish() { skipPartial() }

  private mutating func takePartial(into frames: inout [OximeterFrame]) {
    guard let reading = Self.reading(partial) else {
      counts.unknown += 1
      return skipPartial()
    }
    place += Self.length
    partial.removeAll(keepingCapacity: true)
    let frame = OximeterFrame(end: place, reading: reading)
    confirmation.take(frame, length: Self.length, counts: &counts, into: &frames)
  }

  private mutating func skipPartial() {
    counts.skipped += partial.count
    place += partial.count
    partial.removeAll(keepingCapacity: true)
    confirmation.breakOff(&counts)
  }

  /// What a frame says; nil when its values cannot be.
  private static func reading(_ frame: [UInt8]) -> OximeterReading? {
    do {
      var reading = OximeterReading(
        pulseRateBpm: try NoninValue.pulseRate(frame[0], frame[1]), spo2Percent: try NoninValue.spo2(frame[2]))
      let hasValue = (reading.pulseRateBpm ?? reading.spo2Percent) != nil
      let hasAlarm = frame[3] & 0x08 != 0
      if hasAlarm { reading.flags.insert(.fingerOut) }
      if frame[0] & 0x20 != 0 { reading.flags.insert(.searching) }
      if frame[0] & 0x10 != 0 { reading.flags.insert(.lowPerfusion) }
      if frame[0] & 0x04 != 0 { reading.flags.insert(.artifact) }
      // Where this bit has no meaning it may be set: it is believed only where nothing speaks against it.
      if frame[0] & 0x40 != 0, !hasValue || hasAlarm { reading.flags.insert(.sensorFault) }
      if frame[3] & 0x03 != 0 { reading.flags.insert(.lowBattery) }
      reading.isStale = hasValue && hasAlarm
      return reading
    } catch {
      return nil
    }
  }
}

/// Encodes nonin-df8.
struct NoninDF8Encoder: OximeterEncoder {
  func encode(_ moment: OximeterMoment) -> [UInt8] {
    let reading = moment.reading
    let isBroken = reading.flags.contains(.sensorFault) && !reading.isStale
    let rate = NoninValue.bytes(pulseRate: isBroken ? nil : reading.pulseRateBpm)
    var first: UInt8 = 0x80 | rate.high
    if reading.flags.contains(.sensorFault) { first |= 0x40 }
    if reading.flags.contains(.searching) { first |= 0x20 }
    if reading.flags.contains(.lowPerfusion) { first |= 0x10 }
    if reading.flags.contains(.artifact) { first |= 0x04 }
    var fourth: UInt8 = reading.flags.contains(.fingerOut) || reading.isStale ? 0x08 : 0
    if reading.flags.contains(.lowBattery) { fourth |= 0x01 }
    return [first, rate.low, NoninValue.byte(spo2: isBroken ? nil : reading.spo2Percent), fourth]
  }
}
