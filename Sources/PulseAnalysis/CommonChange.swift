/// Tells a change that all colours share, as a lamp, a torch or an exposure makes it, from blood's.
///
/// Blood absorbs green far more than red, so its pulse is never of the same relative size in both: on three people of a
/// public set of phone recordings green pulsed 1.24 to 1.77 times as much as red, and on phones whose red is nearly full
/// more than twice as much. What multiplies the light moves the logarithms of all colours by the same amount.
struct CommonChange: Sendable {
  /// The furthest that red and green may differ in size and be alike: under blood's least.
  private static let widest = 0.2
  /// By how much blood moves green more than red at least on most fingers; chance must not be what hides it.
  private static let usualBlood = 0.35
  /// By how much green pulsed more than red on the finger where it did so least.
  private static let leastBlood = 0.24
  /// How many times its own chance what two colours share must be, and how much of what they could, to go with or against
  /// each other.
  private static let shared = (chances: 2.5, share: 0.3)
  /// How far blue must be from the others, beyond twice the chance, to be unlike them. It is often dim, and its blood
  /// lies between that of red and of green.
  private static let blueApart = 0.12
  /// A colour darker than this has too few counts to compare, in natural logarithms: 4 counts.
  private static let darkest = 1.386
  /// Slopes of a block: half a second, over which the noise of slopes forgets itself.
  private static let blockLength = 16
  /// Blocks that are needed: a second and a half.
  private static let leastBlocks = 3

  /// What is known of a stretch.
  enum Verdict {
    /// Too few colours, or too much noise.
    case unknown
    case common, coloured
    /// Noise hides how far they differ, and what is seen lies, within chance, nearer to alike than to blood's least.
    case perhapsCommon
    /// The colours differ by as much as blood makes them, and it may be chance.
    case perhapsColoured
    /// So may it be, and alike is within chance.
    case either
    /// Some change against each other, and none go together: blood moves all the same way.
    case opposed
  }

  /// The same of three colours in four cells.
  typealias Fours = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  private struct Block {
    var count = 0.0
    var sum = Light()
    var squares = Light()
    /// Red with green, green with blue, blue with red.
    var products = Light()

    @inline(__always)
    mutating func add(_ slope: Light) {
      count += 1
      sum += slope
      squares += slope * slope
      products += slope * CommonChange.next(slope)
    }

    /// Adds the slopes of some cells, already counted.
    @inline(__always)
    mutating func add(_ cells: Range<Int>, _ slopes: (Int) -> Fours) {
      var (sums, squares, products): (Fours, Fours, Fours) = (
        (SIMD4(), SIMD4(), SIMD4()), (SIMD4(), SIMD4(), SIMD4()), (SIMD4(), SIMD4(), SIMD4())
      )
      for cell in stride(from: cells.lowerBound, to: cells.upperBound, by: 4) {
        var (red, green, blue) = slopes(cell)
        let left = cells.upperBound - cell
        if left < 4 { (red, green, blue) = (red.prefix(left), green.prefix(left), blue.prefix(left)) }
        sums = (sums.0 + red, sums.1 + green, sums.2 + blue)
        squares = (squares.0 + red * red, squares.1 + green * green, squares.2 + blue * blue)
        products = (products.0 + red * green, products.1 + green * blue, products.2 + blue * red)
      }
      sum += Light(sums.0.sum(), sums.1.sum(), sums.2.sum(), 0)
      self.squares += Light(squares.0.sum(), squares.1.sum(), squares.2.sum(), 0)
      self.products += Light(products.0.sum(), products.1.sum(), products.2.sum(), 0)
    }

    mutating func add(_ other: Block) {
      count += other.count
      sum += other.sum
      squares += other.squares
      products += other.products
    }

    /// This block's part of the products of colours about their `mean`.
    func aboutMean(_ mean: Light) -> (squares: Light, products: Light) {
      let next = CommonChange.next(mean)
      return (
        squares - 2 * mean * sum + count * mean * mean,
        products - mean * CommonChange.next(sum) - next * sum + count * mean * next
      )
    }
  }

  /// The last blocks, in a ring once there are `capacity` of them.
  private var blocks: [Block] = []
  private let capacity: Int
  private var oldest = 0
  private var current = Block()

  /// Compares what so many seconds held at most.
  init(seconds: Int) {
    capacity = seconds * Int(LightGrid.rate) / Self.blockLength
  }

  /// Forgets everything, keeping the storage.
  mutating func restart() {
    blocks.removeAll(keepingCapacity: true)
    oldest = 0
    current = Block()
  }

  /// Adds the next slope of all colours.
  @inline(__always)
  mutating func add(_ slope: Light) {
    current.add(slope)
    if current.count == Double(Self.blockLength) { close() }
  }

