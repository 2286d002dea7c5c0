import VitalsModel

/// How likely each breathing rate is, from the spectra of a trace's three signs of breathing.
///
/// - Each spectrum is a mean over sine tapers (Riedel and Sidorenko, "Minimum bias multiple taper spectral estimation", IEEE
///   Trans. Signal Process. 43, 1995), as many as make it about as wide as the rate of natural breathing wanders. At steps of
///   half a cycle over the record's length, a sine taper is the difference of two untapered amplitudes.
/// - Each is compared with its own background: a straight line between the medians of slow and fast rates on logarithmic
///   scales, since blood pressure waves and drift are the larger the slower they are.
/// - The logarithms of one plus these ratios add up, so that a rate may show in any of the three, and the more the better.
/// - How common a rate is among adults at rest counts as well.
struct BreathSpectrum {
  /// Per second: the slowest and fastest breathing that is told, and what lies around it for comparison.
  private static let told = 4 / 60.0...37 / 60.0
  private static let seen = 3 / 60.0...40 / 60.0
  /// Between the two bands whose medians make the background.
  private static let middle = 13 / 60.0
  /// A longer record is read in pieces of at most this length, in seconds.
  private static let longestPiece = 96.0
  /// Seconds for each taper.
  private static let secondsPerTaper = 20.0
  /// Swings smaller than these are none that a person would call breathing: half a percent of the interval, and two and a
  /// half of the pulse's height. Even frames make faint patterns with even beats.
  private static let leastSwing = SIMD4(0.005, 0.025, 0.025, 1)
  /// The light drifts for more reasons than the other two do.
  private static let trust = SIMD4(1.0, 1, 0.7, 0)
  /// Adults at rest breathe 15 times a minute, most of them between two thirds and one and a half times that.
  private static let usual = (perSecond: 0.25, spread: 0.45)
  /// The sum's logarithm is not quite one of likelihood; measured on synthetic pulses, where it makes the share of
  /// likelihood near the peak come true.
  private static let sharpness = 1.5
  /// Half the width of the peak that its centre is taken from, and of the surroundings that a peak stands for, per second.
  private static let (halfPeak, surroundings) = (2.6 / 60, 3 / 60.0)

  /// The likeliest rate, breaths per second, as the centre of its peak.
  private(set) var peak = 0.0
  /// What share of the likelihood lies within three breaths per minute of the peak, 0...1.
  private(set) var confidence = 0.0
  /// For each sign, how far the swing at the peak stands above its background: a ratio of amplitudes.
  private(set) var clarity = SIMD4<Double>()

  /// Hertz from one frequency to the next.
  private let step: Double
  private let lowest: Int
  /// The powers of the signs at the frequencies from `lowest` on.
  private var powers: [SIMD4<Double>]

  /// Compares the rates up to half the rate of the beats, above which breathing cannot be told from its alias.
  init(_ trace: BreathTrace) {
    let pieces = (trace.span / Self.longestPiece).rounded(.up)
    let length = trace.span / pieces
    let tapers = max(Int((length / Self.secondsPerTaper).rounded()), 2)
    step = 0.5 / length
    lowest = max(Int((Self.seen.lowerBound / step).rounded(.up)), tapers)
    let highest = Int(Self.seen.upperBound / step)
    powers = [SIMD4<Double>](repeating: SIMD4(), count: highest - lowest + 1)
    var first = 0
    for piece in 1...Int(pieces) {
      let end =
        piece == Int(pieces) ? trace.values.count : trace.seconds.firstIndex { $0 >= Double(piece) * length } ?? 0
      if end > first {
        let from = Double(piece - 1) * length
        add(BreathAmplitudes(trace, first..<end, from: from, step: step, count: highest + tapers + 1), tapers)
      }
      first = max(end, first)
    }
    let share = 1 / (2 * Double(tapers) * pieces)
    for index in powers.indices { powers[index] *= share }
    weigh(beats: Double(trace.values.count) / pieces, upTo: min(Self.told.upperBound, 0.5 / trace.meanSeconds))
  }

  private mutating func add(_ amplitudes: BreathAmplitudes, _ tapers: Int) {
    for index in powers.indices {
      for taper in 1...tapers {
        let cosine = amplitudes.cosines[lowest + index - taper] - amplitudes.cosines[lowest + index + taper]
        let sine = amplitudes.sines[lowest + index - taper] - amplitudes.sines[lowest + index + taper]
        powers[index] += cosine * cosine + sine * sine
      }
    }
  }

  private func frequency(_ index: Int) -> Double { step * Double(lowest + index) }

