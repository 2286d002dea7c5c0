import VitalsModel

/// A fingertip, a torch and a lens: the light at the lens as a function of time, and its truth.
///
/// The light depends on the subject, the seed, the changes made and the time, and on nothing else: it is the same
/// however often and at whichever frame rate it is asked for. Each part draws from its own stream of the seed ("heart",
/// "breathing", "finger", "motion", "surroundings"), so that a change to one part moves no other.
///
/// It begins with a settled, still finger in full pulse and the torch on. Moments are at or after zero, and neither
/// questions nor changes go back in time.
public struct FingerScene: Sendable {
  private static let vanishing = TimeSpan.milliseconds(300)
  private static let torchRamp = TimeSpan.milliseconds(30)
  /// What comes through a finger without the torch, as a share.
  private static let withoutTorch = 0.012
  /// The pressure of a finger that has just landed, relative to a settled one.
  private static let landingPressure = -0.35

  private var body: Body
  private let tissue: Tissue
  private let surroundings: Surroundings
  private var contact = Contact()
  private var motion: Motion
  private var visibility = Fade(restingAt: 1)
  private var isPulseVisible = true
  private var disturbances: Disturbances
  private var torch = Fade(restingAt: 1)
  private var isTorchOn = true
  private var latest = Instant.zero

  /// What the body did, up to the latest moment asked for.
  public private(set) var truth: PulseTruth

  /// A scene with a seed for everything that is left to chance.
  public init(subject: Subject, disturbances: DisturbanceSettings = DisturbanceSettings(), seed: UInt64) {
    var truth = PulseTruth()
    body = Body(subject: subject, seed: seed, truth: &truth)
    tissue = Tissue(subject: subject, seed: seed)
    surroundings = Surroundings(seed: seed)
    motion = Motion(seed: seed)
    self.disturbances = Disturbances(settings: disturbances, seed: seed)
    truth.contact = [Stretch(from: .zero, to: nil)]
    truth.visiblePulse = [Stretch(from: .zero, to: nil)]
    self.truth = truth
  }

  /// The finger begins to land on the lens or to leave it. A landing takes 0.22 s and settles for 0.7 s more.
  public mutating func setContact(_ isPresent: Bool, at moment: Instant) {
    advance(to: moment)
    if isPresent == contact.isPresent { return }
    if isPresent {
      contact.land(at: moment)
      truth.contact.begin(at: moment + Contact.landing)
    } else {
      contact.leave(at: moment)
      truth.contact.end(at: moment)
    }
  }

  /// The pulse begins to vanish, as in a finger pressed too hard, or to return; either takes 0.3 s.
  public mutating func setPulse(visible: Bool, at moment: Instant) {
    advance(to: moment)
    if visible == isPulseVisible { return }
    isPulseVisible = visible
    visibility.turn(to: visible ? 1 : 0, at: moment, over: Self.vanishing)
    if visible {
      truth.visiblePulse.begin(at: moment + Self.vanishing)
    } else {
      truth.visiblePulse.end(at: moment)
    }
  }

  /// The finger begins to fidget, staying on the lens but unfit to measure, or comes to rest within 0.3 s.
  public mutating func setMotion(fidgeting: Bool, at moment: Instant) {
    advance(to: moment)
    if fidgeting == motion.isFidgeting { return }
    if fidgeting {
      motion.begin(at: moment)
      truth.fidgeting.begin(at: moment)
    } else {
      motion.end(at: moment)
      truth.fidgeting.end(at: moment + Motion.resting)
    }
  }

  /// One kind of disturbance begins to turn to `value`, in percent or for jerks and swallowing in events per minute, and
  /// arrives `length` (0 or more) later. See ``DisturbanceSettings`` for what is possible.
  public mutating func turnDisturbance(
    _ kind: DisturbanceKind, to value: Double, at moment: Instant, over length: TimeSpan
  ) {
    precondition(length >= .zero, "a turn does not end before it begins")
    advance(to: moment)
    disturbances.turn(kind, to: value, at: moment, over: length)
  }

  /// The torch goes on or off, within 30 ms. Without it a finger is nearly dark.
  public mutating func setTorch(_ isOn: Bool, at moment: Instant) {
    advance(to: moment)
    if isOn == isTorchOn { return }
    isTorchOn = isOn
    torch.turn(to: isOn ? 1 : 0, at: moment, over: Self.torchRamp)
  }

  /// The light at the lens at `moment`, which is not before any moment asked for or changed at.
  public mutating func light(at moment: Instant) -> Light {
    advance(to: moment)
    let effect = disturbances.effect(at: moment)
    let light = lensLight(at: moment, effect)
    return effect.factor == 1 ? light : light.scaled(red: effect.factor, green: effect.factor, blue: effect.factor)
  }

  private mutating func lensLight(at moment: Instant, _ effect: DisturbanceEffect) -> Light {
    let coverage = contact.coverage(at: moment)
    if coverage == 0 { return surroundings.light(at: moment) }
    let finger = fingerLight(at: moment, effect)
    return coverage == 1 ? finger : finger.mixed(share: coverage, with: surroundings.light(at: moment))
  }

  private mutating func fingerLight(at moment: Instant, _ effect: DisturbanceEffect) -> Light {
    var pose = motion.pose(at: moment)
    pose.pressure += effect.pressure
    pose.slide += effect.slide
    pose.pressure += Self.landingPressure * contact.unrest(at: moment)
    let light = tissue.light(
      pulse: body.pulseHeight(at: moment), filling: body.filling(at: moment),
      // A squeezed or slack vessel pulses less.
      visibility: visibility.value(at: moment) / (1 + pose.pressure * pose.pressure))
    let lit = Self.withoutTorch + (1 - Self.withoutTorch) * torch.value(at: moment)
    return pose.apply(to: light).scaled(red: lit, green: lit, blue: lit)
  }

  /// Lets beats and breaths pass until `moment`, and publishes them.
  private mutating func advance(to moment: Instant) {
    precondition(moment >= latest, "time does not go back")
    latest = moment
    body.advance(to: moment, truth: &truth)
  }
}

extension [Stretch] {
  /// A new stretch; one that follows without a gap continues the last.
  fileprivate mutating func begin(at moment: Instant) {
    if let last, let end = last.to, end >= moment {
      self[count - 1].to = nil
    } else {
      append(Stretch(from: moment, to: nil))
    }
  }

  /// Ends the last stretch at `moment`; one that would not have begun by then is withdrawn.
  fileprivate mutating func end(at moment: Instant) {
    guard let last else { return }
    if last.from >= moment { removeLast() } else { self[count - 1].to = moment }
  }
}
