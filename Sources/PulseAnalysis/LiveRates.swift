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
    /// Whether the pulses at both ends look like others.
    var isAlike = false
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
    intervals[count & 63] = Interval(
      ms: intervalMs, endUs: beat.at.microseconds, isAlike: beat.isAlike && last.isAlike)
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
  /// Where most intervals are alike it is that of their mean, so that a missed or extra beat does not count. Where they
  /// are not and yet the pulses look alike, as with every second beat premature, it is the number of beats by the time
  /// they took. Once the last four intervals agree on another rate than those before, only those that share it count.
  public func heartRateBpm(at now: Instant) -> Double? {
    guard let last, now.microseconds - last.at.microseconds <= Self.staleUs else { return nil }
    var recent: [Interval] = []
    for index in stride(from: count - 1, through: max(count - 64, 0), by: -1) {
      let interval = intervals[index & 63]
      if now.microseconds - interval.endUs > Self.windowUs { break }
      recent.append(interval)
    }
    guard recent.count >= 3 else { return nil }
    if let since = Self.countSinceChange(recent) { recent.removeLast(recent.count - since) }
    let middle = Self.middle(recent[...])
    let usual = recent.filter { ($0.ms - middle).magnitude <= 0.25 * middle }
    let looksAlike = recent.count { $0.isAlike } * 4 >= recent.count * 3
    let isIrregular = usual.count * 3 < recent.count * 2 && looksAlike
    let counted = isIrregular ? recent : usual
    return 60_000 * Double(counted.count) / counted.reduce(0) { $0 + $1.ms }
  }

  /// The median of the intervals; the upper middle one where their number is even.
  private static func middle(_ intervals: ArraySlice<Interval>) -> Double {
    intervals.map(\.ms).sorted()[intervals.count / 2]
  }

  /// How many of the intervals, the newest first, came since the rate changed at once; nil where it did not.
  ///
  /// Breathing alone moves intervals by up to a fifth to either side, seldom by more.
  private static func countSinceChange(_ intervals: [Interval]) -> Int? {
    let newest = intervals.prefix(4)
    guard intervals.count >= 7, newest.allSatisfy(\.isAlike) else { return nil }
    let rate = middle(newest)
    let former = middle(intervals.dropFirst(4))
    func shares(_ interval: Interval) -> Bool { (interval.ms - rate).magnitude <= 0.12 * rate }
    guard newest.allSatisfy(shares), (rate - former).magnitude > 0.2 * former else { return nil }
    return intervals.firstIndex { !shares($0) }
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
