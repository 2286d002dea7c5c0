import OximeterProtocols
import OximeterSynthesis
import PulseSynthesis
import VitalsModel

/// A synthetic finger that changes by a list.
struct SyntheticFingertip: Fingertip {
  /// What happens to it.
  enum Change: Sendable {
    case contact(Bool), pulse(Bool), motion(FingerMotion), perfusion(Double), rate(Double)
  }

  private(set) var scene: FingerScene
  private var changes: ArraySlice<(at: Instant, change: Change)>
  private var told = 0
  var end: Instant?

  init(
    bpm: Double = 66, rmssdMs: Double = 40, perfusion: Double = 2, seed: UInt64 = 1,
    changes: [(seconds: Double, change: Change)] = []
  ) {
    let subject = Subject(heartRateBpm: bpm, rmssdMs: rmssdMs, perfusionIndexPercent: perfusion)
    scene = FingerScene(subject: subject, seed: seed)
    self.changes = changes.map { (at($0.seconds), $0.change) }[...]
  }

  mutating func look(at moment: Instant) -> FingertipLook {
    while let first = changes.first, first.at <= moment {
      changes.removeFirst()
      switch first.change {
      case .contact(let isPresent): scene.setContact(isPresent, at: first.at)
      case .pulse(let isVisible): scene.setPulse(visible: isVisible, at: first.at)
      case .motion(let motion): scene.setMotion(motion, at: first.at)
      case .perfusion(let percent): scene.turnPerfusionIndex(to: percent, at: first.at, over: .zero)
      case .rate(let bpm): scene.turnHeartRate(to: bpm, at: first.at, over: .zero)
      }
    }
    let light = scene.light(at: moment)
    let feet = scene.truth.beats.dropFirst(told).map(\.foot)
    told += feet.count
    return FingertipLook(
      light: light.green, coverage: scene.frameTruth.coverage, disturbance: scene.frameTruth.disturbance,
      perfusionIndexPercent: scene.frameTruth.perfusionIndexPercent, feet: feet)
  }
}

/// A moment in seconds.
func at(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }
