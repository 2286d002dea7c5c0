/// What was true at the moment of a frame.
public struct FrameTruth: Hashable, Sendable {
  /// The share of the picture that the finger covers, 0...1.
  public var coverage: Double
  /// The height of the pulse wave that is passing, 0...1, whether it shows or not.
  public var pulseHeight: Double
  /// Pulse height over mean brightness in green as it is now, in percent, with all that weakens or dilutes it; 0 without
  /// a finger or a visible pulse.
  public var perfusionIndexPercent: Double
  /// How hard the finger presses, relative to rest: 0 is firm, about -0.6 a light touch, 1.2 a hard one.
  public var pressure: Double
  /// How far the finger is turned or moved sideways, relative to rest, about -1...1.
  public var slide: Double
  /// The light that the torch gives, as a share of what it can, 0...1.
  public var torch: Double
  /// Relative change of the brightness in green by motion and disturbance, 0 for none.
  public var disturbance: Double

  /// Nothing at all: no finger, no light.
  static let none = FrameTruth(
    coverage: 0, pulseHeight: 0, perfusionIndexPercent: 0, pressure: 0, slide: 0, torch: 0, disturbance: 0)
}
