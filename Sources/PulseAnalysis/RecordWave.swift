import VitalsModel

/// A whole record on the even grid: light without exposure jumps, and which cells can be trusted.
struct RecordWave {
  /// Cells put between two stretches that lie more than a second apart, so that nothing is joined across.
  static let seam = 32

  /// The light of each cell.
  private(set) var lights: [Light] = []
  /// For each colour in turn the light of each cell beyond that of the first cell; then for each colour in turn the sums of
  /// these before each cell, one more than there are cells.
  private var rows: [Double] = []
  /// Whether the cell comes from a finger and from frames close to each other.
  private(set) var isTrusted: [Bool] = []
  /// Share of frames in which each colour was clipped.
  private(set) var clippedShare = Light()
  /// Whether there is no light at all for want of it.
  private(set) var isDark = false
  /// Mean of each colour, 0...255.
  private(set) var mean = Light()
  /// From the first frame to the last, seconds.
  private(set) var seconds = 0.0
  /// The frames that it was laid from.
  private var frames: [FingerFrames.Frame] = []
  /// Cells from a frame to the next, on average.
  private(set) var cellsPerFrame = 1.0
  /// The unbroken stretches of frames, each from its first cell on.
  private(set) var stretches: [(firstCell: Int, grid: LightGrid)] = []

  /// Lays a record out.
  init(_ record: PulseRecord) {
    guard record.count >= 2 else { return }
    seconds = Double(record.frames[record.count - 1].atUs - record.frames[0].atUs) * 1e-6
    let fingers = FingerFrames(record)
    frames = fingers.frames
    isDark = fingers.isDark
    guard !frames.isEmpty else { return }
    (mean, clippedShare) = (fingers.mean, fingers.clippedShare)
    // No more cells than these: what breaks the signal counts as a seam.
    let seenUs = frames[frames.count - 1].atUs - frames[0].atUs - fingers.breaks.us
    lay(capacity: Int(seenUs / LightGrid.cellUs) + Self.seam * fingers.breaks.count)
    cellsPerFrame = Double(max(lights.count - Self.seam * (stretches.count - 1), 1)) / Double(frames.count)
    rows = Self.rows(lights)
  }

  private mutating func lay(capacity: Int) {
    let frames = frames
    isTrusted = [Bool](unsafeUninitializedCapacity: capacity) { isTrusted, trusted in
      lights = [Light](unsafeUninitializedCapacity: capacity) { lights, initialized in
        var count = 0
        var grid = LightGrid(firstUs: frames[0].atUs, first: frames[0].light)
        stretches.append((0, grid))
        for index in 1..<frames.count {
          let frame = frames[index]
          if frame.atUs - grid.lastUs <= PulseAnalyzer.longestGapUs {
            let isGood = frame.atUs >= frame.doubtfulUntilUs
            grid.add(frame.atUs, frame.light) { cell in
              lights[count] = cell
              isTrusted[count] = isGood
              count += 1
            }
            continue
          }
          if count > 0 { Self.join(lights, isTrusted, &count, to: frame.light) }
          grid = LightGrid(firstUs: frame.atUs, first: frame.light)
          stretches.append((count, grid))
        }
        (trusted, initialized) = (count, count)
      }
    }
  }

  /// Puts a seam between the last stretch and one that begins at `light`.
  private static func join(
    _ lights: UnsafeMutableBufferPointer<Light>, _ isTrusted: UnsafeMutableBufferPointer<Bool>, _ count: inout Int,
    to light: Light
  ) {
    let last = lights[count - 1]
    for place in 1...seam {
      lights[count] = last + (light - last) * (Double(place) / Double(seam))
      isTrusted[count] = false
      count += 1
    }
  }

  /// Numbers from one row to the next; some are spare, so that four at a time may be read from any cell.
  private static func stride(_ count: Int) -> Int { count + 4 }

