import VitalsModel

/// The pulse of one beat at the fingertip, from its foot to the next: how much blood is in the light's way.
///
/// The shape has a systolic rise, a dicrotic wave and a run-off towards the next foot. Both ends are at 0 and level, so
/// beats of any length join smoothly. The rise takes about 0.16 s at 66 bpm and shortens about with the square root of
/// the interval, as ejection does; diastole takes the rest.
struct PulseWave: Sendable {
  /// The interval for which `shape` is drawn without bending.
  private static let referenceMicroseconds = 900_000.0

  private static let shape = normalised(
    Waveform { phase in
      // Systole: (x/m)^3 exp(3 (1 - x/m)), 1 at its top x = m.
      let rise = phase / 0.16
      let systole = rise * rise * rise * Maths.exp(3 * (1 - rise))
      let echo = (phase - 0.5) / 0.065
      let dicrotic = Maths.exp(-echo * echo / 2)
      // A straight decline whose last percent is rounded, so that the foot is sharp and still smooth.
      let left = 1 - phase
      let decline = (left * left + 0.03 * 0.03).squareRoot() - 0.03
      return 0.75 * systole + 0.2 * dicrotic * smoothStep(left / 0.2) + 0.55 * smoothStep(phase / 0.3) * decline
    })

  /// Mean height of the shape, about which the brightness swings.
  static let meanHeight = 0.4

  /// The foot that begins the pulse.
  let foot: Instant
  /// The foot of the next.
  let end: Instant
  private let perMicrosecond: Double
  private let stiffness: Double
  private let shape = PulseWave.shape

  init(foot: Instant, end: Instant) {
    self.foot = foot
    self.end = end
    let length = Double((end - foot).microseconds)
    perMicrosecond = 1 / length
    // This power moves the top of the wave with the square root of the interval, within a tenth from 40 to 200 bpm.
    stiffness = Maths.pow(Self.referenceMicroseconds / length, 2 / 3.0)
  }

  /// The height of the pulse at a moment between its feet, 0...1.
  func height(at moment: Instant) -> Double {
    shape.value(at: bent(Double((moment - foot).microseconds) * perMicrosecond, stiffness: stiffness))
  }

  /// The wave with its top at 1 and its feet at 0.
  private static func normalised(_ wave: Waveform) -> Waveform {
    var top = 0.0
    for index in 0...1_024 { top = max(top, wave.value(at: Double(index) / 1_024)) }
    let foot = wave.value(at: 0)
    return Waveform { (wave.value(at: $0) - foot) / (top - foot) }
  }
}
