import VitalsModel

/// One beat whose pulse showed at the fingertip.
public struct Beat: Hashable, Sendable {
  /// What made the heart beat.
  public enum Kind: String, CaseIterable, Sendable {
    /// The sinus node.
    case normal
    /// A premature beat from elsewhere.
    case ectopic
    /// The beat that ends a pause.
    case escape
    /// A beat of atrial fibrillation.
    case fibrillation
  }

  /// The foot of the pulse wave at the fingertip: where its blood volume begins to rise.
  public let foot: Instant
  /// The top of the same wave, before any noise; it may lie after the latest moment that is known.
  ///
  /// The light is inverted: it is about darkest there. Breathing and movement, which are added to it, shift the darkest
  /// moment a little.
  public let peak: Instant
  /// What made the heart beat.
  public let kind: Kind

  /// Whether the beat belongs to the rhythm that is measured. Fibrillation counts as it is.
  var isRegular: Bool { kind == .normal || kind == .fibrillation }
}