  /// Adds the slopes of some cells, which are 0 outside of `known`; `slopes` gives those of four cells from one on, for red,
  /// green and blue.
  @inline(__always)
  mutating func add(_ cells: Range<Int>, known: Range<Int>, _ slopes: (Int) -> Fours) {
    var first = cells.lowerBound
    while first < cells.upperBound {
      let end = min(first + Self.blockLength - Int(current.count), cells.upperBound)
      current.count += Double(end - first)
      current.add((first..<end).clamped(to: known), slopes)
      if current.count == Double(Self.blockLength) { close() }
      first = end
    }
  }

  private mutating func close() {
    if blocks.count < capacity {
      blocks.append(current)
    } else {
      blocks[oldest] = current
      oldest = (oldest + 1) % capacity
    }
    current = Block()
  }

  /// Whether all colours that can be compared, red and green at least, change alike.
  ///
  /// `noise` is the variance of the slopes by the noise of frames, `level` the usual logarithm of the light and
  /// `isClipped` says which colours are.
  func verdict(noise: Light, level: Light, isClipped: SIMDMask<SIMD4<Int64>>) -> Verdict {
    guard blocks.count >= Self.leastBlocks else { return .unknown }
    let isUsable = level .> Self.darkest .& .!isClipped
    guard isUsable[0], isUsable[1] else { return .unknown }
    var all = Block()
    for block in blocks { all.add(block) }
    let mean = all.sum / all.count
    if areOpposed(all, mean, noise, lanes: isUsable[2] ? 3 : 1) { return .opposed }
    guard let redGreen = excess(0, noise, all, mean) else { return .unknown }
    let mayBeAlike = redGreen.size.magnitude - redGreen.chance < 0.5 * Self.leastBlood
    if redGreen.size.magnitude > Self.widest {
      if redGreen.size.magnitude - 2 * redGreen.chance > 0.5 * Self.widest { return .coloured }
      return mayBeAlike ? .either : .perhapsColoured
    }
    if isUsable[2] {
      for lane in 1...2 {
        guard let pair = excess(lane, noise, all, mean) else { continue }
        if pair.size.magnitude - 2 * pair.chance > Self.blueApart { return .coloured }
      }
    }
    if redGreen.size.magnitude + 2.5 * redGreen.chance < Self.usualBlood { return .common }
    return mayBeAlike ? .perhapsCommon : .unknown
  }

  /// Whether some of the first pairs of colours, `lanes` of them, go against each other and none together.
  ///
  /// A camera takes a part of each colour off the others, which may turn over one that has little light of its own: red does
  /// so on a finger of a public recording whose light is green.
  private func areOpposed(_ all: Block, _ mean: Light, _ noise: Light, lanes: Int) -> Bool {
    var chances = Light()
    for block in blocks {
      let products = block.aboutMean(mean).products
      chances += products * products
    }
    let (squares, products) = all.aboutMean(mean)
    let clear = (squares - noise * all.count).clamped(lowerBound: squares / 3, upperBound: squares)
    let couldShare = (clear * Self.next(clear)).squareRoot()
    let least = chances.squareRoot() * Self.shared.chances
    func go(_ lane: Int, _ sign: Double) -> Bool {
      sign * products[lane] > max(least[lane], Self.shared.share * couldShare[lane])
    }
    return (0..<lanes).contains { go($0, -1) } && !(0..<lanes).contains { go($0, 1) }
  }

  /// By which share a colour's next one changes more than it, with the standard deviation of that by chance, as the blocks
  /// scatter; nil where noise hides it.
  private func excess(_ lane: Int, _ noise: Light, _ all: Block, _ mean: Light) -> (size: Double, chance: Double)? {
    let other = lane < 2 ? lane + 1 : 0
    // Each colour weighs by its clearness; so weighed, what they share and what they differ by have no noise in common.
    let total = noise[lane] + noise[other] + 1e-12
    let weight = (noise[other] + 0.5e-12) / total
    let rest = 1 - weight
    func parts(_ block: Block) -> (shared: Double, apart: Double) {
      let (squares, products) = block.aboutMean(mean)
      let own = squares[lane]
      let others = squares[other]
      let product = products[lane]
      let noise = weight * rest * total * block.count
      return (
        weight * weight * own + rest * rest * others + 2 * weight * rest * product - noise,
        rest * others - weight * own + (weight - rest) * product
      )
    }
    let (clear, apart) = parts(all)
    // What is as fast as noise may have been taken for it: no more than two thirds of what is seen count as noise.
    let seen = clear + weight * rest * total * all.count
    guard seen > 0 else { return nil }
    let shared = max(clear, seen / 3)
    let size = apart / shared
    var scatter = 0.0
    for block in blocks {
      let part = parts(block)
      let misfit = part.apart - size * part.shared
      scatter += misfit * misfit
    }
    let spare = Double(blocks.count) / Double(blocks.count - 1)
    return (size, (scatter * spare).squareRoot() / shared)
  }

  @inline(__always)
  private static func next(_ light: Light) -> Light { Light(light.y, light.z, light.x, 0) }
}
