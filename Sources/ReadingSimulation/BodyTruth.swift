import PulseSynthesis
import Traces
import VitalsModel

/// The beats and breaths of a body as they pass, and what they come to over the whole recording.
///
/// It keeps the last of each, so that a scene may forget what it has published.
struct BodyTruth: Sendable {
  private var beats = RunningIntervals()
  private var breaths = RunningIntervals()
  private var ectopicCount = 0

  /// The beats and breaths that are new in `truth`, each as an entry of a trace; none at or after `end`.
  mutating func news(in truth: PulseTruth, upTo end: Instant) -> [TraceEntry] {
    var entries: [TraceEntry] = []
    for beat in truth.beats.suffix(after: beats.latest, \.foot) where beat.foot < end {
      entries.append(TraceEntry(at: beat.foot, .truth(beat.message(after: beats.latest))))
      let isWhole = truth.missed.last.map { missed in beats.latest.map { missed < $0 } ?? true } ?? true
      beats.add(beat.foot, isRegular: beat.isRegular, isWhole: isWhole)
      if beat.kind == .ectopic { ectopicCount += 1 }
    }
    // The last one is still to come.
    for start in truth.breathStarts.dropLast().suffix(after: breaths.latest, \.self)
    where start < end && start >= .zero {
      breaths.add(start, isRegular: true, isWhole: true)
      entries.append(TraceEntry(at: start, .truth(Message("breath"))))
    }
    return entries
  }

  /// What the body did in the whole recording, with the field names of a result; what too few beats or breaths tell is
  /// left out.
  var statistics: [Field] {
    [
      Field("heartRateBpm", beats.ratePerMin, places: 2), Field("rmssdMs", beats.rmssdMs, places: 2),
      Field("sdnnMs", beats.sdnnMs, places: 2), Field("breathingRatePerMin", breaths.ratePerMin, places: 2),
      beats.count == 0 ? nil : Field("beats", .integer(Int64(beats.count))),
      ectopicCount == 0 ? nil : Field("ectopicBeats", .integer(Int64(ectopicCount))),
    ].compactMap(\.self)
  }
}

/// The statistics of moments that come one after another, of which only the last is kept: the rate over all intervals, the
/// variability over NN intervals, as ``PulseTruth`` defines them.
private struct RunningIntervals {
  private var first: Instant?
  private(set) var latest: Instant?
  private var wasRegular = false
  /// The last interval, where it was NN.
  private var lastInterval: Double?
  private(set) var count = 0
  private var (nnCount, nnMean, nnSquares) = (0.0, 0.0, 0.0)
  private var (stepCount, stepSquares) = (0.0, 0.0)

  /// Takes in a moment after the last.
  ///
  /// - Parameters:
  ///   - isRegular: whether it may border an NN interval
  ///   - isWhole: whether nothing is missing since the last
  mutating func add(_ moment: Instant, isRegular: Bool, isWhole: Bool) {
    var interval: Double?
    if let latest, isRegular, wasRegular, isWhole { interval = (moment - latest).milliseconds }
    if let interval {
      // Welford's running variance.
      nnCount += 1
      let deviation = interval - nnMean
      nnMean += deviation / nnCount
      nnSquares += deviation * (interval - nnMean)
      if let lastInterval {
        stepCount += 1
        stepSquares += (interval - lastInterval) * (interval - lastInterval)
      }
    }
    first = first ?? moment
    (latest, lastInterval, wasRegular, count) = (moment, interval, isRegular, count + 1)
  }

  /// 60 over the mean interval in seconds; nil without an interval.
  var ratePerMin: Double? {
    guard let first, let latest, count > 1 else { return nil }
    return 60 * Double(count - 1) / (latest - first).seconds
  }

  /// Root mean square of successive differences of NN intervals in ms; nil without one.
  var rmssdMs: Double? { stepCount > 0 ? (stepSquares / stepCount).squareRoot() : nil }

  /// Standard deviation of the NN intervals in ms; nil with fewer than two.
  var sdnnMs: Double? { nnCount > 1 ? (nnSquares / (nnCount - 1)).squareRoot() : nil }
}

extension Beat {
  /// As a trace tells it: when its foot and its top were at the fingertip, in seconds, and how long after the foot before.
  func message(after latest: Instant?) -> Message {
    let interval = latest.map { Field("ibiMs", FieldValue.number((foot - $0).milliseconds, places: 3)) }
    return Message(
      "beat",
      [
        Field("foot", .number(foot.seconds, places: 6)), Field("peak", .number(peak.seconds, places: 6)),
        Field("kind", .text(kind.rawValue)),
      ] + (interval.map { [$0] } ?? []))
  }
}

extension BidirectionalCollection {
  /// The elements whose moment is after `moment`, of a collection in the order of time; all where it is nil.
  fileprivate func suffix(after moment: Instant?, _ at: (Element) -> Instant) -> SubSequence {
    guard let moment else { return self[...] }
    var start = endIndex
    while start > startIndex, at(self[index(before: start)]) > moment { formIndex(before: &start) }
    return self[start...]
  }
}
