import PulseSynthesis
import Traces
import VitalsModel

/// The beats and breaths of a body as they pass, and what they come to over the whole recording.
///
/// It keeps the last of each, so that a scene may forget what it has published.
struct BodyTruth: Sendable {
  private var beats = RunningIntervals()
  private var breaths = RunningIntervals()

  /// Nothing has passed yet.
  init() {}

  /// What passed from `start` up to but not including `end`; both are in order.
  init(_ beats: [Instant], _ breaths: [Instant], from start: Instant, to end: Instant) {
    for beat in beats where start <= beat && beat < end { _ = self.beats.add(beat) }
    for breath in breaths where start <= breath && breath < end { _ = self.breaths.add(breath) }
  }

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

extension BidirectionalCollection<Instant> {
  /// The moments after `moment`, of a collection in the order of time; all where it is nil.
  fileprivate func suffix(after moment: Instant?) -> SubSequence {
    guard let moment else { return self[...] }
    var start = endIndex
    while start > startIndex, self[index(before: start)] > moment { formIndex(before: &start) }
    return self[start...]
  }
}
