import PulseAnalysis
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
  /// Why the reference may be wrong; empty where nothing speaks against it.
  let doubts: [String]

  init(
    _ recording: String, file: String, part: Part, _ frames: ArraySlice<FrameSample>, from start: Instant,
    references: [ScoredMeasure: Double?], doubts: [String]
  ) {
    var record = PulseRecord()
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
  /// Measures and compares it; `name` is what it is called in tables.
  func windows(_ name: String, _ options: AccuracyOptions) throws(AccuracyProblem) -> [ScoredWindow] {
    switch layout {
    case .chestStrap: try strapWindows(name, options)
    case .oximeters: try oximeterWindows(name, options)
    }
  }

  /// The whole record, and its first window where it is longer, against all intervals: they have no time stamps, and so no
  /// part of them belongs to a part of the record for certain.
  private func strapWindows(_ name: String, _ options: AccuracyOptions) throws(AccuracyProblem) -> [ScoredWindow] {
    let strap = try StrapReference(reference)
    var windows: [ScoredWindow] = []
    for file in self.frames {
      let frames = try readFrames(file, rateFps: nil)
      guard let first = frames.first?.captured, let last = frames.last?.captured else { continue }
      let doubts = strap.doubts(recordingSeconds: (last - first).seconds)
      windows.append(
        ScoredWindow(
          name, file: file, part: .whole, frames[...], from: first,
          references: [.heartRateBpm: strap.heartRateBpm, .rmssdMs: strap.rmssdMs, .sdnnMs: strap.sdnnMs],
          doubts: doubts))
      guard last - first > options.window else { continue }
      windows.append(
        ScoredWindow(
          name, file: file, part: .window, frames.prefix { $0.captured < first + options.window }, from: first,
          references: [.heartRateBpm: strap.heartRateBpm], doubts: doubts))
    }
    return windows
  }

  /// Windows that do not overlap, from the first frame on; what is left at the end is not scored. A shorter record is one
  /// window.
  private func oximeterWindows(_ name: String, _ options: AccuracyOptions) throws(AccuracyProblem) -> [ScoredWindow] {
    let oximeters = try OximeterReference(reference)
    var windows: [ScoredWindow] = []
    for file in self.frames {
      let frames = try readFrames(file, rateFps: options.rateFps)
      guard let first = frames.first?.captured, let last = frames.last?.captured else { continue }
      let hand = file.lowercased().hasSuffix("left.csv") ? "left" : "right"
      // The last frame has its time as well: a minute at 30 fps ends a thirtieth of a second after it.
      let length = (last - first) + TimeSpan(seconds: 1 / options.rateFps)
      var doubts = oximeters.doubts
      if (length.seconds - Double(oximeters.seconds)).magnitude > max(0.1 * length.seconds, 15) {
        doubts.append(
          "it has \(oximeters.seconds) rows of a second and the hand \(Fixed.text(length.seconds, places: 1)) s")
      }
      var start = frames.startIndex
      let span = min(options.window, length)
      var from = TimeSpan.zero
      while start < frames.endIndex, from + span <= length + .milliseconds(50) {
        let end = frames[start...].firstIndex { $0.captured - first >= from + span } ?? frames.endIndex
        let seconds = Int(from.seconds.rounded())..<Int((from + span).seconds.rounded())
        let pulse = Int((from + options.lag).seconds.rounded())..<Int((from + span + options.lag).seconds.rounded())
        windows.append(
          ScoredWindow(
            "\(name) \(hand)", file: file, part: .window, frames[start..<end], from: first,
            references: [
              .heartRateBpm: oximeters.heartRateBpm(pulse),
              .breathingRatePerMin: oximeters.breathingRatePerMin(seconds),
            ], doubts: doubts + oximeters.doubts(pulse: pulse)))
        start = end
        from = from + span
      }
    }
    return windows
  }
}
