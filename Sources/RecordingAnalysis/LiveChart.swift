import VitalsModel

/// The parts of dygraphs (MIT licence, dygraphs.com) that draw charts to zoom into.
public struct ChartLibrary: Sendable {
  /// `dygraph.min.js`.
  public let script: String
  /// `dygraph.min.css`.
  public let style: String

  /// The text of both files; nil when they could not stand in a page.
  public init?(script: String, style: String) {
    // Within a page these would end the element that holds them.
    guard !script.lowercased().contains("</script"), !style.lowercased().contains("</style") else { return nil }
    self.script = script
    self.style = style
  }
}

/// Charts drawn by a script in the page.
enum LiveChart {
  /// The data of the charts and what draws them. No text of the user's is in it.
  static func script(_ charts: [Chart]) -> String {
    "const charts = [\(charts.map(data).joined(separator: ","))];\n\(drawing)"
  }

  private static func data(_ chart: Chart) -> String {
    let curves = chart.curves.map { curve in
      let points = curve.points.map { point in
        point.map { "[\(Fixed.text($0.at, places: 3)),\(Fixed.shortest($0.value, places: 4))]" } ?? "null"
      }
      let head = "{name:\"\(curve.name)\",colour:\"\(curve.colour)\",style:\"\(curve.style.rawValue)\","
      return head + "points:[\(points.joined(separator: ","))]}"
    }
    func pair(_ range: ClosedRange<Double>) -> String {
      "[\(Fixed.shortest(range.lowerBound, places: 4)),\(Fixed.shortest(range.upperBound, places: 4))]"
    }
    return "{key:\"\(chart.key)\",isThinned:\(chart.isThinned),span:\(pair(chart.span)),range:\(pair(chart.range)),"
      + "curves:[\(curves.joined(separator: ","))]}"
  }

  /// A row for each time of any curve, in order. A value that is absent (null) is passed over, and NaN breaks a line. The wave
  /// begins with a minute of a long recording; a click on an interval brings its wave to the middle.
  private static let drawing = """
    const shown = {};
    for (const chart of charts) {
      const rows = new Map();
      chart.curves.forEach((curve, index) => {
        let last = chart.span[0];
        for (const point of curve.points) {
          const at = point ? point[0] : last + 0.0001;
          if (!rows.has(at)) rows.set(at, new Array(chart.curves.length).fill(null));
          rows.get(at)[index] = point ? point[1] : NaN;
          last = at;
        }
      });
      const data = [...rows].sort((left, right) => left[0] - right[0]).map(([at, values]) => [at, ...values]);
      const series = {};
      for (const curve of chart.curves) {
        series[curve.name] = {
          color: curve.colour, strokeWidth: curve.style === "dots" ? 0 : 1.2,
          drawPoints: curve.style !== "line", pointSize: 3, highlightCircleSize: 4 };
      }
      const isWave = chart.key === "wave";
      const window = isWave && !chart.isThinned ? [chart.span[0], Math.min(chart.span[1], chart.span[0] + 60)] : chart.span;
      const graph = new Dygraph(document.getElementById(chart.key), data, {
        labels: ["s", ...chart.curves.map(curve => curve.name)], series, dateWindow: window,
        valueRange: chart.range, connectSeparatedPoints: true, showRangeSelector: isWave, rangeSelectorHeight: 24,
        gridLineColor: "#e5e7eb", axisLineColor: "#9ca3af", axisLabelFontSize: 12, legend: "follow",
        axes: { x: { axisLabelFormatter: at => `${+at.toFixed(3)} s`, valueFormatter: at => `${at.toFixed(3)} s` } },
        clickCallback: (event, at) => {
          if (!isWave && shown.wave) shown.wave.updateOptions({ dateWindow: [at - 15, at + 15] });
        },
      });
      shown[chart.key] = graph;
    }
    """
}
