import VitalsModel

extension SyntheticDocument {
  /// All tables, for a terminal.
  var text: String {
    [
      scores("heart rate against the truth, 36 to 205 bpm, 5 seeds each", heartRate, within: "in 0.5 bpm", "bpm"),
      scores(
        "RMSSD against the truth at 30 fps, 50, 66 and 90 bpm with 10 seeds each; noise: what it alone would make, ms",
        rmssd, within: "in 3 ms or 8 %", "ms"), beats.text, rhythmText, controls.text,
      "in \(cell(seconds, 1)) s\n",
    ].joined(separator: "\n")
  }

  private func scores(_ heading: String, _ scores: [SyntheticScore], within: String, _ unit: String) -> String {
    let hasNoise = scores.contains { $0.timingNoiseMs != nil }
    var table = TextTable(
      ["", "n", "answered", "MAE \(unit)", "RMSE", "bias", within, "worst", ""] + (hasNoise ? ["noise"] : []),
      left: [0, 8])
    for row in scores {
      let score = row.score
      let noise = hasNoise ? [cell(row.timingNoiseMs, 1)] : []
      table.append(
        [
          row.title, "\(score.n)", "\(score.answered) (\(cell(score.coveragePercent, 1)) %)", cell(score.mae, 3),
          cell(score.rmse, 3), cell(score.bias, 3), score.withinPercent.map { "\(cell($0, 1)) %" } ?? "-",
          cell(row.worstError), row.worstRun ?? "",
        ] + noise)
    }
    return heading + "\n" + table.text
  }

  private var rhythmText: String {
    var table = TextTable(["", "heart rate", "RMSSD", "breathing", "first that is wrong"], left: [0, 4])
    for row in rhythms {
      let counts = [row.heartRate, row.rmssd, row.breathing]
      let examples = zip(["heart rate", "RMSSD", "breathing"], counts).compactMap { name, count in
        count.example.map { "\(name) \($0)" }
      }
      table.append(
        [row.title] + counts.map { "\($0.right) / \($0.withheld) / \($0.wrong)" } + [examples.joined(separator: "; ")])
    }
    return "rhythms and artefacts, 50 seeds each: right / withheld / wrong\n" + table.text
  }
}

extension BeatScore {
  fileprivate var text: String {
    var table = TextTable(["", "recall", "precision", "F1", "worst F1", ""], left: [0, 5])
    for (title, match) in [("within 50 ms", within50Ms), ("within 150 ms", within150Ms)] {
      table.append(
        [
          title, cell(match.recall, 4), cell(match.precision, 4), cell(match.f1, 4), cell(match.worstF1, 4),
          match.worstRun,
        ])
    }
    return "\(beats) beats of clean minutes, 36 to 205 bpm, \(cell(offsetMs, 1)) ms after the foot of their pulse\n"
      + table.text
  }
}

extension ControlScore {
  fileprivate var text: String {
    let caught = sources.filter { $0.heartRates > 0 }.map { source in
      "  \(source.source): \(source.heartRates) of \(source.runs), first \(source.example ?? "")\n"
    }
    return "lights without a pulse: \(heartRates) heart rates in \(runs) minutes of \(sources.count) kinds; "
      + "95 % upper bound \(cell(upperBoundPercent, 3)) %\n" + caught.joined()
  }
}
