/// What the fingertip is like.
public struct FingerSettings: Hashable, Sendable {
  /// Pulse height, peak to trough, over mean brightness in green, 0...20 %. Red and blue follow (see `Tissue`).
  public var perfusionIndexPercent: Double

  /// A fingertip; by default a warm one in full pulse.
  public init(perfusionIndexPercent: Double = 2) {
    self.perfusionIndexPercent = perfusionIndexPercent
  }
}
