import PulseAnalysis
import Recordings
import VitalsModel

/// How recordings are cut and compared.
struct AccuracyOptions {
  var window = TimeSpan.seconds(60)
  /// How long the oximeters trail the camera, by their averaging.
  var lag = TimeSpan.seconds(9)
  /// Frames a second where there is no time column.
  var rateFps = 30.0
}

/// A stretch of a recording with what was measured, what should have been, and why either may be in doubt.
struct ScoredWindow: Codable {
  enum Part: String, Codable {
    /// From the first frame to the last.
    case whole
    case window
  }

  let recording: String
  let file: String
  let part: Part
  /// Which frames of the file, counted from 0.
  let firstFrame: Int
  let frames: Int
  /// From the recording's first frame, in seconds.
  let fromS: Double
  let toS: Double
  /// By the measure's raw name; only those that have a reference.
  let pairs: [String: ScoredPair]
  let quality: Double
  /// Why a measure was withheld, by its raw name.
  let withheld: [String: String]
  /// Why the reference may be wrong, and why that of the heart rate alone may; empty where nothing speaks against it.
  let doubts: [String]
  let heartRateDoubts: [String]

  init(
    _ recording: String, file: String, part: Part, _ frames: ArraySlice<FrameSample>, of whole: Recording,
    references: [ScoredMeasure: Double?], doubts: [String], heartRateDoubts: [String] = []
  ) {
    var record = PulseRecord(colours: whole.colours.areComplete ? .redGreenBlue : .single)
    let start = whole.frames.first?.captured ?? .zero
    for frame in frames { record.append(frame) }
    let result = measurePulse(record)
    self.recording = recording
    self.file = file
    self.part = part
    firstFrame = frames.startIndex
    self.frames = frames.count
    fromS = ((frames.first?.captured ?? start) - start).seconds
    toS = ((frames.last?.captured ?? start) - start).seconds
    var pairs: [String: ScoredPair] = [:]
    for measure in ScoredMeasure.allCases {
      guard let reference = references[measure] ?? nil else { continue }
      pairs[measure.rawValue] = ScoredPair(measured: measure.value(in: result), reference: reference)
    }
    self.pairs = pairs
    quality = result.quality
    withheld = Dictionary(result.withheld.map { ($0.measure, $0.reason) }) { first, _ in first }
    self.doubts = doubts
    self.heartRateDoubts = heartRateDoubts
  }

  /// Whether nothing speaks against the reference of a measure.
  func isTrusted(_ measure: ScoredMeasure) -> Bool {
    doubts.isEmpty && (measure != .heartRateBpm || heartRateDoubts.isEmpty)
  }
}

extension ScoredMeasure {
  /// Its value in a result.
  func value(in result: PulseMeasurement) -> Double? {
    switch self {
    case .heartRateBpm: result.heartRateBpm
    case .rmssdMs: result.rmssdMs
    case .sdnnMs: result.sdnnMs
    case .breathingRatePerMin: result.breathingRatePerMin
    }
  }
}

extension FoundRecording {
  /// Measures and compares it; `name` is what it is called in tables. A file that cannot be read is told and left out.
  func windows(_ name: String, _ options: AccuracyOptions, _ problems: inout [AccuracyProblem]) -> [ScoredWindow] {
    var windows: [ScoredWindow] = []
    do {
      let cut = try cutter(name, options)
      for file in frames {
        do {
          windows += try cut(file)
        } catch {
          problems.append(error)
        }
      }
    } catch {
      problems.append(error)
    }
    return windows
  }

  /// Reads the reference; what it returns reads a file of frames, measures it and holds it against that.
  private func cutter(
    _ name: String, _ options: AccuracyOptions
  ) throws(AccuracyProblem) -> (String) throws(AccuracyProblem) -> [ScoredWindow] {
    switch layout {
    case .chestStrap:
      let strap = try StrapReference(reference)
      return { file throws(AccuracyProblem) in
        strap.windows(name, file: file, try readFrames(file, rateFps: nil), options)
      }
    case .oximeters:
      let oximeters = try OximeterReference(reference)
      return { file throws(AccuracyProblem) in
        let hand = file.lowercased().hasSuffix("left.csv") ? "left" : "right"
        return oximeters.windows(
          "\(name) \(hand)", file: file, try readFrames(file, rateFps: options.rateFps), options)
      }
    }
  }
}

extension StrapReference {
  /// The whole record, and its first window where it is longer, against all intervals: they have no time stamps, and so
  /// no part of them belongs to a part of the record for certain.
  fileprivate func windows(
    _ name: String, file: String, _ recording: Recording, _ options: AccuracyOptions
  ) -> [ScoredWindow] {
    let frames = recording.frames
    let doubts = doubts(recordingSeconds: recording.duration.seconds)
    let whole = ScoredWindow(
      name, file: file, part: .whole, frames[...], of: recording,
      references: [.heartRateBpm: heartRateBpm, .rmssdMs: rmssdMs, .sdnnMs: sdnnMs], doubts: doubts)
    guard let first = frames.first?.captured, recording.duration > options.window else { return [whole] }
    let window = ScoredWindow(
      name, file: file, part: .window, frames.prefix { $0.captured < first + options.window }, of: recording,
      references: [.heartRateBpm: heartRateBpm], doubts: doubts)
    return [whole, window]
  }
}

extension OximeterReference {
  /// Windows that do not overlap, from the first frame on; what is left at the end is not scored. A shorter record is
  /// one window.
  fileprivate func windows(
    _ name: String, file: String, _ recording: Recording, _ options: AccuracyOptions
  ) -> [ScoredWindow] {
    let frames = recording.frames
    let first = frames.first?.captured ?? .zero
    // The last frame has its time as well: a minute at 30 fps ends a thirtieth of a second after it.
    let length = recording.duration + TimeSpan(seconds: 1 / recording.frameRateFps)
    var doubts = self.doubts
    if (length.seconds - Double(seconds)).magnitude > max(0.1 * length.seconds, 15) {
      doubts.append("it has \(seconds) rows of a second and the hand \(Fixed.text(length.seconds, places: 1)) s")
    }
    func rows(_ from: TimeSpan, _ span: TimeSpan) -> Range<Int> {
      Int(from.seconds.rounded())..<Int((from + span).seconds.rounded())
    }
    let span = min(options.window, length)
    var windows: [ScoredWindow] = []
    var start = frames.startIndex
    var from = TimeSpan.zero
    while start < frames.endIndex, from + span <= length + .milliseconds(50) {
      let end = frames[start...].firstIndex { $0.captured - first >= from + span } ?? frames.endIndex
      let pulse = rows(from + options.lag, span)
      windows.append(
        ScoredWindow(
          name, file: file, part: .window, frames[start..<end], of: recording,
          references: [
            .heartRateBpm: heartRateBpm(pulse), .breathingRatePerMin: breathingRatePerMin(rows(from, span)),
          ], doubts: doubts, heartRateDoubts: heartRateDoubts(pulse)))
      start = end
      from = from + span
    }
    return windows
  }
}
