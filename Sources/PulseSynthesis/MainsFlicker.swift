import VitalsModel

/// The light of a lamp on the mains about its mean: -1...1, at twice the mains' frequency.
///
/// It is a function of continuous time: a camera that samples it sees the alias of each harmonic by itself, at the
/// distance to the nearest multiple of its frame rate. How much of it the exposure time averages out is the camera's.
///
/// The wave is that of power through a resistance behind a little inertia (as in a fluorescent tube with a magnetic
/// ballast, or an LED without a large capacitor): near the magnitude of a sine, rounded in its trough. Its trough is at
/// -1 and its top at about 0.6.
struct MainsFlicker: Course {
  private static let wave = {
    let rounding = 0.15
    let raw = Waveform { phase in
      let sine = Maths.sin(.pi * phase)
      return (sine * sine + rounding * rounding).squareRoot()
    }
    let entries = 1_024
    let mean = (0..<entries).map { raw.value(at: Double($0) / Double(entries)) }.reduce(0, +) / Double(entries)
    return Waveform(entries: entries) { (raw.value(at: $0) - mean) / (mean - rounding) }
  }()

  private let wave = MainsFlicker.wave
  private let turnsPerMicrosecond: Double
  private let phase: Double

  /// A lamp that flickers at `lampHz`, twice its mains' frequency, at a phase that is left to chance.
  init(lampHz: Double, generator: SeededGenerator) {
    var generator = generator
    turnsPerMicrosecond = lampHz / 1_000_000
    phase = generator.uniform()
  }

  func value(at moment: Instant) -> Double {
    let turns = turnsPerMicrosecond * Double(moment.microseconds) + phase
    return wave.value(at: turns - Double(Int(turns)))
  }
}
