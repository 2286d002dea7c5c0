import VitalsModel

/// The statistics of beats or breaths that come one after another, of which only the last is kept.
struct RunningIntervals: Sendable {
  private var first: Instant?
  private(set) var latest: Instant?
  /// The interval before `latest`; nil where it is no NN interval, between two regular beats.
  private var lastInterval: TimeSpan?
  private var isRegular = true
  private var count = 0
  private var differences = 0
  private var sumOfSquares = 0.0

  /// Takes in a moment after the last; gives the interval between them.
  mutating func add(_ moment: Instant, isRegular: Bool = true) -> TimeSpan? {
    let interval = latest.map { moment - $0 }
    let isWhole = isRegular && self.isRegular
    if isWhole, let interval, let lastInterval {
      let difference = (interval - lastInterval).milliseconds
      sumOfSquares += difference * difference
      differences += 1
    }
    first = first ?? moment
    (latest, lastInterval, count) = (moment, isWhole ? interval : nil, count + 1)
    self.isRegular = isRegular
    return interval
  }

  /// 60 over the mean interval in seconds; nil without an interval.
  var ratePerMin: Double? {
    guard let first, let latest, count > 1 else { return nil }
    return 60 * Double(count - 1) / (latest - first).seconds
  }

  /// Root mean square of the differences of NN intervals that follow each other, in ms; nil where there are none.
  var rmssdMs: Double? { differences == 0 ? nil : (sumOfSquares / Double(differences)).squareRoot() }
}
