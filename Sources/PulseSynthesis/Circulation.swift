import VitalsModel

/// The blood in the fingertip: how much of it pulses, and how its volume wanders.
///
/// Beyond pulse and breath, the vessels of a still, warm finger widen and narrow in slow rhythms, near 0.1 Hz and slower
/// (vasomotion), which raise its blood volume and its pulse together. Their size is that of public recordings (see the
/// article on realism). Draws come from the streams "vasomotion" and "vasomotion.slow".
struct Circulation: Sendable {
  /// The pulse and the blood of one moment.
  struct Flow: Sendable {
    /// Pulse height over mean brightness in green.
    var perfusion: Double
    /// Change of blood volume that is neither pulse nor breath, as a relative loss of brightness in green.
    var volume: Double
  }

  /// How long the pulse takes to vanish or to return.
  static let vanishing = TimeSpan.milliseconds(300)
  /// Six time constants: 15 s into the cold, 30 s back.
  static let cooling = TimeSpan.seconds(90)
  static let warming = TimeSpan.seconds(180)
  /// What the cold leaves of the pulse, and the brightness that narrow vessels give back.
  private static let coldPulse = 0.2
  private static let coldBrightness = 0.06
  /// Wander of the blood volume as shares of the pulse's height (standard deviations), and of that height itself.
  private static let slowOnVolume = 0.4
  private static let bandOnVolume = 0.2
  private static let bandOnPulse = 0.08
  /// The pressure at which an artery has lost half its compliance, on the scale of `Pose`.
  private static let halfPressure = 0.45

  private var index: Fade
  private var presence = Fade(restingAt: 1)
  private var coldness = Fade(restingAt: 0)
  private var band: Wander
  private var slow: Wander
  private(set) var isPulseVisible = true
  private(set) var temperature = FingerTemperature.warm

  init(perfusionIndexPercent: Double, seed: UInt64) {
    index = Fade(restingAt: perfusionIndexPercent / 100)
    band = Wander(.band, spacing: .milliseconds(5_200), seed: seed, stream: "vasomotion")
    slow = Wander(.drift, spacing: .seconds(14), seed: seed, stream: "vasomotion.slow")
  }

  /// Arrives at once at what has begun.
  mutating func settle() {
    index.settle()
    presence.settle()
    coldness.settle()
  }

  mutating func turnIndex(to percent: Double, at moment: Instant, over length: TimeSpan) {
    index.turn(to: percent / 100, at: moment, over: length)
  }

  mutating func setPulse(visible: Bool, at moment: Instant) {
    isPulseVisible = visible
    presence.turn(to: visible ? 1 : 0, at: moment, over: Self.vanishing)
  }

  /// Cools or warms the finger, and says when nothing changes any more.
  mutating func become(_ temperature: FingerTemperature, at moment: Instant) -> Instant {
    if temperature == self.temperature { return moment }
    self.temperature = temperature
    let length = temperature == .cold ? Self.cooling : Self.warming
    coldness.turn(to: temperature == .cold ? 1 : 0, at: moment, over: length, .relaxing)
    return moment + length
  }

  /// The pulse and the blood at `moment`, under a pressure relative to a firm touch.
  @inline(__always)
  mutating func flow(at moment: Instant, pressure: Double) -> Flow {
    let coldness = coldness.value(at: moment)
    let band = band.value(at: moment)
    var filled = index.value(at: moment)
    if coldness != 0 { filled *= 1 - (1 - Self.coldPulse) * coldness }
    let wander = Self.slowOnVolume * slow.value(at: moment) + Self.bandOnVolume * band
    return Flow(
      perfusion: filled * presence.value(at: moment) * (1 + Self.bandOnPulse * band) * Self.compliance(pressure),
      volume: filled * wander - Self.coldBrightness * coldness)
  }

  /// The share of its pulse that an artery has under a pressure relative to a firm touch.
  ///
  /// Its compliance over its transmural pressure is a bell, 1 / (1 + (P / P1)^2) about the pressure at which it is
  /// unloaded (Langewouters et al., J Biomech 1984, 17:425); a firm touch lies there, and a lighter or harder one beside.
  @inline(__always)
  private static func compliance(_ pressure: Double) -> Double {
    if pressure == 0 { return 1 }
    let load = pressure * (1 / halfPressure)
    return 1 / (1 + load * load)
  }
}
