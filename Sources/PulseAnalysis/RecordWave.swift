import VitalsModel

/// A whole record on the even grid: light without exposure jumps, and which cells can be trusted.
struct RecordWave {
  /// Cells put between two stretches that lie more than a second apart, so that nothing is joined across.
  static let seam = 32

  /// The light of each cell.
  private(set) var lights: [Light] = []
  /// Whether the cell comes from a finger and from frames close to each other.
  private(set) var isTrusted: [Bool] = []
  /// Share of frames in which each colour was clipped.
  private(set) var clippedShare = Light()
  /// Mean of each colour, 0...255.
  private(set) var mean = Light()
  /// From the first frame to the last, seconds.
  private(set) var seconds = 0.0
  /// Variance of a frame's light by noise, square of natural logarithms, for each colour.
  private(set) var frameNoise = Light()
  /// Cells from a frame to the next, on average.
  private(set) var cellsPerFrame = 1.0
  /// The unbroken stretches of frames, each from its first cell on.
  private(set) var stretches: [(firstCell: Int, grid: LightGrid)] = []

  /// Lays a record out.
  init(_ record: PulseRecord) {
    guard record.count >= 2 else { return }
    seconds = Double(record.frames[record.count - 1].atUs - record.frames[0].atUs) * 1e-6
    let cells = Int(min(seconds, 3_600) * LightGrid.rate)
    lights.reserveCapacity(cells + 64)
    isTrusted.reserveCapacity(cells + 64)
    lay(record)
  }

  private mutating func lay(_ record: PulseRecord) {
    var steps = StepRemover()
    var grid: LightGrid?
    let evenTimes = FrameTimes.evenTimes(record.frames)
    var lastUs = evenTimes?[0] ?? record.frames[0].atUs
    var doubtfulUntilUs = lastUs
    var clipped = Light()
    var total = Light()
    var fingers = 0.0
    var noise = ThirdDifferences()
    for (index, frame) in record.frames.enumerated() {
      let atUs = evenTimes?[index] ?? frame.atUs
      guard record.isFinger(frame) else {
        // The edge of a lifting or landing finger is no pulse.
        doubtfulUntilUs = atUs + 800_000
        continue
      }
      fingers += 1
      let colour = Light(frame.red, frame.green, frame.blue, 0)
      total += colour
      clipped.replace(with: clipped + 1, where: colour .>= FingerColour.clipped)
      let level = steps.level(LightGrid.light(red: frame.red, green: frame.green, blue: frame.blue))
      let gapUs = atUs - lastUs
      lastUs = atUs
      noise.add(level.light)
      if level.isStep || gapUs > 250_000 { doubtfulUntilUs = max(doubtfulUntilUs, atUs + 100_000) }
      if var current = grid, gapUs <= PulseAnalyzer.longestGapUs {
        let isGood = atUs >= doubtfulUntilUs
        current.add(atUs, level.light) { cell in
          lights.append(cell)
          isTrusted.append(isGood)
        }
        grid = current
      } else {
        begin(atUs, level.light)
        grid = stretches.last?.grid
      }
    }
    guard fingers > 0 else { return }
    mean = total / fingers
    frameNoise = noise.variance
    cellsPerFrame = Double(max(lights.count - Self.seam * (stretches.count - 1), 1)) / fingers
    clippedShare = clipped / fingers
  }

  private mutating func begin(_ atUs: Int64, _ light: Light) {
    if let last = lights.last {
      for place in 1...Self.seam {
        let share = Double(place) / Double(Self.seam)
        lights.append(last + (light - last) * share)
        isTrusted.append(false)
      }
    }
    stretches.append((lights.count, LightGrid(firstUs: atUs, first: light)))
  }

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

  /// From the least to the most light of a range of cells, in natural logarithms.
  func range(lane: Int, from first: Int, through last: Int) -> Double {
    var low = Double.infinity
    var high = -Double.infinity
    for cell in first...last {
      low = min(low, lights[cell][lane])
      high = max(high, lights[cell][lane])
    }
    return high - low
  }

