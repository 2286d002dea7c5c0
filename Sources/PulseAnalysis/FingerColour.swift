import VitalsModel

/// Tells a fingertip on the lens from a room, by colour alone.
enum FingerColour {
  /// A channel at or above this has lost light to clipping (of 255).
  static let clipped = 254.5
  /// Light below this is too little for a reading, whatever its colour.
  static let darkest = 20.0

  /// The least light whose colours can still be told, of 255: a few counts.
  static let fewestCounts = 4.0

  /// Whether a frame's colour means are those of light that passed through skin.
  ///
  /// Blood takes the blue and much of the green; what a camera's colour processing leaves of them differs widely.
  /// Public recordings run from (250, 0, 0) over (230, 80, 45) to a dim (60, 58, 50) and a greenish (32, 84, 46), so
  /// there are two shapes: a flood of red, and dim light in which blue stays clearly below the brightest.
  /// A room seen through a free lens is brighter than the second and paler than the first. A dark deep red is a finger
  /// whose torch went out: too little light for a reading, so it does not count.
  static func isFinger(red: Double, green: Double, blue: Double) -> Bool {
    let brightest = max(red, max(green, blue))
    guard brightest <= 256 else { return false }
    let isRedFlood = red >= 48 && green <= 0.62 * red && blue <= 0.62 * red && min(green, blue) <= 0.5 * red
    if isRedFlood { return true }
    return brightest >= darkest && isDimFinger(red, green, blue)
  }

  /// Whether a frame has a fingertip's hue, however little light there is.
  static func hasFingerHue(red: Double, green: Double, blue: Double) -> Bool {
    let isRed = red <= 256 && green <= 0.62 * red && blue <= 0.62 * red && min(green, blue) <= 0.5 * red
    return isRed || isDimFinger(red, green, blue)
  }

  private static func isDimFinger(_ red: Double, _ green: Double, _ blue: Double) -> Bool {
    let isGreenish = green >= 1.25 * red && blue <= 0.75 * green
    let brightest = max(red, max(green, blue))
    return brightest <= (isGreenish ? 150 : 105) && green >= 0.62 * red && blue <= 0.88 * brightest
  }
}

/// Contact with the fingertip over time: follows the colour with a short delay, so that single frames change nothing.
struct ContactGate: Sendable {
  /// How long the colour must say otherwise before contact is taken as lost or found, in microseconds.
  static let lossUs: Int64 = 150_000
  static let gainUs: Int64 = 150_000

  private(set) var hasContact = false
  /// Whether enough was seen to say so: false in the first moments.
  private(set) var isKnown = false
  private var firstUs: Int64?
  private var changingSinceUs: Int64?

  /// Takes one frame's verdict; `atUs` never falls.
  mutating func update(isFinger: Bool, atUs: Int64) {
    let firstUs = firstUs ?? atUs
    self.firstUs = firstUs
    isKnown = isKnown || atUs - firstUs >= Self.gainUs
    guard isFinger != hasContact else {
      changingSinceUs = nil
      return
    }
    let since = changingSinceUs ?? atUs
    changingSinceUs = since
    if atUs - since >= (hasContact ? Self.lossUs : Self.gainUs) {
      hasContact = isFinger
      changingSinceUs = nil
    }
  }
}
