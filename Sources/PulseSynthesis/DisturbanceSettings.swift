import VitalsModel

/// What may disturb a finger on the lens.
///
/// What a number means for each is said at ``DisturbanceSettings``.
public enum DisturbanceKind: String, CaseIterable, Hashable, Sendable {
  /// The hand trembles.
  case tremor
  /// The finger twitches now and then.
  case jerks
  /// The hand or the body moves rhythmically, as in walking on the spot or rocking.
  case sway
  /// Vessels widen and narrow and the grip eases and tightens, all slowly.
  case wander
  /// A lamp on the mains lights the lens together with the torch.
  case flicker
  /// The subject talks.
  case speech
  /// The subject swallows now and then.
  case swallowing
}

/// What disturbs a finger on the lens, and how strongly; nothing by default.
///
/// Strengths are relative changes of the green brightness in percent. Red and blue follow from how the finger presses and
/// slides, or for flicker are the same.
public struct DisturbanceSettings: Hashable, Sendable {
  /// Tremor, root mean square, 0...20 %.
  public var tremorPercent: Double
  /// Where the tremor's half-hertz-wide band about this frequency lies, 4...12 Hz.
  ///
  /// Physiological tremor of a healthy finger peaks near 8...12 Hz, enhanced physiological and essential tremor lie at
  /// 4...12 Hz and parkinsonian rest tremor at 4...6 Hz (consensus of the Movement Disorder Society, Bhatia et al. 2018).
  public var tremorHz: Double
  /// Jerks of 8...25 % that last 0.2...0.6 s, mean number per minute, 0...120.
  public var jerksPerMin: Double
  /// Rhythmic motion, peak, 0...20 %.
  public var swayPercent: Double
  /// Its mean rate, 20...240 per minute; single cycles come up to 3 % of one early or late.
  public var swayPerMin: Double
  /// Baseline wander between 0.02 and 0.14 Hz with as much power in each octave, root mean square, 0...30 %.
  public var wanderPercent: Double
  /// Flicker, the largest excursion from the mean, 0...50 %. The light flickers at twice `mainsHz`.
  public var flickerPercent: Double
  /// Frequency of the mains, 45...65 Hz.
  public var mainsHz: Double
  /// Speech, root mean square over phrases and pauses, 0...20 %.
  public var speechPercent: Double
  /// Swallows of 2...5 % that last 0.5...1 s, mean number per minute, 0...30.
  ///
  /// A healthy adult at rest swallows about once a minute (Bulmer et al. 2021, a review of 19 studies).
  public var swallowsPerMin: Double

  /// Disturbances; by default none.
  public init(
    tremorPercent: Double = 0, tremorHz: Double = 8, jerksPerMin: Double = 0, swayPercent: Double = 0,
    swayPerMin: Double = 75, wanderPercent: Double = 0, flickerPercent: Double = 0, mainsHz: Double = 50,
    speechPercent: Double = 0, swallowsPerMin: Double = 0
  ) {
    self.tremorPercent = tremorPercent
    self.tremorHz = tremorHz
    self.jerksPerMin = jerksPerMin
    self.swayPercent = swayPercent
    self.swayPerMin = swayPerMin
    self.wanderPercent = wanderPercent
    self.flickerPercent = flickerPercent
    self.mainsHz = mainsHz
    self.speechPercent = speechPercent
    self.swallowsPerMin = swallowsPerMin
  }

  /// The strength of one kind: percent, or for jerks and swallowing events per minute.
  public subscript(kind: DisturbanceKind) -> Double {
    get {
      switch kind {
      case .tremor: tremorPercent
      case .jerks: jerksPerMin
      case .sway: swayPercent
      case .wander: wanderPercent
      case .flicker: flickerPercent
      case .speech: speechPercent
      case .swallowing: swallowsPerMin
      }
    }
    set {
      switch kind {
      case .tremor: tremorPercent = newValue
      case .jerks: jerksPerMin = newValue
      case .sway: swayPercent = newValue
      case .wander: wanderPercent = newValue
      case .flicker: flickerPercent = newValue
      case .speech: speechPercent = newValue
      case .swallowing: swallowsPerMin = newValue
      }
    }
  }