  private mutating func weigh(beats: Double, upTo fastest: Double) {
    let logarithms = powers.indices.map { Maths.log(frequency($0)) }
    let least = Self.leastSwing * Self.leastSwing * (beats / 12)
    let usual = Maths.log(Self.usual.perSecond)
    let lines = (0..<3).map { background($0, logarithms) }
    var sums: [Double] = []
    var best: (index: Int, sum: Double)?
    sums.reserveCapacity(powers.count)
    for index in powers.indices {
      var noise = least
      for lane in 0..<3 {
        noise[lane] = max(Maths.exp(lines[lane].offset + lines[lane].slope * logarithms[index]), least[lane])
      }
      powers[index] /= noise
      let distance = (logarithms[index] - usual) / Self.usual.spread
      let sum = (Self.trust * LightGrid.logarithm(1 + powers[index])).sum() - 0.5 * distance * distance
      sums.append(sum)
      if frequency(index) >= Self.told.lowerBound, frequency(index) <= fastest, sum > best?.sum ?? -.infinity {
        best = (index, sum)
      }
    }
    guard let best else { return }
    let centre = frequency(best.index)
    var (weight, moment, near, all) = (0.0, 0.0, 0.0, 0.0)
    for index in sums.indices {
      let distance = (frequency(index) - centre).magnitude
      if distance <= Self.halfPeak, sums[index] > 0 {
        weight += sums[index]
        moment += sums[index] * frequency(index)
      }
      guard frequency(index) >= Self.told.lowerBound, frequency(index) <= fastest else { continue }
      let logarithm = Self.sharpness * (sums[index] - best.sum)
      // Less adds nothing that a number as large as 1 would show.
      guard logarithm > -40 else { continue }
      let likelihood = Maths.exp(logarithm)
      all += likelihood
      if distance <= Self.surroundings { near += likelihood }
    }
    peak = weight > 0 ? moment / weight : centre
    confidence = near / all
    clarity = powers[best.index].squareRoot()
  }

  /// The background of one sign: the logarithm of its power along that of the frequency. It never rises.
  private func background(_ lane: Int, _ logarithms: [Double]) -> (offset: Double, slope: Double) {
    let split = powers.indices.first { frequency($0) >= Self.middle } ?? powers.count
    func middle(_ range: Range<Int>) -> (frequency: Double, power: Double) {
      let middle = range.map { powers[$0][lane] }.ranked(range.count / 2)
      let sum = range.reduce(0) { $0 + logarithms[$1] }
      return (sum / Double(range.count), Maths.log(middle + 1e-15))
    }
    let (slow, fast) = (middle(0..<split), middle(split..<powers.count))
    guard slow.power > fast.power else { return (middle(0..<powers.count).power, 0) }
    let slope = (fast.power - slow.power) / (fast.frequency - slow.frequency)
    return (fast.power - slope * fast.frequency, slope)
  }
}

/// The untapered amplitudes of a stretch of a trace at 0, 1, 2, ... steps of frequency, such that white noise has its
/// variance as mean power.
struct BreathAmplitudes {
  /// What goes with the cosine of each frequency, for the three signs.
  private(set) var cosines: [SIMD4<Double>]
  /// What goes with the sine.
  private(set) var sines: [SIMD4<Double>]

  /// Sums the points of `range`, their times taken from `start` on, at `count` frequencies `step` hertz apart.
  init(_ trace: BreathTrace, _ range: Range<Int>, from start: Double, step: Double, count: Int) {
    cosines = [SIMD4<Double>](repeating: SIMD4(), count: count)
    sines = cosines
    var squares = 0.0
    for point in range { squares += trace.weights[point] * trace.weights[point] }
    let scale = 1 / squares.squareRoot()
    cosines.withUnsafeMutableBufferPointer { cosines in
      sines.withUnsafeMutableBufferPointer { sines in
        for first in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
          let points = first..<min(first + 4, range.upperBound)
          Self.add(trace, points, from: start, turn: 2 * .pi * step, scale: scale, cosines, sines)
        }
      }
    }
  }

  /// Adds up to four points, each turning on by its own angle from one frequency to the next.
  @inline(__always)
  private static func add(
    _ trace: BreathTrace, _ points: Range<Int>, from start: Double, turn: Double, scale: Double,
    _ cosines: UnsafeMutableBufferPointer<SIMD4<Double>>, _ sines: UnsafeMutableBufferPointer<SIMD4<Double>>
  ) {
    var turns = (cosine: SIMD4<Double>(repeating: 1), sine: SIMD4<Double>())
    var (one, two, three, four) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
    for (lane, point) in points.enumerated() {
      let angle = turn * (trace.seconds[point] - start)
      turns.cosine[lane] = Maths.cos(angle)
      turns.sine[lane] = Maths.sin(angle)
      let value = trace.values[point] * (trace.weights[point] * scale)
      switch lane {
      case 0: one = value
      case 1: two = value
      case 2: three = value
      default: four = value
      }
    }
    var pointer = (cosine: SIMD4<Double>(repeating: 1), sine: SIMD4<Double>())
    for index in cosines.indices {
      let (cosine, sine) = pointer
      cosines[index] += one * cosine.x + two * cosine.y + three * cosine.z + four * cosine.w
      sines[index] += one * sine.x + two * sine.y + three * sine.z + four * sine.w
      pointer = (cosine * turns.cosine - sine * turns.sine, sine * turns.cosine + cosine * turns.sine)
    }
  }
}
