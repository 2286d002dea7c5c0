import PulseAnalysis
import Recordings
import VitalsModel

/// Which part of a recording is measured, and in which pieces.
public struct AnalysisRequest: Hashable, Sendable {
  /// The length of a window; nil: the whole in one piece.
  public var window: TimeSpan?
  /// Where the part begins, counted from the first frame.
  public var from = TimeSpan.zero
  /// How long the part is; nil: to the end.
  public var length: TimeSpan?
  /// Whether the wave and the colours are kept, to be looked at.
  public var keepsWave = false

  /// The shortest window: no measure is had of fewer beats than a resting heart makes in it.
  public static let shortestWindow = TimeSpan.seconds(5)

  /// The whole recording in one piece.
  public init() {}
}

/// A recording, measured.
public struct Analysis: Sendable {
  /// The recording as the user named it.
  public let name: String
  /// Frames per second, by the usual spacing of the frames.
  public let frameRateFps: Double
  /// Whether windows were asked for, even if it came to a single one.
  public let isWindowed: Bool
  /// The windows, in order; at least one.
  public let windows: [MeasuredWindow]
  /// What a reader of the measures must know: how the file was read, what is odd about it.
  public let notes: [String]
  /// The colours over time, when the wave is kept.
  public let colours: ColourCourse?

  /// What every report of it says.
  public static let disclaimer = "A test instrument: agreement on the bench does not show accuracy on people."
}

/// Measures a recording.
///
/// Windows follow each other without a gap from the beginning of the part; what is left at its end counts as a window when
/// it has at least half of one's length, and so does a part that is shorter than a window. A frame belongs to the window
/// that its time stamp is in.
/// - Throws: when the part begins at or after the recording's end.
public func analyze(
  _ recording: Recording, name: String, _ request: AnalysisRequest
) throws(RecordingError) -> Analysis {
  let plan = try WindowPlan(recording, request)
  var windows: [MeasuredWindow] = []
  windows.reserveCapacity(plan.count)
  var builder = WindowBuilder(recording, keepsWave: request.keepsWave)
  for frame in recording.frames {
    guard let index = plan.index(of: frame.captured) else { continue }
    while windows.count < index { windows.append(builder.finish(plan.range(windows.count))) }
    builder.add(frame)
  }
  while windows.count < plan.count { windows.append(builder.finish(plan.range(windows.count))) }
  return Analysis(
    name: name, frameRateFps: recording.frameRateFps, isWindowed: request.window != nil, windows: windows,
    notes: recording.notes + LabelNotes(recording, hasFinger: windows.contains { $0.channel != nil }).notes
      + plan.notes + setAsideNotes(windows),
    colours: request.keepsWave ? ColourCourse(recording, from: plan.start, to: plan.end) : nil)
}

/// Frames that were not used are few where a camera repeats one now and then.
private func setAsideNotes(_ windows: [MeasuredWindow]) -> [String] {
  let (frames, aside) = windows.reduce((0, 0)) { ($0.0 + $1.frames, $0.1 + $1.setAsideFrames) }
  guard aside * 20 > frames else { return [] }
  return ["\(aside) of \(frames) frames are not used, since an earlier one has a later time: was the clock set back?"]
}

/// Where the windows are.
private struct WindowPlan {
  let start: Instant
  let end: Instant
  let count: Int
  let notes: [String]
  private let window: TimeSpan

  init(_ recording: Recording, _ request: AnalysisRequest) throws(RecordingError) {
    start = .zero + request.from
    let last = Instant.zero + recording.duration
    guard start < last || request.from == .zero else {
      throw RecordingError(
        "the part to measure begins at \(Fixed.shortest(request.from.seconds, places: 3)) s, "
          + "and the recording ends at \(Fixed.shortest(recording.duration.seconds, places: 3)) s")
    }
    // The last frame lasts as long as the others.
    let frame = TimeSpan(seconds: 1 / recording.frameRateFps)
    end = min(request.length.map { .zero + request.from + $0 } ?? last + frame, last + frame)
    window = request.window ?? (end - start)
    let whole = request.window == nil ? 1 : Int((end - start).microseconds / window.microseconds)
    let rest = request.window == nil ? .zero : (end - start) - window * Int64(whole)
    let isWindow = whole == 0 || rest + rest >= window
    count = whole + (isWindow && request.window != nil ? 1 : 0)
    notes =
      isWindow || rest < TimeSpan.milliseconds(100)
      ? [] : ["the last \(Fixed.text(rest.seconds, places: 1)) s are less than half a window and left out"]
  }

  /// The window that a moment is in; nil where it is in none.
  func index(of moment: Instant) -> Int? {
    guard moment >= start, moment < end else { return nil }
    let index = window > .zero ? Int((moment - start).microseconds / window.microseconds) : 0
    return index < count ? index : nil
  }

  func range(_ index: Int) -> Range<Instant> {
    let from = start + window * Int64(index)
    return from..<max(min(from + window, end), from)
  }
}

/// Takes in the frames of one window after the other.
private struct WindowBuilder {
  private let recording: Recording
  private let keepsWave: Bool
  private var record: PulseRecord

  init(_ recording: Recording, keepsWave: Bool) {
    self.recording = recording
    self.keepsWave = keepsWave
    record = Self.emptyRecord(recording)
  }

  private static func emptyRecord(_ recording: Recording) -> PulseRecord {
    PulseRecord(colours: recording.colours.areComplete ? .redGreenBlue : .single)
  }

  mutating func add(_ frame: FrameSample) { record.append(frame) }

  /// Measures what was taken in, and begins anew.
  mutating func finish(_ range: Range<Instant>) -> MeasuredWindow {
    var measurement = measurePulse(record)
    if recording.colours.arePleth, measurement.perfusionIndexPercent != nil {
      measurement.perfusionIndexPercent = nil
      let measure = PulseMeasurement.Measure.perfusionIndexPercent.rawValue
      measurement.withheld.append(Withheld(measure: measure, reason: "a pleth has no steady part to be compared with"))
    }
    let window = MeasuredWindow(
      from: range.lowerBound, to: range.upperBound, frames: record.count + record.setAsideFrames,
      setAsideFrames: record.setAsideFrames, channel: measurement.channel.flatMap(recording.colours.name),
      measurement: measurement, truth: RecordedTruth(recording, from: range.lowerBound, to: range.upperBound),
      wave: keepsWave ? measuredWave(record) : nil)
    record = Self.emptyRecord(recording)
    return window
  }
}

extension RecordedColours {
  /// What the file calls a colour.
  func name(_ channel: MeasuredWave.Channel) -> String? {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }
}
