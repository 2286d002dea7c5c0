import VitalsModel

/// A whole record on the even grid: light without exposure jumps, and which cells can be trusted.
struct RecordWave {
  /// Cells put between two stretches that lie more than a second apart, so that nothing is joined across.
  static let seam = 32

  /// The light of each cell.
  private(set) var lights: [Light] = []
  /// The light of each cell for one colour at a time, beyond that of the first cell.
  private(set) var levels: [[Double]] = []
  /// For each colour and cell the sum of the levels of the cells before it; one more than there are cells.
  private(set) var sums: [[Double]] = []
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
    lay(record)
    (levels, sums) = Self.byColour(lights)
  }

  private mutating func lay(_ record: PulseRecord) {
    let evenTimes = FrameTimes.evenTimes(record.frames)
    var cells = Cells(capacity: Int(min(seconds, 3_600) * LightGrid.rate) + 64)
    var steps = StepRemover()
    var grid: LightGrid?
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
      if gapUs <= PulseAnalyzer.longestGapUs, grid != nil {
        let isGood = atUs >= doubtfulUntilUs
        grid?.add(atUs, level.light) { cells.add($0, isTrusted: isGood) }
      } else {
        cells.lead(to: level.light)
        let next = LightGrid(firstUs: atUs, first: level.light)
        stretches.append((cells.lights.count, next))
        grid = next
      }
    }
    (lights, isTrusted) = (cells.lights, cells.isTrusted)
    guard fingers > 0 else { return }
    mean = total / fingers
    frameNoise = noise.variance
    cellsPerFrame = Double(max(lights.count - Self.seam * (stretches.count - 1), 1)) / fingers
    clippedShare = clipped / fingers
  }

  /// The cells as they are laid.
  private struct Cells {
    private(set) var lights: [Light] = []
    private(set) var isTrusted: [Bool] = []

    init(capacity: Int) {
      lights.reserveCapacity(capacity)
      isTrusted.reserveCapacity(capacity)
    }

    @inline(__always)
    mutating func add(_ light: Light, isTrusted isGood: Bool) {
      lights.append(light)
      isTrusted.append(isGood)
    }

    /// Puts a seam between the last stretch and one that begins at `light`.
    mutating func lead(to light: Light) {
      guard let last = lights.last else { return }
      for place in 1...RecordWave.seam {
        add(last + (light - last) * (Double(place) / Double(RecordWave.seam)), isTrusted: false)
      }
    }
  }

  /// Lays the colours of `lights` side by side, each from its first cell on, with the sums of the cells before each.
  private static func byColour(_ lights: [Light]) -> (levels: [[Double]], sums: [[Double]]) {
    let first = lights.first ?? Light()
    let count = lights.count
    var levels: [[Double]] = []
    var sums: [[Double]] = []
    for lane in 0..<3 {
      levels.append(
        [Double](unsafeUninitializedCapacity: count) { levels, initialized in
          for cell in 0..<count { levels[cell] = lights[cell][lane] - first[lane] }
          initialized = count
        })
      sums.append(
        [Double](unsafeUninitializedCapacity: count + 1) { sums, initialized in
          var sum = 0.0
          for cell in 0..<count {
            sums[cell] = sum
            sum += levels[lane][cell]
          }
          sums[count] = sum
          initialized = count + 1
        })
    }
    return (levels, sums)
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
    levels[lane].withUnsafeBufferPointer { levels in
      var low = levels[first]
      var high = low
      for cell in first...last {
        low = min(low, levels[cell])
        high = max(high, levels[cell])
      }
      return high - low
    }
  }

  /// The mean of the light from one place to a later one beyond that of the first cell, parts of cells in proportion.
  func meanLight(lane: Int, from: Double, to: Double) -> Double {
    // A cell reaches half a cell to either side of its place.
    let (first, last) = (Int((from + 0.5).rounded(.down)), Int((to + 0.5).rounded(.down)))
    guard first >= 0, last < lights.count, first < last else { return levels[lane][max(first, 0)] }
    let ends = levels[lane][first] * (Double(first) + 0.5 - from) + levels[lane][last] * (to - Double(last) + 0.5)
    return (ends + sums[lane][last] - sums[lane][first + 1]) / (to - from)
  }

  /// What changes faster than any pulse in one colour: the sum of the squares of its third differences outside of
  /// `disturbances`.
  func fastPower(lane: Int, outside disturbances: [Range<Int>]) -> Double {
    levels[lane].withUnsafeBufferPointer { levels in
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
      sums[lane].withUnsafeBufferPointer { sums in
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

  /// Calls `take` with the slope of every cell outside of `disturbances` in all colours, from three cells to either side; it
  /// is 0 near the ends.
  @inline(__always)
  func forEachSlope(ofThreeCellsOutside disturbances: [Range<Int>], take: (Light) -> Void) {
    lights.withUnsafeBufferPointer { lights in
      var first = 0
      for end in disturbances.map(\.lowerBound) + [lights.count] {
        for cell in first..<max(end, first) {
          guard cell >= 2, cell + 3 < lights.count else {
            take(Light())
            continue
          }
          let before = lights[cell - 2] + lights[cell - 1] + lights[cell]
          take((before - (lights[cell + 1] + lights[cell + 2] + lights[cell + 3])) * (1 / 3.0))
        }
        first = disturbances.first { $0.lowerBound >= end }?.upperBound ?? lights.count
      }
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
        for offset in 0..<near { difference += levels[lane][middle - offset] - levels[lane][middle + 1 + offset] }
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

  @inline(__always)
  mutating func add(_ light: Light) {
    let fast = light - lights.2 * 3 + lights.1 * 3 - lights.0
    lights = (lights.1, lights.2, light)
    count += 1
    guard count > 3 else { return }
    let square = fast * fast
    if count < 20 { usual = usual.replacing(with: square, where: square .> usual) }
    // A jerk of the finger is no noise of the frames; what stays is, after some seconds.
    let noise = square.atMost(usual * 8)
    usual += (noise - usual) * 0.02
    sum += noise
  }

  /// The gain of a third difference for white noise is 20.
  var variance: Light { count > 3 ? sum / ((count - 3) * 20) : Light() }
}
