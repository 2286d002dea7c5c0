import PulseSynthesis
import VitalsModel

/// The shutter of a camera: it says at which moments a frame's light is to be asked for.
public struct Shutter: Sendable {
  /// An exposure is no longer than this share of the period.
  static let longestShare = 0.8
  /// Moments of an exposure that takes time. Their mean leaves out a flicker of which whole periods fit the exposure, up to
  /// its seventh harmonic, as gathering the light does.
  private static let moments: Int64 = 8

  private let exposureMicroseconds: Int64
  /// Light before this cannot be asked for any more.
  private var earliest = Instant.zero

  /// The shutter of a camera.
  ///
  /// - Parameter settings: without contradiction
  public init(_ settings: CameraSettings) {
    exposureMicroseconds = Int64((settings.exposureTimeMs * 1_000).rounded())
  }

  /// The world changes at a moment: light before it cannot be asked for any more.
  public mutating func hold(at moment: Instant) { earliest = max(earliest, moment) }

  /// The exposure of the frame that is captured at a moment, not before the frame before.
  public mutating func exposure(until captured: Instant) -> Exposure {
    let isInstant = exposureMicroseconds == 0
    let exposure = Exposure(
      captured: captured, microseconds: exposureMicroseconds, count: isInstant ? 1 : Self.moments,
      earliest: isInstant ? captured : min(earliest, captured))
    hold(at: captured)
    return exposure
  }
}

/// A frame that is being exposed: it is given the light of each moment that it asks for, in the order of time.
public struct Exposure: Sendable {
  private let captured: Instant
  private let microseconds: Int64
  private let count: Int64
  private let earliest: Instant
  private var gathered: Int64 = 0
  private var sum = Light(red: 0, green: 0, blue: 0)

  fileprivate init(captured: Instant, microseconds: Int64, count: Int64, earliest: Instant) {
    (self.captured, self.microseconds, self.count, self.earliest) = (captured, microseconds, count, earliest)
  }

  /// When the light is needed next: the middle of the next part of the exposure, as far back as can be asked for; nil when
  /// the frame is exposed.
  public var next: Instant? {
    guard gathered < count else { return nil }
    let back = microseconds * (2 * (count - gathered) - 1) / (2 * count)
    return max(captured - TimeSpan(microseconds: back), earliest)
  }

  /// Takes the light of the moment `next`.
  public mutating func gather(_ light: Light) {
    sum.red += light.red
    sum.green += light.green
    sum.blue += light.blue
    gathered += 1
  }

  /// The mean of the light that was gathered.
  public var light: Light {
    let share = 1 / Double(max(gathered, 1))
    return Light(red: sum.red * share, green: sum.green * share, blue: sum.blue * share)
  }
}
