import PulseAnalysis
import VitalsModel

/// A page in one HTML file, to be looked at offline: the measures, the wave with its beats, the intervals, the colours.
///
/// - Parameter library: draws charts to zoom into; nil: they are drawn once and for all, which the page says
public func analysisPage(of analysis: Analysis, tool: String, library: ChartLibrary?) -> String {
  let charts = Chart.all(of: analysis)
  var page = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <title>\(escaped(analysis.name))</title>
    <style>
    \(library?.style ?? "")
    \(style)
    </style>
    </head>
    <body>
    <h1>\(escaped(analysis.name))</h1>
    <p>\(summary(of: analysis))</p>

    """
  page += analysis.isWindowed ? windowTable(analysis) : analysis.windows.map(measureTable).joined()
  page += analysis.notes.map { "<p class=\"note\">Note: \(escaped($0))</p>\n" }.joined()
  if library == nil {
    page += "<p class=\"note\">These charts cannot be zoomed: dygraphs (libjs-dygraphs on Debian) was not found.</p>\n"
  }
  for (chart, heading) in zip(charts, headings(analysis)) {
    page += "<h2>\(heading)</h2>\n"
    guard !chart.isEmpty else {
      page += "<p class=\"withheld\">There is nothing to draw.</p>\n"
      continue
    }
    let height = chart.key == "wave" ? 300.0 : 200
    if library == nil {
      page += "<div class=\"scroll\">\(StaticChart.svg(chart, height: height))</div>\n"
    } else {
      page += "<div id=\"\(chart.key)\" class=\"chart\" style=\"height:\(Int(height))px\"></div>\n"
    }
    if chart.isThinned {
      page += "<p class=\"note\">The recording is too long to draw every pulse: of the wave there are the highest and "
      page += "lowest values only. Choose a part of at most an hour with --from and --for.</p>\n"
    }
    if chart.key != "colours" { page += legend }
  }
  page += "<footer>\(escaped(Analysis.disclaimer)) Made by \(escaped(tool)).</footer>\n"
  if let library {
    page += "<script>\(library.script)</script>\n<script>\(LiveChart.script(charts.filter { !$0.isEmpty }))</script>\n"
  }
  return page + "</body>\n</html>\n"
}

/// Nothing is fetched from anywhere.
private let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

private let style = """
  body { font: 15px/1.45 system-ui, sans-serif; color: #1f2937; background: #fff; max-width: 1200px; margin: 24px auto;
    padding: 0 16px; }
  h1 { font-size: 20px; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 16px; margin: 24px 0 6px; }
  table { border-collapse: collapse; margin: 12px 0; font-variant-numeric: tabular-nums; }
  td, th { padding: 2px 14px 2px 0; text-align: left; font-weight: normal; vertical-align: top; }
  thead th { color: #6b7280; border-bottom: 1px solid #d1d5db; } .number { text-align: right; }
  .withheld { color: #6b7280; } .note { color: #92400e; margin: 4px 0; } .scroll { overflow-x: auto; }
  .tall { max-height: 420px; overflow-y: auto; } .chart { width: 100%; }
  .legend { color: #4b5563; font-size: 13px; margin: 4px 0; } .legend span { margin-right: 18px; }
  svg text { font-size: 12px; fill: #4b5563; } .grid { stroke: #e5e7eb; }
  footer { margin-top: 28px; color: #6b7280; border-top: 1px solid #e5e7eb; padding-top: 8px; }
  """

private let legend: String = {
  let flags = MeasuredBeat.Flag.allCases.map { flag in
    "<span><b style=\"color:\(flag.colour)\">\u{25cf}</b> \(flag.rawValue): \(flag.meaning)</span>"
  }
  return "<p class=\"legend\">\(flags.joined())</p>\n"
}()

private func headings(_ analysis: Analysis) -> [String] {
  var channels: [String] = []
  for channel in analysis.windows.compactMap(\.channel) where !channels.contains(channel) { channels.append(channel) }
  let read = channels.isEmpty ? "" : " in \(escaped(channels.joined(separator: ", ")))"
  return [
    "Pulse\(read): light taken by the blood, percent, without what changes more slowly than a pulse",
    "Intervals between beats, milliseconds", "Mean colours of the frames, 0 to 255",
  ]
}

private func summary(of analysis: Analysis) -> String {
  let frames = analysis.windows.reduce(0) { $0 + $1.frames }
  let aside = analysis.windows.reduce(0) { $0 + $1.setAsideFrames }
  let from = Fixed.text(analysis.windows.first?.from.seconds ?? 0, places: 1)
  let to = Fixed.text(analysis.windows.last?.to.seconds ?? 0, places: 1)
  let rate = Fixed.shortest(analysis.frameRateFps, places: 2)
  return "\(from) to \(to) s, \(frames) frames\(aside > 0 ? " (\(aside) not used)" : ""), \(rate) frames a second"
}

/// The measures of the whole, each with its reason where it is withheld.
private func measureTable(_ window: MeasuredWindow) -> String {
  let measurement = window.measurement
  func row(_ name: String, _ value: String, _ unit: String, _ further: String) -> String {
    "<tr><th>\(name)</th><td class=\"number\">\(value)</td><td>\(unit)</td><td class=\"withheld\">\(further)</td></tr>\n"
  }
  var rows = Measure.all.map { measure in
    let reason = measurement.withheld.first { $0.measure == measure.key }?.reason
    let truth = window.truth.flatMap(measure.truth).flatMap(measure.text).map { "the file's own: \($0)" }
    guard let value = measure.text(measurement) else {
      return row(measure.name, "", "", "withheld\(reason.map { ": \(escaped($0))" } ?? "")")
    }
    return row(measure.name, value, measure.unit + escaped(measure.channelText(window)), truth ?? "")
  }
  rows.append(row("quality", Fixed.text(measurement.quality, places: 2), "", "0 to 1"))
  rows.append(row("coverage", Fixed.text(100 * window.coverage, places: 0), "%", "of the time"))
  let counts = MeasuredBeat.Flag.counts(measurement.beats)
  if !counts.isEmpty { rows.append(row("beats", "\(measurement.beats.count)", "", counts)) }
  return "<table>\n\(rows.joined())</table>\n"
}

/// A row for each window.
private func windowTable(_ analysis: Analysis) -> String {
  let head = ["from", "to"] + Measure.all.map(\.name) + ["quality", "coverage"]
  let units = ["s", "s"] + Measure.all.map(\.unit) + ["", "%"]
  func cells(_ texts: [String], _ tag: String) -> String {
    texts.map { "<\(tag) class=\"number\">\(escaped($0))</\(tag)>" }.joined()
  }
  let rows = analysis.windows.map { window -> String in
    let measurement = window.measurement
    let reasons = Measure.withheld(in: measurement).map { "\($0.names.joined(separator: ", ")): \($0.reason)" }
    let texts =
      [window.from, window.to].map { Fixed.text($0.seconds, places: 1) }
      + Measure.all.map { $0.text(measurement) ?? "-" }
      + [Fixed.text(measurement.quality, places: 2), Fixed.text(100 * window.coverage, places: 0)]
    return "<tr>\(cells(texts, "td"))<td class=\"withheld\">\(escaped(reasons.joined(separator: "; ")))</td></tr>\n"
  }
  return "<div class=\"tall\"><table>\n<thead><tr>\(cells(head, "th"))<th>withheld</th></tr>"
    + "<tr>\(cells(units, "th"))<th></th></tr></thead>\n\(rows.joined())</table></div>\n"
}

/// A text as it stands in HTML, between tags or in quoted attributes.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default: result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7f ? "\u{fffd}" : scalar)
    }
  }
  return result
}