  private static func rows(_ lights: [Light]) -> [Double] {
    let first = lights.first ?? Light()
    let (count, stride) = (lights.count, stride(lights.count))
    return [Double](unsafeUninitializedCapacity: 6 * stride) { room, initialized in
      guard let rows = room.baseAddress else { return }
      let levels = (rows, rows + stride, rows + 2 * stride)
      let sums = (rows + 3 * stride, rows + 4 * stride, rows + 5 * stride)
      var sum = Light()
      for cell in 0..<count {
        let level = lights[cell] - first
        (levels.0[cell], levels.1[cell], levels.2[cell]) = (level.x, level.y, level.z)
        (sums.0[cell], sums.1[cell], sums.2[cell]) = (sum.x, sum.y, sum.z)
        sum += level
      }
      for row in 0..<6 {
        for spare in count..<stride { rows[row * stride + spare] = row < 3 ? 0 : sum[row - 3] }
      }
      initialized = 6 * stride
    }
  }

  /// The light of each cell in one colour, beyond that of the first cell.
  @inline(__always)
  func withLevels<Result>(_ lane: Int, _ body: (UnsafeBufferPointer<Double>) -> Result) -> Result {
    let first = lane * Self.stride(lights.count)
    return rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[first..<first + lights.count])) }
  }

  /// For one colour the sum of the levels before each cell and before the end, where it stays for three spare cells.
  @inline(__always)
  func withSums<Result>(_ lane: Int, _ body: (UnsafeBufferPointer<Double>) -> Result) -> Result {
    let stride = Self.stride(lights.count)
    let first = (3 + lane) * stride
    return rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[first..<first + stride])) }
  }

  /// Variance of a frame's light by noise in one colour, square of natural logarithms.
  func frameNoise(lane: Int) -> Double { FingerFrames.noise(of: frames, lane: lane) }

  /// The number of the unbroken stretch of frames in which a place lies.
  func stretch(at cell: Double) -> Int {
    var chosen = 0
    for index in stretches.indices where Double(stretches[index].firstCell) <= cell { chosen = index }
    return chosen
  }

  /// The time of a place among the cells.
  func time(_ cell: Double) -> Instant {
    let chosen = stretch(at: cell)
    guard stretches.indices.contains(chosen) else { return .zero }
    let stretch = stretches[chosen]
    return Instant(microseconds: stretch.grid.timeUs(cell - Double(stretch.firstCell)))
  }

  /// No cell of a range is to be trusted.
  mutating func distrust(_ cells: Range<Int>) {
    for cell in cells { isTrusted[cell] = false }
  }

  /// Whether every cell of a range is trusted.
  func isTrusted(from first: Int, through last: Int) -> Bool {
    for cell in first...last where !isTrusted[cell] { return false }
    return true
  }

  /// The ranges of cells, of more than so many, that are all trusted.
  func trustedRuns(longerThan least: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    isTrusted.withUnsafeBufferPointer { isTrusted in
      var first = 0
      for cell in isTrusted.indices where !isTrusted[cell] {
        if cell - first > least { runs.append(first..<cell) }
        first = cell + 1
      }
      if isTrusted.count - first > least { runs.append(first..<isTrusted.count) }
    }
    return runs
  }

  /// From the least to the most light of a range of cells, in natural logarithms.
  func range(lane: Int, from first: Int, through last: Int) -> Double {
    withLevels(lane) { levels in
      let (least, greatest) = UnsafeBufferPointer(rebasing: levels[first...last]).extremes
      return greatest - least
    }
  }

  /// The mean of the light from one place to a later one beyond that of the first cell, parts of cells in proportion.
  func meanLight(lane: Int, from: Double, to: Double) -> Double {
    // A cell reaches half a cell to either side of its place.
    let (first, last) = (Int((from + 0.5).rounded(.down)), Int((to + 0.5).rounded(.down)))
    return withLevels(lane) { levels in
      guard first >= 0, last < levels.count, first < last else { return levels[max(first, 0)] }
      let ends = levels[first] * (Double(first) + 0.5 - from) + levels[last] * (to - Double(last) + 0.5)
      return withSums(lane) { (ends + $0[last] - $0[first + 1]) / (to - from) }
    }
  }

  /// What changes faster than any pulse in one colour: the sum of the squares of its third differences outside of
  /// `disturbances`.
  func fastPower(lane: Int, outside disturbances: [Range<Int>]) -> Double {
    withLevels(lane) { levels in
      var power = 0.0
      var first = 0
      for stretch in disturbances {
        power += Self.fastPower(levels, first..<max(stretch.lowerBound - 3, first))
        first = stretch.upperBound
      }
      return power + Self.fastPower(levels, first..<max(levels.count - 3, first))
    }
  }

  /// The sum of the squares of the third differences that begin in a range of cells, four at a time.
  private static func fastPower(_ levels: UnsafeBufferPointer<Double>, _ cells: Range<Int>) -> Double {
    precondition(cells.isEmpty || (cells.lowerBound >= 0 && cells.upperBound + 3 <= levels.count), "within the levels")
    var powers = SIMD4<Double>()
    var cell = cells.lowerBound
    while cell + 4 <= cells.upperBound {
      let middle = levels.four(at: cell + 1) - levels.four(at: cell + 2)
      let fast = levels.four(at: cell + 3) - levels.four(at: cell) + 3 * middle
      powers += fast * fast
      cell += 4
    }
    var power = (powers.x + powers.y) + (powers.z + powers.w)
    while cell < cells.upperBound {
      let fast = levels[cell + 3] - levels[cell] + 3 * (levels[cell + 1] - levels[cell + 2])
      power += fast * fast
      cell += 1
    }
    return power
  }

  /// The slope of every cell for one colour (see `PulseWave`), positive where light falls; 0 near the ends.
  func slopes(lane: Int, reach: Int) -> [Double] {
    let count = lights.count
    guard count > 2 * reach else { return [Double](repeating: 0, count: count) }
    return [Double](unsafeUninitializedCapacity: count) { slopes, initialized in
      withSums(lane) { sums in
        for cell in 0..<reach { slopes[cell] = 0 }
        let share = 1 / Double(reach)
        // What lies before a place less what lies after it.
        for cell in reach - 1..<count - reach {
          slopes[cell] = ((sums[cell + 1] - sums[cell + 1 - reach]) - (sums[cell + 1 + reach] - sums[cell + 1])) * share
        }
        for cell in count - reach..<count { slopes[cell] = 0 }
      }
      initialized = count
    }
  }

  /// Adds to `change` the slopes of all cells outside of `disturbances`, from three cells to either side; they are 0 near the
  /// ends. Where blue is not to be used green stands in for it.
  func addSlopes(to change: inout CommonChange, outside disturbances: [Range<Int>], usesBlue: Bool) {
    @inline(__always)
    func slopes(_ sums: UnsafeBufferPointer<Double>, _ cell: Int) -> SIMD4<Double> {
      let middle = sums.four(at: cell + 1)
      return ((middle - sums.four(at: cell - 2)) - (sums.four(at: cell + 4) - middle)) * (1 / 3.0)
    }
    let known = 2..<max(lights.count - 3, 2)
    withSums(0) { red in
      withSums(1) { green in
        withSums(usesBlue ? 2 : 1) { blue in
          var first = 0
          for end in disturbances.map(\.lowerBound) + [lights.count] {
            change.add(first..<max(end, first), known: known) { cell in
              (slopes(red, cell), slopes(green, cell), slopes(blue, cell))
            }
            first = disturbances.first { $0.lowerBound >= end }?.upperBound ?? lights.count
          }
        }
      }
    }
  }

  /// Gives the slopes near the ends of the light, which `slopes` leaves at 0, from as many cells to either side as there are.
  ///
  /// They are noisier, down to two cells a side; a beat that lies there would be lost without them.
  func fillEnds(_ slopes: inout [Double], lane: Int, reach: Int, sign: Double) {
    let count = lights.count
    guard reach > 2, count > 4 * reach else { return }
    withLevels(lane) { levels in
      for near in 2..<reach {
        for middle in [near - 1, count - 1 - near] {
          var difference = 0.0
          for offset in 0..<near { difference += levels[middle - offset] - levels[middle + 1 + offset] }
          // A mean of fewer cells lies nearer to the middle.
          slopes[middle] = sign * difference * Double(reach) / Double(near * near)
        }
      }
    }
  }
}
