/// What the fingertip is like.
public struct FingerSettings: Hashable, Sendable {
  /// What a perfusion index can be, in percent: 0.02 is the least that a pulse oximeter shows, 20 the most.
  public static let perfusionIndexRangePercent = 0.02...20.0

  /// Pulse height, peak to trough, over mean brightness in green, 0.02...20 %. Red and blue follow (see `Tissue`).
  ///
  /// It is the same at every skin tone: melanin takes its share of pulse and brightness alike.
  public var perfusionIndexPercent: Double
  /// How much melanin the skin holds.
  public var skin: SkinTone
  /// Which way the brightness goes in systole.
  public var polarity: Polarity

  /// A fingertip; by default a warm one in full pulse.
  public init(perfusionIndexPercent: Double = 2, skin: SkinTone = .II, polarity: Polarity = .normal) {
    self.perfusionIndexPercent = perfusionIndexPercent
    self.skin = skin
    self.polarity = polarity
  }
}

/// Which way the brightness goes in systole.
public enum Polarity: String, CaseIterable, Hashable, Sendable {
  /// More blood, less light: brightness falls in systole.
  case normal
  /// Brightness rises in systole, as in a signal that was turned over, or where vessels reflect more than they absorb.
  case inverted
}
