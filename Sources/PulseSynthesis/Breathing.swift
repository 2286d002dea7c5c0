import VitalsModel

/// One breath, from the beginning of an inspiration to the beginning of the next.
struct Breath: Sendable {
  let start: Instant
  let end: Instant
  private let perMicrosecond: Double

  init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
    perMicrosecond = 1 / Double((end - start).microseconds)
  }

  /// How far the breath has come at `moment`: 0 at its start, 1 at its end.
  func phase(at moment: Instant) -> Double {
    Double((moment - start).microseconds) * perMicrosecond
  }
}

/// The breaths of a subject, one after another.
///
/// The mean rate lays a grid of moments at which breaths would begin; they are displaced from it by what their pattern
/// varies, within each minute of the run, so that every minute has the asked rate. A change redraws what follows the
/// breath that has begun, from a stream of its own ("breathing.2", "breathing.3", ...).
struct Breathing: Sendable {
  /// How full the lungs are over one breath: -1 empty, 1 full.
  ///
  /// Inspiration takes 40 % of a breath, as at rest (inspiration to expiration about 1 to 1.5).
  private static let lungFilling = Waveform(entries: 256) { phase in
    -Maths.cos(2 * .pi * bent(phase, stiffness: 2 / 3.0))
  }
  /// No breath is further from the mean length than this share of it.
  private static let lengthLimit = 0.55

  private let seed: UInt64
  private var generator: SeededGenerator
  /// How many streams have been drawn from.
  private var streams = 1
  private var track: RateTrack
  private(set) var pattern = BreathingPattern.steady
  private let lungFilling = Breathing.lungFilling

  /// Planned beginnings of breaths; that of the current one is number `playing`.
  private var starts: [Instant] = []
  private var playing = 0
  /// The number of the first moment of the grid that is not planned.
  private var nextIndex = 0
  /// The breath that is being drawn, or the last one before it is held.
  private(set) var current: Breath

  /// Breathing that is somewhere within a breath when the run begins.
  init(settings: BreathingSettings, seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed, stream: "breathing")
    let meanMicroseconds = 60_000_000 / settings.ratePerMin
    let start = -(generator.uniform() * meanMicroseconds).rounded()
    track = RateTrack(perMinute: settings.ratePerMin, anchor: start)
    current = Breath(start: .zero, end: Instant(microseconds: 1))
    play()
  }

  /// The mean rate per minute at a moment in microseconds.
  func rate(at microseconds: Double) -> Double { track.rate(at: microseconds) }

  /// How full the lungs are at a moment of the current breath or while it is held, -1...1.
  @inline(__always)
  func filling(at moment: Instant) -> Double {
    moment >= current.end ? -1 : lungFilling.value(at: current.phase(at: moment))
  }

  /// Lets breaths pass until `moment`, and publishes the beginning that follows each.
  mutating func advance(to moment: Instant, truth: inout PulseTruth) {
    while current.end <= moment {
      if pattern == .apnoea { return }
      playing += 1
      play()
      truth.breathStarts.append(current.end)
    }
  }

  // MARK: Looking ahead

  /// Plans breaths until `moment` at least, unless the breath is held.
  mutating func plan(until moment: Instant) {
    if pattern == .apnoea { return }
    while starts.last.map({ $0 <= moment }) ?? true { planMinute(isFirstCertain: false) }
  }

  /// How full the lungs will be at `moment`, as far as is known now; `breath` is where the last question ended.
  func plannedFilling(at moment: Instant, from breath: inout Int) -> Double {
    breath = max(breath, playing)
    while breath + 1 < starts.count && starts[breath + 1] <= moment { breath += 1 }
    if breath + 1 >= starts.count || moment < starts[breath] { return -1 }
    return lungFilling.value(at: Breath(start: starts[breath], end: starts[breath + 1]).phase(at: moment))
  }

  // MARK: Changes, at a moment up to which breaths have passed

  /// Leaves for another mean rate at `moment`.
  mutating func turnRate(to perMinute: Double, at moment: Instant, over length: TimeSpan) {
    track.turn(to: perMinute, at: moment, over: length)
    if pattern != .apnoea { replan(from: current.end) }
  }

  /// Changes the pattern. A breath that has begun is ended first.
  mutating func set(_ pattern: BreathingPattern, at moment: Instant, truth: inout PulseTruth) {
    let wasHeld = self.pattern == .apnoea
    self.pattern = pattern
    if pattern == .apnoea {
      starts.removeSubrange((playing + 2)...)
      // What would have been the next breath does not begin then.
      truth.breathStarts.removeLast()
    } else if wasHeld && moment > current.end {
      starts = [moment]
      playing = 0
      replan(from: moment)
      play()
      truth.breathStarts += [current.start, current.end]
    } else {
      if wasHeld { truth.breathStarts.append(current.end) }
      replan(from: current.end)
    }
  }

  // MARK: Planning

  /// Plans anew all that follows the beginning of a breath, the last of those that stay.
  private mutating func replan(from start: Instant) {
    streams += 1
    generator = SeededGenerator(seed: seed, stream: "breathing.\(streams)")
    if let last = starts.lastIndex(of: start) { starts.removeSubrange((last + 1)...) }
    track.anchor(0, at: Double(start.microseconds))
    nextIndex = 0
    planMinute(isFirstCertain: true)
  }

  /// Plans the breaths that begin in the minute of the next moment of the grid.
  private mutating func planMinute(isFirstCertain: Bool) {
    let grid = track.minute(from: nextIndex)
    nextIndex += grid.count
    let steps = steps(grid.count - 1)
    let lengths = zip(grid, grid.dropFirst()).map { $1 - $0 }
    var deviations = zip(lengths, steps).map { length, step in
      length * min(max(step, -Self.lengthLimit), Self.lengthLimit)
    }
    let mean = deviations.reduce(0, +) / Double(max(deviations.count, 1))
    for index in deviations.indices { deviations[index] -= mean }
    var displacement = 0.0
    for index in grid.indices {
      if index > 0 { displacement += deviations[index - 1] }
      if index == 0 && isFirstCertain { continue }
      starts.append(Instant(microseconds: Int64((grid[index] + displacement).rounded())))
    }
  }

  /// How `count` breaths deviate from the mean length, as shares of it.
  private mutating func steps(_ count: Int) -> [Double] {
    let (spread, memory) =
      switch pattern {
      case .steady: (0.04, 0.85)
      case .irregular: (0.25, 0.5)
      case .paced, .apnoea: (0.0, 0.0)
      }
    return restrainedSteps(count, memory: memory, from: &generator).map { $0 * spread }
  }

  /// Makes breath number `playing` the current one, and lets go of those that have passed.
  private mutating func play() {
    while starts.count < playing + 2 { planMinute(isFirstCertain: false) }
    if playing >= 64 {
      starts.removeFirst(playing)
      playing = 0
    }
    current = Breath(start: starts[playing], end: starts[playing + 1])
  }
}
