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
  private var torch = Fade(restingAt: 1)
  private var isTorchOn = true
  private var latest = Instant.zero

  /// What the body did, up to the latest moment asked for.
  public private(set) var truth: PulseTruth

  /// A scene with a seed for everything that is left to chance.
  public init(subject: Subject, seed: UInt64) {
    var truth = PulseTruth()
    body = Body(subject: subject, seed: seed, truth: &truth)
    tissue = Tissue(subject: subject, seed: seed)
    surroundings = Surroundings(seed: seed)
    motion = Motion(seed: seed)
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

  /// The torch goes on or off, within 30 ms. Without it a finger is nearly dark.
  public mutating func setTorch(_ isOn: Bool, at moment: Instant) {
    advance(to: moment)
    if isOn == isTorchOn { return }
    isTorchOn = isOn
    torch.turn(to: isOn ? 1 : 0, at: moment, over: Self.torchRamp)
  }

  /// The mean heart rate leaves for `bpm` in a straight line at `moment` and arrives `length` later; a length of zero
  /// is a step. A beat that has begun runs its course. The subject must stay free of a ``Subject/contradiction``.
  public mutating func turnHeartRate(to bpm: Double, at moment: Instant, over length: TimeSpan) {
    advance(to: moment)
    body.turnHeartRate(to: bpm, at: moment, over: length)
  }

  /// The RMSSD is `rmssdMs` from the first beat after `moment` on. The subject must stay free of a
  /// ``Subject/contradiction``.
  public mutating func turnRmssd(to rmssdMs: Double, at moment: Instant) {
    advance(to: moment)
    body.turnRmssd(to: rmssdMs)
  }

  /// The rhythm of the heart changes at `moment`. A beat that has begun runs its course.
  public mutating func setRhythm(_ rhythm: Rhythm, at moment: Instant) {
    advance(to: moment)
    body.setRhythm(rhythm, at: moment)
  }

  /// The breathing rate leaves for `perMinute` in a straight line at `moment` and arrives `length` later; a length of
  /// zero is a step. A breath that has begun runs its course. The subject must stay free of a ``Subject/contradiction``.
  public mutating func turnBreathingRate(to perMinute: Double, at moment: Instant, over length: TimeSpan) {
    advance(to: moment)
    body.turnBreathingRate(to: perMinute, at: moment, over: length)
  }

  /// The way of breathing changes at `moment`. A breath that has begun runs its course.
  public mutating func setBreathing(_ pattern: BreathingPattern, at moment: Instant) {
    advance(to: moment)
    body.setBreathing(pattern, at: moment, truth: &truth)
  }

  /// Lets go of the truth about what is over before `moment`, so that a long run needs no more memory than a short one.
  public mutating func forget(before moment: Instant) {
    truth.forget(before: moment)
  }

  /// The light at the lens at `moment`, which is not before any moment asked for or changed at.
  public mutating func light(at moment: Instant) -> Light {
    advance(to: moment)
    let coverage = contact.coverage(at: moment)
    if coverage == 0 { return surroundings.light(at: moment) }
    let finger = fingerLight(at: moment)
    return coverage == 1 ? finger : finger.mixed(share: coverage, with: surroundings.light(at: moment))
  }

  private mutating func fingerLight(at moment: Instant) -> Light {
    var pose = motion.pose(at: moment)
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
