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
  /// Bits of the fourth byte that mean nothing in any model.
  private static let reserved: UInt8 = 0x50

  private(set) var counts = DecodingCounts()
  /// Bytes of which no frame has been made yet.
  private var pending: [UInt8] = []
  /// How many bytes came before those.
  private var place = 0
  private var run = NoninDF8Run()

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    pending.append(contentsOf: bytes)
    var head = 0
    while head < pending.count {
      guard pending[head] & 0x80 != 0 else {
        let next = pending[head...].firstIndex { $0 & 0x80 != 0 } ?? pending.count
        skip(next - head)
        head = next
        continue
      }
      let length = lengthOfFrame(at: head)
      if length == Self.length {
        takeFrame(at: head, into: &frames)
      } else {
        if head + length == pending.count { break }
        counts.short += 1
        skip(length)
      }
      head += length
    }
    pending.removeFirst(head)
  }

  mutating func finish() {
    counts.skipped += pending.count + run.breakOff() * Self.length
    place += pending.count
    pending.removeAll()
  }

  /// How many bytes there are of the frame that begins at `start`.
  private func lengthOfFrame(at start: Int) -> Int {
    var length = 1
    while length < Self.length, start + length < pending.count, pending[start + length] & 0x80 == 0 { length += 1 }
    return length
  }

  private mutating func takeFrame(at start: Int, into frames: inout [OximeterFrame]) {
    guard let reading = Self.reading(pending, at: start) else {
      counts.unknown += 1
      return skip(Self.length)
    }
    place += Self.length
    let before = frames.count
    let frame = NoninDF8Run.Frame(end: place, reading: reading, reserved: pending[start + 3] & Self.reserved)
    let dropped = run.take(frame, into: &frames)
    counts.good += frames.count - before
    counts.skipped += dropped * Self.length
  }

  private mutating func skip(_ bytes: Int) {
    counts.skipped += bytes + run.loseSync() * Self.length
    place += bytes
  }

  /// What a frame says; nil when its values cannot be.
  private static func reading(_ bytes: [UInt8], at start: Int) -> OximeterReading? {
    let first = bytes[start]
    let fourth = bytes[start + 3]
    guard var reading = NoninValue.reading(pulseRate: first, bytes[start + 1], spo2: bytes[start + 2]) else {
      return nil
    }
    let hasValue = (reading.pulseRateBpm ?? reading.spo2Percent) != nil
    let hasAlarm = fourth & 0x08 != 0
    if hasAlarm { reading.flags.insert(.fingerOut) }
    if first & 0x20 != 0 { reading.flags.insert(.searching) }
    if first & 0x10 != 0 { reading.flags.insert(.lowPerfusion) }
    if first & 0x04 != 0 { reading.flags.insert(.artifact) }
    // Where this bit has no meaning it may be set: it is believed only where nothing speaks against it.
    if first & 0x40 != 0, !hasValue || hasAlarm { reading.flags.insert(.sensorFault) }
    if fourth & 0x03 != 0 { reading.flags.insert(.lowBattery) }
    reading.isStale = hasValue && hasAlarm
    return reading
  }
}

/// Decides which frames of nonin-df8 are beyond doubt; there is no checksum, and only one frame a second.
///
/// The first is given when three in a row say nearly the same, or six in a row have the form. From then on a frame that
/// says nearly the same as the one before is given at once, as is one that says that there are no values. Values that
/// jump are held until the next frame: where it goes on from them they are right, and where it goes on from those before
/// they were garbled; four in a row that all jump are right. Flags come and go at any time, and so prove nothing.
struct NoninDF8Run {
  /// A frame that has the form.
  struct Frame {
    let end: Int
    let reading: OximeterReading
    /// What stands where nothing is meant; a device sends the same all the time.
    let reserved: UInt8
  }

  private enum State {
    /// Nothing since the last breach is beyond doubt.
    case unsure
    /// The frames up to this one are.
    case sure(Frame)
  }

  private static let alikeInARow = 3
  private static let formedInARow = 6
  private static let jumpsInARow = 4
  /// What may change in a second; a device has new values every one and a half.
  private static let stepBpm = 8
  private static let stepPercent = 3

  private var state = State.unsure
  private var held: [Frame] = []
  /// What was held when sync was lost after sure frames: the device may just have begun to say something else.
  private var heldBefore: [Frame] = []

  /// Takes the next frame, which follows on the one before, and adds those that are now beyond doubt.
  ///
  /// - Returns: how many frames that were held are dropped
  mutating func take(_ frame: Frame, into frames: inout [OximeterFrame]) -> Int {
    var dropped = 0
    switch state {
    case .sure(let last) where Self.goesOn(frame, from: last):
      dropped = dropAll(butLast: 0)
      held.append(frame)
    case .sure:
      let isConfirmed = held.last.map { Self.areAlike(frame, $0) } ?? false
      held.append(frame)
      guard isConfirmed || held.count >= Self.jumpsInARow else { return 0 }
      if held.count < Self.jumpsInARow { dropped = dropAll(butLast: 2) }
    case .unsure:
      held.append(frame)
      let last = held.suffix(Self.alikeInARow)
      let areAlike =
        last.count == Self.alikeInARow && zip(last, last.dropFirst()).allSatisfy { Self.areAlike($0, $1) }
      guard areAlike || held.count >= Self.formedInARow else { return 0 }
      // Noise right before a stream may have the form of a frame.
      if held.count < Self.formedInARow { dropped = dropAll(butLast: Self.alikeInARow) }
    }
    if case .unsure = state {
      let isRight = held.first.map { first in heldBefore.allSatisfy { Self.areAlike($0, first) } } ?? false
      if isRight { held.insert(contentsOf: heldBefore, at: 0) } else { dropped += heldBefore.count }
      heldBefore.removeAll()
    }
    for given in held { frames.append(OximeterFrame(end: given.end, reading: given.reading)) }
    held.removeAll(keepingCapacity: true)
    state = .sure(frame)
    return dropped
  }

  /// The stream does not go on from what came before.
  ///
  /// - Returns: how many frames that were held are dropped
  mutating func loseSync() -> Int {
    switch state {
    case .unsure: return dropAll(butLast: 0)
    case .sure:
      state = .unsure
      swap(&held, &heldBefore)
      return 0
    }
  }

  /// The stream is over, or was interrupted.
  ///
  /// - Returns: how many frames that were held are dropped
  mutating func breakOff() -> Int {
    let dropped = dropAll(butLast: 0) + heldBefore.count
    self = NoninDF8Run()
    return dropped
  }

  private mutating func dropAll(butLast count: Int) -> Int {
    let dropped = held.count - count
    guard dropped > 0 else { return 0 }
    held.removeFirst(dropped)
    return dropped
  }

  /// Whether frames say nearly the same.
  private static func areAlike(_ one: Frame, _ other: Frame) -> Bool {
    one.reserved == other.reserved && isNear(one.reading.pulseRateBpm, other.reading.pulseRateBpm, stepBpm)
      && isNear(one.reading.spo2Percent, other.reading.spo2Percent, stepPercent)
  }

  /// Whether a frame may follow on one that is beyond doubt; the codes for none do not come up by chance.
  private static func goesOn(_ frame: Frame, from last: Frame) -> Bool {
    let isNone = frame.reading.pulseRateBpm == nil && frame.reading.spo2Percent == nil
    return isNone && frame.reserved == last.reserved || areAlike(frame, last)
  }

  private static func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= step
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
