import Recordings
import VitalsModel

/// The colours of a part of a recording over time, few enough points to be drawn.
public struct ColourCourse: Sendable {
  /// One point: the mean of some frames that follow each other.
  public struct Point: Hashable, Sendable {
    /// The time of the first of them.
    public let at: Instant
    /// Mean red, 0...255.
    public let red: Double
    /// Mean green, 0...255.
    public let green: Double
    /// Mean blue, 0...255.
    public let blue: Double
  }

  /// The most points.
  static let mostPoints = 3_000

  /// The points, in the order of the file.
  public let points: [Point]

  init(_ recording: Recording, from: Instant, to: Instant) {
    let frames = recording.frames.filter { $0.captured >= from && $0.captured < to }
    let step = max((frames.count + Self.mostPoints - 1) / Self.mostPoints, 1)
    points = stride(from: 0, to: frames.count, by: step).map { first in
      let some = frames[first..<min(first + step, frames.count)]
      var sums = (red: 0.0, green: 0.0, blue: 0.0)
      for frame in some { sums = (sums.red + frame.red, sums.green + frame.green, sums.blue + frame.blue) }
      let count = Double(some.count)
      return Point(
        at: frames[first].captured, red: sums.red / count, green: sums.green / count, blue: sums.blue / count)
    }
  }
}
