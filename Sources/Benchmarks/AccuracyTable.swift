import VitalsModel

/// A table for a terminal: columns as wide as their widest cell, the first one to the left and numbers to the right.
struct TextTable {
  private var rows: [[String]]
  private let leftColumns: Set<Int>

  /// A table with column names; those columns whose number is in `left` begin at their left.
  init(_ names: [String], left: Set<Int>) {
    rows = [names]
    leftColumns = left
  }

  mutating func append(_ cells: [String]) { rows.append(cells) }

  /// The table, each line indented by two and ended.
  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return leftColumns.contains(column) ? row[column] + blanks : blanks + row[column]
      }
      var line = "  " + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

/// A number with so many decimals, or a dash.
func cell(_ number: Double?, _ places: Int = 2) -> String { number.map { Fixed.text($0, places: places) } ?? "-" }

extension ScoredSet {
  /// The set's table with a line of heading, and what is in doubt below it.
  func text(_ options: AccuracyOptions, verbose: Bool) -> String {
    let reference =
      switch layout {
      case .chestStrap: "all intervals of a chest strap"
      case .oximeters: "the median of the oximeters \(Fixed.shortest(options.lag.seconds, places: 3)) s later"
      }
    let counted = recordings == 1 ? "1 recording" : "\(recordings) recordings"
    let isShort = windows.contains { $0.part == .window && $0.toS - $0.fromS < options.window.seconds - 1 }
    var text = "\(name): \(counted) against \(reference)\(isShort ? ", a shorter record whole" : "")\n"
    var table = TextTable(
      [
        "", "n", "answered", "MAE", "RMSE", "bias", "SD", "95 % limits", "within", "r", "median's MAE", "worst", "",
      ], left: [0, 12])
    for score in scores {
      table.append(
        score.row("\(score.measure.title), \(score.span(layout, options))", score.score, layout, isAll: true))
      if let trusted = score.withoutDoubtful {
        table.append(score.row("  without the doubtful", trusted, layout, isAll: false))
      }
    }
    text += table.text
    text += doubtful
    return verbose ? text + lines : text
  }

  private var doubtful: String {
    let doubtful = windows.filter { !$0.isTrusted(.heartRateBpm) }
    guard !doubtful.isEmpty else { return "" }
    var told: [String] = []
    for window in doubtful {
      let place = layout == .chestStrap ? window.recording : "\(window.recording) from \(cell(window.fromS, 0)) s"
      let line = "  reference in doubt: \(place): \((window.doubts + window.heartRateDoubts).joined(separator: "; "))\n"
      if told.last != line { told.append(line) }
    }
    return told.joined()
  }

  /// A line for each window.
  private var lines: String {
    var table = TextTable(
      ["recording", "from s", "to s", "measure", "measured", "reference", "error", ""], left: [0, 3, 7])
    for window in windows {
      for measure in ScoredMeasure.allCases {
        guard let pair = window.pairs[measure.rawValue] else { continue }
        let remark = pair.measured == nil ? window.withheld[measure.rawValue] ?? "" : ""
        table.append(
          [
            window.recording, cell(window.fromS, 1), cell(window.toS, 1), "\(measure.title) \(measure.unit)",
            cell(pair.measured), cell(pair.reference), cell(pair.measured.map { $0 - pair.reference }),
            [window.isTrusted(measure) ? "" : "doubtful", remark].filter { !$0.isEmpty }.joined(separator: ", "),
          ])
      }
    }
    return table.text
  }
}

extension SetScore {
  /// What a row is over: `whole record`, `60 s`.
  fileprivate func span(_ layout: FoundRecording.Layout, _ options: AccuracyOptions) -> String {
    switch part {
    case .whole: "whole records"
    case .window: "\(layout == .chestStrap ? "first " : "")\(Fixed.shortest(options.window.seconds, places: 3)) s"
    }
  }

  fileprivate func row(
    _ title: String, _ score: AccuracyScore, _ layout: FoundRecording.Layout, isAll: Bool
  ) -> [String] {
    let limits = score.lowerLimit.flatMap { lower in
      score.upperLimit.map { "\(Fixed.text(lower, places: 2))...\(Fixed.text($0, places: 2))" }
    }
    let within = score.withinPercent.map {
      "\(Fixed.text($0, places: 1)) % in \(Fixed.shortest(tolerance, places: 1)) \(measure.unit)"
    }
    let place = worstRecording.map { name in
      part == .whole || layout == .chestStrap ? name : "\(name) from \(cell(worstFromS, 0)) s"
    }
    return [
      title, "\(score.n)", "\(score.answered) (\(Fixed.text(score.coveragePercent, places: 1)) %)", cell(score.mae),
      cell(score.rmse), cell(score.bias), cell(score.sd), limits ?? "-", within ?? "-", cell(score.r),
      cell(score.n > 1 ? score.maeOfMedian : nil), isAll ? cell(worstError) : "", isAll ? place ?? "" : "",
    ]
  }
}
