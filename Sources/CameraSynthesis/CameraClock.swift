import VitalsModel

/// The capture times of a camera's frames: a steady rate with a little jitter.
///
/// Frame n belongs at n / rate after the opening, so that nothing adds up over hours; jitter moves each frame about its
/// own place. Draws come from the stream "camera.clock".
public struct CameraClock: Sendable {
  /// No frame strays further from its place than this share of the period, so frames stay in order.
  private static let largestStray = 0.45

  private let periodMicroseconds: Double
  private let jitterMicroseconds: Double
  private let opensAt: Instant
  private var generator: SeededGenerator
  private var index = 0.0

  /// A camera whose first frame is due at `opensAt`.
  ///
  /// - Parameters:
  ///   - frameRateFps: frames per second, above 0 and at most 1,000
  ///   - jitterMs: standard deviation of a frame's distance from its place, 0 or more
  public init(frameRateFps: Double, jitterMs: Double, seed: UInt64, opensAt: Instant) {
    precondition(frameRateFps > 0 && frameRateFps <= 1_000, "frame rate is above 0 and at most 1000 fps")
    precondition(jitterMs >= 0, "jitter is 0 ms or more")
    periodMicroseconds = 1_000_000 / frameRateFps
    jitterMicroseconds = jitterMs * 1_000
    self.opensAt = opensAt
    generator = SeededGenerator(seed: seed, stream: "camera.clock")
  }

  /// The capture time of the next frame: after the one before it, and never before the opening.
  public mutating func next() -> Instant {
    let limit = Self.largestStray * periodMicroseconds
    let stray = min(max(jitterMicroseconds * generator.gaussian(), -limit), limit)
    let microseconds = max(index * periodMicroseconds + stray, 0)
    index += 1
    return Instant(microseconds: opensAt.microseconds + Int64(microseconds + 0.5))
  }
}
