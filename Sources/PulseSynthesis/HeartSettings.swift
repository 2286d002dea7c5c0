/// What the heart is asked to do.
public struct HeartSettings: Hashable, Sendable {
  /// Mean heart rate, 30...220 beats per minute.
  public var rateBpm: Double
  /// Root mean square of successive interval differences, 0...200 ms.
  ///
  /// Intervals stay within 0.6...1.4 of their mean, so a large value at a high heart rate is reached in part only.
  public var rmssdMs: Double

  /// A heart; by default that of a resting adult.
  public init(rateBpm: Double = 66, rmssdMs: Double = 40) {
    self.rateBpm = rateBpm
    self.rmssdMs = rmssdMs
  }
}
