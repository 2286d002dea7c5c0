import VitalsModel

/// A mean rate over time, with at most one ramp, and the grid of moments at which its events would fall without any
/// variability: the integral of the rate, counted from an anchor, is a whole number there.
struct RateTrack: Sendable {
  private var from: Double
  private var to: Double
  /// Beginning and end of the ramp in microseconds.
  private var start: Double
  private var end: Double
  /// The moment of the grid from which all others are counted, in microseconds, and its number.
  private var anchor: Double
  private var anchorIndex: Int

  /// A steady rate whose grid moment number 0 is `anchor`, in microseconds.
  init(perMinute: Double, anchor: Double) {
    from = perMinute
    to = perMinute
    start = anchor
    end = anchor
    self.anchor = anchor
    anchorIndex = 0
  }

  /// The rate per minute at a moment in microseconds.
  func rate(at microseconds: Double) -> Double {
    if microseconds >= end { return to }
    if microseconds <= start { return from }
    return from + (to - from) * (microseconds - start) / (end - start)
  }

  /// Leaves for another rate at `moment` and arrives `length` later, in a straight line.
  mutating func turn(to perMinute: Double, at moment: Instant, over length: TimeSpan) {
    from = rate(at: Double(moment.microseconds))
    to = perMinute
    start = Double(moment.microseconds)
    end = start + Double(length.microseconds)
  }

  /// Makes `microseconds` the moment number `index` of the grid; what comes after follows from there.
  mutating func anchor(_ index: Int, at microseconds: Double) {
    anchor = microseconds
    anchorIndex = index
  }

  /// The moment number `index` of the grid in microseconds, `index` not before the anchor.
  func moment(_ index: Int) -> Double {
    // In events, times microseconds in a minute.
    let wanted = Double(index - anchorIndex) * 60_000_000
    if anchor >= end { return anchor + wanted / to }
    let rate = rate(at: anchor)
    let ramp = 0.5 * (rate + to) * (end - anchor)
    if wanted >= ramp { return end + (wanted - ramp) / to }
    let slope = (to - from) / (end - start)
    return anchor + 2 * wanted / (rate + (rate * rate + 2 * slope * wanted).squareRoot())
  }

  /// The moments of the grid from number `index` on, up to the end of the minute of the run in which it falls.
  ///
  /// Variability is drawn between the first and the last of these, which stay on the grid, so that each minute of the
  /// run has the mean that was asked for.
  func minute(from index: Int) -> [Double] {
    let first = moment(index)
    let end = ((first / 60_000_000).rounded(.down) + 1) * 60_000_000
    var moments = [first]
    while true {
      let next = moment(index + moments.count)
      if next >= end { return moments }
      moments.append(next)
    }
  }
}

/// Steps with a spread of 1 that together stay near 0: what is gone too far is made good by and by.
///
/// The sum is an autoregressive walk with the coefficient `memory`, 0 for a sum without any. Draws are cut at 2.5
/// standard deviations.
func restrainedSteps(_ count: Int, memory: Double, from generator: inout SeededGenerator) -> [Double] {
  // A walk x' = m x + e has steps of variance 2 / (1 + m).
  let scale = ((1 + memory) / 2).squareRoot()
  func draw(_ generator: inout SeededGenerator) -> Double { min(max(generator.gaussian(), -2.5), 2.5) * scale }
  var place = draw(&generator) / (1 - memory * memory).squareRoot()
  return (0..<count).map { _ in
    let next = memory * place + draw(&generator)
    defer { place = next }
    return next - place
  }
}
