import VitalsModel

/// Measures a whole record: every beat at its best place, artefacts set aside before any statistic, and nothing guessed.
///
/// The record's own typical pulse is learnt first; a beat is where it fits, to a fraction of a frame, and a pulse that does
/// not look like it is left out. Frames may be irregular. Never fails: what cannot be told is withheld with a reason.
public func measurePulse(_ record: PulseRecord) -> PulseMeasurement {
  RecordReading(record).measurement()
}

/// One pass over a record, from light to numbers.
struct RecordReading {
  private static let everyMeasure = [
    "heartRateBpm", "rmssdMs", "sdnnMs", "meanNNMs", "pnn50Percent", "breathingRatePerMin", "perfusionIndexPercent",
  ]

  let wave: RecordWave
  private(set) var lane = 0
  private(set) var slopes: [Double] = []
  private(set) var track = PeriodTrack([])
  private(set) var matches: [PulseTemplate.Match] = []

  /// Finds the pulses of a record.
  init(_ record: PulseRecord) {
    wave = RecordWave(record)
    guard wave.lights.count >= 96 else { return }
    chooseLane()
    let level = PulseWave.reach
    slopes = wave.slopes(lane: lane, reach: level)
    leanTheRightWay()
    track = PeriodTrack(slopes)
    guard track.usual > 0 else { return }
    let template = PulseTemplate(slopes, rises: rises(), period: track.usual)
    matches = template.matches(slopes, track: track)
    dropOddHeights()
  }

  /// The colour whose slopes repeat best; clipped and dark ones are not eligible.
  private mutating func chooseLane() {
    var best = -1.0
    for candidate in 0..<3 where wave.clippedShare[candidate] < 0.05 && wave.mean[candidate] >= 2 {
      let strength = PeriodTrack(wave.slopes(lane: candidate, reach: PulseWave.reach)).strength
      if strength > best {
        best = strength
        lane = candidate
      }
    }
  }

  /// Falling light is a beat, unless rising light is clearly the steeper: then the camera inverts.
  private mutating func leanTheRightWay() {
    var cubes = 0.0
    var magnitudes = 0.0
    for slope in slopes {
      let cube = slope * slope * slope
      cubes += cube
      magnitudes += cube.magnitude
    }
    if cubes < -0.3 * magnitudes { slopes = slopes.map { -$0 } }
  }

  /// A first list of rises, as the live finder sees them.
  private func rises() -> [Int] {
    var finder = BeatFinder()
    var found: [Int] = []
    var highest: [Double] = []
    for start in stride(from: 0, to: slopes.count - 48, by: 48) {
      highest.append(slopes[start..<start + 48].max() ?? 0)
    }
    let middle = highest.sorted()
    finder.begin(from: PulseWave.reach, height: middle.isEmpty ? 0 : middle[middle.count / 2])
    for cell in PulseWave.reach..<slopes.count {
      if let rise = finder.step(cell, slopes[cell], period: track.cells(at: cell)) { found.append(rise.cell) }
    }
    return found
  }

  /// Leaves out fits much smaller than their neighbours: dicrotic waves and noise between beats.
  private mutating func dropOddHeights() {
    let heights = matches.map(\.height)
    var kept: [PulseTemplate.Match] = []
    kept.reserveCapacity(matches.count)
    for index in matches.indices {
      let near = heights[max(index - 5, 0)...min(index + 5, heights.count - 1)].sorted()
      if heights[index] >= 0.3 * near[near.count / 2] { kept.append(matches[index]) }
    }
    matches = kept
  }

  /// The numbers.
  func measurement() -> PulseMeasurement {
    var result = PulseMeasurement()
    let times = matches.map { wave.time($0.place) }
    let statistics = IntervalStatistics(timesMs: times.map { Double($0.microseconds) * 1e-3 }, isTrusted: trusts())
    var isNN = [Bool](repeating: false, count: matches.count)
    var covered = 0.0
    for interval in statistics.intervals where interval.isNN {
      isNN[interval.beat] = true
      covered += interval.ms * 1e-3
    }
    result.coverage = wave.seconds > 0 ? min(covered / wave.seconds, 1) : 0
    result.beats = matches.indices.map { Beat(at: times[$0], isClean: isNN[$0], isLinked: $0 > 0) }
    let nn = statistics.nn
    result.quality = quality(coverage: result.coverage)
    if let reason = reasonForNoHeartRate(result, nn: nn) {
      result.beats = []
      for measure in Self.everyMeasure { result.withheld.append(Withheld(measure: measure, reason: reason)) }
      return result
    }
    let mean = nn.reduce(0, +) / Double(nn.count)
    result.heartRateBpm = 60_000 / mean
    result.meanNNMs = mean
    result.perfusionIndexPercent = perfusion(isNN)
    addVariation(&result, nn: nn, mean: mean, differences: statistics.differences)
    addBreathing(&result, times: times, statistics: statistics)
    return result
  }

