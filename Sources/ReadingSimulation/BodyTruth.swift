import PulseSynthesis
import Recordings
import Traces
import VitalsModel

/// The beats and breaths of a body as they pass, and what they come to over the whole recording.
///
/// It keeps the last of each, so that a scene may forget what it has published.
struct BodyTruth: Sendable {
  private var lastBeat: Beat?
  private var beats = RunningIntervals()
  private var breaths = RunningIntervals()
  private var ectopicCount = 0

  /// Nothing has passed yet.
  init() {}

  /// What passed from `start` up to but not including `end`; both are in order.
  init(_ beats: [RecordedBeat], _ breaths: [Instant], from start: Instant, to end: Instant) {
    for beat in beats where start <= beat.foot && beat.foot < end {
      self.beats.add(beat.foot, isNN: beat.isNN)
      if beat.isEctopic { ectopicCount += 1 }
    }
    for breath in breaths where start <= breath && breath < end { self.breaths.add(breath, isNN: true) }
  }

  /// The beats and breaths that are new in `truth`, each as an entry of a trace; none at or after `end`.
  mutating func news(in truth: PulseTruth, upTo end: Instant) -> [TraceEntry] {
    var entries = newBeats(in: truth, upTo: end).map { TraceEntry(at: $0.foot, .truth($0.message)) }
    for start in newBreaths(in: truth, upTo: end) {
      entries.append(TraceEntry(at: start, .truth(.breath(from: start))))
    }
    return entries
  }

  /// The beats that are new in `truth`, none at or after `end` where there is one, each with its foot and as a trace tells it.
  mutating func newBeats(in truth: PulseTruth, upTo end: Instant? = nil) -> [(foot: Instant, message: Message)] {
    // A frame seldom comes with a beat.
    guard truth.beats.last?.foot != lastBeat?.foot else { return [] }
    var news: [(foot: Instant, message: Message)] = []
    for beat in truth.beats.suffix(after: lastBeat?.foot, \.foot)
    where end.map({ beat.foot < $0 }) ?? true {
      let isNN = lastBeat.map { truth.isNN(from: $0, to: beat) } ?? false
      news.append((beat.foot, beat.message(after: lastBeat, isNN: isNN)))
      beats.add(beat.foot, isNN: isNN)
      if beat.kind == .ectopic { ectopicCount += 1 }
      lastBeat = beat
    }
    return news
  }

  /// The breaths that are new in `truth` and begin at or after the beginning of the run, none at or after `end` where there
  /// is one, each by the beginning of its inspiration.
  mutating func newBreaths(in truth: PulseTruth, upTo end: Instant? = nil) -> [Instant] {
    // The last one is still to come.
    let begun = truth.breathStarts.dropLast()
    // A frame seldom comes with a breath.
    if let last = begun.last, let latest = breaths.latest, last <= latest { return [] }
    let starts = begun.suffix(after: breaths.latest, \.self)
    let news = starts.filter { start in start >= .zero && end.map { start < $0 } ?? true }
    for start in news { breaths.add(start, isNN: true) }
    return news
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

extension Beat {
  /// As a trace tells it: when its foot and its top were at the fingertip, in seconds, how long after the foot before, and
  /// whether that is an NN interval.
  fileprivate func message(after last: Beat?, isNN: Bool) -> Message {
    let interval = last.map { [Field("ibiMs", .number((foot - $0.foot).milliseconds, places: 3))] } ?? []
    return Message(
      "beat",
      [
        Field("foot", .number(foot.seconds, places: 6)), Field("peak", .number(peak.seconds, places: 6)),
        Field("kind", .text(kind.rawValue)),
      ] + interval + [Field("isNN", .flag(isNN))])
  }
}

extension Message {
  /// A breath, by the beginning of its inspiration.
  static func breath(from start: Instant) -> Message {
    Message("breath", [Field("start", .number(start.seconds, places: 6))])
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
