import VitalsModel

/// What an oximeter's sensor is put on: a synthetic fingertip, or a recorded one.
///
/// A device sees the light and nothing else; the rest of a look is the truth about the finger, from which a virtual
/// device makes what a real one makes of the light. So it never errs by the means of the reader that it tests.
public protocol Fingertip: Sendable {
  /// The finger as it is at `moment`, which is not before any moment that was looked at.
  mutating func look(at moment: Instant) -> FingertipLook
  /// When there is nothing more to look at; nil: never.
  var end: Instant? { get }
}

extension Fingertip {
  /// Never.
  public var end: Instant? { nil }
}

/// A fingertip at one moment.
public struct FingertipLook: Hashable, Sendable {
  /// The light that comes through, above 0 on any scale; it falls as blood comes.
  public var light: Double
  /// The share of the sensor that the finger covers, 0...1.
  public var coverage: Double
  /// How far motion takes the light from what it is at rest, as a share of it.
  public var disturbance: Double
  /// The height of the pulse over the light, AC/DC in percent; 0 where no pulse shows.
  public var perfusionIndexPercent: Double
  /// The feet of the pulse waves that began since the last look, up to this one, in order.
  public var feet: [Instant]

  /// A fingertip at one moment.
  public init(
    light: Double, coverage: Double = 1, disturbance: Double = 0, perfusionIndexPercent: Double, feet: [Instant] = []
  ) {
    self.light = light
    self.coverage = coverage
    self.disturbance = disturbance
    self.perfusionIndexPercent = perfusionIndexPercent
    self.feet = feet
  }
}
