import PulseAnalysis
import VitalsModel

/// The report for a person at a terminal. It may hold what the file says of itself: controls are the caller's to mask.
public func analysisText(of analysis: Analysis) -> String {
  var lines = analysis.isWindowed ? tableLines(analysis) : wholeLines(analysis)
  lines += analysis.notes.map { "  note: \($0)" }
  return (lines + ["", Analysis.disclaimer]).map { "\($0)\n" }.joined()
}

/// A line for each measure.
private func wholeLines(_ analysis: Analysis) -> [String] {
  analysis.windows.flatMap { window -> [String] in
    let measurement = window.measurement
    var rows = Measure.all.map { measure -> (String, String) in
      let value = measure.text(measurement).map { "\($0) \(measure.unit)\(measure.channelText(window))" } ?? "withheld"
      let truth = window.truth.flatMap(measure.truth).flatMap(measure.text)
      return (measure.name, value + (truth.map { "  (the file's own: \($0))" } ?? ""))
    }
    rows.append(("quality", Fixed.text(measurement.quality, places: 2)))
    rows.append(("coverage", Fixed.text(100 * window.coverage, places: 0) + " %"))
    let counts = MeasuredBeat.Flag.counts(measurement.beats)
    if !counts.isEmpty { rows.append(("beats", "\(measurement.beats.count): \(counts)")) }
    let span = "\(seconds(window.from)) to \(seconds(window.to)) s"
    let channel = window.channel.map { ", read in \($0)" } ?? ""
    return ["\(analysis.name): \(span), \(window.frames) frames\(asideText(window))\(channel)", ""]
      + rows.map { "  \($0.padded(to: 17))\($1)" } + [""]
      + Measure.withheld(in: measurement).map { withheldText($0.names, $0.reason) }
  }
}

private func asideText(_ window: MeasuredWindow) -> String {
  window.setAsideFrames > 0 ? " (\(window.setAsideFrames) not used)" : ""
}

private func withheldText(_ names: [String], _ reason: String) -> String {
  "  withheld: \(names.count == Measure.all.count ? "every measure" : names.joined(separator: ", ")): \(reason)"
}

/// A line for each window.
private func tableLines(_ analysis: Analysis) -> [String] {
  let head = ["from s", "to s"] + Measure.all.map { "\($0.name) \($0.unit)" } + ["quality", "coverage %"]
  let rows = analysis.windows.map { window -> [String] in
    let measurement = window.measurement
    return [seconds(window.from), seconds(window.to)] + Measure.all.map { $0.text(measurement) ?? "-" }
      + [Fixed.text(measurement.quality, places: 2), Fixed.text(100 * window.coverage, places: 0)]
  }
  // Every head stands in two lines, the last word of it below: the unit, where it has one.
  let heads = head.map { text -> (String, String) in
    let words = text.split(separator: " ")
    return (words.dropLast().joined(separator: " "), String(words.last ?? ""))
  }
  let widths = head.indices.map { column in
    max(heads[column].0.count, heads[column].1.count, rows.map { $0[column].count }.max() ?? 0)
  }
  func line(_ cells: [String]) -> String {
    "  " + zip(cells, widths).map { $0.padded(to: $1, onLeft: true) }.joined(separator: "  ")
  }
  let answered = analysis.windows.count { $0.measurement.heartRateBpm != nil }
  let frames = analysis.windows.reduce(0) { $0 + $1.frames }
  return ["\(analysis.name): \(frames) frames", "", line(heads.map(\.0)), line(heads.map(\.1))] + rows.map(line) + [
    "", "  \(answered) of \(analysis.windows.count) windows have a heart rate",
  ] + reasonLines(analysis.windows)
}

/// How often each measure is withheld for which reason.
private func reasonLines(_ windows: [MeasuredWindow]) -> [String] {
  var counts: [(names: [String], reason: String, count: Int)] = []
  for window in windows {
    for (reason, names) in Measure.withheld(in: window.measurement) {
      if let known = counts.firstIndex(where: { $0.reason == reason && $0.names == names }) {
        counts[known].count += 1
      } else {
        counts.append((names, reason, 1))
      }
    }
  }
  return counts.map { "\(withheldText($0.names, $0.reason)) (\($0.count) of \(windows.count))" }
}

private func seconds(_ moment: Instant) -> String { Fixed.text(moment.seconds, places: 1) }

extension String {
  /// The text with spaces until it is `width` characters long.
  fileprivate func padded(to width: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return onLeft ? spaces + self : self + spaces
  }
}
