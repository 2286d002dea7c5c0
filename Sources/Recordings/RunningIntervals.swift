import VitalsModel

/// The statistics of beats or breaths that come one after another, of which only the last is kept: the rate over all
/// intervals, the variability over NN intervals.
public struct RunningIntervals: Sendable {
  private var first: Instant?
  /// The last moment; nil before the first.
  public private(set) var latest: Instant?
  /// The interval before `latest` in ms; nil where it is no NN interval.
  private var lastInterval: Double?
  /// How many moments there were.
  public private(set) var count = 0
  private var (nnCount, nnMean, nnSquares) = (0.0, 0.0, 0.0)
  private var (stepCount, stepSquares) = (0.0, 0.0)

  /// No moment yet.
  public init() {}

  /// Takes in a moment after the last.
  ///
  /// - Parameter isNN: whether the interval since the last is one between two regular beats
  public mutating func add(_ moment: Instant, isNN: Bool) {
    var interval: Double?
    if let latest, isNN {
      let length = (moment - latest).milliseconds
      interval = length
      // Welford's running variance.
      nnCount += 1
      let deviation = length - nnMean
      nnMean += deviation / nnCount
      nnSquares += deviation * (length - nnMean)
      if let lastInterval {
        stepCount += 1
        stepSquares += (length - lastInterval) * (length - lastInterval)
      }
    }
    first = first ?? moment
    (latest, lastInterval, count) = (moment, interval, count + 1)
  }

  /// 60 over the mean interval in seconds; nil without an interval.
  public var ratePerMin: Double? {
    guard let first, let latest, count > 1 else { return nil }
    return 60 * Double(count - 1) / (latest - first).seconds
  }

  /// Root mean square of the differences of NN intervals that follow each other, in ms; nil where there are none.
  public var rmssdMs: Double? { stepCount > 0 ? (stepSquares / stepCount).squareRoot() : nil }

  /// Standard deviation of the NN intervals in ms; nil with fewer than two.
  public var sdnnMs: Double? { nnCount > 1 ? (nnSquares / (nnCount - 1)).squareRoot() : nil }
}
