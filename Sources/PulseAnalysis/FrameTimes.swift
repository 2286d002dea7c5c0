/// When the frames of a record were captured, where their stamps do not say so.
///
/// A sensor reads its frames out evenly. Where they are stamped as they are handed over, the stamp holds the wait in between:
/// it jitters, and the light does not follow. Where it is the captures that jitter, the light follows the stamps. Both leave
/// the same stamps, and the light tells which it was: the share of the jitter that is seen in it is near 0 or near 1. On
/// five of eleven public recordings with a chest strap beside them stamps jitter by 7 to 14 ms, and that share was 0.00 to
/// 0.03, give or take 0.02 to 0.08.
struct FrameTimes {
  /// A stamp's usual distance from the even clock that makes it worth a look: the four frames of a rise average it to a
  /// millisecond. Microseconds.
  private static let leastJitterUs = 2_000.0
  /// Frames to either side among which the middle distance from an even clock is taken. A middle one keeps the step that
  /// a lost frame leaves.
  private static let reach = 10
  /// How far, in parts of the usual distance of frames, the even times may be from it where the light is compared.
  private static let leeway = 0.2

  /// The stamps' even clock; nil where the stamps are as good as any.
  ///
  /// `frames` are in order of time.
  static func evenTimes(_ frames: [PulseRecord.Frame]) -> [Int64]? {
    guard frames.count >= 4 * reach, let spacing = jitteringSpacing(frames) else { return nil }
    let even = middleTimes(frames, spacing: spacing)
    guard isUnseen(frames, even, spacing: spacing) else { return nil }
    var times: [Int64] = []
    times.reserveCapacity(even.count)
    for time in even {
      // A stretch in which frames waited may leave even times that meet.
      let next = (times.last ?? .min) &+ 1
      times.append(times.isEmpty ? Int64(time.rounded()) : max(Int64(time.rounded()), next))
    }
    return times
  }

  /// The mean distance of frames, where stamps jitter: what one distance has too much the next one lacks, so that the
  /// covariance of neighbours is minus the variance of a stamp. Frames that are lost leave none.
  private static func jitteringSpacing(_ frames: [PulseRecord.Frame]) -> Double? {
    let longest: Int64 = 250_000
    var (number, sum): (Int64, Int64) = (0, 0)
    // Of two distances in a row, how many there are, their products and their sums.
    var (pairs, products, sums): (Int64, Int64, Int64) = (0, 0, 0)
    var before = Int64.max
    frames.withUnsafeBufferPointer { frames in
      for index in 1..<frames.count {
        let spacing = frames[index].atUs - frames[index - 1].atUs
        if spacing <= longest {
          number += 1
          sum += spacing
          if before <= longest {
            pairs += 1
            products += before * spacing
            sums += before + spacing
          }
        }
        before = spacing
      }
    }
    guard number > 0 else { return nil }
    let mean = Double(sum) / Double(number)
    let covariance = Double(products) - mean * (Double(sums) - mean * Double(pairs))
    return -covariance / Double(number) > leastJitterUs * leastJitterUs ? mean : nil
  }

  /// For each frame, the place on an even clock that is the middle of what its neighbours say.
  private static func middleTimes(_ frames: [PulseRecord.Frame], spacing: Double) -> [Double] {
    let offsets = frames.indices.map { Double(frames[$0].atUs) - spacing * Double($0) }
    var near = SlidingRanks()
    return offsets.indices.map { index in
      // Alike on both sides, so that a clock of another speed is not bent at the ends.
      let reach = min(Self.reach, min(index, offsets.count - 1 - index))
      near.move(to: index - reach...index + reach) { offsets[$0] }
      return near[reach] + spacing * Double(index)
    }
  }

  /// Whether surely less than half of the jitter is in the light.
  ///
  /// The light of a frame that was captured late is that of the even clock and its rise in the time that it was late: the
  /// share of that is fitted, by least squares, to the changes that are faster than a pulse, the third differences.
  private static func isUnseen(_ frames: [PulseRecord.Frame], _ even: [Double], spacing: Double) -> Bool {
    var lights: [Double] = []
    var delayed: [Double] = []
    lights.reserveCapacity(frames.count)
    for frame in frames { lights.append(frame.red + frame.green + frame.blue) }
    delayed.append(contentsOf: [0, 0])
    for index in 2..<frames.count - 2 {
      let rise = lights[index + 2] + lights[index + 1] - lights[index - 1] - lights[index - 2]
      let time = even[index + 2] + even[index + 1] - even[index - 1] - even[index - 2]
      delayed.append(time > 0 ? rise / time * (Double(frames[index].atUs) - even[index]) : 0)
    }
    var pairs: [(fast: Double, late: Double)] = []
    pairs.reserveCapacity(frames.count)
    for index in 2..<delayed.count - 3 {
      let isEven = (index..<index + 3).allSatisfy {
        (even[$0 + 1] - even[$0] - spacing).magnitude < leeway * spacing
      }
      if isEven { pairs.append((third(lights, index), third(delayed, index))) }
    }
    return share(of: pairs).map { $0.share + 2 * $0.deviation < 0.5 } ?? false
  }

  private static func third(_ values: [Double], _ index: Int) -> Double {
    values[index + 3] - values[index] + 3 * (values[index + 1] - values[index + 2])
  }

  /// The share that fits, and its standard deviation; without what a move of the finger or the exposure makes.
  private static func share(of pairs: [(fast: Double, late: Double)]) -> (share: Double, deviation: Double)? {
    var power = 0.0
    for pair in pairs { power += pair.fast * pair.fast }
    let limit = 6 * power / Double(max(pairs.count, 1))
    let usual = pairs.filter { $0.fast * $0.fast <= limit }
    var squares = 0.0
    var products = 0.0
    for pair in usual {
      squares += pair.late * pair.late
      products += pair.late * pair.fast
    }
    guard squares > 0, usual.count >= 100 else { return nil }
    let share = products / squares
    var misfit = 0.0
    for pair in usual { misfit += (pair.fast - share * pair.late) * (pair.fast - share * pair.late) }
    // Neighbouring third differences share frames, so that there are fewer of them than it seems.
    return (share, 1.5 * (misfit / Double(usual.count) / squares).squareRoot())
  }
}
