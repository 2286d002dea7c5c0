import VitalsModel

/// What an EDF+ file is going to hold: how many annotations, over which time, and between which means.
///
/// It is filled with every frame and annotation of the recording before the file is begun.
public struct EDFContent: Sendable {
  /// How many annotations there are.
  public private(set) var annotations = 0
  private var latest: Instant?
  /// The least and the largest mean of each signal; nil: there is no frame.
  private var means: [ClosedRange<Double>]?

  /// Nothing.
  public init() {}

  /// Counts a frame in.
  public mutating func add(_ frame: FrameSample) {
    latest = max(latest ?? frame.captured, frame.captured)
    let values = frame.values
    guard let known = means else {
      means = values.map { $0...$0 }
      return
    }
    means = zip(known, values).map { min($0.lowerBound, $1)...max($0.upperBound, $1) }
  }

  /// Counts an annotation in.
  public mutating func addAnnotation(at moment: Instant) {
    latest = max(latest ?? moment, moment)
    annotations += 1
  }

  /// The time that holds all of it.
  var length: TimeSpan { latest.map { $0 - .zero + TimeSpan(microseconds: 1) } ?? .zero }

  /// The range of each signal.
  var ranges: [EDFRange] {
    means?.map { EDFRange(means: $0) } ?? FrameSample.channels.map { _ in EDFRange(means: 0...255) }
  }
}

/// The physical values that the 16 bits of a signal span. The lowest is kept for samples without a frame.
struct EDFRange: Hashable, Sendable {
  let lowest: Double
  let highest: Double

  /// Eighths, which eight characters of a header hold exactly, as a computer does.
  private static let steps = 8.0

  /// The range of means, and a step below it.
  init(means: ClosedRange<Double>) {
    lowest = ((means.lowerBound * Self.steps).rounded(.down) - 1) / Self.steps
    highest = (means.upperBound * Self.steps).rounded(.up) / Self.steps
  }

  /// The whole number that stands for a mean; the least stands for everything below the range.
  func digital(_ mean: Double) -> Int16 {
    let share = max((mean - lowest) / (highest - lowest), 0)
    return Int16(Double(Int16.min) + (share * Double(UInt16.max)).rounded())
  }
}
