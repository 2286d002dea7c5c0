/// Decides which frames of a stream without a checksum are beyond doubt.
///
/// A form alone proves little: noise takes it by chance, and a garbled frame still has it. So nothing is given before
/// three frames in a row say the same, or more in a row have the form, and again so after each loss of sync; then all of
/// them are given. From then on, as long as no byte is out of place, each frame is given as it comes while it says what
/// the last one said (`ReadingMovement`). One that says something else waits: when the next ones say it too it is right,
/// and when the device goes back to what it said before, what it says is doubted. It is then given for its wave alone,
/// without a reading, for a device that wavers for one frame must not lose a sample. What a device says twice in a row,
/// or again and again, is believed, and so is what lies between what it said before and says after.
struct FrameConfirmation {
  /// A frame with its length in bytes.
  private struct Held {
    let frame: OximeterFrame
    let length: Int
  }

  private enum State {
    /// Nothing since the last loss of sync is beyond doubt, nor was anything before if that was no loss.
    case unsure(hasLostSync: Bool)
    /// The frames since the last loss of sync are beyond doubt, up to those that are held.
    case sure
  }

  private static let alikeInARow = 3
  /// How many prove by their form alone that they are no noise, whatever they say: noise has the weakest of these forms,
  /// the five bytes, once in 40.
  private static let formedInARow = 8
  /// As many are held at the most, with those that have no reading.
  private static let mostHeld = 16
  /// The least SpO2 that need not be the same in more frames, in percent. No finger has less; the bytes of nonin-df2
  /// look like five-byte frames with 1 %.
  private static let leastSpo2Percent = 10
  /// How often something is said among the latest frames that is believed though it does not last.
  private static let timesToBelieve = 3
  /// How many bytes after a loss of sync what was held before it is still of use.
  private static let reach = 256
  /// Where frames are missing, how many after a marked one the next may still mark the same beat: 0.1 s at 60 a second.
  private static let framesOfMark = 6

  private var state = State.unsure(hasLostSync: false)
  private var held: [Held] = []
  /// What was held when sync was lost after sure frames: the device may just have begun to say something else.
  private var heldBefore: [Held] = []
  private var latest = LatestReadings()
  private var movement = ReadingMovement()
  /// The last reading that was given.
  private var lastReading: OximeterReading?
  /// Where the last frame ended that was given with its reading, and the last one with a mark.
  private var lastEnd = 0
  private var lastMark: Int?

  /// Takes the next frame, whose `isBeat` says whether the device marks a beat in it.
  ///
  /// - Parameter length: how many bytes it has
  mutating func take(
    _ frame: OximeterFrame, length: Int, counts: inout DecodingCounts, into frames: inout [OximeterFrame]
  ) {
    let item = Held(frame: frame, length: length)
    if let reading = frame.reading {
      latest.add(reading)
      if case .sure = state, let lastReading, movement.areAlike(lastReading, reading) {
        if !held.isEmpty { giveHeld(doubtfulUpTo: held.count, before: reading, &counts, &frames) }
        give(item, &counts, &frames)
        return
      }
    }
    held.append(item)
    settle(&counts, &frames)
  }

  /// Takes a frame that no noise could be. It is given at once, and says nothing of those around it.
  mutating func takeCertain(_ frame: OximeterFrame, counts: inout DecodingCounts, into frames: inout [OximeterFrame]) {
    switch state {
    case .unsure:
      skip(&heldBefore, &counts)
      skip(&held, &counts)
      latest.forget()
    case .sure: giveHeld(doubtfulUpTo: held.count, before: nil, &counts, &frames)
    }
    counts.good += 1
    frames.append(frame)
  }

  /// Bytes are out of place: the stream does not go on from what came before.
  mutating func loseSync(_ counts: inout DecodingCounts) {
    switch state {
    case .unsure(hasLostSync: true) where held.isEmpty: return  // So it is nearly always in noise.
    case .unsure: skip(&held, &counts)
    case .sure: swap(&held, &heldBefore)
    }
    state = .unsure(hasLostSync: true)
    latest.forget()
  }

