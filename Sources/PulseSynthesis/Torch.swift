import VitalsModel

/// What the torch is like.
public struct TorchSettings: Hashable, Sendable {
  /// How long it takes to its full brightness, 0...5 s.
  public var warmUp: TimeSpan
  /// The share of its brightness that it loses as it heats up, 0...0.3, with a time constant of 10 s.
  public var droop: Double

  /// A torch; by default a phone's, lit within 30 ms, whose light falls by 1 % as it warms.
  public init(warmUp: TimeSpan = .milliseconds(30), droop: Double = 0.01) {
    self.warmUp = warmUp
    self.droop = droop
  }
}

/// The torch: on or off, dimmed or not, cold or heated through.
///
/// A white LED gives less light the hotter its junction is.
struct Torch: Sendable {
  /// How long it takes to go out.
  static let goingOut = TimeSpan.milliseconds(30)
  /// How long dimming takes, either way.
  static let dimming = TimeSpan.milliseconds(500)
  /// What a dimmed torch still gives.
  private static let dimmedShare = 0.4
  /// Six time constants of 10 s (see `Fade.Shape.relaxing`).
  private static let heating = TimeSpan.seconds(60)

  private let settings: TorchSettings
  private var power = Fade(restingAt: 1)
  private var dim = Fade(restingAt: 1)
  private var heat = Fade(restingAt: 1)
  private(set) var isOn = true
  private(set) var isDimmed = false

  /// A torch that has been on for long.
  init(settings: TorchSettings) {
    precondition(settings.warmUp >= .zero && settings.warmUp <= .seconds(5), "a warm-up is 0...5 s")
    precondition((0...0.3).contains(settings.droop), "a droop is 0...0.3")
    self.settings = settings
  }

  /// Arrives at once at what has begun.
  mutating func settle() {
    power.settle()
    dim.settle()
    heat.settle()
  }

  /// Turns it on or off, and says when it has become so.
  mutating func turn(on isOn: Bool, at moment: Instant) -> Instant {
    let length = isOn ? settings.warmUp : Self.goingOut
    if isOn == self.isOn { return moment }
    self.isOn = isOn
    power.turn(to: isOn ? 1 : 0, at: moment, over: length)
    heat.turn(to: isOn ? 1 : 0, at: moment, over: Self.heating, .relaxing)
    return moment + length
  }

  /// Dims it or brightens it again, and says when it has become so.
  mutating func dim(_ isDimmed: Bool, at moment: Instant) -> Instant {
    if isDimmed == self.isDimmed { return moment }
    self.isDimmed = isDimmed
    dim.turn(to: isDimmed ? Self.dimmedShare : 1, at: moment, over: Self.dimming)
    return moment + Self.dimming
  }

  /// The light it gives, as a share of what it gives while cold, 0...1.
  @inline(__always)
  func share(at moment: Instant) -> Double {
    power.value(at: moment) * dim.value(at: moment) * (1 - settings.droop * heat.value(at: moment))
  }
}
