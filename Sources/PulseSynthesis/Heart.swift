import VitalsModel

/// The heart's beats, planned as they are needed.
///
/// The mean rate lays a grid of moments, and every beat is displaced from its moment by what varies: a part in step with
/// breathing (respiratory sinus arrhythmia: intervals are shorter while breathing in), one near 0.1 Hz (the
/// low-frequency part, baroreflex), one without memory, and slow waves where a large SDNN asks for them. The
/// displacements are drawn for what is left of a minute of the run and levelled, so that every whole minute of the run
/// has the asked mean rate, RMSSD and SDNN.
///
/// A change redraws what has not been played of the minute, from a stream of its own ("heart.2", "heart.3", ...).
struct Heart: Sendable {
  /// How much of a displacement the memoryless part carries over to the next beat.
  private static let memory = 0.85
  /// How far the phase of the low-frequency part wanders in a second, in radians: a band of about 0.02 Hz.
  private static let wandering = 0.35
  /// A premature beat comes after this share of the mean interval, and this often where it may.
  private static let coupling = 0.6
  private static let prematureChance = 0.11

  private let seed: UInt64
  private var settings: HeartSettings
  private(set) var rhythm = Rhythm.sinus
  private var track: RateTrack
  private var generator: SeededGenerator
  /// How many streams have been drawn from.
  private var streams = 1
  private var lowFrequencyPhase: Double

  private var planned: [PlannedBeat] = []
  private var played = 0
  /// The number of the first moment of the grid that is not planned.
  private var nextIndex = 0
  /// The foot of the last planned beat in microseconds, and whether it was premature.
  private var lastFoot: Double
  private var wasPremature = false
  private var isPrematureDue = false

  /// A heart that is somewhere within a beat when the run begins.
  init(settings: HeartSettings, seed: UInt64) {
    self.seed = seed
    self.settings = settings
    generator = SeededGenerator(seed: seed, stream: "heart")
    lowFrequencyPhase = generator.uniform() * 2 * .pi
    let meanMicroseconds = 60_000_000 / settings.rateBpm
    let first = -(generator.uniform() * meanMicroseconds).rounded()
    track = RateTrack(perMinute: settings.rateBpm, anchor: first)
    lastFoot = first - meanMicroseconds
  }

  /// The next beat.
  mutating func next(_ breathing: inout Breathing) -> PlannedBeat {
    if played == planned.count { plan(&breathing) }
    defer { played += 1 }
    return planned[played]
  }

  /// How strong a pulse after `interval` is, relative to one after the mean interval at its time.
  func strength(after interval: TimeSpan, at moment: Instant) -> Double {
    let share = Double(interval.microseconds) * track.rate(at: Double(moment.microseconds)) / 60_000_000
    return Self.strength(share)
  }

  /// Leaves for another mean rate at `moment`. What follows must be planned again.
  mutating func turnRate(to bpm: Double, at moment: Instant, over length: TimeSpan) {
    track.turn(to: bpm, at: moment, over: length)
    settings.rateBpm = bpm
  }

  /// Changes the RMSSD from the next plan on.
  mutating func turnRmssd(to rmssdMs: Double) { settings.rmssdMs = rmssdMs }

  /// Changes the rhythm from the next plan on.
  mutating func setRhythm(_ rhythm: Rhythm) {
    self.rhythm = rhythm
    isPrematureDue = rhythm == .ectopic
  }

  /// Plans anew all that follows a beat that is certain to come.
  mutating func replan(after beat: PlannedBeat, _ breathing: inout Breathing) {
    streams += 1
    generator = SeededGenerator(seed: seed, stream: "heart.\(streams)")
    lowFrequencyPhase = generator.uniform() * 2 * .pi
    lastFoot = Double(beat.foot.microseconds)
    wasPremature = beat.kind == .ectopic
    track.anchor(0, at: lastFoot)
    nextIndex = 0
    plan(&breathing, isFirstCertain: true)
  }

  // MARK: Planning

  /// Plans the beats from the next moment of the grid to the end of its minute; the first one may be certain already.
  private mutating func plan(_ breathing: inout Breathing, isFirstCertain: Bool = false) {
    repeat {
      let grid = track.minute(from: nextIndex)
      nextIndex += grid.count
      let deviations = deviations(grid, &breathing)
      planned.removeAll(keepingCapacity: true)
      played = 0
      var displacement = 0.0
      for index in grid.indices {
        if index > 0 { displacement += deviations[index - 1] * 1_000 }
        if index == 0 && isFirstCertain && nextIndex == grid.count { continue }
        planned.append(beat(at: grid[index] + displacement, isInside: index > 0 && index < grid.count - 1))
      }
      // Nothing may be left of the minute after a certain beat.
    } while planned.isEmpty
  }

