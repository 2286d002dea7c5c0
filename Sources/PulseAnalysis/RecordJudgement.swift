import VitalsModel

/// What the pulses of a record are worth: which can be trusted, how well the whole could be read, why there is no rate.
extension RecordReading {
  /// Share of the time that normal beats must cover for a rate.
  private static let leastCoverage = 0.42
  /// No fewer seconds than these can show that anything repeats.
  private static let leastSeconds = 3.0
  /// How much longer than a short interval one is that may be a pause.
  private static let long = 1.3
  /// Share of the time in long gaps from which on it is not the heart that pauses but the pulse that comes and goes.
  private static let mostGaps = 0.25
  /// Beats in a minute that may be hidden without making a rate uncertain.
  private static let mostHiddenPerMin = 4.2

  /// For each match, whether it and the one before are pulses beyond doubt, with nothing doubtful in between.
  func trustedIntervals() -> [Bool] {
    var result = [Bool](repeating: false, count: matches.count)
    var beforeIsRight = false
    for index in matches.indices {
      let match = matches[index]
      let ratio = match.height / usualHeights[index]
      // Where the light does not repeat, a pulse must look all the more like one.
      let repeats = track.strength(at: Int(match.place)) >= 0.4
      let isRight =
        match.coarse >= 0.7 && (repeats || max(match.likeness, match.coarse - 0.05) >= 0.85)
        && ratio > Self.leastHeight && ratio < 2.5
      if index > 0, isRight, beforeIsRight {
        result[index] = wave.isTrusted(from: Int(matches[index - 1].place), through: Int(match.place))
      }
      beforeIsRight = isRight
    }
    return result
  }

  /// For each match, whether the light was still since the one before, both of them full beats: nothing in it, wherever it
  /// lies, is as much like a pulse as the weakest beat that would have been found. The first quarter of a second is the beat's
  /// own, and the last one the next one's. An interval no longer than most is not asked.
  func stillIntervals() -> [Bool] {
    var result = [Bool](repeating: false, count: matches.count)
    let long = Self.long * quarterInterval
    for index in matches.indices.dropFirst() where matches[index].place - matches[index - 1].place > long {
      let from = Int(matches[index - 1].place) + 8
      let to = Int(matches[index].place) - 7
      guard from < to else { continue }
      let before = matches[index - 1].height / usualHeights[index - 1]
      // A heart that has paused fills well, and beats the stronger.
      let isFull = before > 0.6 && before < 1.3 && matches[index].height > 0.6 * usualHeights[index]
      guard isFull else { continue }
      let usual = min(usualHeights[index - 1], usualHeights[index])
      result[index] = template.highest(slopes, in: from...to) < Self.leastHeight * usual
    }
    return result
  }

  /// The interval that a quarter of all are shorter than, in cells.
  private var quarterInterval: Double {
    let intervals = matches.indices.dropFirst().map { matches[$0].place - matches[$0 - 1].place }.sorted()
    return intervals.isEmpty ? 0 : intervals[intervals.count / 4]
  }

  /// For each match, its height relative to the full ones around it.
  var relativeHeights: [Double] { matches.indices.map { matches[$0].height / usualHeights[$0] } }

  /// 0...1 from four signs: pulses alike, light that repeats, a wave skewed as a pulse is, and time covered. The worst of them
  /// counts as much as all together. Beats that may be hidden take more than a half of it before they take the rate.
  func quality(_ statistics: IntervalStatistics, coverage: Double) -> Double {
    guard !matches.isEmpty else { return 0 }
    let looks = ramp(meanLikeness, 0.6, 0.95)
    let repeats = ramp(track.strength, 0.25, 0.8)
    let shape = ramp(skewness.size, 0.3, 0.8)
    let least = min(min(looks, repeats), min(shape, coverage))
    let whole = 0.5 * (least + (looks + repeats + shape + coverage) / 4)
    return min(whole, max(1 - 0.6 * statistics.hiddenBeats / mostHidden, 0))
  }

  /// Why no heart rate can be given; nil when it can.
  func reasonForNoHeartRate(_ statistics: IntervalStatistics, coverage: Double) -> String? {
    if wave.lights.isEmpty {
      return wave.isDark ? "no heart rate: too dark to see a fingertip" : "no heart rate: no fingertip in the record"
    }
    if wave.seconds < Self.leastSeconds { return "no heart rate: the record is too short" }
    if track.usual == 0 || (track.strength < 0.3 && !isPlain(statistics)) {
      return "no heart rate: the light does not repeat as a pulse does"
    }
    if colours == .opposed {
      return "no heart rate: colours change against each other, as a camera's balance makes them and blood does not"
    }
    if isAlike, !isSurePulse {
      return "no heart rate: all colours change alike, as a lamp or a camera makes them and blood does not"
    }
    if !skewness.isPulse { return "no heart rate: the light swings as evenly as noise or a movement, not as a pulse" }
    // In a rhythm without order nothing tells where a beat is missing, so that others are hidden than those that were counted.
    let allowed = coverage < Self.leastCoverage ? 0.25 * mostHidden : mostHidden
    if statistics.hiddenBeats > allowed { return "no heart rate: beats may be too weak to see" }
    if statistics.gapSeconds > Self.mostGaps * wave.seconds { return "no heart rate: the pulse comes and goes" }
    if isIrregular(statistics, coverage: coverage) { return nil }
    if statistics.count < leastBeats { return "no heart rate: too few clear beats" }
    if coverage < Self.leastCoverage { return "no heart rate: clear beats cover too little of the time" }
    // The light's rhythm on average, which follows a heart that changes, or at most times, which no brief motion bends.
    // A heart that pauses is slower than its rhythm.
    let cellMs = Double(LightGrid.cellUs) * 1e-3
    let filledMeanMs = statistics.filledMeanMs(pulses: pulses)
    let rhythms = statistics.hasPause ? [filledMeanMs, statistics.meanMs] : [filledMeanMs]
    let fits = rhythms.contains { ms in
      let range = 0.93...1.08
      return range.contains(cellMs / (track.meanRate * ms)) || range.contains(track.usual * cellMs / ms)
    }
    if !fits, !isClear(statistics) {
      return "no heart rate: the beats found do not fit the rhythm of the light"
    }
    return nil
  }

