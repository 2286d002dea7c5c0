import VitalsModel

/// Heart, breath and vessels: what reaches the fingertip as a function of time, whatever happens to the finger.
///
/// It publishes beats and breaths in a truth as they pass. Moments do not go back.
struct Body: Sendable {
  private var heart: Heart
  private var breathing: Breathing
  private var pulse: PulseWave

  /// A body that is somewhere within a beat and a breath when the run begins.
  init(subject: Subject, seed: UInt64, truth: inout PulseTruth) {
    heart = Heart(subject: subject, seed: seed)
    let foot = heart.foot
    heart.beat()
    pulse = PulseWave(foot: foot, end: heart.foot)
    breathing = Breathing(ratePerMin: subject.breathing.ratePerMin, seed: seed)
    truth.breathStarts = [breathing.current.start, breathing.current.end]
    if foot == .zero { truth.beats.append(foot) }
  }

  /// Lets beats and breaths pass until `moment`, and publishes them.
  mutating func advance(to moment: Instant, truth: inout PulseTruth) {
    while pulse.end <= moment {
      let foot = pulse.end
      heart.beat()
      pulse = PulseWave(foot: foot, end: heart.foot)
      truth.beats.append(foot)
    }
    while breathing.current.end <= moment {
      breathing.next()
      truth.breathStarts.append(breathing.current.end)
    }
  }

  /// The height of the pulse at a moment of the current beat, 0...1.
  func pulseHeight(at moment: Instant) -> Double { pulse.height(at: moment) }

  /// How full the lungs are at a moment of the current breath, -1...1.
  func filling(at moment: Instant) -> Double { breathing.filling(at: moment) }
}
