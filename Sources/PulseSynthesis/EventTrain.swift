import VitalsModel

/// What single events of a kind are like.
struct EventCharacter: Sendable {
  let lengthSeconds: ClosedRange<Double>
  /// The peak, as a share of green brightness.
  let heightShare: ClosedRange<Double>
  /// How much of it the finger's sliding does; its pressing does the rest.
  let slideShare: ClosedRange<Double>
  /// Whether every second event, by chance, goes the other way.
  let goesBothWays: Bool
  /// The course of one over its length, 0 at both ends and 1 at its peak.
  let shape: Waveform

  /// A twitch: there within a third of its length and back in the rest.
  static let jerk = EventCharacter(
    lengthSeconds: 0.2...0.6, heightShare: 0.08...0.25, slideShare: 0...0.5, goesBothWays: true,
    shape: Waveform { smoothStep($0 / 0.3) * (1 - smoothStep(($0 - 0.3) / 0.7)) })

  /// A swallow: the grip tightens while the larynx rises, and eases too far before it is as it was. The pause of breath
  /// in swallowing takes 0.5...1 s (Hiss et al. 2001).
  static let swallow = EventCharacter(
    lengthSeconds: 0.5...1, heightShare: 0.02...0.05, slideShare: 0.1...0.2, goesBothWays: false,
    shape: Waveform { phase in
      let rise = phase < 0.6 ? Maths.sin(.pi * phase / 0.6) : 0
      let fall = phase > 0.5 ? Maths.sin(.pi * (phase - 0.5) / 0.5) : 0
      return rise * rise - 0.4 * fall * fall
    })
}

/// Events at random moments that do not overlap: a mean number per minute that may change.
///
/// After each comes a pause without memory (exponential), as long in the mean as the rate leaves time for. While the rate
/// changes, events are drawn at the higher of the two rates, and each is kept with the chance that the rate of its moment
/// gives it (thinning, Lewis and Shedler 1979).
struct EventTrain: Sendable {
  private struct Event: Sendable {
    let start: Int64
    let end: Int64
    /// Peaks of what pressing and sliding do, as shares of green brightness.
    let press: Double
    let slide: Double
  }

  private enum State: Sendable {
    /// Nothing happens, and nothing will.
    case quiet
    /// The event that happens or comes next.
    case expecting(Event, SeededGenerator)
  }

  /// A pause that is longer than any run.
  private static let longestPauseSeconds = 1e9

  private let character: EventCharacter
  private let seed: UInt64
  private let stream: String
  private var turns = 0
  private var perMin = Fade(restingAt: 0)
  private var targetPerMin = 0.0
  private var settled = Int64(0)
  private var ceilingPerMin = 0.0
  private var state = State.quiet

  init(_ character: EventCharacter, seed: UInt64, stream: String) {
    self.character = character
    self.seed = seed
    self.stream = stream
  }

  /// The rate leaves for another at `moment`. An event that has begun is finished; what follows is drawn anew.
  mutating func turn(to target: Double, at moment: Instant, over length: TimeSpan) {
    ceilingPerMin = max(perMin.value(at: moment), target)
    perMin.turn(to: target, at: moment, over: length)
    targetPerMin = target
    settled = moment.microseconds + length.microseconds
    turns += 1
    let generator = SeededGenerator(seed: seed, stream: turns == 1 ? stream : "\(stream).\(turns)")
    if case .expecting(let event, _) = state, event.start <= moment.microseconds, event.end > moment.microseconds {
      state = .expecting(event, generator)
    } else {
      expect(after: moment.microseconds, generator)
    }
  }

  /// What pressing and sliding do to green brightness at `moment`, as shares.
  mutating func value(at moment: Instant) -> (press: Double, slide: Double) {
    while case .expecting(let event, let generator) = state {
      if moment.microseconds < event.start { return (0, 0) }
      if moment.microseconds < event.end {
        let phase = Double(moment.microseconds - event.start) / Double(event.end - event.start)
        let height = character.shape.value(at: phase)
        return (height * event.press, height * event.slide)
      }
      expect(after: event.end, generator)
    }
    return (0, 0)
  }

  private mutating func expect(after moment: Int64, _ generator: SeededGenerator) {
    var generator = generator
    var moment = moment
    let lengths = character.lengthSeconds
    let meanPause = 60 / ceilingPerMin - (lengths.lowerBound + lengths.upperBound) / 2
    while ceilingPerMin > 0 {
      let pause = min(-meanPause * Maths.log(1 - generator.uniform()), Self.longestPauseSeconds)
      let start = moment + TimeSpan(seconds: pause).microseconds
      // Once nothing more is asked for, nothing more comes.
      if start >= settled && targetPerMin == 0 { break }
      let event = draw(at: start, &generator)
      let isKept = generator.uniform() * ceilingPerMin < perMin.value(at: Instant(microseconds: start))
      if isKept {
        state = .expecting(event, generator)
        return
      }
      moment = event.end
    }
    state = .quiet
  }

  private func draw(at start: Int64, _ generator: inout SeededGenerator) -> Event {
    let length = TimeSpan(seconds: generator.uniform(in: character.lengthSeconds))
    let height = generator.uniform(in: character.heightShare)
    let slide = generator.uniform(in: character.slideShare)
    let isReversed = generator.uniform() < 0.5 && character.goesBothWays
    let signed = isReversed ? -height : height
    return Event(
      start: start, end: start + length.microseconds, press: signed * (1 - slide), slide: signed * slide)
  }
}
