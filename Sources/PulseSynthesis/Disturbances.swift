import VitalsModel

/// What disturbs the finger at a moment.
struct DisturbanceEffect: Hashable, Sendable {
  /// Added to the finger's pressure, in units of ``Pose``.
  var pressure: Double
  /// Added to the finger's slide, in units of ``Pose``.
  var slide: Double
  /// Multiplies the light of all colours.
  var factor: Double
  /// How far all this takes green from its mean, as a share.
  var greenShare: Double

  /// Nothing disturbs.
  static let none = DisturbanceEffect(pressure: 0, slide: 0, factor: 1, greenShare: 0)
}

/// All that disturbs the finger, as a function of time; moments do not go back.
///
/// Each kind draws from its own stream of the seed, named as the kind is, and each later bout of one from another
/// ("tremor.2"), so that turning one moves no other, and how long a bout lasted does not move the next.
struct Disturbances: Sendable {
  /// How much of each change the finger's sliding does; its pressing does the rest. Tremor and sway move the finger along
  /// the lens as well as towards it; the others act through the grip and the vessels. These shares are estimates.
  private static let slideShares = (tremor: 0.3, sway: 0.3, wander: 0.0, speech: 0.1)

  /// A tremor's band reaches this far to either side of its frequency.
  private static let tremorReachHz = 0.25
  private static let wanderHz = 0.02...0.14

  private var settings: DisturbanceSettings
  private let seed: UInt64
  private var isCalm = true
  private var tremor: Bouts<BandNoise>
  private var sway: Bouts<RhythmicMotion>
  private var wander: Bouts<BandNoise>
  private var speech: Bouts<Speech>
  private var flicker: Bouts<MainsFlicker>
  private var jerks: EventTrain
  private var swallows: EventTrain
  /// What takes green brightness up by a share of 1.
  private let pressurePerGreen: Double
  private let slidePerGreen: Double

  /// Disturbances from the beginning of a run; settings with a contradiction are a programming error.
  init(settings: DisturbanceSettings, seed: UInt64) {
    if let contradiction = settings.contradiction { preconditionFailure(contradiction.reason) }
    // Measured on the finger itself, so that strengths hold whatever a pose does to the light.
    let step = 0.01
    func green(_ pose: Pose) -> Double { pose.apply(to: Light(red: 1, green: 1, blue: 1)).green }
    pressurePerGreen = 2 * step / (green(Pose(pressure: step, slide: 0)) - green(Pose(pressure: -step, slide: 0)))
    slidePerGreen = 2 * step / (green(Pose(pressure: 0, slide: step)) - green(Pose(pressure: 0, slide: -step)))
    self.settings = settings
    self.seed = seed
    tremor = Bouts(of: .tremor)
    sway = Bouts(of: .sway)
    wander = Bouts(of: .wander)
    speech = Bouts(of: .speech)
    flicker = Bouts(of: .flicker)
    jerks = EventTrain(.jerk, seed: seed, stream: DisturbanceKind.jerks.rawValue)
    swallows = EventTrain(.swallow, seed: seed, stream: DisturbanceKind.swallowing.rawValue)
    for kind in DisturbanceKind.allCases where settings[kind] > 0 {
      turn(kind, to: settings[kind], at: .zero, over: .zero)
    }
  }

  /// One kind leaves for another strength at `moment` and has it `length` later.
  ///
  /// `value` is in percent, or for jerks and swallowing events per minute. One that contradicts the settings as they are by
  /// then is a programming error (see ``DisturbanceSettings/contradiction``).
  mutating func turn(_ kind: DisturbanceKind, to value: Double, at moment: Instant, over length: TimeSpan) {
    settings[kind] = value
    if let contradiction = settings.contradiction { preconditionFailure(contradiction.reason) }
    if value > 0 { isCalm = false }
    let share = value / 100
    let (settings, seed) = (settings, seed)
    switch kind {
    case .tremor:
      let bandHz = settings.tremorHz - Self.tremorReachHz...settings.tremorHz + Self.tremorReachHz
      tremor.turn(to: share, at: moment, over: length) { stream in
        BandNoise(
          bandHz: bandHz, spacing: .even, renewedEvery: .seconds(5), from: moment,
          generator: SeededGenerator(seed: seed, stream: stream))
      }
    case .sway:
      sway.turn(to: share, at: moment, over: length) { stream in
        RhythmicMotion(
          perMin: settings.swayPerMin, from: moment, generator: SeededGenerator(seed: seed, stream: stream))
      }
    case .wander:
      wander.turn(to: share, at: moment, over: length) { stream in
        BandNoise(
          bandHz: Self.wanderHz, spacing: .octaves, renewedEvery: .seconds(40), from: moment,
          generator: SeededGenerator(seed: seed, stream: stream))
      }
    case .speech:
      speech.turn(to: share, at: moment, over: length) { Speech(from: moment, seed: seed, stream: $0) }
    case .flicker:
      flicker.turn(to: share, at: moment, over: length) { stream in
        MainsFlicker(lampHz: 2 * settings.mainsHz, generator: SeededGenerator(seed: seed, stream: stream))
      }
    case .jerks: jerks.turn(to: value, at: moment, over: length)
    case .swallowing: swallows.turn(to: value, at: moment, over: length)
    }
  }

  /// What disturbs the finger at `moment`.
  mutating func effect(at moment: Instant) -> DisturbanceEffect {
    if isCalm { return .none }
    var press = 0.0
    var slide = 0.0
    func add(_ share: Double, sliding: Double) {
      press += share * (1 - sliding)
      slide += share * sliding
    }
    add(tremor.value(at: moment), sliding: Self.slideShares.tremor)
    add(sway.value(at: moment), sliding: Self.slideShares.sway)
    add(wander.value(at: moment), sliding: Self.slideShares.wander)
    add(speech.value(at: moment), sliding: Self.slideShares.speech)
    let jerk = jerks.value(at: moment)
    let swallow = swallows.value(at: moment)
    press += jerk.press + swallow.press
    slide += jerk.slide + swallow.slide
    let flicker = flicker.value(at: moment)
    return DisturbanceEffect(
      pressure: press * pressurePerGreen, slide: slide * slidePerGreen, factor: 1 + flicker,
      greenShare: (1 + press + slide) * (1 + flicker) - 1)
  }
}
