import VitalsModel

/// Takes sudden jumps of brightness out, as a camera makes that changes its exposure.
struct StepRemover: Sendable {
  /// Smallest change between two frames that is a jump, in natural logarithms, while little is known of the light.
  private static let smallest = 0.045
  /// Smallest change that is one step of many, as of a torch that dims and an exposure that follows: once the usual change
  /// is known, and shortly after such a step.
  private static let smallestKnown = (first: 0.012, next: 0.008)
  /// How many times the usual change is no pulse's: the rise of the slowest heart's pulse is nine times its mean change.
  private static let unusual = 12.0
  /// Frames after which the usual change is known, and after a step in which the next one is expected.
  private static let settling = 60
  private static let following = 15
  /// So many steps, less a quarter of the frames without one, are no passing adjustment but the light's usual change.
  private static let mostSteps = 120
  /// A change of this size is a jump even where the colours differ: no pulse rises so fast.
  private static let widest = 0.16
  /// The logarithm of a clipped colour's level.
  private static let fullLight = Maths.log(FingerColour.clipped)
  /// The logarithm of a level below which a colour has too few counts to compare by.
  private static let dimLight = Maths.log(8)

  private var last: Light?
  private var offset = Light()
  private var usualChange = Light()
  private var frames = 0
  private var sinceStep = following
  /// Four for each step of late, less one for each frame without.
  private var restlessness = 0

  /// The frame's light without the jumps so far, and whether it jumped just now.
  @inline(__always)
  mutating func level(_ raw: Light) -> (light: Light, isStep: Bool) {
    guard let before = last else {
      last = raw
      return (raw, false)
    }
    last = raw
    let change = raw - before
    let size = change.atLeast(-change)
    // What is smaller than any step needs no closer look.
    guard max(size.x, size.y, size.z) > Self.smallestKnown.next else {
      learn(size, isStep: false)
      return (raw + offset, false)
    }
    // The exposure moves all colours; a dim one alone may well pulse by as much.
    let isStep = isStep(change, size, raw, Self.brightest(raw))
    learn(size, isStep: isStep.isAny)
    offset -= isStep.isAny ? change.replacing(with: 0, where: .!isStep.lanes) : Light()
    return (raw + offset, isStep.isAny)
  }

  // Apart from the way of nearly all frames, so that that one keeps its registers.
  @inline(never)
  private func isStep(
    _ change: Light, _ size: Light, _ raw: Light, _ lane: Int
  ) -> (isAny: Bool, lanes: SIMDMask<SIMD4<Int64>>) {
    let large = size .> Self.smallest .& size .> usualChange * 8
    if large[lane], size[lane] > Self.widest || Self.isShared(change, raw, lane) { return (true, large) }
    guard frames >= Self.settling else { return (false, large) }
    let isNext = sinceStep < Self.following
    let least = max(isNext ? Self.smallestKnown.next : Self.smallestKnown.first, usualChange[lane] * Self.unusual)
    guard size[lane] > least, Self.isShared(change, raw, lane) else { return (false, large) }
    return (true, SIMDMask(repeating: true))
  }

  @inline(__always)
  private mutating func learn(_ size: Light, isStep: Bool) {
    frames &+= 1
    sinceStep = isStep ? 0 : sinceStep &+ 1
    restlessness = isStep ? min(restlessness &+ 4, 8 * Self.mostSteps) : max(restlessness &- 1, 0)
    if isStep, frames > Self.settling, restlessness < 4 * Self.mostSteps { return }
    usualChange = usualChange * 0.97 + size.atMost(Light(repeating: Self.smallest)) * 0.03
  }

  /// Whether the other colours changed by as much as the brightest one, as an exposure makes them and a strong pulse does
  /// not, whose red moves by four fifths of green at most. Where there is no other colour to ask it is taken to be so.
  private static func isShared(_ change: Light, _ light: Light, _ brightest: Int) -> Bool {
    for lane in 0..<3 where lane != brightest && light[lane] > dimLight && light[lane] < fullLight {
      let apart = (change[lane] - change[brightest]).magnitude
      if apart > 0.15 * change[brightest].magnitude + 0.003 { return false }
    }
    return true
  }

  /// The brightest colour that is not clipped, which is the least noisy.
  static func brightest(_ light: Light) -> Int {
    var chosen = 0
    var most = light.x
    if most >= fullLight || (light.y > most && light.y < fullLight) { (chosen, most) = (1, light.y) }
    if most >= fullLight || (light.z > most && light.z < fullLight) { chosen = 2 }
    return chosen
  }
}
