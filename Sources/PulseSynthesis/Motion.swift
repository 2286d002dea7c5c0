import VitalsModel

/// How the finger presses and lies, relative to rest: 0 and 0 at rest, up to -1.4...1.4 while fidgeting.
struct Pose: Sendable {
  var pressure: Double
  var slide: Double

  static let rest = Pose(pressure: 0, slide: 0)

  static func + (left: Pose, right: Pose) -> Pose {
    Pose(pressure: left.pressure + right.pressure, slide: left.slide + right.slide)
  }

  /// The brightness in green, relative to rest.
  var green: Double { 1 + 0.25 * pressure + 0.15 * slide }

  /// The light of a finger in this pose. Pressing drives blood out and slides change the depth the light comes from.
  @inline(__always)
  func apply(to light: Light) -> Light {
    light.scaled(
      red: 1 + 0.16 * pressure + 0.04 * slide, green: green, blue: 1 + 0.25 * pressure - 0.12 * slide)
  }
}

/// A fidgeting finger: a chain of quick moves with jerks among them.
enum Fidgeting {
  /// No pressure is further from rest than this.
  private static let widest = 1.4
  /// How long a finger takes to come to rest.
  static let resting = TimeSpan.milliseconds(300)

  /// The moves of a finger at rest: each within half a second, and one in four a jerk.
  ///
  /// Each moves the pressure by several times what a pulse does to the light, mostly back towards the middle, so that no
  /// second of a bout is fit for measuring.
  static func chain(seed: UInt64) -> MoveChain {
    MoveChain(seed: seed, stream: "motion", beginning: .milliseconds(120), resting: resting) { from, generator in
      let isJerk = generator.uniform() < 0.25
      let distance = isJerk ? generator.uniform(in: 0.7...1.6) : generator.uniform(in: 0.35...0.9)
      let isOutward = generator.uniform() < 0.25 && from.pressure.magnitude < 0.7
      let direction = (from.pressure > 0) == isOutward ? 1.0 : -1.0
      let pressure = min(max(from.pressure + direction * distance, -widest), widest)
      let seconds = isJerk ? generator.uniform(in: 0.06...0.12) : generator.uniform(in: 0.12...0.5)
      let slide = generator.uniform(in: -1...1)
      return (Pose(pressure: pressure, slide: slide), TimeSpan(seconds: seconds))
    }
  }
}
