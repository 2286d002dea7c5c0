/// Decides which lines of a stream without a checksum are beyond doubt.
///
/// Noise does not take the form of a line with a date and names or columns, so the form proves that a line is one, and
/// that it is a heading or has no values is believed as soon as there is any sync. But a digit is garbled into another
/// digit easily. So what gives a number has to be confirmed: three lines in a row that say nearly the same are, and one
/// that goes on from the one before. One that says something else is held back until two more lines follow it that do
/// not go on from before either, for averages over several seconds do not return at once from a jump that was true; it
/// is dropped when the next goes on from before.
///
/// A digit that is garbled by no more than a true value may change from line to line is not seen.
struct LineConfirmation {
  /// A line with its length in bytes.
  private struct Held {
    let frame: OximeterFrame
    let length: Int
    /// Whether sync was lost after it.
    var isBeforeBreak = false

    /// Its reading, if that gives a number.
    var values: OximeterReading? { frame.reading.flatMap { $0.hasValue ? $0 : nil } }
  }

  private enum State {
    /// Nothing since the last break is beyond doubt.
    case unsure
    /// All since the last break is, up to the lines that are held; with the last reading that gave a number, and
    /// whether the latest reading is that one.
    case sure(OximeterReading?, isLatest: Bool)
  }

  private static let alikeInARow = 3
  /// As many lines without a break are given though no three are alike: a pulse that has just been found.
  private static let formedInARow = 5
  /// Lines without a reading do not confirm anything, and are not kept for ever.
  private static let mostHeld = 12

  private let steps: Steps
  private var state = State.unsure
  private var held: [Held] = []

  /// How far the values of two lines in a row may be apart to be nearly the same.
  struct Steps: Sendable {
    let pulseRateBpm: Int
    let spo2Percent: Int
  }

  init(_ steps: Steps) { self.steps = steps }

  /// Takes the next line; one without a reading is a heading or the like, which confirms nothing and breaks nothing.
  ///
  /// - Parameter length: how many bytes it has
  mutating func take(
    _ frame: OximeterFrame, length: Int, counts: inout DecodingCounts, into frames: inout [OximeterFrame]
  ) {
    if held.isEmpty, case .sure(let last, let isLatest) = state, isBelieved(frame.reading, after: last) {
      give(frame, &counts, &frames)
      if let reading = frame.reading {
        state = reading.hasValue ? .sure(reading, isLatest: true) : .sure(last, isLatest: false)
      } else {
        state = .sure(last, isLatest: isLatest)
      }
      return
    }
    held.append(Held(frame: frame, length: length))
    if held.count > Self.mostHeld { counts.skipped += held.removeFirst().length }
    guard let confirmed else { return }
    let valued = held.filter { $0.values != nil }
    for line in held {
      if isGiven(line, confirmed) || isSaidTwice(line, valued) {
        give(line.frame, &counts, &frames)
      } else {
        counts.skipped += line.length
      }
    }
    let isLatest = held.last { $0.frame.reading != nil }?.values != nil
    held.removeAll(keepingCapacity: true)
    switch (state, confirmed.last?.values) {
    case (_, let values?): state = .sure(values, isLatest: isLatest)
    case (.sure(let last, let wasLatest), nil): state = .sure(last, isLatest: wasLatest && frame.reading == nil)
    case (.unsure, nil): state = .sure(nil, isLatest: false)
    }
  }

  private func give(_ frame: OximeterFrame, _ counts: inout DecodingCounts, _ frames: inout [OximeterFrame]) {
    counts.good += 1
    frames.append(frame)
  }

  /// The stream does not go on from what came before: sync was lost. What is held is given only if it agrees with what
  /// is sure afterwards.
  mutating func breakOff() {
    for index in held.indices { held[index].isBeforeBreak = true }
    state = .unsure
  }

  /// The stream is over: nothing confirms what is held.
  mutating func finish(_ counts: inout DecodingCounts) {
    counts.skipped += held.reduce(0) { $0 + $1.length }
    held.removeAll()
    state = .unsure
  }

  /// Whether a line is beyond doubt at once, with nothing held before it: it gives no number, or goes on from the last
  /// that did.
  private func isBelieved(_ reading: OximeterReading?, after last: OximeterReading?) -> Bool {
    guard let reading, reading.hasValue else { return true }
    return last.map { goesOn(from: $0, to: reading) } ?? false
  }

