import VitalsModel

/// The automatic exposure of a camera: it compares the brightness of a frame seen some frames ago with a target, and moves
/// the exposure by a share of the difference, in whole steps.
///
/// That is an integrator behind a delay of n frames. It settles without overshoot while the share is below
/// n^n / (n + 1)^(n + 1), and swings for ever above 2 sin(pi / (4 n + 2)) (the roots of z^(n + 1) - z^n + share).
/// `auto` stays below the first bound and `hunting` lies above the second, where the largest step limits its swing.
struct ExposureControl: Sendable {
  /// Steps in a stop.
  private static let stepsPerStop = 64.0
  /// The darkest and the brightest, in stops from where it began.
  private static let range = -5.0...5.0
  /// The luma it aims at, and the level that no colour should be above: on the linear scale of 0...255. The first is what a
  /// finger in the torch's light has, rather than a grey card, as a camera that protects its highlights shows it.
  private static let target = (luma: 85.0, brightest: 215.0)
  /// A step larger than the fine one is taken beyond this difference, in stops.
  private static let coarseFrom = 0.5

  private struct Tuning: Sendable {
    /// Frames from a picture to the first that its verdict changes, 1...8.
    let delay: Int
    /// How much of a difference is made up for at once.
    let share: Double
    /// A difference in stops below which a settled exposure stays, and a moving one settles.
    let slack: (settled: Double, moving: Double)
    /// The most steps between two frames: far from the target, and near it.
    let most: (coarse: Double, fine: Double)

    // 27 / 256 is the bound for a delay of three frames. Below 0.08 stops the share is no whole step.
    static let auto = Tuning(delay: 3, share: 0.1, slack: (0.2, 0.08), most: (12, 12))
    // 0.21 is the bound for a delay of seven frames.
    static let hunting = Tuning(delay: 7, share: 0.35, slack: (0, 0), most: (3, 1))
  }

  private enum State: Sendable {
    /// It does nothing.
    case locked
    /// It waits for a difference worth an adjustment.
    case settled
    /// It adjusts until the difference is gone.
    case moving
  }

  private var state: State
  private let tuning: Tuning
  private let gamma: Double
  private let targets: (luma: Double, brightest: Double)
  /// Differences in stops by frame number modulo 8.
  private var seen = SIMD8<Double>()
  private var frames = 0
  private var steps = 0.0
  /// What the light of the next frame is multiplied by.
  private(set) var factor = 1.0

  init(_ mode: ExposureMode, gamma: Double) {
    self.gamma = gamma
    func toned(_ level: Double) -> Double {
      PixelResponse.ceiling * Maths.pow(level / PixelResponse.ceiling, gamma)
    }
    targets = (toned(Self.target.luma), toned(Self.target.brightest))
    switch mode {
    // Nothing asks for the tuning of one that is locked.
    case .locked: (state, tuning) = (.locked, .auto)
    case .auto: (state, tuning) = (.settled, .auto)
    case .hunting: (state, tuning) = (.settled, .hunting)
    }
  }

  /// Takes in a frame's means, in the order of the frames.
  mutating func see(red: Double, green: Double, blue: Double) {
    switch state {
    case .locked: return
    case .settled:
      let error = delayed(red, green, blue)
      guard error.magnitude > tuning.slack.settled else { return }
      state = .moving
      move(by: error)
    case .moving:
      let error = delayed(red, green, blue)
      if error.magnitude < tuning.slack.moving { state = .settled } else { move(by: error) }
    }
  }

  /// Notes this frame's difference and gives the one that has made its way through the delay; none is 0.
  private mutating func delayed(_ red: Double, _ green: Double, _ blue: Double) -> Double {
    // Luma as in BT.601.
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    let brightest = max(red, green, blue)
    // The larger of two ratios needs one logarithm. A black frame counts as nearly black.
    let ratio = max(luma / targets.luma, brightest / targets.brightest, 0.001)
    seen[frames & 7] = stops(of: ratio) / gamma
    // The exposure of the next frame follows this one: one frame of the delay.
    let past = frames - (tuning.delay - 1)
    frames += 1
    return past < 0 ? 0 : seen[past & 7]
  }

  private mutating func move(by error: Double) {
    let most = error.magnitude > Self.coarseFrom ? tuning.most.coarse : tuning.most.fine
    let wanted = (-tuning.share * error * Self.stepsPerStop).rounded(.toNearestOrAwayFromZero)
    let moved = steps + min(max(wanted, -most), most)
    let allowed = min(
      max(moved, Self.range.lowerBound * Self.stepsPerStop), Self.range.upperBound * Self.stepsPerStop)
    guard allowed != steps else { return }
    steps = allowed
    factor = Maths.exp(steps / Self.stepsPerStop * Self.ln2)
  }

  private static let ln2 = 0.693_147_180_559_945_3
}

/// The logarithm of a normal positive number to the base 2, within 3e-6: `Maths.log` is exact and takes longer than the
/// rest of a frame's exposure.
///
/// As there, by the series of 2 artanh((m - r) / (m + r)) for the significand m, here about r, the root of 2.
private func stops(of ratio: Double) -> Double {
  let bits = ratio.bitPattern
  let exponent = Double(Int64(bits >> 52) - 1_023)
  let significand = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
  let root = 1.414_213_562_373_095_1
  let s = (significand - root) / (significand + root)
  let square = s * s
  return exponent + 0.5 + s * (1 + square * (1 / 3.0 + square / 5)) * 2.885_390_081_777_926_8
}
