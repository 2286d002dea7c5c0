import VitalsModel

/// The regular samples of an EDF+ file: so many in each record of whole milliseconds.
///
/// EDF has one rate for a whole file, and EDFlib 1.23 writes the length of a record wrongly where it is no short decimal
/// in binary: 1.001 s becomes 1.000999 s, which its own reader then refuses. So records are of whole seconds, and of
/// 3.003 s for the rates over 1001 that television left to cameras.
public struct EDFTiming: Hashable, Sendable {
  /// Samples of each signal in a record.
  public let samplesPerRecord: Int
  /// The length of a record.
  public let recordDuration: TimeSpan

  /// The longest record in seconds: annotations have a fixed number of places in each.
  private static let longestSeconds = 10

  /// The timing for a camera of `frameRateFps`, above 0 and at most 1,000: the same rate where records of up to 10 s can
  /// hold it, else the nearest tenth of a frame per second.
  public init(frameRateFps: Double) {
    precondition(frameRateFps > 0 && frameRateFps <= 1_000, "frame rate is above 0 and at most 1000 fps")
    // 24000/1001 and 30000/1001 are written as 23.976 and 29.97.
    let thousandths = (frameRateFps * 1.001).rounded()
    let isTelevision = (frameRateFps - thousandths / 1.001).magnitude < 0.000_5
    if isTelevision {
      samplesPerRecord = 3 * Int(thousandths)
      recordDuration = .milliseconds(3_003)
      return
    }
    let fitting = (1...Self.longestSeconds).first { seconds in
      let samples = frameRateFps * Double(seconds)
      return (samples - samples.rounded()).magnitude < 1e-6 && samples >= 1
    }
    let seconds = fitting ?? Self.longestSeconds
    samplesPerRecord = max(Int((frameRateFps * Double(seconds)).rounded()), 1)
    recordDuration = .seconds(Int64(seconds))
  }

  /// Samples per second.
  public var rateHz: Double { Double(samplesPerRecord) / recordDuration.seconds }

  /// How many records a recording of this length takes.
  public func records(in length: TimeSpan) -> Int {
    Int((length.microseconds + recordDuration.microseconds - 1) / recordDuration.microseconds)
  }

  /// The moment of a sample, counted from 0, in microseconds since the recording began.
  func microseconds(ofSample index: Int) -> Double {
    Double(Int64(index) * recordDuration.microseconds) / Double(samplesPerRecord)
  }
}
