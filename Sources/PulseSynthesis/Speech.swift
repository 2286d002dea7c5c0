import VitalsModel

/// What talking does to a finger on the lens, of mean square 1: bursts and a breath that is no breathing rhythm.
///
/// Talk comes in breath groups of 1.5...6 s with a quick breath of 0.4...1.2 s between them (Wang et al. 2010 found
/// groups of about 3.5...4 s in reading and talking). A group's phrases and stresses shake the hand between 0.3 and 2 Hz
/// (intonation units come at about 0.6 Hz in all languages, Inbar et al. 2025), while the lungs empty; the breath fills them
/// at once. Each empties and fills differently, which shifts the baseline. What speech does to the body's own breathing is
/// not part of this.
struct Speech: Course {
  private static let groupSeconds = 1.5...6.0
  private static let breathSeconds = 0.4...1.2
  private static let edge = TimeSpan.milliseconds(250)
  /// How far lungs are filled before a group, and emptied in it.
  private static let reach = 0.4...1.6

  // Of squared strength one half is bursts and one half the baseline. Bursts show for the share of time that groups last,
  // less what their edges take: with a smooth step s at either end, the integral of s^2 is 13/35.
  private static let meanGroup = (groupSeconds.lowerBound + groupSeconds.upperBound) / 2
  private static let meanBreath = (breathSeconds.lowerBound + breathSeconds.upperBound) / 2
  private static let burstHeight =
    (0.5 * (meanGroup + meanBreath) / (meanGroup - 2 * edge.seconds * (1 - 13 / 35.0))).squareRoot()
  // The baseline goes from u to -v by s and back, with u and v of mean 1 and variance 0.12 independent: its mean square
  // is 2 * 1.12 * 13/35 - 2 * 9/70, where 9/70 is the integral of s (1 - s).
  private static let baselineHeight = (0.5 / (2 * 1.12 * 13 / 35 - 2 * 9 / 70.0)).squareRoot()
  /// No value is further from 0.
  static let crest = burstHeight * BandNoise.crest + baselineHeight * reach.upperBound

  private enum Part: Sendable { case group, breath }

  private var generator: SeededGenerator
  private var bursts: BandNoise
  private var part = Part.breath
  private var start: Int64
  private var end: Int64
  /// The baseline at `start` and at `end`.
  private var from = -1.0
  private var to = -1.0

  /// Talk that begins with a breath at `moment`.
  ///
  /// Bursts draw from a stream of their own, so that neither depends on when the other draws.
  init(from moment: Instant, seed: UInt64, stream: String) {
    generator = SeededGenerator(seed: seed, stream: stream)
    bursts = BandNoise(
      bandHz: 0.3...2, spacing: .octaves, renewedEvery: .seconds(3), from: moment,
      generator: SeededGenerator(seed: seed, stream: stream + ".bursts"))
    start = moment.microseconds
    end = start
    begin(.breath)
  }

  mutating func value(at moment: Instant) -> Double {
    while moment.microseconds >= end {
      switch part {
      case .group: begin(.breath)
      case .breath: begin(.group)
      }
    }
    let since = moment.microseconds - start
    let share = smoothStep(Double(since) / Double(end - start))
    let baseline = Self.baselineHeight * (from + (to - from) * share)
    switch part {
    case .breath: return baseline
    case .group:
      let edge = Double(Self.edge.microseconds)
      let loudness = smoothStep(Double(since) / edge) * smoothStep(Double(end - moment.microseconds) / edge)
      return baseline + Self.burstHeight * loudness * bursts.value(at: moment)
    }
  }

  private mutating func begin(_ next: Part) {
    part = next
    start = end
    from = to
    let reach = generator.uniform(in: Self.reach)
    switch next {
    case .group:
      to = -reach
      end = start + TimeSpan(seconds: generator.uniform(in: Self.groupSeconds)).microseconds
    case .breath:
      to = reach
      end = start + TimeSpan(seconds: generator.uniform(in: Self.breathSeconds)).microseconds
    }
  }
}
