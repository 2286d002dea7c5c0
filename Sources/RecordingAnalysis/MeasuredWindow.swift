import PulseAnalysis
import Recordings
import VitalsModel

/// What was measured in one window of a recording, or in the whole of it.
public struct MeasuredWindow: Sendable {
  /// Where it begins, counted from the recording's first frame.
  public let from: Instant
  /// Where it ends.
  public let to: Instant
  /// Frames in it.
  public let frames: Int
  /// Of these, the ones whose time was not after an earlier one's; they were not used.
  public let setAsideFrames: Int
  /// The colour that was read, as the file calls it; nil where none could be.
  public let channel: String?
  /// The measures, and why some are withheld.
  public let measurement: PulseMeasurement
  /// What the file itself knows of the beats and breaths in the window; nil where it knows nothing.
  public let truth: RecordedTruth?
  /// Share of the window's time that trusted intervals cover, 0...1, whether there were frames or not.
  public var coverage: Double {
    let seconds = (to - from).seconds
    return seconds > 0 ? min(measurement.trustedSeconds / seconds, 1) : 0
  }
  /// The wave that was read, when it was asked for.
  public let wave: MeasuredWave?
}

/// What a recording's own beats and breaths come to in a window.
public struct RecordedTruth: Hashable, Sendable {
  /// 60 over the mean interval between beats, in seconds.
  public let heartRateBpm: Double?
  /// Root mean square of the differences of NN intervals that follow each other, in ms.
  public let rmssdMs: Double?
  /// Standard deviation of the NN intervals in ms.
  public let sdnnMs: Double?
  /// The advance of the breathing phase, in breaths per minute.
  public let breathingRatePerMin: Double?

  /// The truth of a window; nil where fewer than two beats and breaths of it are known.
  init?(_ recording: Recording, from: Instant, to: Instant) {
    var intervals = RunningIntervals()
    // The interval before a window's first beat is not in it.
    for beat in recording.beats where beat.foot >= from && beat.foot < to {
      intervals.add(beat.foot, isNN: beat.isNN && intervals.count > 0)
    }
    heartRateBpm = intervals.ratePerMin
    rmssdMs = intervals.rmssdMs
    sdnnMs = intervals.sdnnMs
    breathingRatePerMin = Self.breathingRate(recording.breaths, from: from, to: to)
    if heartRateBpm == nil, breathingRatePerMin == nil { return nil }
  }

  /// How far the breath goes on from one moment to another, each breath evenly; of a window that reaches beyond the
  /// breaths that are known, the known part counts.
  private static func breathingRate(_ starts: [Instant], from: Instant, to: Instant) -> Double? {
    guard let first = starts.first, let last = starts.last else { return nil }
    let (begin, end) = (max(from, first), min(to, last))
    guard end > begin else { return nil }
    var breaths = 0.0
    for (start, next) in zip(starts, starts.dropFirst()) where next > begin && start < end && next > start {
      breaths += (min(next, end) - max(start, begin)).seconds / (next - start).seconds
    }
    return breaths >= 1 ? 60 * breaths / (end - begin).seconds : nil
  }
}
