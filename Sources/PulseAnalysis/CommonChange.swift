/// Tells a change that all colours share, as a lamp, a torch or an exposure makes it, from blood's.
///
/// Blood absorbs green far more than red, so its pulse is never of the same relative size in both: on three people of a
/// public set of phone recordings green pulsed 1.24 to 1.77 times as much as red, and on phones whose red is nearly full
/// more than twice as much. What multiplies the light moves the logarithms of all colours by the same amount.
struct CommonChange {
  /// Neighbouring slopes share most of their cells: about so many count as one for chance (measured on noise of frames
  /// over a sine).
  private static let cellsPerChance = 2.0
  /// The furthest that red and green may differ in size and be alike: under blood's least.
  private static let widest = 0.2
  /// How far blue must be from the others, beyond twice the chance, to be unlike them. It is often dim, and its blood
  /// lies between that of red and of green.
  private static let blueApart = 0.12
  /// A colour darker than this has too few counts to compare, in natural logarithms: 4 counts.
  private static let darkest = 1.386

  /// What is known of a stretch.
  enum Verdict {
    /// Too few colours, or too much noise.
    case unknown
    case common, coloured
  }

  private var count = 0.0
  private var sum = Light()
  private var squares = Light()
  /// Red with green, green with blue, blue with red.
  private var products = Light()

  /// Adds a slope of all colours.
  @inline(__always)
  mutating func add(_ slope: Light) {
    count += 1
    sum += slope
    squares += slope * slope
    products += slope * Light(slope.y, slope.z, slope.x, 0)
  }

  /// Whether all colours that can be compared, red and green at least, change alike.
  ///
  /// `noise` is the variance of the slopes by the noise of frames, `level` the usual logarithm of the light and
  /// `isClipped` says which colours are.
  func verdict(noise: Light, level: Light, isClipped: SIMDMask<SIMD4<Int64>>) -> Verdict {
    guard count >= 32 else { return .unknown }
    let isUsable = level .> Self.darkest .& .!isClipped
    guard isUsable[0], isUsable[1], let redGreen = excess(0, noise) else { return .unknown }
    if redGreen.size.magnitude > Self.widest { return .coloured }
    if isUsable[2] {
      for lane in 1...2 {
        guard let pair = excess(lane, noise) else { continue }
        if pair.size.magnitude - 2 * pair.chance > Self.blueApart { return .coloured }
      }
    }
    return redGreen.size.magnitude + redGreen.chance < Self.widest ? .common : .unknown
  }

  /// By which share a colour's next one changes more than it, with the standard deviation of that; nil where noise hides it.
  private func excess(_ lane: Int, _ noise: Light) -> (size: Double, chance: Double)? {
    let other = lane < 2 ? lane + 1 : 0
    let product = products[lane] / count - sum[lane] * sum[other] / (count * count)
    let own = squares[lane] / count - sum[lane] * sum[lane] / (count * count)
    let others = squares[other] / count - sum[other] * sum[other] / (count * count)
    // Each colour weighs by its clearness; so weighed, what they share and what they differ by have no noise in common.
    let total = noise[lane] + noise[other] + 1e-12
    let weight = (noise[other] + 0.5e-12) / total
    let rest = 1 - weight
    let seen = weight * weight * own + rest * rest * others + 2 * weight * rest * product
    let shared = seen - weight * rest * total
    guard shared > 0.1 * seen else { return nil }
    let size = (rest * others - weight * own + (weight - rest) * product) / shared
    let apart = own + others - 2 * product
    let chance = (max(apart - size * size * shared, 0) * Self.cellsPerChance / (count * shared)).squareRoot()
    return (size, chance)
  }
}
