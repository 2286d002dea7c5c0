import VitalsModel

/// The breaths of a record counted one by one, as the turns of their phase.
///
/// The signs of breathing are demodulated at the likely rate, each over some seconds at a time, brought into step with each
/// other by the angle between them over the whole record, and added. How the phase of the sum advances says how many breaths
/// there were more, or fewer, than at the likely rate; how its size changes says whether there was breath at all times.
struct BreathCount {
  /// Seconds from one look to the next.
  private static let hop = 1.0
  /// Seconds or breaths that one look takes in, whichever is longer.
  private static let look = (seconds: 6.0, breaths: 1.5)
  /// Looks that a held breath lasts for.
  private static let held = 10
  /// The share of a look that beats must cover.
  private static let leastCover = 0.35

  /// Breaths per second.
  private(set) var perSecond = 0.0
  /// The size of the breaths over the weakest ten seconds, as a share of the middle one.
  private(set) var steadiness = 0.0
  /// Share of the record that the looks lie in.
  private(set) var cover = 0.0

  /// Counts the breaths around `likely` per second, each sign weighted by how clear it is.
  init(_ trace: BreathTrace, near likely: Double, clarity: SIMD4<Double>) {
    let looks = Self.looks(trace, likely)
    let (cosines, sines) = Self.inStep(looks, clarity)
    var sizes: [Double] = []
    var (turned, hops) = (0.0, 0.0)
    for index in looks.indices where looks[index].isCovered {
      sizes.append((cosines[index] * cosines[index] + sines[index] * sines[index]).squareRoot())
      guard index > 0, looks[index - 1].isCovered else { continue }
      let across = sines[index] * cosines[index - 1] - cosines[index] * sines[index - 1]
      let along = cosines[index] * cosines[index - 1] + sines[index] * sines[index - 1]
      turned += angle(across, along)
      hops += 1
    }
    guard hops > 0 else { return }
    let middle = sizes.ranked(sizes.count / 2)
    steadiness = middle > 0 ? Self.weakest(sizes) / middle : 0
    perSecond = likely + turned / (2 * .pi * Self.hop * hops)
    cover = hops / Double(looks.count - 1)
  }

  /// The least mean of ten sizes in a row.
  private static func weakest(_ sizes: [Double]) -> Double {
    let length = min(held, sizes.count)
    var sum = 0.0
    var least = Double.infinity
    for index in sizes.indices {
      sum += sizes[index]
      if index >= length { sum -= sizes[index - length] }
      if index >= length - 1 { least = min(least, sum) }
    }
    return least / Double(length)
  }

  private struct Look {
    var cosine = SIMD4<Double>()
    var sine = SIMD4<Double>()
    var isCovered = false
  }

  /// The complex amplitudes of the signs, each in units of its own spread, one look after another.
  private static func looks(_ trace: BreathTrace, _ likely: Double) -> [Look] {
    var squares = SIMD4<Double>()
    for value in trace.values { squares += value * value }
    var scale = (squares / Double(trace.values.count)).squareRoot() + 1e-12
    scale = 1 / scale
    let phasors = trace.values.indices.map { index in
      let angle = 2 * .pi * likely * trace.seconds[index]
      let value = trace.values[index] * scale * trace.weights[index]
      return (cosine: value * Maths.cos(angle), sine: value * -Maths.sin(angle))
    }
    let half = 0.5 * max(look.seconds, look.breaths / likely)
    var looks: [Look] = []
    var first = 0
    var middle = half
    while middle <= trace.span - half {
      var look = Look()
      var weights = 0.0
      while first < trace.seconds.count, trace.seconds[first] < middle - half { first += 1 }
      var index = first
      while index < trace.seconds.count, trace.seconds[index] < middle + half {
        let place = (trace.seconds[index] - middle) / half
        let weight = (1 - place * place) * (1 - place * place)
        look.cosine += phasors[index].cosine * weight
        look.sine += phasors[index].sine * weight
        weights += weight * trace.weights[index]
        index += 1
      }
      // The weight's mean over a look that is covered by beats is 8 / 15.
      look.isCovered = weights > leastCover * 2 * half * 8 / 15
      if look.isCovered {
        look.cosine /= weights
        look.sine /= weights
      }
      looks.append(look)
      middle += hop
    }
    return looks
  }

  /// The signs turned by their angle to the clearest one, and added.
  private static func inStep(_ looks: [Look], _ clarity: SIMD4<Double>) -> (cosines: [Double], sines: [Double]) {
    var clearest = 0
    for lane in 1..<3 where clarity[lane] > clarity[clearest] { clearest = lane }
    var along = SIMD4<Double>()
    var across = SIMD4<Double>()
    for look in looks where look.isCovered {
      along += look.cosine * look.cosine[clearest] + look.sine * look.sine[clearest]
      across += look.sine * look.cosine[clearest] - look.cosine * look.sine[clearest]
    }
    var size = (along * along + across * across).squareRoot()
    size.replace(with: 1, where: size .== 0)
    let turn = (cosine: clarity * along / size, sine: clarity * across / size)
    return (
      looks.map { ($0.cosine * turn.cosine + $0.sine * turn.sine).sum() },
      looks.map { ($0.sine * turn.cosine - $0.cosine * turn.sine).sum() }
    )
  }
}

/// The angle whose sine and cosine are as `across` to `along`, in radians, -pi...pi; within 1e-7.
///
/// By the tangents of its half, quarter and eighth part, the last of which a short series takes back to an angle.
private func angle(_ across: Double, _ along: Double) -> Double {
  let size = (across * across + along * along).squareRoot()
  guard size > 0 else { return 0 }
  guard size + along > 1e-9 * size else { return .pi }
  let half = across / (size + along)
  let quarter = half / (1 + (1 + half * half).squareRoot())
  let eighth = quarter / (1 + (1 + quarter * quarter).squareRoot())
  let square = eighth * eighth
  var series = 0.0
  for odd in stride(from: 15.0, through: 1, by: -2) { series = 1 / odd - square * series }
  return 8 * eighth * series
}
