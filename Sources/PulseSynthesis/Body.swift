import VitalsModel

/// Heart, breath and vessels: what reaches the fingertip as a function of time, whatever happens to the finger.
///
/// It publishes beats and breaths in a truth as they pass. Moments do not go back; a change is made at a moment to which
/// the body has advanced, and a beat or breath that has begun by then runs its course.
struct Body: Sendable {
  private(set) var subject: Subject
  private var heart: Heart
  private var breathing: Breathing
  private let contour: PulseContour
  /// The latest pulse that showed.
  private var pulse: PulseWave
  /// The foot of the latest beat, whether it showed or not.
  private var latestFoot: Instant
  private var coming: Coming

  /// What follows the current pulse.
  private enum Coming: Sendable {
    /// A beat.
    case beat(PlannedBeat)
    /// Nothing while the heart pauses; the beat that would have come.
    case pause(instead: PlannedBeat)
  }

  /// A body that is somewhere within a beat and a breath when the run begins.
  init(subject: Subject, seed: UInt64, truth: inout PulseTruth) {
    self.subject = subject
    breathing = Breathing(settings: subject.breathing, seed: seed)
    heart = Heart(settings: subject.heart, seed: seed)
    contour = PulseContour(subject.vessels)
    let first = heart.next(&breathing)
    let second = heart.next(&breathing)
    pulse = PulseWave(foot: first.foot, end: second.foot, height: first.height, contour: contour)
    latestFoot = first.foot
    coming = .beat(second)
    truth.breathStarts = [breathing.current.start, breathing.current.end]
    if first.foot == .zero { truth.beats.append(Beat(foot: first.foot, peak: pulse.peak, kind: first.kind)) }
  }

  /// Lets beats and breaths pass until `moment`, and publishes them.
  mutating func advance(to moment: Instant, truth: inout PulseTruth) {
    while case .beat(let beat) = coming, beat.foot <= moment {
      let next = heart.next(&breathing)
      // The rhythm of the moment says whether it shows; where it does not, the last pulse runs off.
      if heart.rhythm == .missed {
        truth.missed.append(beat.foot)
      } else {
        pulse = PulseWave(
          foot: beat.foot, end: next.foot, height: beat.height, from: pulse.height(at: beat.foot), contour: contour)
        truth.beats.append(Beat(foot: beat.foot, peak: pulse.peak, kind: beat.kind))
      }
      latestFoot = beat.foot
      coming = .beat(next)
    }
    breathing.advance(to: moment, truth: &truth)
  }

  /// The height of the pulse at a moment from the latest beat on: 0 at its foot, about 1 at its top.
  @inline(__always)
  func pulseHeight(at moment: Instant) -> Double { pulse.height(at: moment) }

  /// How full the lungs are at a moment of the current breath, -1...1.
  @inline(__always)
  func filling(at moment: Instant) -> Double { breathing.filling(at: moment) }

  // MARK: Changes

  /// Leaves for another mean heart rate at `moment`, and arrives `length` later; at once where that is zero.
  mutating func turnHeartRate(to bpm: Double, at moment: Instant, over length: TimeSpan) {
    precondition(length >= .zero, "a ramp does not end before it begins")
    subject.heart.rateBpm = bpm
    checkSubject()
    heart.turnRate(to: bpm, at: moment, over: length)
    replanHeart()
  }

  /// Asks for another RMSSD from the next beat on.
  mutating func turnRmssd(to rmssdMs: Double) {
    subject.heart.rmssdMs = rmssdMs
    checkSubject()
    heart.turnRmssd(to: rmssdMs)
    replanHeart()
  }

  /// Changes the rhythm at `moment`.
  mutating func setRhythm(_ rhythm: Rhythm, at moment: Instant) {
    let before = heart.rhythm
    if rhythm == before { return }
    heart.setRhythm(rhythm)
    // Whether its pulses arrive is nothing to the heart.
    if [before, rhythm].allSatisfy({ $0 == .sinus || $0 == .missed }) { return }
    switch coming {
    case .beat(let beat):
      if rhythm == .paused { coming = .pause(instead: beat) }
    case .pause(let beat):
      // A pause that was shorter than the interval was none.
      if moment <= beat.foot {
        coming = .beat(beat)
      } else {
        let height = heart.strength(after: moment - latestFoot, at: moment)
        coming = .beat(PlannedBeat(foot: moment, kind: .escape, height: height))
      }
    }
    replanHeart()
  }

  /// Leaves for another breathing rate at `moment`, and arrives `length` later; at once where that is zero.
  mutating func turnBreathingRate(to perMinute: Double, at moment: Instant, over length: TimeSpan) {
    precondition(length >= .zero, "a ramp does not end before it begins")
    subject.breathing.ratePerMin = perMinute
    checkSubject()
    breathing.turnRate(to: perMinute, at: moment, over: length)
    replanHeart()
  }

  /// Changes the way of breathing at `moment`.
  mutating func setBreathing(_ pattern: BreathingPattern, at moment: Instant, truth: inout PulseTruth) {
    if pattern == breathing.pattern { return }
    breathing.set(pattern, at: moment, truth: &truth)
    replanHeart()
  }

  private mutating func replanHeart() {
    switch coming {
    case .beat(let beat): heart.replan(after: beat, &breathing)
    case .pause: break
    }
  }

  private func checkSubject() {
    if let contradiction = subject.contradiction { preconditionFailure(contradiction.reason) }
  }
}