  /// The strengths that a kind may have: percent, or for jerks and swallowing events per minute.
  public static func range(of kind: DisturbanceKind) -> ClosedRange<Double> {
    switch kind {
    case .tremor, .sway, .speech: 0...20
    case .jerks: 0...120
    case .wander, .swallowing: 0...30
    case .flicker: 0...50
    }
  }
}

extension DisturbanceSettings {
  /// A number of these settings, named as its property is.
  public enum Field: String, CaseIterable, Hashable, Sendable {
    case tremorPercent, tremorHz, jerksPerMin, swayPercent, swayPerMin, wanderPercent, flickerPercent, mainsHz
    case speechPercent, swallowsPerMin
  }

  /// Why settings cannot be.
  public struct Contradiction: Hashable, Sendable, Error {
    /// The number that is wrong; of several that do not go together, the one that takes most.
    public let field: Field
    /// The reason and the limit, as half a sentence.
    public let reason: String
  }

  /// How much of the light all that moves the finger may take away at the worst moment, in percent.
  static let largestSwingPercent = 95.0

  /// The first thing that cannot be, or nil if all can.
  ///
  /// Each number has its range, and what moves the finger may not together take away more light than there is.
  public var contradiction: Contradiction? {
    for bounds in bounds where !bounds.range.contains(bounds.value) {
      let (from, to) = (
        Fixed.shortest(bounds.range.lowerBound, places: 2), Fixed.shortest(bounds.range.upperBound, places: 2)
      )
      return Contradiction(
        field: bounds.field,
        reason: "\(bounds.what) is \(from) to \(to) \(bounds.unit), not \(Fixed.shortest(bounds.value, places: 2))"
      )
    }
    let swings = swings
    let sum = swings.reduce(0) { $0 + $1.percent }
    guard sum > Self.largestSwingPercent, let largest = swings.max(by: { $0.percent < $1.percent }) else { return nil }
    func whole(_ percent: Double) -> String { Fixed.shortest(percent, places: 0) + " %" }
    return Contradiction(
      field: largest.field,
      reason: "all disturbances together may swing the light by \(whole(sum.rounded(.up))): at most "
        + "\(whole(Self.largestSwingPercent)), of which this takes \(whole(largest.percent))")
  }

  private var bounds: [(field: Field, what: String, unit: String, range: ClosedRange<Double>, value: Double)] {
    [
      (.tremorPercent, "tremor", "%", Self.range(of: .tremor), tremorPercent),
      (.tremorHz, "the frequency of tremor", "Hz", 4...12, tremorHz),
      (.jerksPerMin, "the rate of jerks", "per minute", Self.range(of: .jerks), jerksPerMin),
      (.swayPercent, "sway", "%", Self.range(of: .sway), swayPercent),
      (.swayPerMin, "the rate of sway", "per minute", 20...240, swayPerMin),
      (.wanderPercent, "baseline wander", "%", Self.range(of: .wander), wanderPercent),
      (.flickerPercent, "flicker", "%", Self.range(of: .flicker), flickerPercent),
      (.mainsHz, "the frequency of the mains", "Hz", 45...65, mainsHz),
      (.speechPercent, "speech", "%", Self.range(of: .speech), speechPercent),
      (.swallowsPerMin, "the rate of swallows", "per minute", Self.range(of: .swallowing), swallowsPerMin),
    ]
  }

  /// The furthest each kind that moves the finger takes green from its mean, in percent.
  private var swings: [(field: Field, percent: Double)] {
    [
      (.tremorPercent, tremorPercent * BandNoise.crest),
      (.jerksPerMin, jerksPerMin > 0 ? 100 * EventCharacter.jerk.heightShare.upperBound : 0),
      (.swayPercent, swayPercent),
      (.wanderPercent, wanderPercent * BandNoise.crest),
      (.speechPercent, speechPercent * Speech.crest),
      (.swallowsPerMin, swallowsPerMin > 0 ? 100 * EventCharacter.swallow.heightShare.upperBound : 0),
    ]
  }
}