  /// How many times the light repeats from one match to a later one, parts of a time counted; nil where it does not
  /// surely do so throughout, or was not seen throughout.
  func pulses(from first: Int, to last: Int) -> Double? {
    guard wave.stretch(at: matches[first].place) == wave.stretch(at: matches[last].place) else { return nil }
    let step = 16
    let end = matches[last].place
    var place = matches[first].place
    var number = 0.0
    while place < end {
      let next = min(place + Double(step), end)
      let middle = Int(0.5 * (place + next))
      guard track.strength(at: middle) > 0.4 else { return nil }
      number += (next - place) / track.cells(at: middle)
      place = next
    }
    return number
  }

  /// Beats of the record that may be hidden without making its rate uncertain.
  private var mostHidden: Double { max(Self.mostHiddenPerMin / 60 * wave.seconds, 1) }

  /// Whether all colours change alike, as far as is known.
  var isAlike: Bool {
    switch colours {
    case .common, .perhapsCommon, .either: true
    case .unknown, .coloured, .perhapsColoured, .opposed: false
    }
  }

  /// Whether the light is a pulse's though all colours change alike, as those of a camera without colours do.
  private var isSurePulse: Bool {
    PulseSigns(
      slope: skewness.slope, level: skewness.level, period: track.usual, strength: track.strength,
      likeness: meanLikeness
    ).areSure(isDoubtful: colours != .common)
  }

  /// The most of all change that may come in single jumps from frame to frame. Where all colours change alike and the
  /// frames are close enough to see how a pulse rises, which takes it a tenth of a second and more, it is little.
  var mostJumps: Double { isAlike && track.usual >= 20 * wave.cellsPerFrame ? 0.15 : 0.68 }

  /// How many clear intervals a rate needs: ten seconds of a slow heart hold few, and they do where its pulses are all alike.
  private var leastBeats: Int {
    track.strength > 0.5 && meanLikeness > 0.9 && skewness.size > 0.6 ? 4 : 8
  }

  /// Mean correlation of the pulses with the typical one, -1...1.
  private var meanLikeness: Double {
    var sum = 0.0
    for match in matches { sum += match.coarse }
    return matches.isEmpty ? 0 : sum / Double(matches.count)
  }

  /// Whether hardly an interval is like its neighbours, though the beats were seen beyond doubt: every other one early, or
  /// no order at all.
  func isIrregular(_ statistics: IntervalStatistics, coverage: Double) -> Bool {
    coverage < Self.leastCoverage && isClear(statistics)
  }

  /// Whether nearly all beats were seen beyond doubt, so that it matters little that their rhythm is none.
  private func isClear(_ statistics: IntervalStatistics) -> Bool {
    statistics.trustedSeconds > 0.7 * wave.seconds && meanLikeness > 0.85
  }

  /// Whether the beats are plain to see although the light hardly repeats: those of a heart without order, or of one that
  /// swings far with the breath. All of them look alike and no noise does like them.
  private func isPlain(_ statistics: IntervalStatistics) -> Bool {
    isClear(statistics) && meanLikeness > 0.9 && skewness.size > 0.7
  }

  /// The beats at their times, each with what its interval is good for.
  func beats(_ times: [Instant], _ statistics: IntervalStatistics) -> [MeasuredBeat] {
    var flags = [MeasuredBeat.Flag](repeating: .first, count: times.count)
    for interval in statistics.intervals {
      let before = wave.stretch(at: matches[interval.beat - 1].place)
      guard before == wave.stretch(at: matches[interval.beat].place) else { continue }
      flags[interval.beat] =
        if interval.isNN { .normal } else if interval.isTrusted || interval.isPause { .irregular } else { .doubtful }
    }
    return times.indices.map { MeasuredBeat(at: times[$0], flag: flags[$0]) }
  }

  /// Variance of a beat's time by the noise of frames, square milliseconds.
  var timingVarianceMs2: Double {
    var sum = 0.0
    var number = 0.0
    for match in matches where match.isSharp {
      sum += match.variance
      number += 1
    }
    let cellMs = Double(LightGrid.cellUs) * 1e-3
    return number > 0 ? sum / number * cellMs * cellMs : 0
  }

  /// The middle height of the pulse from foot to top, percent of the light.
  func perfusionPercent(_ isNN: [Bool]) -> Double? {
    var sizes: [Double] = []
    for index in matches.indices.dropFirst() where isNN[index] {
      sizes.append(wave.range(lane: lane, from: Int(matches[index - 1].place), through: Int(matches[index].place)))
    }
    guard !sizes.isEmpty else { return nil }
    return 100 * (Maths.exp(sizes.ranked(sizes.count / 2)) - 1)
  }
}
