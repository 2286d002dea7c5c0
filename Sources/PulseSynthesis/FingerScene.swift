import VitalsModel

/// A fingertip, a torch and a lens: the light at the lens as a function of time, and its truth.
///
/// The light depends on the subject, the seed, the changes made and the time, and on nothing else: it is the same
/// however often and at whichever frame rate it is asked for. Each part draws from its own streams of the seed ("heart",
/// "breathing", "finger", "vasomotion", "grip", "motion", "sliding", "surroundings"), so that a change to one part moves
/// no other.
///
/// It begins with a settled, still, warm finger that covers the lens in full pulse, in a lit room with a torch that has
/// been on for long. Moments are at or after zero, and neither questions nor changes go back in time.
public struct FingerScene: Sendable {
  private var body: Body
  private let tissue: Tissue
  private var circulation: Circulation
  private var contact = Contact()
  private var grip: Grip
  private var motion = FingerMotion.still
  private var fidgeting: MoveChain
  private var sliding: MoveChain
  private var disturbances: Disturbances
  /// What lies before the lens in place of a finger.
  private var nothing: NothingScene?
  private var torch: Torch
  private var surroundings: Surroundings
  private let reflection: Light
  /// The latest moment asked for or changed at, up to which the truth is known.
  public private(set) var latest = Instant.zero

  /// What the body did, up to the latest moment asked for.
  public private(set) var truth: PulseTruth
  /// What was true when the light was asked for last.
  public private(set) var frameTruth = FrameTruth.none

  /// What is before the lens.
  public enum Source: Hashable, Sendable {
    /// The subject's fingertip.
    case finger
    /// Something without a pulse. Lamps flicker so that a camera of this rate is fooled, 5...240 frames per second.
    case nothing(Nothing, frameRateFps: Double)
  }

  /// A scene with a seed for everything that is left to chance.
  ///
  /// Where the source is nothing, there is no subject, and nothing is told of one.
  public init(
    subject: Subject, disturbances: DisturbanceSettings = DisturbanceSettings(), torch: TorchSettings = TorchSettings(),
    source: Source = .finger, seed: UInt64
  ) {
    var truth = PulseTruth()
    body = Body(subject: subject, seed: seed, truth: &truth)
    tissue = Tissue(subject: subject, seed: seed)
    circulation = Circulation(perfusionIndexPercent: subject.finger.perfusionIndexPercent, seed: seed)
    grip = Grip(seed: seed)
    fidgeting = Fidgeting.chain(seed: seed)
    sliding = Sliding.chain(seed: seed)
    self.disturbances = Disturbances(settings: disturbances, seed: seed)
    self.torch = Torch(settings: torch)
    surroundings = Surroundings(seed: seed)
    reflection = Tissue.reflection(of: subject.finger.skin)
    switch source {
    case .finger:
      nothing = nil
      truth.contact = [Stretch(from: .zero, to: nil)]
      truth.visiblePulse = [Stretch(from: .zero, to: nil)]
      self.truth = truth
    case .nothing(let kind, let frameRateFps):
      nothing = NothingScene(kind, frameRateFps: frameRateFps, seed: seed)
      self.truth = PulseTruth()
    }
  }

  /// The light at the lens at `moment`, which is not before any moment asked for or changed at.
  public mutating func light(at moment: Instant) -> Light {
    advance(to: moment)
    let hold = grip.hold(at: moment)
    let offset = sliding.pose(at: moment).slide
    let gap = contact.coverage(at: moment)
    var coverage = gap
    if hold.open != 0 { coverage *= 1 - hold.open }
    if offset != 0 { coverage *= 1 - Sliding.open(offset: offset) }
    let torch = torch.share(at: moment)
    frameTruth.coverage = coverage
    frameTruth.torch = torch
    if coverage == 0 { return emptyLens(at: moment) }
    if nothing != nil { return nothingLight(at: moment, torch: torch, coverage: coverage) }

    let effect = disturbances.effect(at: moment)
    var disturbance = fidgeting.pose(at: moment) + Pose(pressure: effect.pressure, slide: effect.slide)
    if offset != 0 { disturbance = disturbance + Sliding.pose(offset: offset) }
    let finger = fingerLight(
      at: moment, torch: torch, held: hold.pressure + contact.pressure(at: moment), disturbance: disturbance)
    let light = coverage == 1 ? finger : dilute(finger, coverage: coverage, gap: gap, torch: torch, at: moment)
    if effect.factor == 1 { return light }
    frameTruth.disturbance = (1 + frameTruth.disturbance) * effect.factor - 1
    return light.scaled(red: effect.factor, green: effect.factor, blue: effect.factor)
  }

  /// The light of what lies before the lens in place of a finger.
  private mutating func nothingLight(at moment: Instant, torch: Double, coverage: Double) -> Light {
    let room = surroundings.light(at: moment)
    let object = nothing?.light(at: moment, torch: torch, surroundings: room) ?? room
    return coverage == 1 ? object : object.mixed(share: coverage, with: room)
  }

