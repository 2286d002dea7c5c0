/// A frame of five bytes, of which bit 7 is set in the first only; contec-v5 and bci differ in its flags.
struct FiveBytes {
  let first: UInt8
  let second: UInt8
  let third: UInt8
  let fourth: UInt8
  let fifth: UInt8

  /// All five in the order of the line.
  var all: [UInt8] { [first, second, third, fourth, fifth] }

  /// The frame with these flags, without its place; nil when its values cannot be.
  func frame(flags: OximeterFlags) -> OximeterFrame? {
    let rate = Int(third & 0x40) << 1 | Int(fourth)
    let spo2 = Int(fifth)
    guard spo2 <= 100 || spo2 == 127 else { return nil }
    var reading = OximeterReading(
      pulseRateBpm: rate == 0 || rate == 255 ? nil : rate, spo2Percent: spo2 == 0 || spo2 == 127 ? nil : spo2,
      // Up to fifteen occur, and mean eight.
      signalStrength: min(Int(first & 0x0f), 8), flags: flags)
    // A value beside the flag that says that there is no finger is from before.
    reading.isStale = !flags.isDisjoint(with: [.fingerOut, .sensorFault]) && reading.hasValue
    return OximeterFrame(end: 0, pleth: Int(second), isBeat: first & 0x40 != 0, reading: reading)
  }
}

extension OximeterMoment {
  /// The wave as a device's converter has it, which saturates at both ends.
  var level: Double { min(max(pleth, 0), 1) }
}

extension FiveBytes {
  /// The frame of a moment, with the flags of its first and third byte.
  init(_ moment: OximeterMoment, first flagsOfFirst: UInt8, third flagsOfThird: UInt8) {
    let reading = moment.reading
    let rate = reading.pulseRateBpm.flatMap { (1...254).contains($0) ? UInt8($0) : nil } ?? 255
    let level = moment.level
    first =
      0x80 | (moment.isBeatMarked ? 0x40 : 0) | flagsOfFirst | UInt8(min(max(reading.signalStrength ?? 0, 0), 8))
    second = UInt8((level * 100).rounded())
    third = (rate & 0x80) >> 1 | flagsOfThird | UInt8((level * 15).rounded())
    fourth = rate & 0x7f
    fifth = reading.spo2Percent.flatMap { (1...100).contains($0) ? UInt8($0) : nil } ?? 127
  }
}

/// Finds frames of five bytes in a stream.
struct FiveByteScanner {
  /// The first bytes of a frame, 8 bits each, the latest lowest.
  private var partial: UInt64 = 0
  private var partialCount = 0
  /// How many bytes came before them.
  private var place = 0
  private var confirmation = FrameConfirmation()

  /// Takes in bytes; `frame` makes a frame without its place of five bytes, or nil when they cannot be one.
  mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, counts: inout DecodingCounts, into frames: inout [OximeterFrame],
    frame: (FiveBytes) -> OximeterFrame?
  ) {
    for byte in bytes {
      if byte & 0x80 != 0 {
        if partialCount > 0 {
          counts.short += 1
          skipPartial(&counts)
        }
      } else if partialCount == 0 {
        // A byte too many.
        counts.skipped += 1
        place += 1
        confirmation.loseSync(&counts)
        continue
      }
      partial = partial << 8 | UInt64(byte)
      partialCount += 1
      guard partialCount == 5 else { continue }
      guard var found = frame(FiveBytes(partial)) else {
        counts.unknown += 1
        skipPartial(&counts)
        continue
      }
      place += 5
      partialCount = 0
      found.end = place
      confirmation.take(found, length: 5, counts: &counts, into: &frames)
    }
  }

  /// The stream is over, or was interrupted.
  mutating func finish(counts: inout DecodingCounts) {
    skipPartial(&counts)
    confirmation.breakOff(&counts)
  }

  private mutating func skipPartial(_ counts: inout DecodingCounts) {
    counts.skipped += partialCount
    place += partialCount
    partialCount = 0
    confirmation.loseSync(&counts)
  }
}

extension FiveBytes {
  /// Five bytes in one number, the last lowest.
  fileprivate init(_ bytes: UInt64) {
    func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bytes >> (8 * (4 - index))) }
    self.init(first: byte(0), second: byte(1), third: byte(2), fourth: byte(3), fifth: byte(4))
  }
}
