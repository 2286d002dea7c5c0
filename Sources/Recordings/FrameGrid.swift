import VitalsModel

/// Frames put on a regular grid of samples: between two frames their line, and nothing where there was no frame.
///
/// Frames may come in any order within a second of one another; of two with the same time stamp the first counts.
struct FrameGrid {
  /// What a sample is where no frame is near: below every light, and so the least number that a signal can hold.
  static let missing = FrameSample(captured: .zero, red: -1, green: -1, blue: -1)
  /// Frames further apart than this have a gap between them, not a line.
  private static let longestLine = TimeSpan.milliseconds(250)
  /// How late a frame may come behind those that were captured after it.
  private static let patience = TimeSpan.seconds(1)

  private let timing: EDFTiming
  /// Frames that may still get one before or between them, in the order of their time stamps.
  private var waiting: [FrameSample] = []
  private var previous: FrameSample?
  /// The next sample of the grid, from 0.
  private var next = 0

  init(timing: EDFTiming) {
    self.timing = timing
  }

  /// Takes in a frame, and gives the samples that are settled by it.
  mutating func add(_ frame: FrameSample, _ give: (FrameSample) -> Void) {
    let behind = waiting.lastIndex { $0.captured <= frame.captured }
    waiting.insert(frame, at: behind.map { $0 + 1 } ?? 0)
    while let first = waiting.first, let last = waiting.last, last.captured - first.captured > Self.patience {
      waiting.removeFirst()
      pass(first, give)
    }
  }

  /// Gives all samples up to `count` of them.
  mutating func close(count: Int, _ give: (FrameSample) -> Void) {
    for frame in waiting { pass(frame, give) }
    waiting = []
    while next < count {
      give(sample(at: timing.microseconds(ofSample: next), before: nil))
      next += 1
    }
  }

  private mutating func pass(_ frame: FrameSample, _ give: (FrameSample) -> Void) {
    if let previous, frame.captured <= previous.captured { return }
    while true {
      let moment = timing.microseconds(ofSample: next)
      guard moment <= Double(frame.captured.microseconds) else { break }
      give(sample(at: moment, before: frame))
      next += 1
    }
    previous = frame
  }

  /// The sample at a moment between the previous frame and the next.
  private func sample(at moment: Double, before next: FrameSample?) -> FrameSample {
    if let previous, let next, next.captured - previous.captured <= Self.longestLine {
      let span = Double((next.captured - previous.captured).microseconds)
      return previous.line(to: next, share: (moment - Double(previous.captured.microseconds)) / span)
    }
    // At the edge of a gap, or of the recording: the frame that belongs to this sample.
    let reach = timing.microseconds(ofSample: 1) / 2
    let near = [previous, next].compactMap(\.self).first { frame in
      (Double(frame.captured.microseconds) - moment).magnitude <= reach
    }
    return near ?? Self.missing
  }
}

extension FrameSample {
  /// The frame at a `share` (0...1) of the way to another.
  fileprivate func line(to other: FrameSample, share: Double) -> FrameSample {
    func mixed(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
    return FrameSample(
      captured: captured, red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
  }
}