  /// The stream is over, or was interrupted: what is held is nothing.
  mutating func breakOff(_ counts: inout DecodingCounts) {
    skip(&heldBefore, &counts)
    skip(&held, &counts)
    self = FrameConfirmation()
  }

  // MARK: What is beyond doubt

  /// Gives what is held once the last of it is beyond doubt.
  private mutating func settle(_ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    if let first = firstOfAlike {
      let reading = held[first].frame.reading
      switch state {
      case .sure: giveHeld(doubtfulUpTo: first, before: reading, &counts, &frames)
      case .unsure:
        giveHeldBefore(held[first], &counts, &frames)
        let noise = held[..<first].prefix { $0.frame.reading.map { times($0) < 2 } ?? true }.count
        // Right before a stream, noise may have the form of a frame, but says nothing twice.
        counts.skipped += held[..<noise].reduce(0) { $0 + $1.length }
        held.removeFirst(noise)
        giveHeld(doubtfulUpTo: first - noise, before: reading, &counts, &frames)
      }
    } else if areFormed {
      if case .unsure = state { skip(&heldBefore, &counts) }
      // Either the device says something else each time, or it wavers and some frames are garbled.
      let isWavering = held.contains { $0.frame.reading.map { times($0) >= Self.timesToBelieve } ?? false }
      giveHeld(doubtfulUpTo: isWavering ? held.count : 0, before: nil, &counts, &frames)
    } else if isRestlessBeginning {
      giveHeld(doubtfulUpTo: 0, before: nil, &counts, &frames)
    } else if held.count >= Self.mostHeld {
      dropOldest(&counts, &frames)
    }
  }

  /// From where on those that are held are beyond doubt, since they say the same, or are all of them no readings; nil
  /// while they do not.
  private var firstOfAlike: Int? {
    guard held.count >= Self.alikeInARow else { return nil }
    if held.suffix(Self.alikeInARow).allSatisfy({ $0.frame.reading == nil }) { return held.count - Self.alikeInARow }
    let readings = held.indices.filter { held[$0].frame.reading != nil }.suffix(Self.alikeInARow)
    let areAlike = zip(readings, readings.dropFirst()).allSatisfy { one, next in
      agree(held[one].frame.reading, held[next].frame.reading)
        && held[one].frame.reading?.spo2Percent ?? 100 >= Self.leastSpo2Percent
    }
    return areAlike && readings.count == Self.alikeInARow ? readings.first : nil
  }

  /// Whether enough of those that are held have the form. Where they say what no finger has, they must say the same.
  private var areFormed: Bool {
    let readings = held.compactMap(\.frame.reading).suffix(Self.formedInARow)
    guard readings.count == Self.formedInARow else { return false }
    return readings.allSatisfy { $0.spo2Percent ?? 100 >= Self.leastSpo2Percent }
      || zip(readings, readings.dropFirst()).allSatisfy { $0 == $1 }
  }

  /// Whether a stream begins with three frames in a row of which each has another pulse rate, or perfusion index: were
  /// one of them garbled, or noise, the two others would say the same.
  private var isRestlessBeginning: Bool {
    guard case .unsure(hasLostSync: false) = state, held.count == Self.alikeInARow else { return false }
    let readings = held.compactMap(\.frame.reading)
    guard readings.count == Self.alikeInARow, Set(readings).count == readings.count else { return false }
    return readings.dropFirst().allSatisfy { ReadingMovement.areAlikeButForPulse(readings[0], $0) }
      && readings.allSatisfy { $0.spo2Percent ?? 100 >= Self.leastSpo2Percent }
  }

