import VitalsModel

/// A chart as SVG, which needs no script.
struct StaticChart {
  private let chart: Chart
  private let (width, height): (Double, Double)
  private var text = ""

  /// A second of a wave is still a wave at this many pixels; a long recording gets fewer.
  private static let pixelsPerSecond = 18.0
  private static let (leastWidth, mostWidth) = (1_100.0, 40_000.0)
  private static let (left, bottom) = (52.0, 22.0)

  /// The drawing, `height` pixels high.
  static func svg(_ chart: Chart, height: Double) -> String {
    var drawing = StaticChart(chart, height: height)
    drawing.draw()
    return drawing.text
  }

  private init(_ chart: Chart, height: Double) {
    self.chart = chart
    self.height = height
    let seconds = chart.span.upperBound - chart.span.lowerBound
    width = min(max(seconds * Self.pixelsPerSecond, Self.leastWidth), Self.mostWidth)
  }

  private mutating func draw() {
    let area =
      "x=\"\(Self.left)\" y=\"0\" width=\"\(number(width - Self.left))\" height=\"\(number(height - Self.bottom))\""
    text += "<svg width=\"\(number(width))\" height=\"\(number(height))\" role=\"img\" aria-label=\"\(chart.key)\">\n"
    text += "<clipPath id=\"\(chart.key)-area\"><rect \(area)/></clipPath>\n"
    drawAxes()
    text += "<g clip-path=\"url(#\(chart.key)-area)\">\n"
    for curve in chart.curves { draw(curve) }
    text += "</g>\n</svg>\n"
  }

  private mutating func drawAxes() {
    let (top, floor) = ("0", number(height - Self.bottom))
    for tick in ticks(chart.span, most: (width - Self.left) / 70) {
      let x = number(horizontal(tick))
      // At the very edge its text would be cut.
      guard horizontal(tick) < width - 16 else { continue }
      text += "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top)\" y2=\"\(floor)\"/>"
      text += "<text x=\"\(x)\" y=\"\(number(height - 6))\" text-anchor=\"middle\">\(label(tick)) s</text>\n"
    }
    for tick in ticks(chart.range, most: (height - Self.bottom) / 30) {
      let y = vertical(tick)
      text +=
        "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(number(width))\" y1=\"\(number(y))\" y2=\"\(number(y))\"/>"
      text += "<text x=\"\(Self.left - 6)\" y=\"\(number(y + 4))\" text-anchor=\"end\">\(label(tick))</text>\n"
    }
  }

  private mutating func draw(_ curve: Chart.Curve) {
    if curve.style != .dots {
      text += "<path fill=\"none\" stroke=\"\(curve.colour)\" stroke-width=\"1.2\" d=\""
      var isBroken = true
      for point in curve.points {
        guard let point else {
          isBroken = true
          continue
        }
        text += "\(isBroken ? "M" : "L")\(place(point))"
        isBroken = false
      }
      text += "\"/>\n"
    }
    guard curve.style != .line else { return }
    for point in curve.points.compactMap(\.self) {
      text += "<circle cx=\"\(number(horizontal(point.at)))\" cy=\"\(number(vertical(point.value)))\" r=\"3\" "
      text += "fill=\"\(curve.colour)\"/>\n"
    }
  }

  private func place(_ point: (at: Double, value: Double)) -> String {
    "\(number(horizontal(point.at))) \(number(vertical(point.value)))"
  }

  private func horizontal(_ seconds: Double) -> Double {
    Self.left + (seconds - chart.span.lowerBound) / (chart.span.upperBound - chart.span.lowerBound)
      * (width - Self.left)
  }

  /// Far outside of the area a value is only outside.
  private func vertical(_ value: Double) -> Double {
    let share = (value - chart.range.lowerBound) / (chart.range.upperBound - chart.range.lowerBound)
    return (1 - min(max(share, -1), 2)) * (height - Self.bottom)
  }

  /// Round numbers in a range, no more than so many.
  private func ticks(_ range: ClosedRange<Double>, most: Double) -> [Double] {
    let least = (range.upperBound - range.lowerBound) / max(most, 1)
    var step = 0.001
    // 1, 2, 5, 10 and so on.
    var factors = 0
    while step < least {
      step *= factors % 3 == 1 ? 2.5 : 2
      factors += 1
    }
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    guard first <= last else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private func label(_ value: Double) -> String { Fixed.shortest(value, places: 3) }
  private func number(_ value: Double) -> String { Fixed.shortest(value, places: 1) }
}