  /// For each match, whether it and the one before fit well with nothing doubtful in between.
  private func trusts() -> [Bool] {
    var result = [Bool](repeating: false, count: matches.count)
    let heights = matches.map(\.height)
    func looksRight(_ index: Int) -> Bool {
      let near = heights[max(index - 5, 0)...min(index + 5, heights.count - 1)].sorted()
      let ratio = heights[index] / near[near.count / 2]
      return matches[index].likeness >= 0.72 && ratio < 2.5 && ratio > 0.3
    }
    var beforeIsRight = false
    for index in matches.indices {
      let isRight = looksRight(index)
      if index > 0, isRight, beforeIsRight {
        let from = Int(matches[index - 1].place)
        let to = Int(matches[index].place)
        let isLong = matches[index].place - matches[index - 1].place > 1.6 * track.cells(at: to)
        result[index] = !isLong && !wave.isTrusted[from...to].contains(false)
      }
      beforeIsRight = isRight
    }
    return result
  }

  private func quality(coverage: Double) -> Double {
    guard !matches.isEmpty else { return 0 }
    var likeness = 0.0
    for match in matches { likeness += match.likeness }
    likeness /= Double(matches.count)
    let looks = ramp(likeness, 0.6, 0.95)
    let repeats = ramp(track.strength, 0.25, 0.8)
    let least = min(looks, min(repeats, coverage))
    return 0.5 * (least + (looks + repeats + coverage) / 3)
  }

  private func reasonForNoHeartRate(_ result: PulseMeasurement, nn: [Double]) -> String? {
    if wave.lights.isEmpty { return "no heart rate: no fingertip in the record" }
    if track.usual == 0 || track.strength < 0.3 { return "no heart rate: the light does not repeat as a pulse does" }
    if nn.count < 8 { return "no heart rate: too few clear beats" }
    if result.coverage < 0.45 { return "no heart rate: clear beats cover less than half of the time" }
    return nil
  }

  private func perfusion(_ isNN: [Bool]) -> Double? {
    var sizes: [Double] = []
    for index in matches.indices.dropFirst() where isNN[index] {
      let from = Int(matches[index - 1].place)
      let to = Int(matches[index].place)
      var low = Double.infinity
      var high = -Double.infinity
      for cell in from...to {
        low = min(low, wave.lights[cell][lane])
        high = max(high, wave.lights[cell][lane])
      }
      sizes.append(high - low)
    }
    guard !sizes.isEmpty else { return nil }
    sizes.sort()
    return 100 * sizes[sizes.count / 2]
  }

  private func addVariation(_ result: inout PulseMeasurement, nn: [Double], mean: Double, differences: [Double]) {
    guard differences.count >= 12 else {
      for measure in ["rmssdMs", "sdnnMs", "pnn50Percent"] {
        result.withheld.append(Withheld(measure: measure, reason: "too few clean successive intervals"))
      }
      return
    }
    var squares = 0.0
    var above = 0.0
    for difference in differences {
      squares += difference * difference
      if difference.magnitude > 50 { above += 1 }
    }
    result.rmssdMs = (squares / Double(differences.count)).squareRoot()
    result.pnn50Percent = 100 * above / Double(differences.count)
    var spread = 0.0
    for interval in nn { spread += (interval - mean) * (interval - mean) }
    result.sdnnMs = (spread / Double(nn.count - 1)).squareRoot()
  }

  private func addBreathing(_ result: inout PulseMeasurement, times: [Instant], statistics: IntervalStatistics) {
    result.withheld.append(Withheld(measure: "breathingRatePerMin", reason: "breathing does not show in the pulse"))
  }
}