  /// With the latest line: those since the last break that give a number and are beyond doubt. Nil where that is open
  /// still.
  private var confirmed: ArraySlice<Held>? {
    let unbroken = held.drop(while: \.isBeforeBreak)
    guard let latest = unbroken.last else { return nil }
    let valued = unbroken.filter { $0.values != nil }
    switch state {
    case .sure(let last, let isLatest):
      guard let values = latest.values else { return latest.frame.reading != nil || valued.isEmpty ? [] : nil }
      if let last, goesOn(from: last, to: values) { return valued.suffix(1) }
      if valued.count >= Self.formedInARow { return valued[...] }
      let plausible = withoutGarbled(valued, after: isLatest ? last : nil)
      return plausible.count >= Self.alikeInARow && isSettled(valued) ? plausible[...] : nil
    case .unsure:
      let readings = unbroken.compactMap(\.frame.reading)
      let last = readings.suffix(Self.alikeInARow)
      if areAlike(last) { return valued.suffix(last.count(where: \.hasValue)) }
      return readings.count >= Self.formedInARow ? withoutGarbled(valued, after: nil)[...] : nil
    }
  }

  /// Without those that agree with neither of their neighbours and do not lie between them, as a true value on its way
  /// does; the first also when the next two agree with each other.
  private func withoutGarbled(_ lines: [Held], after last: OximeterReading?) -> [Held] {
    let readings = [last] + lines.map(\.values) + [nil]
    return lines.indices.filter { index in
      guard let reading = readings[index + 1], let after = readings[index + 2] else { return true }
      guard let before = readings[index] else {
        guard let second = readings.dropFirst(index + 3).first ?? nil else { return true }
        return goesOn(from: reading, to: after) || !goesOn(from: after, to: second)
      }
      return goesOn(from: before, to: reading) || goesOn(from: reading, to: after)
        || Self.isBetween(before.pulseRateBpm, reading.pulseRateBpm, after.pulseRateBpm, steps.pulseRateBpm)
          && Self.isBetween(before.spo2Percent, reading.spo2Percent, after.spo2Percent, steps.spo2Percent)
    }.map { lines[$0] }
  }

  /// Whether the latest of these is no garbled one: it goes on from the one before, or that was a step on its way too.
  private func isSettled(_ lines: [Held]) -> Bool {
    let last = lines.suffix(3).compactMap(\.values)
    guard last.count == 3 else { return true }
    return goesOn(from: last[1], to: last[2]) || !goesOn(from: last[0], to: last[1])
  }

  /// Whether a held line is given: those without a number always are, others if they are confirmed or go on to what is.
  private func isGiven(_ line: Held, _ confirmed: ArraySlice<Held>) -> Bool {
    guard let values = line.values else { return true }
    return confirmed.contains { $0.frame.end == line.frame.end }
      || confirmed.first?.values.map { goesOn(from: values, to: $0) } ?? false
  }

  /// Whether the one before or after it, of those with a number, says nearly the same.
  private func isSaidTwice(_ line: Held, _ valued: [Held]) -> Bool {
    zip(valued, valued.dropFirst()).contains { one, other in
      guard line.frame.end == one.frame.end || line.frame.end == other.frame.end else { return false }
      guard let first = one.values, let second = other.values else { return false }
      return goesOn(from: first, to: second)
    }
  }

  private func areAlike(_ readings: ArraySlice<OximeterReading>) -> Bool {
    guard readings.count == Self.alikeInARow else { return false }
    return zip(readings, readings.dropFirst()).allSatisfy { one, other in
      one.hasValue ? other.hasValue && goesOn(from: one, to: other) : !other.hasValue
    }
  }

  /// Whether values go on from those before. A flag that disqualifies them may come at once, but not go.
  private func goesOn(from last: OximeterReading, to reading: OximeterReading) -> Bool {
    reading.flags.isSuperset(of: last.flags.intersection(.disqualifying))
      && Self.isNear(last.pulseRateBpm, reading.pulseRateBpm, steps.pulseRateBpm)
      && Self.isNear(last.spo2Percent, reading.spo2Percent, steps.spo2Percent)
  }

  private static func isBetween(_ before: Int?, _ value: Int?, _ after: Int?, _ step: Int) -> Bool {
    guard let before, let value, let after else { return before == nil && value == nil && after == nil }
    return (min(before, after) - step...max(before, after) + step).contains(value)
  }

  private static func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= step
  }
}
