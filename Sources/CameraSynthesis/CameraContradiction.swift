import VitalsModel

extension CameraSettings {
  /// A setting that cannot be.
  public struct Contradiction: Hashable, Sendable, Error {
    /// The setting.
    public let field: Field
    /// Why, with the limit: "a frame rate of 90 fps: 15 to 60 fps are possible".
    public let reason: String
  }

  /// The settings that have limits.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    case frameRate, declaredRate, clockDrift, clockOffset, jitter
    case dropped, duplicated, reordered, late, lateBy, stalls, stallLength
    case readNoise, shotNoise, pixels, gain, exposureStops, gamma, exposureTime
  }

  /// Why these settings cannot be; nil when they can. The first in the order of the fields.
  public var contradiction: Contradiction? {
    limits.lazy.compactMap(\.contradiction).first ?? crowdedStalls ?? longExposure
  }

  private var limits: [Limit] {
    [
      Limit(.frameRate, "a frame rate", frameRateFps, 15...60, "fps"),
      Limit(.declaredRate, "a declared frame rate", declaredFps ?? frameRateFps, 1...240, "fps"),
      Limit(.clockDrift, "a clock drift", clockDriftPpm, -1_000...1_000, "ppm"),
      Limit(.clockOffset, "a clock offset", clockOffset.seconds, -60...60, "s"),
      Limit(.jitter, "a jitter", jitterMs, 0...20, "ms"),
      Limit(.dropped, "a share of dropped frames", droppedPercent, FrameFaults.percents, "%"),
      Limit(.duplicated, "a share of duplicated frames", duplicatedPercent, FrameFaults.percents, "%"),
      Limit(.reordered, "a share of reordered frames", reorderedPercent, FrameFaults.percents, "%"),
      Limit(.late, "a share of late frames", latePercent, FrameFaults.percents, "%"),
      Limit(.lateBy, "a lateness", lateBy.milliseconds, 1...2_000, "ms"),
      Limit(.stalls, "a number of stalls", stallsPerMin, FrameFaults.stallRates, "/min"),
      Limit(.stallLength, "a stall", stallLength.seconds, 0.1...10, "s"),
      Limit(.readNoise, "a read noise", readNoiseCounts, 0.5...20, "counts"),
      Limit(.shotNoise, "a shot noise", shotNoise, 0...1, ""),
      Limit(.pixels, "a picture", Double(pixels), 100...10_000_000, "pixels"),
      Limit(.gain, "a gain", gain, 0.25...8, ""),
      Limit(.exposureStops, "an exposure", exposureStops, -4...4, "EV"),
      Limit(.gamma, "a gamma", gamma, 0.3...1, ""),
      Limit(.exposureTime, "an exposure time", exposureTimeMs, 0...50, "ms"),
    ]
  }

  /// Stalls that leave no time for frames between them.
  private var crowdedStalls: Contradiction? {
    let limit = FrameFaults.mostStallsPerMin(of: stallLength)
    guard stallsPerMin > limit else { return nil }
    return Contradiction(
      field: .stalls,
      reason: "\(decimal(stallsPerMin)) stalls of \(decimal(stallLength.seconds)) s do not fit a minute: at most "
        + "\(decimal((limit * 100).rounded(.down) / 100)) a minute")
  }
}

extension CameraSettings {
  /// Exposures that would run into each other.
  private var longExposure: Contradiction? {
    let limit = Shutter.longestShare * 1_000 / frameRate.fps
    guard exposureTimeMs > limit else { return nil }
    return Contradiction(
      field: .exposureTime,
      reason: "an exposure time of \(decimal(exposureTimeMs)) ms does not fit \(decimal(frameRateFps)) fps: at most "
        + "\(decimal((limit * 10).rounded(.down) / 10)) ms")
  }
}

/// A number with its range.
private struct Limit {
  let field: CameraSettings.Field
  let name: String
  let value: Double
  let range: ClosedRange<Double>
  let unit: String

  init(
    _ field: CameraSettings.Field, _ name: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String
  ) {
    (self.field, self.name, self.value, self.range, self.unit) = (field, name, value, range, unit)
  }

  /// A number that is none lies in no range.
  var contradiction: CameraSettings.Contradiction? {
    guard !range.contains(value) else { return nil }
    let space = unit.isEmpty ? "" : " "
    let given = value.isFinite ? "\(decimal(value))\(space)\(unit)" : "no number"
    return CameraSettings.Contradiction(
      field: field,
      reason:
        "\(name) of \(given): \(decimal(range.lowerBound)) to \(decimal(range.upperBound))\(space)\(unit) are possible")
  }
}

/// A number with the decimals that it has, three at most, and those that tell it from 0 where it has more.
private func decimal(_ number: Double) -> String {
  guard number.magnitude < 1e12 else { return "\(number)" }
  let places = (0...3).first { (number * Fixed.scale($0)).rounded() == number * Fixed.scale($0) }
  return places.map { Fixed.text(number, places: $0) } ?? "\(number)"
}
