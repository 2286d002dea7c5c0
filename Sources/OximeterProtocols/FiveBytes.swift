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
    let reading = OximeterReading(
      pulseRateBpm: rate == 0 || rate == 255 ? nil : rate, spo2Percent: spo2 == 0 || spo2 == 127 ? nil : spo2,
      signalStrength: min(Int(first & 0x0f), 8), flags: flags)
    var held = reading
    // A value beside the flag that says that there is no finger is from before.
    held.isStale = flags.contains(.fingerOut) && (reading.pulseRateBpm ?? reading.spo2Percent) != nil
    return OximeterFrame(end: 0, pleth: Int(second), isBeat: first & 0x40 != 0, reading: held)
  }
}

extension FiveBytes {
  /// The frame of a moment, with the flags of its first and third byte.
  init(_ moment: OximeterMoment, first flagsOfFirst: UInt8, third flagsOfThird: UInt8) {
    let reading = moment.reading
    let rate = reading.pulseRateBpm.flatMap { (1...254).contains($0) ? UInt8($0) : nil } ?? 255
    let level = min(max(moment.pleth, 0), 1)
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
  private var partial: [UInt8] = []
  /// How many bytes came before `partial`.
  private var place = 0

  /// What may change in a hundredth of a second.
  static let steps = FrameConfirmation.Steps(pulseRateBpm: 2, spo2Percent: 1)

  mutating func scan(
    _ bytes: some Collection<UInt8>, counts: inout DecodingCounts, confirmation: inout FrameConfirmation,
    into frames: inout [OximeterFrame], frame: (FiveBytes) -> OximeterFrame?
  ) {
    for byte in bytes {
      if byte & 0x80 != 0, !partial.isEmpty {
        counts.short += 1
        skipPartial(&counts, &confirmation)
      } else if byte & 0x80 == 0, partial.isEmpty {
        // A byte too many.
        counts.skipped += 1
        place += 1
        confirmation.breakOff(&counts)
        continue
      }
      partial.append(byte)
      guard partial.count == 5 else { continue }
      let found = frame(
        FiveBytes(first: partial[0], second: partial[1], third: partial[2], fourth: partial[3], fifth: partial[4]))
      if var found {
        place += 5
        found.end = place
        partial.removeAll(keepingCapacity: true)
        confirmation.take(found, length: 5, counts: &counts, into: &frames)
      } else {
        counts.unknown += 1
        skipPartial(&counts, &confirmation)
      }
    }
  }

  mutating func finish(counts: inout DecodingCounts, confirmation: inout FrameConfirmation) {
    skipPartial(&counts, &confirmation)
  }

  private mutating func skipPartial(_ counts: inout DecodingCounts, _ confirmation: inout FrameConfirmation) {
    counts.skipped += partial.count
    place += partial.count
    partial.removeAll(keepingCapacity: true)
    confirmation.breakOff(&counts)
  }
}
