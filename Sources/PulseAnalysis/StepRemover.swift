import VitalsModel

/// Takes sudden jumps of brightness out, as a camera makes that changes its exposure.
struct StepRemover: Sendable {
  /// Smallest change between two frames that is a jump, in natural logarithms.
  private static let smallest = 0.045
  /// A change of this size is a jump even where the colours differ: no pulse rises so fast.
  private static let widest = 0.16
  /// The logarithm of a clipped colour's level.
  private static let fullLight = Maths.log(FingerColour.clipped)
  /// The logarithm of a level below which a colour has too few counts to compare by.
  private static let dimLight = Maths.log(8)

  private var last: Light?
  private var offset = Light()
  private var usualChange = Light()

  /// The frame's light without the jumps so far, and whether it jumped just now.
  mutating func level(_ raw: Light) -> (light: Light, isStep: Bool) {
    guard let before = last else {
      last = raw
      return (raw, false)
    }
    last = raw
    let change = raw - before
    let size = change.replacing(with: -change, where: change .< 0)
    let isStep = size .> Self.smallest .& size .> usualChange * 8
    usualChange += (pointwiseMin(size, Light(repeating: Self.smallest)) - usualChange) * 0.03
    // The exposure moves all colours; a dim one alone may well pulse by as much.
    let lane = Self.brightest(raw)
    guard isStep[lane], size[lane] > Self.widest || Self.isShared(change, raw, lane) else {
      return (raw + offset, false)
    }
    offset -= change.replacing(with: 0, where: .!isStep)
    return (raw + offset, true)
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
    for lane in 1..<3 where light[chosen] >= fullLight || (light[lane] > light[chosen] && light[lane] < fullLight) {
      chosen = lane
    }
    return chosen
  }
}