  /// The mean of the light from one place to a later one, parts of cells in proportion.
  func meanLight(lane: Int, from: Double, to: Double) -> Double {
    // A cell reaches half a cell to either side of its place.
    let (first, last) = (Int((from + 0.5).rounded(.down)), Int((to + 0.5).rounded(.down)))
    guard first >= 0, last < lights.count, first < last else { return lights[max(first, 0)][lane] }
    var sum = lights[first][lane] * (Double(first) + 0.5 - from) + lights[last][lane] * (to - Double(last) + 0.5)
    for cell in first + 1..<last { sum += lights[cell][lane] }
    return sum / (to - from)
  }

  /// What changes faster than any pulse in one colour: the sum of the squares of its third differences outside of
  /// `disturbances`.
  func fastPower(lane: Int, outside disturbances: [Range<Int>]) -> Double {
    var power = 0.0
    var first = 0
    for end in disturbances.map(\.lowerBound) + [lights.count] {
      for cell in first..<max(end - 3, first) {
        let middle = lights[cell + 1][lane] - lights[cell + 2][lane]
        let fast = lights[cell + 3][lane] - lights[cell][lane] + 3 * middle
        power += fast * fast
      }
      first = disturbances.first { $0.lowerBound >= end }?.upperBound ?? lights.count
    }
    return power
  }

  /// The slope of every cell for one colour (see `PulseWave`), positive where light falls; 0 near the ends.
  func slopes(lane: Int, reach: Int) -> [Double] {
    let count = lights.count
    guard count > 2 * reach else { return [Double](repeating: 0, count: count) }
    return [Double](unsafeUninitializedCapacity: count) { slopes, initialized in
      lights.withUnsafeBufferPointer { lights in
        for cell in 0..<reach { slopes[cell] = 0 }
        for cell in count - reach..<count { slopes[cell] = 0 }
        var before = 0.0
        var after = 0.0
        for cell in 0..<reach {
          before += lights[cell][lane]
          after += lights[cell + reach][lane]
        }
        let share = 1 / Double(reach)
        for cell in reach - 1..<count - reach {
          slopes[cell] = (before - after) * share
          let middle = lights[cell + 1][lane]
          before += middle - lights[cell + 1 - reach][lane]
          if cell + 1 + reach < count { after += lights[cell + 1 + reach][lane] - middle }
        }
      }
      initialized = count
    }
  }

  /// Gives the slopes near the ends of the light, which `slopes` leaves at 0, from as many cells to either side as there are.
  ///
  /// They are noisier, down to two cells a side; a beat that lies there would be lost without them.
  func fillEnds(_ slopes: inout [Double], lane: Int, reach: Int, sign: Double) {
    let count = lights.count
    guard reach > 2, count > 4 * reach else { return }
    for near in 2..<reach {
      for middle in [near - 1, count - 1 - near] {
        var difference = 0.0
        for offset in 0..<near { difference += lights[middle - offset][lane] - lights[middle + 1 + offset][lane] }
        // A mean of fewer cells lies nearer to the middle.
        slopes[middle] = sign * difference * Double(reach) / Double(near * near)
      }
    }
  }
}

/// The noise of single frames, from changes faster than any pulse.
private struct ThirdDifferences {
  private var lights = (Light(), Light(), Light())
  private var sum = Light()
  private var usual = Light()
  private var count = 0.0

  mutating func add(_ light: Light) {
    let fast = light - lights.2 * 3 + lights.1 * 3 - lights.0
    lights = (lights.1, lights.2, light)
    count += 1
    guard count > 3 else { return }
    var square = fast * fast
    usual = count < 20 ? pointwiseMax(usual, square) : usual
    // A jerk of the finger is no noise of the frames; what stays is, after some seconds.
    square.replace(with: usual * 8, where: square .> usual * 8)
    usual += (square - usual) * 0.02
    sum += square
  }

  /// The gain of a third difference for white noise is 20.
  var variance: Light { count > 3 ? sum / ((count - 3) * 20) : Light() }
}
