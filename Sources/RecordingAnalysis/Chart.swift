import PulseAnalysis
import VitalsModel

/// What one chart of the page shows, however it is drawn.
struct Chart {
  /// One set of points.
  struct Curve {
    /// How its points are drawn.
    enum Style: String {
      case line, dots, both
    }

    let name: String
    /// As CSS writes it.
    let colour: String
    let style: Style
    /// Time in seconds and value; nil breaks the line.
    var points: [(at: Double, value: Double)?]
  }

  /// What its elements on the page are called.
  let key: String
  /// Seconds that it spans.
  let span: ClosedRange<Double>
  /// Values that it shows; others lie outside.
  let range: ClosedRange<Double>
  let curves: [Curve]
  /// Whether only the extremes of its pieces are drawn, so that it shows from far off what it cannot show from near.
  var isThinned = false
  /// Whether there is nothing to draw.
  var isEmpty: Bool { curves.allSatisfy { $0.points.allSatisfy { $0 == nil } } }

  /// The wave, the intervals and the colours of an analysis that kept them.
  static func all(of analysis: Analysis) -> [Chart] {
    let from = analysis.windows.first?.from.seconds ?? 0
    let span = from...max(analysis.windows.last?.to.seconds ?? 0, from + 1)
    return [wave(of: analysis, span), intervals(of: analysis, span), colours(of: analysis, span)]
  }

  // MARK: The wave

  /// The most points of the wave, an hour; of more, the highest and the lowest of each piece are drawn.
  static let mostWavePoints = 120_000

  private static func wave(of analysis: Analysis, _ span: ClosedRange<Double>) -> Chart {
    let stretches = analysis.windows.flatMap { $0.wave?.stretches ?? [] }
    let count = stretches.reduce(0) { $0 + $1.percent.count }
    let piece = count > mostWavePoints ? (2 * count + mostWavePoints - 1) / mostWavePoints : 1
    var points: [(at: Double, value: Double)?] = []
    for stretch in stretches {
      if !points.isEmpty { points.append(nil) }
      points += thinned(stretch, by: piece).map { $0 }
    }
    let curves = [Curve(name: "wave", colour: "#6b7280", style: .line, points: points)]
    let beats = MeasuredBeat.Flag.allCases.map { flag in
      Curve(
        name: flag.rawValue, colour: flag.colour, style: .dots,
        points: analysis.windows.flatMap { window in
          window.measurement.beats.filter { $0.flag == flag }.compactMap { beat in
            window.wave?.value(at: beat.at).map { (beat.at.seconds, $0) }
          }
        })
    }
    return Chart(
      key: "wave", span: span, range: usualRange(stretches), curves: curves + beats, isThinned: piece > 1)
  }

  /// The stretch's points, or of each piece of it the lowest and the highest.
  private static func thinned(_ stretch: MeasuredWave.Stretch, by piece: Int) -> [(at: Double, value: Double)] {
    func point(_ index: Int) -> (at: Double, value: Double) {
      (stretch.time(index).seconds, stretch.percent[index])
    }
    guard piece > 1 else { return stretch.percent.indices.map(point) }
    return stride(from: 0, to: stretch.percent.count, by: piece).flatMap { first in
      var (low, high) = (first, first)
      for index in first..<min(first + piece, stretch.percent.count) {
        if stretch.percent[index] < stretch.percent[low] { low = index }
        if stretch.percent[index] > stretch.percent[high] { high = index }
      }
      return low == high ? [point(low)] : [point(min(low, high)), point(max(low, high))]
    }
  }

  /// The usual height of the wave in two seconds, to either side: a jerk would leave nothing of a pulse to see.
  private static func usualRange(_ stretches: [MeasuredWave.Stretch]) -> ClosedRange<Double> {
    var heights: [Double] = []
    for stretch in stretches {
      for first in stride(from: 0, to: stretch.percent.count, by: 64) {
        let some = stretch.percent[first..<min(first + 64, stretch.percent.count)]
        heights.append((some.max() ?? 0) - (some.min() ?? 0))
      }
    }
    heights.sort()
    let reach = max(heights.isEmpty ? 1 : heights[heights.count / 2], 0.01)
    return -reach...reach
  }

  // MARK: The intervals

  private static func intervals(of analysis: Analysis, _ span: ClosedRange<Double>) -> Chart {
    var normal: [(at: Double, value: Double)?] = []
    var others: [MeasuredBeat.Flag: [(at: Double, value: Double)?]] = [:]
    for window in analysis.windows {
      let beats = window.measurement.beats
      for (before, beat) in zip(beats, beats.dropFirst()) where beat.flag != .first {
        let point = (beat.at.seconds, (beat.at - before.at).milliseconds)
        if beat.flag == .normal {
          normal.append(point)
        } else {
          normal.append(nil)
          others[beat.flag, default: []].append(point)
        }
      }
      normal.append(nil)
    }
    let curves =
      [Curve(name: "normal", colour: MeasuredBeat.Flag.normal.colour, style: .both, points: normal)]
      + [.irregular, .doubtful].map { (flag: MeasuredBeat.Flag) in
        Curve(name: flag.rawValue, colour: flag.colour, style: .dots, points: others[flag] ?? [])
      }
    let values = curves.flatMap(\.points).compactMap { $0?.value }.sorted()
    let middle = values.isEmpty ? 1_000 : values[values.count / 2]
    // A pause of many beats would leave nothing of the others to see.
    let (low, high) = (values.first ?? 500, min(values.last ?? 1_500, 2.5 * middle))
    let room = max(0.08 * (high - low), 20)
    return Chart(key: "intervals", span: span, range: (low - room)...(high + room), curves: curves)
  }

  // MARK: The colours

  private static func colours(of analysis: Analysis, _ span: ClosedRange<Double>) -> Chart {
    let points = analysis.colours?.points ?? []
    func curve(_ name: String, _ colour: String, _ value: (ColourCourse.Point) -> Double) -> Curve {
      Curve(name: name, colour: colour, style: .line, points: points.map { ($0.at.seconds, value($0)) })
    }
    return Chart(
      key: "colours", span: span, range: -5...260,
      curves: [
        curve("red", "#c0392b", \.red), curve("green", "#2e8b57", \.green), curve("blue", "#2563a8", \.blue),
      ])
  }
}

extension MeasuredBeat.Flag {
  /// Its colour on the page; they differ in lightness, too.
  var colour: String {
    switch self {
    case .normal: "#0072b2"
    case .irregular: "#d55e00"
    case .doubtful: "#cc79a7"
    case .first: "#1f2937"
    }
  }

  /// What it means, in a few words.
  var meaning: String {
    switch self {
    case .normal: "ends an NN interval"
    case .irregular: "certain, but early, late or after a missed one"
    case .doubtful: "does not look like the others"
    case .first: "no beat right before it"
    }
  }
}

extension MeasuredWave {
  /// The wave at a moment, on the line between its points; nil where there is none.
  fileprivate func value(at moment: Instant) -> Double? {
    for stretch in stretches where stretch.from <= moment {
      let length = stretch.time(stretch.percent.count - 1) - stretch.from
      guard moment - stretch.from <= length else { continue }
      guard length > .zero else { return stretch.percent[0] }
      let place = (moment - stretch.from).seconds / length.seconds * Double(stretch.percent.count - 1)
      let index = min(Int(place), stretch.percent.count - 2)
      return stretch.percent[index] + (stretch.percent[index + 1] - stretch.percent[index]) * (place - Double(index))
    }
    return nil
  }
}
