/// Judges the last two seconds of a finger's light: a visible pulse, held still or not.
struct Steadiness: Sendable {
  private var disturbedUntil = 0
  private var readable = Held()
  private var found = Held()
  /// Whether a reading that runs can go on: what was a pulse before is believed to be one in a worse light than is needed
  /// to begin.
  private(set) var isReadable = false
  /// The widest swing of the last ten seconds or so.
  private var usualSwing = 0.0

  /// Something has just shaken the light.
  mutating func disturb(at cell: Int) { disturbedUntil = max(disturbedUntil, cell + 48) }

  /// The widest swing was none of the pulse.
  mutating func forgetSwing() { usualSwing = 0 }

  /// What is known of the last seconds besides the light itself.
  struct Signs {
    /// How many cells there are of it, without a landing.
    let cells: Int
    /// Deviation of a slope by the noise of frames.
    let noise: Double
    /// The slope of a usual beat, once `beats` > 0.
    let usualHeight: Double
    let beats: Int
    let period: PulsePeriod
    /// False where the light's changes are none of blood.
    let isPulse: Bool
    /// False where they do not come as beats do.
    let isOrderly: Bool
    /// Share of the last beats that are clean, 0...1.
    let cleanShare: Double
    /// The sum of the cubes of the slopes over that of their sizes, -1...1.
    ///
    /// The systole takes a fifth to a third of a pulse, so that its slope is steeper than all that follow; what moves a
    /// finger goes to and fro alike. Synthetic pulses of 60 beats a minute lean by 0.45 with the stiffest vessels and 0.73
    /// with usual ones, and nine in ten stretches of public recordings by more than 0.45; talk, twitches and fidgeting by
    /// 0...0.3.
    let lean: Double

    /// How surely this is a pulse: how well it repeats, how many of its beats come and look like others, and how much
    /// it leans, each up to about 1.
    ///
    /// None will do alone: an irregular heart repeats badly, what moves slowly looks alike, and a fast pulse is all but
    /// even.
    var sureness: Double { period.strength + cleanShare + lean + blunting }

    /// What a pulse of more than 110 beats a minute loses of its lean, since a slope averages over too much of it.
    var blunting: Double { period.cells > 0 ? min(max(0.06 * (17.5 - period.cells), 0), 0.5) : 0 }
  }

  /// The sureness with which a pulse is found, and with which it stays so.
  ///
  /// Of seeded fingers without a pulse that fidgeted, twitched or slid for 100 s none in 100 and more reached the first
  /// for the seconds that a reading needs to start, and two thirds had looked steady without it; pulses of 0.5 % and more
  /// pass it at once, those of an irregular heart too.
  private static let sure = (found: 1.6, kept: 1.4)
  /// Cells after which there is enough to be sure: 3.25 s.
  private static let judging = 104
  /// A light that was steady is given a quarter of a second before it is called otherwise.
  private static let grace = 8

  /// The condition now.
  mutating func judge(_ wave: PulseWave, _ signs: Signs) -> SignalCondition {
    let now = wave.count
    let fault = fault(now, measure(wave), signs)
    isReadable = readable.hold(fault == nil, at: now)
    let isSure = signs.cells < Self.judging || signs.sureness >= (found.isOn ? Self.sure.kept : Self.sure.found)
    if found.hold(fault == nil && isSure, at: now) { return .steady }
    return fault ?? .unsteady
  }

  /// What is so, and stays so over a moment's doubt.
  private struct Held {
    private(set) var isOn = false
    private var doubtSince: Int?

    mutating func hold(_ isSo: Bool, at cell: Int) -> Bool {
      let since = doubtSince ?? cell
      doubtSince = isSo ? nil : since
      isOn = isSo || (isOn && cell - since < Steadiness.grace)
      return isOn
    }
  }

  private struct Window {
    var highest = 0.0
    var lowest = 0.0
    var lateHighest = 0.0
    var drift = 0.0
  }

  private func measure(_ wave: PulseWave) -> Window {
    var window = Window()
    let last = wave.lastSlope
    for place in max(last - 63, 2 * PulseWave.reach)...last {
      let slope = wave.slope(place)
      window.highest = max(window.highest, slope)
      window.lowest = min(window.lowest, slope)
      if last - place < 32 { window.lateHighest = max(window.lateHighest, slope.magnitude) }
    }
    let end = wave.count - 1
    let half = min(32, wave.count / 2 - 1)
    let late = wave.sum(after: end - half, through: end)[wave.lane]
    let early = wave.sum(after: end - 2 * half, through: end - half)[wave.lane]
    window.drift = ((late - early) / Double(half)).magnitude
    return window
  }

  private mutating func fault(_ now: Int, _ window: Window, _ signs: Signs) -> SignalCondition? {
    let period = signs.period
    let swing = window.highest - window.lowest
    // Where the light swung more than twice as far not long ago, what still repeats is what came before.
    // A finger that was shaken swung farther than any pulse, and says nothing about it.
    usualSwing = now < disturbedUntil ? 0.985 * usualSwing : max(swing, 0.985 * usualSwing)
    let isFading = swing < 0.4 * usualSwing
    let ease = readable.isOn && !isFading ? 0.8 : 1.0
    // Noise alone swings by 4 of its own deviations, seldom by 8; what repeats well may be fainter.
    let repeatsWell = now >= 64 && period.strength > (now >= 128 ? 0.75 : 0.8) && !isFading
    let visible = repeatsWell ? 3.0 : 8.0
    if swing < max(2.5e-4, visible * signs.noise) * ease { return .weak }
    let drift = max(0.02, 1.2 * signs.usualHeight) / (ease * ease)
    let isShaken = now < disturbedUntil || window.drift > drift
    let isBurst = signs.beats >= 3 && window.lateHighest > 3 * signs.usualHeight
    if isShaken || isBurst { return .unsteady }
    if !signs.isPulse { return .weak }
    if !signs.isOrderly { return .unsteady }
    // Once there is enough to tell, a pulse must also repeat.
    if now >= 128, period.strength < 0.3 * ease { return swing < 9 * signs.noise ? .weak : .unsteady }
    return nil
  }
}