  /// The beat whose turn it is at `foot`, in microseconds, where the rhythm lets it come then.
  private mutating func beat(at foot: Double, isInside: Bool) -> PlannedBeat {
    let mean = 60_000_000 / track.rate(at: foot)
    var foot = foot
    var kind = Beat.Kind.normal
    switch rhythm {
    case .sinus, .paused, .missed: break
    case .fibrillation: kind = .fibrillation
    case .ectopic:
      let isChosen = generator.uniform() < Self.prematureChance
      // By chance only within a minute, whose mean rate then stays as asked.
      if !wasPremature && (isPrematureDue || isChosen && isInside) { kind = .ectopic }
    case .bigeminy:
      if !wasPremature { kind = .ectopic }
    }
    wasPremature = kind == .ectopic
    if wasPremature {
      isPrematureDue = false
      foot = lastFoot + mean * (Self.coupling + generator.uniform(in: -0.03...0.03))
    }
    defer { lastFoot = foot }
    return PlannedBeat(
      foot: Instant(microseconds: Int64(foot.rounded())), kind: kind,
      height: Self.strength((foot - lastFoot) / mean))
  }

  /// How the intervals between the moments of a grid deviate from them, in ms.
  private mutating func deviations(_ grid: [Double], _ breathing: inout Breathing) -> [Double] {
    let means = zip(grid, grid.dropFirst()).map { ($1 - $0) / 1_000 }
    if rhythm == .fibrillation { return fibrillating(means) }
    guard let first = grid.first, let last = grid.last else { return [] }
    breathing.plan(until: Instant(microseconds: Int64(last)))
    let middle = (first + last) / 2
    let parts = Variability(
      settings, rateBpm: track.rate(at: middle), breathsPerMin: breathing.rate(at: middle))

    // All parts are always drawn, so that none moves another.
    let memoryless = restrainedSteps(means.count, memory: Self.memory, from: &generator)
    let restless = restrainedSteps(means.count, memory: 0, from: &generator)
    let slow = SlowWave.draw(means.count, from: &generator)
    var breath = 0
    let rhythmic = means.indices.map { index in
      // The phase wanders, so that the low-frequency part is a band and not a line.
      let seconds = means[index] / 1_000
      lowFrequencyPhase += 2 * .pi * Variability.lowFrequencyPerMin / 60 * seconds
      lowFrequencyPhase += Self.wandering * seconds.squareRoot() * generator.gaussian()
      let filling = breathing.plannedFilling(at: Instant(microseconds: Int64(grid[index])), from: &breath)
      return parts.lowFrequencyMs * Maths.sin(lowFrequencyPhase) - parts.respiratoryMs * filling
    }
    lowFrequencyPhase -= 2 * .pi * (lowFrequencyPhase / (2 * .pi)).rounded(.down)
    // Restrained steps have successive differences of mean square 3 - memory.
    let tachogram = Tachogram(
      means: means, rhythmic: rhythmic,
      memoryless: memoryless.map { $0 * parts.memorylessMs / (3 - Self.memory).squareRoot() },
      restless: restless.map { $0 * parts.memorylessMs / 3.0.squareRoot() }, slow: slow)
    return tachogram.levelled(rmssdMs: settings.rmssdMs, sdnnMs: settings.sdnnMs)
  }

  /// Independent intervals with the least and the spread of atrial fibrillation, brought to the mean.
  ///
  /// A least interval (the refractory time of the AV node) and a skewed rest with an exponential tail (Hennig and
  /// others, "Exponential distribution of long heart beat intervals during atrial fibrillation", Phys. Rev. E 74, 2006):
  /// 0.55 of the mean plus four equal exponential parts, which makes a coefficient of variation of 0.225. That it hardly
  /// changes with the rate is in Tateno and Glass, Med. Biol. Eng. Comput. 39, 2001.
  private mutating func fibrillating(_ means: [Double]) -> [Double] {
    let least = 0.55
    var shares = means.map { _ in
      let product = (0..<4).reduce(1.0) { product, _ in product * (1 - generator.uniform()) }
      return min(least - Maths.log(product) * (1 - least) / 4, 2.5)
    }
    let wanted = means.reduce(0, +)
    for _ in 0..<4 {
      let surplus = zip(shares, means).map { ($0 - least) * $1 }.reduce(0, +)
      let scale = wanted * (1 - least) / max(surplus, 1e-9)
      shares = shares.map { least + ($0 - least) * scale }
    }
    return zip(shares, means).map { ($0 - 1) * $1 }
  }

  /// How strong a pulse is after an interval that is `share` of the mean.
  ///
  /// The ventricle fills towards a limit through diastole, which begins 0.4 of a mean interval after the last foot; time
  /// constant 0.35 of it. A premature beat at 0.6 has about half the pulse, one after 1.4 about a seventh more.
  /// The two numbers are our estimate.
  private static func strength(_ share: Double) -> Double {
    func filled(_ share: Double) -> Double { 1 - Maths.exp(-max(share - 0.4, 0) / 0.35) }
    return filled(share) / filled(1)
  }
}
