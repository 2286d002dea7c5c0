import VitalsModel

/// The shape of a pulse over the phase 0...1 of an interval of 0.9 s: feet at 0, top at 1.
struct PulseContour: Sendable {
  let shape: Waveform
  /// The phase of the top.
  let top: Double

  private static let young = PulseContour(.young, tabulated: ())
  private static let adult = PulseContour(.adult, tabulated: ())
  private static let older = PulseContour(.older, tabulated: ())
  private static let stiff = PulseContour(.stiff, tabulated: ())

  /// The shape that some vessels give the pulse; each is tabulated once.
  init(_ vessels: Vessels) {
    switch vessels {
    case .young: self = Self.young
    case .adult: self = Self.adult
    case .older: self = Self.older
    case .stiff: self = Self.stiff
    }
  }

  private init(_ vessels: Vessels, tabulated: Void) {
    let waves = vessels.contour
    func bell(_ wave: (height: Double, at: Double, width: Double), _ phase: Double) -> Double {
      let place = (phase - wave.at) / wave.width
      return wave.height * Maths.exp(-place * place / 2)
    }
    let sum = Waveform { phase in
      // Systole: (x/m)^3 exp(3 (1 - x/m)), 1 at its top x = m.
      let rise = phase / waves.systolicTop
      let systole = rise * rise * rise * Maths.exp(3 * (1 - rise))
      // A straight decline whose last percent is rounded, so that the foot is sharp and still smooth.
      let left = 1 - phase
      let decline = (left * left + 0.03 * 0.03).squareRoot() - 0.03
      // Waves that come back vanish towards both feet.
      let echoes = bell(waves.reflected, phase) * smoothStep(phase / 0.15) + bell(waves.dicrotic, phase)
      return 0.75 * systole + echoes * smoothStep(left / 0.2) + waves.runOff * smoothStep(phase / 0.3) * decline
    }
    let foot = sum.value(at: 0)
    var top = (phase: 0.0, height: foot)
    for index in 0...1_024 {
      let phase = Double(index) / 1_024
      if sum.value(at: phase) > top.height { top = (phase, sum.value(at: phase)) }
    }
    shape = Waveform { (sum.value(at: $0) - foot) / (top.height - foot) }
    self.top = top.phase
  }
}

/// The pulse of one beat at the fingertip, from its foot on: how much blood is in the light's way.
///
/// From foot to foot both ends are at 0 and level, so beats of any length and height join smoothly. The rise takes about
/// 0.16 s at 66 bpm and shortens about with the square root of the interval, as ejection does; diastole takes the rest.
/// Where no pulse follows, the vessels go on draining; the next pulse then begins lower.
struct PulseWave: Sendable {
  /// The interval for which a contour is drawn without bending.
  private static let referenceMicroseconds = 900_000.0
  /// Mean height of the shape, about which the brightness swings.
  static let meanHeight = 0.4
  /// How far vessels drain below the usual foot if no pulse follows, and in which time. The time constant is that of the
  /// arterial windkessel (resistance times compliance, about 1.5 s in adults); the depth is our estimate.
  private static let drained = -0.25
  private static let drainingMicroseconds = 1_500_000.0

  /// The foot that begins the pulse.
  let foot: Instant
  /// The foot of the next, or where it would have been.
  let end: Instant
  private let perMicrosecond: Double
  private let stiffness: Double
  private let height: Double
  /// Where the pulse begins, 0 or below; made good in the first half of the interval.
  private let level: Double
  private let contour: PulseContour

  /// A pulse whose top is at `height` and which begins at `level`.
  init(foot: Instant, end: Instant, height: Double, from level: Double = 0, contour: PulseContour) {
    self.foot = foot
    self.end = end
    self.height = height
    self.level = level
    self.contour = contour
    let length = Double((end - foot).microseconds)
    perMicrosecond = 1 / length
    // This power moves the top of the wave with the square root of the interval, within a tenth from 40 to 200 bpm.
    stiffness = Maths.pow(Self.referenceMicroseconds / length, 2 / 3.0)
  }

  /// The top of the wave.
  var peak: Instant {
    // The inverse of `bent`.
    let phase = stiffness * contour.top / (1 - contour.top + stiffness * contour.top)
    return foot + TimeSpan(microseconds: Int64((phase / perMicrosecond).rounded()))
  }

  /// The height of the pulse at a moment from its foot on, below 0 once it has ended.
  @inline(__always)
  func height(at moment: Instant) -> Double {
    if moment >= end {
      return Self.drained * (1 - Maths.exp(-Double((moment - end).microseconds) / Self.drainingMicroseconds))
    }
    let phase = Double((moment - foot).microseconds) * perMicrosecond
    let pulse = height * contour.shape.value(at: bent(phase, stiffness: stiffness))
    return level == 0 ? pulse : pulse + level * (1 - smoothStep(2 * phase))
  }
}