  /// The light through the finger alone.
  private mutating func fingerLight(at moment: Instant, torch: Double, held: Double, disturbance: Pose) -> Light {
    let pose = Pose(pressure: held, slide: 0) + disturbance
    let flow = circulation.flow(at: moment, pressure: pose.pressure)
    let pulse = body.pulseHeight(at: moment)
    let light = tissue.light(pulse: pulse, filling: body.filling(at: moment), flow: flow)
    let lit = torch * (1 - Tissue.roomShare) + surroundings.brightness(at: moment) * Tissue.roomShare
    frameTruth.pulseHeight = pulse
    frameTruth.perfusionIndexPercent = 100 * flow.perfusion
    frameTruth.pressure = pose.pressure
    frameTruth.slide = pose.slide
    frameTruth.disturbance = disturbance.green - 1
    return pose.apply(to: light).scaled(red: lit, green: lit, blue: lit)
  }

  /// The light of a finger that does not cover the lens: the rest sees the room, and the torch's reflection while a gap
  /// opens or closes.
  private mutating func dilute(
    _ finger: Light, coverage: Double, gap: Double, torch: Double, at moment: Instant
  ) -> Light {
    var light = finger.mixed(share: coverage, with: surroundings.light(at: moment))
    // Under a narrow gap skin is near and brightly lit; under a wide one the torch shines past it.
    if gap != 1 { light = light.adding(4 * gap * (1 - gap) * torch, of: reflection) }
    frameTruth.perfusionIndexPercent *= finger.green * coverage / light.green
    return light
  }

  /// The light of a lens without a finger.
  private mutating func emptyLens(at moment: Instant) -> Light {
    frameTruth.pulseHeight = body.pulseHeight(at: moment)
    frameTruth.perfusionIndexPercent = 0
    frameTruth.pressure = 0
    frameTruth.slide = 0
    frameTruth.disturbance = 0
    return surroundings.light(at: moment)
  }

  /// Lets beats and breaths pass until `moment`, and publishes them.
  private mutating func advance(to moment: Instant) {
    precondition(moment >= latest, "time does not go back")
    latest = moment
    if nothing == nil { body.advance(to: moment, truth: &truth) }
  }
}

// MARK: Changes

/// Where the source is nothing there is no body, and what would change one changes nothing.
///
/// Each change begins at its moment and takes its time. What is returned is the moment from which it fully holds; a change
/// to what already is so changes nothing, and holds at once.
extension FingerScene {
  /// The mean heart rate leaves for `bpm` in a straight line at `moment` and arrives `length` later; a length of zero
  /// is a step. A beat that has begun runs its course. The subject must stay free of a ``Subject/contradiction``.
  public mutating func turnHeartRate(to bpm: Double, at moment: Instant, over length: TimeSpan) {
    advance(to: moment)
    guard nothing == nil else { return }
    body.turnHeartRate(to: bpm, at: moment, over: length)
  }

  /// The RMSSD is `rmssdMs` from the first beat after `moment` on. The subject must stay free of a
  /// ``Subject/contradiction``.
  public mutating func turnRmssd(to rmssdMs: Double, at moment: Instant) {
    advance(to: moment)
    guard nothing == nil else { return }
    body.turnRmssd(to: rmssdMs)
  }

  /// The rhythm of the heart changes at `moment`. A beat that has begun runs its course.
  public mutating func setRhythm(_ rhythm: Rhythm, at moment: Instant) {
    advance(to: moment)
    guard nothing == nil else { return }
    body.setRhythm(rhythm, at: moment)
  }

  /// The breathing rate leaves for `perMinute` in a straight line at `moment` and arrives `length` later; a length of
  /// zero is a step. A breath that has begun runs its course. The subject must stay free of a ``Subject/contradiction``.
  public mutating func turnBreathingRate(to perMinute: Double, at moment: Instant, over length: TimeSpan) {
    advance(to: moment)
    guard nothing == nil else { return }
    body.turnBreathingRate(to: perMinute, at: moment, over: length)
  }

  /// The way of breathing changes at `moment`. A breath that has begun runs its course.
  public mutating func setBreathing(_ pattern: BreathingPattern, at moment: Instant) {
    advance(to: moment)
    guard nothing == nil else { return }
    body.setBreathing(pattern, at: moment, truth: &truth)
  }

  /// Lets go of the truth about what is over before `moment`, so that a long run needs no more memory than a short one.
  public mutating func forget(before moment: Instant) {
    truth.forget(before: moment)
  }

