/// Makes readings of the frames of nonin-df2 and nonin-df7, 25 of them a packet, three packets a second.
///
/// What the float bytes mean goes by the number of the frame, counted from the one with the sync bit:
///
///   1, 2    pulse rate, two bits and seven          14, 15  the same over eight beats
///   3       SpO2                                    16      SpO2 over eight beats
///   4       software revision                       17      the same, held
///   6, 7    packets sent so far, fourteen bits      20, 21  pulse rate, held
///   8       bit 0: low battery                      22, 23  the same over eight beats, held
///   9       SpO2, held
///   10, 11  SpO2, quicker; SpO2 of a beat           others  reserved, anything
///
/// Held values go on for ten seconds after the finger left. They are never given: those of the first three frames, over
/// four beats, go missing at once. Source: the maker's specification of the finger device with Bluetooth, and public
/// readers, which agree.
///
/// A reading is given with the last frame of its packet. Frames that are missing inside a packet would give the float
/// bytes other meanings, and show only when the next packet comes too early, or by the device's counter.
struct NoninPacket {
  /// Frames of a packet.
  static let length = 25

  private enum Progress {
    /// No first frame since the latest damage.
    case unknown
    /// So many frames of this packet.
    case frames(Int)
  }

  /// What the device counts.
  private enum Timer {
    /// It has not been seen to go on.
    case unproven(last: Int?)
    /// It goes on by one with each packet.
    case running(last: Int?)
  }

  private var progress = Progress.unknown
  private var floats = [UInt8](repeating: 0, count: Self.length)
  /// What this packet says is wrong, up to here.
  private var ofPacket: NoninStatus = []
  /// What the device says of the latest pulse.
  private var ofPulse: NoninStatus = []
  /// A mark that is there from the first frame on may have begun before.
  private var wasPulse = true
  private var timer = Timer.unproven(last: nil)
  private var framesSinceTimer = 0
  private var isBrokenSinceTimer = false

  /// Takes the next frame, which ends at `end`.
  mutating func take(_ frame: NoninFrame, end: Int, _ counts: inout DecodingCounts) -> OximeterFrame {
    let status = frame.status
    let isBeat = status.isPulse && !wasPulse
    wasPulse = status.isPulse
    count(frame, &counts)
    note(status, isBeat: isBeat)
    return OximeterFrame(end: end, pleth: frame.pleth, isBeat: isBeat, reading: reading(&counts))
  }

  /// Frames are missing from here on: what float bytes mean is unknown up to the next packet.
  mutating func breakOff() {
    progress = .unknown
    isBrokenSinceTimer = true
  }

  private mutating func note(_ status: NoninStatus, isBeat: Bool) {
    ofPacket.formUnion(status)
    // The perfusion is said, and an artifact may be said, during the mark of a pulse only.
    if isBeat || status.contains(.sensorAlarm) { ofPulse = [] }
    if status.isPoor { ofPulse.insert(.red) }
    if status.contains(.artifact) { ofPulse.insert(.artifact) }
  }

  // MARK: Place

  private mutating func count(_ frame: NoninFrame, _ counts: inout DecodingCounts) {
    framesSinceTimer += 1
    let isFirst = frame.status.contains(.sync)
    switch progress {
    case .unknown where isFirst, .frames(Self.length) where isFirst: progress = .frames(1)
    case .unknown: return
    case .frames where isFirst:
      miss(&counts)
      progress = .frames(1)
    case .frames(Self.length):
      miss(&counts)
      progress = .unknown
      return
    case .frames(let count): progress = .frames(count + 1)
    }
    guard case .frames(let number) = progress else { return }
    if number == 1 { ofPacket = [] }
    floats[number - 1] = frame.float
    if number == Self.length { compareTimer(&counts) }
  }

  /// The sync bit did not come where it was due: frames are missing.
  private mutating func miss(_ counts: inout DecodingCounts) {
    counts.gaps += 1
    // The device's counter would tell the same.
    switch timer {
    case .unproven: timer = .unproven(last: nil)
    case .running: timer = .running(last: nil)
    }
  }

  private mutating func compareTimer(_ counts: inout DecodingCounts) {
    let now = Int(floats[5] & 0x7f) << 7 | Int(floats[6] & 0x7f)
    let frames = framesSinceTimer
    let isBroken = isBrokenSinceTimer
    framesSinceTimer = 0
    isBrokenSinceTimer = false
    let last: Int?
    switch timer {
    case .unproven(let value), .running(let value): last = value
    }
    let packets = last.map { (now - $0) & 0x3fff } ?? 0
    let isNext = packets > 0 && packets == (frames + Self.length - 1) / Self.length
    switch timer {
    case .unproven: timer = isNext ? .running(last: now) : .unproven(last: now)
    case .running: timer = packets > 0 || last == nil ? .running(last: now) : .unproven(last: now)
    }
    guard case .running = timer, frames < packets * Self.length else { return }
    counts.gaps += 1
    // Nothing was damaged, and still frames are missing: this may be the rest of another packet.
    if !isBroken { progress = .unknown }
  }

