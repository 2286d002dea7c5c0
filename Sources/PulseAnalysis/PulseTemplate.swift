/// The record's own typical pulse, and where in the record it occurs.
struct PulseTemplate {
  /// A place where the typical pulse fits.
  struct Match {
    /// In cells, finer than a cell.
    var place: Double
    /// Correlation with the typical pulse when it was found, -1...1.
    var coarse: Double
    /// Correlation with the typical pulse once placed with care, -1...1.
    var likeness = 0.0
    /// Size relative to the typical pulse.
    var height: Double
    /// Variance of the place by the noise of frames, in square cells.
    var variance = 0.0
    /// How much longer than the typical one the pulse is, as a share; uncertain for a single pulse.
    var stretch = 0.0

    /// Whether the pulse is clear enough to time a single beat by it.
    var isSharp: Bool { likeness >= 0.7 }
  }

  /// The dicrotic wave rises within so many cells of the systolic rise, however slow the heart: 0.4 s.
  static let latestEcho = 13.0

  /// The typical pulse; its energy is 1.
  private var shape: [Double] = []
  private let before: Int

  /// Learns the typical pulse from the slopes around `rises`, over `length` cells.
  ///
  /// An average of all rises first, then of those that look like it.
  init(_ slopes: [Double], rises: [Int], length: Int) {
    before = length * 2 / 5
    let pulses = rises.filter { $0 >= before && $0 + length - before <= slopes.count }.map { $0 - before }
    slopes.withUnsafeBufferPointer { slopes in
      let sizes = pulses.map { UnsafeBufferPointer(rebasing: slopes[$0..<$0 + length]).energy.squareRoot() }
      shape = [Double](repeating: 0, count: length)
      shape = average(slopes, pulses, sizes, isFirst: true)
      shape = average(slopes, pulses, sizes, isFirst: false)
    }
  }

  /// The mean of the pulses that begin at some places, brought to one size: of all of them at `first`, then of those that are
  /// like the shape so far. Its energy is 1.
  private func average(
    _ slopes: UnsafeBufferPointer<Double>, _ pulses: [Int], _ sizes: [Double], isFirst: Bool
  ) -> [Double] {
    var sum = [Double](repeating: 0, count: shape.count)
    sum.withUnsafeMutableBufferPointer { sum in
      shape.withUnsafeBufferPointer { shape in
        for (start, size) in zip(pulses, sizes) where size > 0 {
          let pulse = UnsafeBufferPointer(rebasing: slopes[start..<start + shape.count])
          guard isFirst || pulse.product(shape) > 0.6 * size else { continue }
          let share = 1 / size
          for index in 0..<shape.count { sum[index] += pulse[index] * share }
        }
      }
    }
    let size = sum.withUnsafeBufferPointer { $0.energy }.squareRoot()
    return size > 0 ? sum.map { $0 / size } : sum
  }