  /// The finger begins to land on the lens or to leave it. Leaving takes 0.18 s, landing 0.22 s; then the pressure takes
  /// 0.7 s to settle and the tissue creeps for 7 s more, which is not waited for.
  @discardableResult
  public mutating func setContact(_ isPresent: Bool, at moment: Instant) -> Instant {
    advance(to: moment)
    if isPresent == contact.isPresent { return moment }
    if isPresent {
      contact.land(at: moment)
      truth.contact.begin(at: moment + Contact.landing)
      return moment + Contact.landing
    }
    contact.leave(at: moment)
    truth.contact.end(at: moment)
    return moment + Contact.leaving
  }

  /// The pulse begins to vanish or to return; either takes 0.3 s.
  @discardableResult
  public mutating func setPulse(visible: Bool, at moment: Instant) -> Instant {
    advance(to: moment)
    if visible == circulation.isPulseVisible { return moment }
    circulation.setPulse(visible: visible, at: moment)
    let settled = moment + Circulation.vanishing
    if visible { truth.visiblePulse.begin(at: settled) } else { truth.visiblePulse.end(at: moment) }
    return settled
  }

  /// The finger begins to fidget or slide, either unfit to measure, or comes to rest within 0.3 s or 0.6 s.
  @discardableResult
  public mutating func setMotion(_ motion: FingerMotion, at moment: Instant) -> Instant {
    advance(to: moment)
    if motion == self.motion { return moment }
    var settled = moment
    switch self.motion {
    case .still: break
    case .fidgeting:
      fidgeting.end(at: moment)
      settled = moment + Fidgeting.resting
      truth.fidgeting.end(at: settled)
    case .sliding:
      sliding.end(at: moment)
      settled = moment + Sliding.resting
      truth.sliding.end(at: settled)
    }
    self.motion = motion
    switch motion {
    case .still: return settled
    case .fidgeting:
      fidgeting.begin(at: moment)
      truth.fidgeting.begin(at: moment)
    case .sliding:
      sliding.begin(at: moment)
      truth.sliding.begin(at: moment)
    }
    return moment
  }

  /// The finger begins to press otherwise. It settles within 1.2 s, and from a hard pressure within 1.8 s.
  @discardableResult
  public mutating func setPressure(_ pressure: FingerPressure, at moment: Instant) -> Instant {
    advance(to: moment)
    return grip.press(pressure, at: moment)
  }

  /// The finger shifts to cover the lens in part or in full, within 0.25 s.
  @discardableResult
  public mutating func setCover(_ cover: FingerCover, at moment: Instant) -> Instant {
    advance(to: moment)
    return grip.cover(cover, at: moment)
  }

  /// The finger begins to cool, with a time constant of 15 s, or to warm up, with one of 30 s.
  @discardableResult
  public mutating func setTemperature(_ temperature: FingerTemperature, at moment: Instant) -> Instant {
    advance(to: moment)
    return circulation.become(temperature, at: moment)
  }

  /// The perfusion index begins to turn to `percent`, 0.02...20 %, and arrives `length` (0 or more) later.
  @discardableResult
  public mutating func turnPerfusionIndex(to percent: Double, at moment: Instant, over length: TimeSpan) -> Instant {
    precondition(FingerSettings.perfusionIndexRangePercent.contains(percent), "perfusion index is 0.02...20 %")
    precondition(length >= .zero, "a turn does not end before it begins")
    advance(to: moment)
    circulation.turnIndex(to: percent, at: moment, over: length)
    return moment + length
  }

  /// A disturbance leaves for another strength and has it `length` (0 or more) later.
  ///
  /// `value` is in percent, or for jerks and swallowing events per minute. One that contradicts the others as they are by
  /// then is a programming error (see ``DisturbanceSettings/contradiction``).
  public mutating func turnDisturbance(
    _ kind: DisturbanceKind, to value: Double, at moment: Instant, over length: TimeSpan
  ) {
    advance(to: moment)
    disturbances.turn(kind, to: value, at: moment, over: length)
  }

  /// All that has begun to change arrives at once, so that a scene can begin otherwise than it is made: a finger that moves
  /// goes on moving.
  public mutating func settle() {
    contact.settle()
    grip.settle()
    circulation.settle()
    torch.settle()
    surroundings.settle()
  }

  /// The torch goes on, within its warm-up time, or off, within 30 ms. Without it a finger is nearly dark.
  @discardableResult
  public mutating func setTorch(_ isOn: Bool, at moment: Instant) -> Instant {
    advance(to: moment)
    return torch.turn(on: isOn, at: moment)
  }

  /// The torch falls to 40 % of its light within 0.5 s, as a hot or sparing phone makes it, or returns.
  @discardableResult
  public mutating func setTorchDimmed(_ isDimmed: Bool, at moment: Instant) -> Instant {
    advance(to: moment)
    return torch.dim(isDimmed, at: moment)
  }

  /// The room's lamps go on, or off but for a few, within 0.3 s.
  @discardableResult
  public mutating func setRoom(_ room: Room, at moment: Instant) -> Instant {
    advance(to: moment)
    return surroundings.become(room, at: moment)
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
