/// The noise of single frames, from changes faster than any pulse, and what it does to a slope.
struct FrameNoise: Sendable {
  private var lights = (Light(), Light(), Light())
  private var power = Light()
  private var spanUs = 0.0
  private var count = 0

  /// Takes the next frame's light and the time since the one before, microseconds.
  mutating func add(_ light: Light, spanUs span: Double) {
    // The third difference; its gain for white noise is 20.
    let fast = light - lights.2 * 3 + lights.1 * 3 - lights.0
    lights = (lights.1, lights.2, light)
    count += 1
    let share = count > 80 ? 1 / 80.0 : 1 / Double(max(count - 3, 1))
    spanUs += (span - spanUs) * share
    guard count > 3 else { return }
    var square = fast * fast * (1 / 20.0)
    // A jerk of the finger is no noise of the frames; what stays is, after some seconds.
    if count > 20 { square.replace(with: power * 1.5, where: square .> power * 12) }
    power += (square - power) * share
  }

  /// Variance of a slope by noise alone: each side averages the frames of its eighth of a second.
  var slopeVariance: Light {
    power * (2 * spanUs / (Double(PulseWave.reach) * Double(LightGrid.cellUs)))
  }
}
