import VitalsModel

/// The fingertip lit by the torch: its colour, and how strongly each colour follows the blood.
struct Tissue: Sendable {
  /// How strongly red and blue follow the blood, relative to green.
  ///
  /// Haemoglobin absorbs green and blue alike, and in red by more than a power of ten less, which light from deeper
  /// tissue partly makes good. Public recordings with colours like this finger's show 0.27...0.33 and 0.74...0.87.
  private static let redStrength = 0.3
  private static let blueStrength = 0.8

  /// What a lit room sends through a finger, as a share of what the torch does.
  static let roomShare = 0.012

  /// The resting brightness; it differs a little from finger to finger.
  private let mean: Light
  /// 1 where brightness falls in systole, -1 where it rises.
  private let sign: Double
  /// How much breathing raises and lowers the pulse, and the brightness by share of the pulse's height.
  private let breathOnPulse: Double
  private let breathOnBrightness: Double

  init(subject: Subject, seed: UInt64) {
    var generator = SeededGenerator(seed: seed, stream: "finger")
    let bare = Light(
      red: 200 + generator.uniform(in: -8...8), green: 30 + generator.uniform(in: -3...3),
      blue: 25 + generator.uniform(in: -3...3))
    let skin = subject.finger.skin.transmission
    mean = bare.scaled(red: skin.red, green: skin.green, blue: skin.blue)
    sign = subject.finger.polarity == .normal ? 1 : -1
    breathOnPulse = subject.breathing.amplitudeModulation
    breathOnBrightness = subject.breathing.baselineModulation
  }

  /// The light through the finger.
  ///
  /// - Parameters:
  ///   - pulse: height of the pulse, 0 at its foot, about 1 at its top
  ///   - filling: how full the lungs are, -1...1
  ///   - flow: the blood that is there to pulse
  @inline(__always)
  func light(pulse: Double, filling: Double, flow: Circulation.Flow) -> Light {
    let swing = (pulse - PulseWave.meanHeight) * (1 + breathOnPulse * filling)
    // More blood, less light: brightness falls in systole. The pulse takes its share of what the slow changes leave, so
    // that pulse over brightness stays what it is.
    let fast = sign * flow.perfusion * swing
    let slow = flow.perfusion * breathOnBrightness * filling + flow.volume
    return mean.scaled(
      red: (1 - Self.redStrength * slow) * (1 - Self.redStrength * fast), green: (1 - slow) * (1 - fast),
      blue: (1 - Self.blueStrength * slow) * (1 - Self.blueStrength * fast))
  }

  /// The most that the torch adds by reflection off the skin while the finger is near the lens and not on it.
  ///
  /// Pale skin reflects about 60 % of red, 40 % of green and 30 % of blue light (our reading of published spectra).
  static func reflection(of skin: SkinTone) -> Light {
    let transmission = skin.transmission
    return Light(red: 60 * transmission.red, green: 40 * transmission.green, blue: 30 * transmission.blue)
  }
}
