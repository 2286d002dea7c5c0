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

  /// Of all change from frame to frame in one colour (0 red, 1 green, 2 blue), the share that comes in single changes of
  /// more than half of `height`, a part of the colour's mean.
  ///
  /// A pulse rises over several frames; a lamp or an exposure that hops between two levels does all of it in one.
  func shareOfJumps(lane: Int, height: Double, mean: Double) -> Double {
    let values = lane == 0 ? reds : lane == 1 ? greens : blues
    let large = 0.5 * height * mean
    var all = 0.0
    var jumps = 0.0
    for index in values.indices.dropFirst() {
      let change = (values[index] - values[index - 1]).magnitude
      all += change
      if change > large { jumps += change }
    }
    return all > 0 ? jumps / all : 0
  }
}