  // MARK: Reading

  /// The reading, when this was the last frame of a packet.
  private func reading(_ counts: inout DecodingCounts) -> OximeterReading? {
    guard case .frames(Self.length) = progress else { return nil }
    guard var reading = NoninValue.reading(pulseRate: floats[0], floats[1], spo2: floats[2]) else {
      counts.unknown += 1
      return nil
    }
    let hasValue = (reading.pulseRateBpm ?? reading.spo2Percent) != nil
    reading.flags = flags(besideValue: hasValue)
    reading.isStale = hasValue && reading.flags.contains(.fingerOut)
    return reading
  }

  private func flags(besideValue hasValue: Bool) -> OximeterFlags {
    var flags: OximeterFlags = []
    if ofPacket.contains(.sensorAlarm) { flags.insert(.fingerOut) }
    if ofPacket.contains(.outOfTrack) { flags.insert(.searching) }
    if ofPacket.union(ofPulse).contains(.artifact) { flags.insert(.artifact) }
    if ofPulse.contains(.red) { flags.insert(.lowPerfusion) }
    // Where this bit has no meaning it may be set: it is believed only where nothing speaks against it.
    if ofPacket.contains(.disconnected), !hasValue || ofPacket.contains(.sensorAlarm) { flags.insert(.sensorFault) }
    if floats[7] & 0x01 != 0 { flags.insert(.lowBattery) }
    return flags
  }
}

/// Decodes nonin-df2 and nonin-df7.
struct NoninWaveDecoder: OximeterDecoder {
  private(set) var counts = DecodingCounts()
  private var finder: NoninFrameFinder
  private var packet = NoninPacket()

  init(_ layout: NoninLayout) { finder = NoninFrameFinder(layout) }

  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame]) {
    finder.append(bytes)
    while let piece = finder.next(&counts) {
      switch piece {
      case .frame(let frame): frames.append(packet.take(frame, end: finder.place, &counts))
      case .answer(let answer): frames.append(OximeterFrame(end: finder.place, answer: answer))
      case .breach: packet.breakOff()
      }
    }
  }

  mutating func finish() {
    finder.finish(&counts)
    packet = NoninPacket()
  }
}

/// Encodes nonin-df2 and nonin-df7.
struct NoninWaveEncoder: OximeterEncoder {
  private let layout: NoninLayout
  /// Frames of this packet so far.
  private var count = 0
  private var floats = [UInt8](repeating: 0, count: NoninPacket.length)
  /// Packets so far, in fourteen bits.
  private var timer = 0

  private static let revision: UInt8 = 48

  init(_ layout: NoninLayout) { self.layout = layout }

  mutating func encode(_ moment: OximeterMoment) -> [UInt8] {
    // All values of a packet are of its first moment.
    if count == 0 { beginPacket(moment.reading) }
    var status = Self.status(moment)
    if count == 0 { status.insert(.sync) }
    let float = floats[count]
    count = (count + 1) % NoninPacket.length
    return layout.bytes(status: status, level: moment.pleth, float: float)
  }

  private mutating func beginPacket(_ reading: OximeterReading) {
    let heldRate = NoninValue.bytes(pulseRate: reading.pulseRateBpm)
    let heldSpo2 = NoninValue.byte(spo2: reading.spo2Percent)
    let isHeld = reading.isStale || reading.flags.contains(.sensorFault)
    let rate = NoninValue.bytes(pulseRate: isHeld ? nil : reading.pulseRateBpm)
    let spo2 = NoninValue.byte(spo2: isHeld ? nil : reading.spo2Percent)
    floats = [
      rate.high, rate.low, spo2, Self.revision, 0, UInt8(timer >> 7), UInt8(timer & 0x7f),
      reading.flags.contains(.lowBattery) ? 0x01 : 0, heldSpo2, spo2, spo2, 0, 0, rate.high, rate.low, spo2, heldSpo2,
      0, 0, heldRate.high, heldRate.low, heldRate.high, heldRate.low, 0, 0,
    ]
    timer = (timer + 1) & 0x3fff
  }

  private static func status(_ moment: OximeterMoment) -> NoninStatus {
    let flags = moment.reading.flags
    var status = NoninStatus.always
    if flags.contains(.fingerOut) || moment.reading.isStale { status.insert(.sensorAlarm) }
    if flags.contains(.searching) { status.insert(.outOfTrack) }
    if flags.contains(.artifact) { status.insert(.artifact) }
    if flags.contains(.sensorFault) { status.insert(.disconnected) }
    if moment.isBeatMarked { status.insert(flags.contains(.lowPerfusion) ? .red : .green) }
    return status
  }
}
