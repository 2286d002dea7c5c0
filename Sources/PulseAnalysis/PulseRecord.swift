import VitalsModel

/// The frames of one attempt, kept for the result at its end.
public struct PulseRecord: Sendable {
  private(set) var timesUs: [Int64] = []
  private(set) var reds: [Double] = []
  private(set) var greens: [Double] = []
  private(set) var blues: [Double] = []
  /// Frames whose time was not after the one before; they are not in the record.
  public private(set) var setAsideFrames = 0

  /// An empty record.
  public init() {}

  /// Frames in the record.
  public var count: Int { timesUs.count }

  /// Adds a frame; one whose time is not after the one before is set aside and counted.
  public mutating func append(_ frame: FrameSample) {
    if let last = timesUs.last, frame.captured.microseconds <= last {
      setAsideFrames += 1
      return
    }
    timesUs.append(frame.captured.microseconds)
    reds.append(frame.red)
    greens.append(frame.green)
    blues.append(frame.blue)
  }
}