  /// Whether what a held frame says is right, though it did not last.
  private func isBelieved(_ index: Int, _ items: [Held], before next: OximeterReading?) -> Bool {
    guard let reading = items[index].frame.reading else { return true }
    let before = items[..<index].last { $0.frame.reading != nil }
    let after = items[(index + 1)...].first { $0.frame.reading != nil }
    if before?.frame.reading == reading || after?.frame.reading == reading { return true }
    if times(reading) >= Self.timesToBelieve { return true }
    guard let lastReading, let next else { return false }
    return reading.isBetween(lastReading, next)
  }

  // MARK: What is given

  /// Gives those that are held. Of the first so many the readings are doubted, unless there is a reason to believe them.
  private mutating func giveHeld(
    doubtfulUpTo end: Int, before next: OximeterReading?, _ counts: inout DecodingCounts,
    _ frames: inout [OximeterFrame]
  ) {
    let items = held
    held.removeAll(keepingCapacity: true)
    for (index, item) in items.enumerated() {
      if index >= end || isBelieved(index, items, before: next) {
        give(item, &counts, &frames)
      } else {
        giveWave(item, &counts, &frames)
      }
    }
  }

  /// Gives the oldest frame that is held, whose reading nothing confirms, for its wave; in noise it is nothing.
  private mutating func dropOldest(_ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    let oldest = held.removeFirst()
    switch state {
    case .unsure: counts.skipped += oldest.length
    case .sure: giveWave(oldest, &counts, &frames)
    }
  }

  /// Gives what was held before sync was lost where what comes after says the same, or shows that it is right.
  private mutating func giveHeldBefore(
    _ next: Held, _ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]
  ) {
    let items = heldBefore
    heldBefore.removeAll(keepingCapacity: true)
    for (index, item) in items.enumerated() {
      let isRight =
        agree(item.frame.reading, next.frame.reading)
        || item.frame.reading != nil && isBelieved(index, items, before: next.frame.reading)
      if isRight, next.frame.end - item.frame.end <= Self.reach {
        give(item, &counts, &frames)
      } else {
        counts.skipped += item.length
      }
    }
  }

  private mutating func give(_ item: Held, _ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    var frame = item.frame
    if frame.isBeat {
      let isNext = frame.end - item.length == lastEnd
      frame.isBeat = lastMark.map { frame.end - $0 > (isNext ? 1 : Self.framesOfMark) * item.length } ?? true
      lastMark = frame.end
    }
    lastEnd = frame.end
    state = .sure
    if let reading = frame.reading {
      movement.note(reading)
      lastReading = reading
    }
    counts.good += 1
    frames.append(frame)
  }

  /// Gives a frame whose reading is doubted for its wave, if it has one.
  private func giveWave(_ item: Held, _ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    guard item.frame.pleth != nil else {
      counts.skipped += item.length
      return
    }
    counts.good += 1
    frames.append(OximeterFrame(end: item.frame.end, pleth: item.frame.pleth))
  }

  private func skip(_ items: inout [Held], _ counts: inout DecodingCounts) {
    guard !items.isEmpty else { return }
    counts.skipped += items.reduce(0) { $0 + $1.length }
    items.removeAll(keepingCapacity: true)
  }

  /// How often a reading is among the latest.
  private func times(_ reading: OximeterReading) -> Int { latest.count { $0 == reading } }

  private func agree(_ one: OximeterReading?, _ other: OximeterReading?) -> Bool {
    guard let one, let other else { return false }
    return movement.areAlike(one, other)
  }
}

/// What the latest frames said, up to sixteen of them.
private struct LatestReadings {
  private var readings: [OximeterReading] = []
  private var oldest = 0

  mutating func add(_ reading: OximeterReading) {
    if readings.count < 16 {
      readings.append(reading)
    } else {
      readings[oldest] = reading
      oldest = (oldest + 1) % readings.count
    }
  }

  mutating func forget() {
    readings.removeAll(keepingCapacity: true)
    oldest = 0
  }

  func count(_ isCounted: (OximeterReading) -> Bool) -> Int { readings.count(where: isCounted) }
}