  /// Every place where the typical pulse fits best in its surroundings, in order.
  ///
  /// Near the ends of the slopes a pulse may be there in part: it is compared where there is light, if three fifths of the
  /// typical pulse's energy lie there.
  func matches(_ slopes: [Double], track: PeriodTrack) -> [Match] {
    let length = shape.count
    guard slopes.count > 2 * length else { return [] }
    // So many cells of a pulse may lie before the first slope or after the last.
    let (early, late) = overhang()
    let room = early + slopes.count + late
    let count = room - length + 1
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: room + count) { room in
      let padded = UnsafeMutableBufferPointer(rebasing: room[..<(room.count - count)])
      let products = UnsafeMutableBufferPointer(rebasing: room[(room.count - count)...])
      for index in 0..<early { padded[index] = 0 }
      for index in slopes.indices { padded[early + index] = slopes[index] }
      for index in early + slopes.count..<padded.count { padded[index] = 0 }
      correlate(UnsafeBufferPointer(padded), products)
      // Of a pulse that is there in part only that part counts.
      for start in 0..<early { products[start] /= energyOfPart(seenFrom: start, early: early, slopes.count) }
      for start in count - late..<count { products[start] /= energyOfPart(seenFrom: start, early: early, slopes.count) }
      return peaks(UnsafeBufferPointer(products), UnsafeBufferPointer(padded), track, early: early, late: late)
    }
  }

  /// The sums of the products of the typical pulse and the slopes from each place on; sixteen places at once.
  private func correlate(_ slopes: UnsafeBufferPointer<Double>, _ products: UnsafeMutableBufferPointer<Double>) {
    precondition(products.count + shape.count <= slopes.count + 1, "the shape lies within the slopes")
    shape.withUnsafeBufferPointer { shape in
      var start = 0
      while start + 16 <= products.count {
        var sums = SIMD16<Double>()
        for index in 0..<shape.count { sums += shape[index] * slopes.sixteen(at: start &+ index) }
        for lane in 0..<16 { products[start + lane] = sums[lane] }
        start += 16
      }
      for start in start..<products.count { products[start] = Self.product(slopes, shape, at: start) }
    }
  }

  /// The energy of that part of the typical pulse that lies within `count` slopes, of which it begins `early` - `start` cells
  /// before the first.
  private func energyOfPart(seenFrom start: Int, early: Int, _ count: Int) -> Double {
    let part = max(early - start, 0)..<min(early + count - start, shape.count)
    return shape.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[part]).energy }
  }

  /// Variance of the place of a match of height 1, in square cells, for frames `cellsPerFrame` apart with white noise of
  /// variance 1.
  ///
  /// A match lies where the sum of products is highest; noise moves it by the noise's product with the typical pulse's change
  /// from cell to cell over that change's energy. A slope is itself a sum of cells, to either side, and a cell the mean of
  /// the lines between frames, which spreads a frame over a triangle and a cell.
  private func placeVariance(cellsPerFrame: Double) -> Double {
    let slant = PulseStretching.slant(of: shape)
    var energy = 0.0
    for value in slant { energy += value * value }
    guard energy > 0 else { return 0 }
    let reach = Self.fineReach
    let margin = [Double](repeating: 0, count: 2 * reach + 2)
    let padded = margin + slant + margin
    var weights = [Double](repeating: 0, count: padded.count)
    for cell in reach..<padded.count - reach {
      for offset in 0..<reach { weights[cell] += (padded[cell + offset] - padded[cell - 1 - offset]) / Double(reach) }
    }
    // Twice over three cells is as wide as both are, by their variances.
    let side = (1 / 12.0 + cellsPerFrame * cellsPerFrame / 6) / 4
    for _ in 0..<2 {
      let sharp = weights
      for cell in 1..<sharp.count - 1 {
        weights[cell] = side * (sharp[cell - 1] + sharp[cell + 1]) + (1 - 2 * side) * sharp[cell]
      }
    }
    var gain = 0.0
    for weight in weights { gain += weight * weight }
    return cellsPerFrame * gain / (energy * energy)
  }

  /// How many cells of the typical pulse may be missing at its beginning and at its end: less than its rise, and what holds
  /// two fifths of its energy.
  private func overhang() -> (early: Int, late: Int) {
    var early = 0
    var missing = 0.0
    while early < before - 2, missing + shape[early] * shape[early] < 0.4 {
      missing += shape[early] * shape[early]
      early += 1
    }
    var late = 0
    missing = 0
    while late < shape.count - before - 3, missing + shape[shape.count - 1 - late] * shape[shape.count - 1 - late] < 0.4
    {
      missing += shape[shape.count - 1 - late] * shape[shape.count - 1 - late]
      late += 1
    }
    return (early, late)
  }

  /// Correlation, -1...1, of the slopes with the typical pulse where a match lies; 0 too near to an end.
  func likeness(_ slopes: [Double], at match: Match) -> Double {
    let start = Int((match.place - 0.5).rounded()) - before
    guard start >= 0, start + shape.count <= slopes.count else { return 0 }
    var product = 0.0
    var energy = 0.0
    for index in shape.indices {
      let slope = slopes[start + index]
      product += slope * shape[index]
      energy += slope * slope
    }
    return energy > 1e-18 ? product / energy.squareRoot() : 0
  }

  /// The height of the most that is like the typical pulse with its rise in `cells`, whether it stands alone or not; 0 when
  /// there is none.
  func highest(_ slopes: [Double], in cells: ClosedRange<Int>) -> Double {
    let first = max(cells.lowerBound - before, 0)
    let last = min(cells.upperBound - before, slopes.count - shape.count)
    guard first <= last else { return 0 }
    var top = 0.0
    slopes.withUnsafeBufferPointer { slopes in
      shape.withUnsafeBufferPointer { shape in
        for start in first...last { top = max(top, Self.product(slopes, shape, at: start)) }
      }
    }
    return top
  }

  /// Sum of the products of the shape and the slopes from `start` on, four lanes at a time.
  @inline(__always)
  private static func product(
    _ slopes: UnsafeBufferPointer<Double>, _ shape: UnsafeBufferPointer<Double>, at start: Int
  ) -> Double {
    UnsafeBufferPointer(rebasing: slopes[start..<start + shape.count]).product(shape)
  }

  private func peaks(
    _ products: UnsafeBufferPointer<Double>, _ slopes: UnsafeBufferPointer<Double>, _ track: PeriodTrack, early: Int,
    late: Int
  ) -> [Match] {
    var found: [Match] = []
    found.reserveCapacity(256)
    for start in 1..<products.count - 1 {
      let middle = products[start]
      guard middle > 0, middle > products[start - 1], middle >= products[start + 1] else { continue }
      let energy = UnsafeBufferPointer(rebasing: slopes[start..<start + shape.count]).energy
      // Less is the rounding of a quiet stretch.
      guard energy > 1e-18 else { continue }
      var likeness = middle / energy.squareRoot()
      if start < early || start >= products.count - late {
        likeness *= energyOfPart(seenFrom: start, early: early, slopes.count - early - late).squareRoot()
      }
      guard likeness > 0.3 else { continue }
      let shift = summit(products[start - 1], middle, products[start + 1])
      // A slope lies half a cell after the cell of its number.
      let place = Double(start - early + before) + 0.5 + shift
      let match = Match(place: place, coarse: likeness, height: middle)
      guard let last = found.last else {
        found.append(match)
        continue
      }
      // Closer than a beat could follow, or close and much unlike in size: one pulse and its own echo. An early beat, weak
      // as it may be, comes later than the dicrotic wave.
      let distance = match.place - last.place
      let sizes = min(match.height, last.height) / max(match.height, last.height)
      if distance < 7 || (distance < min(0.55 * track.cells(at: start - early), Self.latestEcho) && sizes < 0.6) {
        if match.height > last.height { found[found.count - 1] = match }
      } else {
        found.append(match)
      }
    }
    return found
  }

  /// Moves each match to where this template fits best within a few cells, and judges it by that.
  ///
  /// The slopes are of two cells a side, and frames so many cells apart have noise of a variance `noise`. Of a pulse at an
  /// end of the slopes the part that is there is placed; where more than a fifth of the typical pulse's energy is missing it is
  /// not judged. Returns how many cells a pulse that is longer by a share of 1, its foot in place, is found late.
  func refine(_ matches: inout [Match], _ slopes: [Double], noise: Double, cellsPerFrame: Double) -> Double {
    let stretching = PulseStretching(of: shape)
    let gain = placeVariance(cellsPerFrame: cellsPerFrame)
    let room = shape.count + 2 * Self.refineReach
    let margin = [Double](repeating: 0, count: room)
    let padded = margin + slopes + margin
    padded.withUnsafeBufferPointer { padded in
      shape.withUnsafeBufferPointer { shape in
        stretching.mode.withUnsafeBufferPointer { mode in
          for index in matches.indices { refine(&matches[index], padded, room, shape, mode, gain, noise) }
        }
      }
    }
    return stretching.delay
  }

  private static let refineReach = 3
  /// Cells on each side of the slopes that pulses are placed by.
  static let fineReach = 2

  private func refine(
    _ match: inout Match, _ slopes: UnsafeBufferPointer<Double>, _ room: Int, _ shape: UnsafeBufferPointer<Double>,
    _ mode: UnsafeBufferPointer<Double>, _ gain: Double, _ noise: Double
  ) {
    let reach = Self.refineReach
    var best = Int((match.place - 0.5).rounded()) - before + room
    var middle = Self.product(slopes, shape, at: best)
    var left = Self.product(slopes, shape, at: best - 1)
    var right = Self.product(slopes, shape, at: best + 1)
    var steps = 0
    while max(left, right) > middle, steps < reach {
      steps += 1
      if right > left {
        best += 1
        (left, middle, right) = (middle, right, Self.product(slopes, shape, at: best + 1))
      } else {
        best -= 1
        (left, middle, right) = (Self.product(slopes, shape, at: best - 1), left, middle)
      }
    }
    // Where it fits better and better towards the limit, something else than the pulse draws it there.
    guard max(left, right) <= middle else {
      match.likeness = 0
      return
    }
    let energy = UnsafeBufferPointer(rebasing: slopes[best..<best + shape.count]).energy
    let ratio = energy > 0 && middle > 0 ? middle * middle / energy : 0
    match.place = Double(best - room + before) + 0.5 + summit(left, middle, right)
    let seen = max(room - best, 0)..<min(slopes.count - room - best, shape.count)
    let missing = seen.count == shape.count ? 0 : 1 - UnsafeBufferPointer(rebasing: shape[seen]).energy
    match.likeness = missing < 0.2 ? ratio.squareRoot() : 0
    // A sharp pulse in few frames is fast by itself: noise is no more than what the pulse differs from the typical one by,
    // and half as much again, since the lines between frames take the fastest part of it.
    let misfit = ratio > 0 ? (1 - ratio) * energy / Double(shape.count) * 0.5 * Double(Self.fineReach) : 0
    match.variance = ratio > 0 ? gain * min(noise, 1.5 * misfit) / (middle * middle) : 1
    match.stretch = middle > 0 ? Self.product(slopes, mode, at: best) / middle : 0
  }
}

/// Where, within half a step of the middle one, the parabola through three neighbours is highest.
func summit(_ left: Double, _ middle: Double, _ right: Double) -> Double {
  let bend = left - 2 * middle + right
  return bend < 0 ? min(max(0.5 * (left - right) / bend, -0.5), 0.5) : 0
}
