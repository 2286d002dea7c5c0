/// Judges the last two seconds of a finger's light: a visible pulse, held still or not.
struct Steadiness: Sendable {
  private var disturbedUntil = 0
  private var doubtSince: Int?
  private var isSteady = false
  /// The widest swing of the last ten seconds or so.
  private var usualSwing = 0.0

  /// Something has just shaken the light.
  mutating func disturb(at cell: Int) { disturbedUntil = max(disturbedUntil, cell + 48) }

  /// The condition now. `usualHeight` is the slope of a usual beat once `beats` > 0; `isPulse` is false where the light's
  /// changes are none of blood, `isOrderly` where they do not come as beats do.
  mutating func judge(
    _ wave: PulseWave, noise: Double, usualHeight: Double, beats: Int, period: PulsePeriod, isPulse: Bool,
    isOrderly: Bool
  ) -> SignalCondition {
    let now = wave.count
    let window = measure(wave)
    let fault = fault(
      now, window, noise, usualHeight: usualHeight, beats: beats, period: period, isPulse: isPulse,
      isOrderly: isOrderly)
    guard let fault else {
      doubtSince = nil
      isSteady = true
      return .steady
    }
    let since = doubtSince ?? now
    doubtSince = since
    // A light that was steady is given a quarter of a second before it is called otherwise.
    if isSteady && now - since < 8 { return .steady }
    isSteady = false
    return fault
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

  private mutating func fault(
    _ now: Int, _ window: Window, _ noise: Double, usualHeight: Double, beats: Int, period: PulsePeriod, isPulse: Bool,
    isOrderly: Bool
  ) -> SignalCondition? {
    let swing = window.highest - window.lowest
    // Where the light swung more than twice as far not long ago, what still repeats is what came before.
    // A finger that was shaken swung farther than any pulse, and says nothing about it.
    usualSwing = now < disturbedUntil ? 0.985 * usualSwing : max(swing, 0.985 * usualSwing)
    let isFading = swing < 0.4 * usualSwing
    let ease = isSteady && !isFading ? 0.8 : 1.0
    // Noise alone swings by 4 of its own deviations, seldom by 8; what repeats well may be fainter.
    let repeatsWell = now >= 64 && period.strength > (now >= 128 ? 0.75 : 0.8) && !isFading
    let visible = repeatsWell ? 3.0 : 8.0
    if swing < max(2.5e-4, visible * noise) * ease { return .weak }
    let drift = max(0.02, 1.2 * usualHeight) / (ease * ease)
    let isShaken = now < disturbedUntil || window.drift > drift
    let isBurst = beats >= 3 && window.lateHighest > 3 * usualHeight
    if isShaken || isBurst { return .unsteady }
    if !isPulse { return .weak }
    if !isOrderly { return .unsteady }
    // Once there is enough to tell, a pulse must also repeat.
    if now >= 128, period.strength < 0.3 * ease { return swing < 9 * noise ? .weak : .unsteady }
    return nil
  }
}
