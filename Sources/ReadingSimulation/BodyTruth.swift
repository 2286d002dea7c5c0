import PulseSynthesis
import Traces
import VitalsModel

/// The beats and breaths of a body as they pass, and what they come to over the whole recording.
///
/// It keeps the last of each, so that a scene may forget what it has published.
struct BodyTruth: Sendable {
  private var beats = RunningIntervals()
  private var breaths = RunningIntervals()

  /// The beats and breaths that are new in `truth`, each as an entry of a trace; none at or after `end`.
  mutating func news(in truth: PulseTruth, upTo end: Instant) -> [TraceEntry] {
    var entries: [TraceEntry] = []
    for foot in truth.beats.suffix(after: beats.latest) where foot < end {
      let interval = beats.add(foot)
      let fields = [interval.map { Field("ibiMs", FieldValue.number($0.milliseconds, places: 3)) }].compactMap(\.self)
      entries.append(TraceEntry(at: foot, .truth(Message("beat", fields))))
    }
    // The last one is still to come.
    for start in truth.breathStarts.dropLast().suffix(after: breaths.latest) where start < end && start >= .zero {
      _ = breaths.add(start)
      entries.append(TraceEntry(at: start, .truth(Message("breath"))))
    }
    return entries
  }

  /// What the body did in the whole recording, with the field names of a result; what too few beats or breaths tell is
  /// left out.
  var statistics: [Field] {
    [
      Field("heartRateBpm", beats.ratePerMin, places: 2), Field("rmssdMs", beats.rmssdMs, places: 2),
      Field("breathingRatePerMin", breaths.ratePerMin, places: 2),
    ].compactMap(\.self)
  }
}

/// The statistics of moments that come one after another, of which only the last is kept.
private struct RunningIntervals {
  private var first: Instant?
  private(set) var latest: Instant?
  private var lastInterval: TimeSpan?
  private var count = 0
  private var differences = 0
  private var sumOfSquares = 0.0

  /// Takes in a moment after the last; gives the interval between them.
  mutating func add(_ moment: Instant) -> TimeSpan? {
    let interval = latest.map { moment - $0 }
    if let interval, let lastInterval {
      let difference = (interval - lastInterval).milliseconds
      sumOfSquares += difference * difference
      differences += 1
    }
    first = first ?? moment
    (latest, lastInterval, count) = (moment, interval, count + 1)
    return interval
  }

  /// 60 over the mean interval in seconds; nil without an interval.
  var ratePerMin: Double? {
    guard let first, let latest, count > 1 else { return nil }
    return 60 * Double(count - 1) / (latest - first).seconds
  }

  /// Root mean square of successive interval differences in ms; nil without one.
  var rmssdMs: Double? { differences == 0 ? nil : (sumOfSquares / Double(differences)).squareRoot() }
}

extension BidirectionalCollection<Instant> {
  /// The moments after `moment`, of a collection in the order of time; all where it is nil.
  fileprivate func suffix(after moment: Instant?) -> SubSequence {
    guard let moment else { return self[...] }
    var start = endIndex
    while start > startIndex, self[index(before: start)] > moment { formIndex(before: &start) }
    return self[start...]
  }
}
