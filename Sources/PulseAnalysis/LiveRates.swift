import VitalsModel

/// Heart rate and beat-to-beat variation of one attempt while it runs.
public struct LiveRates: Sendable {
  /// Beats older than this say nothing about the rate now.
  private static let windowUs: Int64 = 10_000_000
  /// With no beat for this long there is no rate.
  private static let staleUs: Int64 = 4_000_000
  /// Successive pairs needed before a variation is given.
  private static let leastPairs = 8

  private struct Interval: Sendable {
    var ms = 0.0
    var endUs: Int64 = 0
  }

  /// The last intervals, in a ring; one array, since a session copies its state with every frame.
  private var intervals = [Interval](repeating: Interval(), count: 64)
  private var count = 0
  private var last: Beat?
  private var lastCleanMs: Double?
  private var squares = 0.0
  private var pairs = 0

  /// Rates of an attempt with no beat yet.
  public init() {}

  /// Adds the attempt's next beat.
  public mutating func add(_ beat: Beat) {
    defer { last = beat }
    guard let last, beat.isLinked else {
      lastCleanMs = nil
      return
    }
    let intervalMs = (beat.at - last.at).milliseconds
    intervals[count & 63] = Interval(ms: intervalMs, endUs: beat.at.microseconds)
    count += 1
    guard beat.isClean else {
      lastCleanMs = nil
      return
    }
    if let lastCleanMs {
      let difference = intervalMs - lastCleanMs
      // A change by more than a quarter from one beat to the next is an early beat or a missed one.
      if difference.magnitude <= 0.25 * lastCleanMs {
        squares += difference * difference
        pairs += 1
      }
    }
    lastCleanMs = intervalMs
  }

  /// Heart rate in beats per minute from the last ten seconds of beats; nil with fewer than three intervals or when the
  /// last beat is over four seconds old.
  ///
  /// It is that of the mean of the intervals within a quarter of their median, so that a missed or extra beat does not count.
  public func heartRateBpm(at now: Instant) -> Double? {
    guard let last, now.microseconds - last.at.microseconds <= Self.staleUs else { return nil }
    var recent: [Double] = []
    for index in stride(from: count - 1, through: max(count - 64, 0), by: -1) {
      let interval = intervals[index & 63]
      if now.microseconds - interval.endUs > Self.windowUs { break }
      recent.append(interval.ms)
    }
    guard recent.count >= 3 else { return nil }
    let middle = recent.sorted()[recent.count / 2]
    var sum = 0.0
    var number = 0.0
    for interval in recent where (interval - middle).magnitude <= 0.25 * middle {
      sum += interval
      number += 1
    }
    return number > 0 ? 60_000 * number / sum : nil
  }

  /// Root mean square of the differences of successive clean intervals so far, milliseconds; nil with fewer than eight of
  /// them or when the last beat is over four seconds old.
  public func rmssdMs(at now: Instant) -> Double? {
    guard let last, now.microseconds - last.at.microseconds <= Self.staleUs, pairs >= Self.leastPairs else {
      return nil
    }
    return (squares / Double(pairs)).squareRoot()
  }
}
