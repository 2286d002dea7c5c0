import VitalsModel

/// The pulses of a record: which colour shows them, how long they last, where each one lies.
struct RecordReading {
  /// Cells on each side of a slope while the period is not known.
  private static let firstReach = 6

  /// Of a usual pulse's height, what an early beat's that met a heart half filled still has, and no dicrotic wave.
  static let leastHeight = 0.25
  private static let leastHeightAtEnds = 0.6
  /// Of a usual pulse's height, what a beat has at least that came as late as others.
  private static let weakest = 0.4

  /// The record on the even grid.
  private(set) var wave: RecordWave
  /// Where the finger held still.
  private var calm = Calm([])
  /// The colour that was read: 0 red, 1 green, 2 blue.
  private(set) var lane = 0
  /// 1 where falling light is a beat, -1 where the camera inverts.
  private(set) var sign = 1.0
  /// What is faster than a pulse in that colour where the finger was still.
  private var fastPower = 0.0
  /// How long a pulse lasts over the record.
  private(set) var track = PeriodTrack([])
  /// The pulses, in order.
  private(set) var matches: [PulseTemplate.Match] = []
  /// For each pulse, the height of the full ones around it.
  private(set) var usualHeights: [Double] = []
  /// The slopes that beats were found in, falling light positive.
  private(set) var slopes: [Double] = []
  /// The typical pulse that they are like.
  private(set) var template = PulseTemplate([], rises: [], length: 0)
  /// How the colours' changes compare.
  private(set) var colours = CommonChange.Verdict.unknown
  /// How skewed the wave is.
  private(set) var skewness = PulseSkewness()

  /// Finds the pulses of a record.
  init(_ record: PulseRecord) {
    wave = RecordWave(record)
    guard wave.lights.count >= 96 else { return }
    var slopes = chooseLane()
    guard track.usual > 0 else { return }
    // A slow pulse is smoothed more: its slope lies in lower tones than the noise's.
    let reach = min(max(Int(0.25 * track.usual), 3), 8)
    if reach != Self.firstReach { slopes = calm.quieted(wave.slopes(lane: lane, reach: reach)) }
    for stretch in calm.disturbances { wave.distrust(stretch) }
    track = PeriodTrack(slopes)
    lean(&slopes)
    guard track.usual > 0 else { return }
    // How surely the light repeats was asked before: what is left of noise is always near the pulse's own rate.
    wave.fillEnds(&slopes, lane: lane, reach: reach, sign: sign)
    slopes = levelled(slopes)
    self.slopes = slopes
    skewness = PulseSkewness(
      wave, lane: lane, period: track.usual, noise: fastPower / Double(20 * wave.lights.count))
    // The rising half and a little of the falling one: what changes least from beat to beat.
    let length = min(max(Int(0.66 * track.usual), 9), 22)
    matches = PulseTemplate(slopes, rises: rises(slopes), length: length).matches(slopes, track: track)
    // Learnt again from the half that fits best, so that a restless stretch does not blur it.
    let middle = matches.isEmpty ? 0 : matches.map(\.coarse).ranked(matches.count / 2)
    let fitting = matches.filter { $0.coarse >= middle }.map { Int(($0.place - 0.5).rounded()) }
    template = PulseTemplate(slopes, rises: fitting, length: length)
    matches = template.matches(slopes, track: track)
    dropEchoes()
    learnOther(length)
    sharpen()
  }

  /// A heart may have two typical pulses: that of an early beat rises more slowly. Where a third of the matches are not much
  /// like the record's typical pulse, what they have in common is another one, and each is as good as it is like that.
  private mutating func learnOther(_ length: Int) {
    let others = matches.filter { $0.coarse < 0.85 }.map { Int(($0.place - 0.5).rounded()) }
    guard others.count >= 8, others.count * 3 >= matches.count, others.count * 3 <= matches.count * 2 else { return }
    let other = PulseTemplate(slopes, rises: others, length: length)
    for index in matches.indices where matches[index].coarse < 0.85 {
      matches[index].coarse = max(matches[index].coarse, other.likeness(slopes, at: matches[index]))
    }
  }

  /// Picks a colour, clipped and dark ones excepted, and returns its slopes.
  ///
  /// Of the colours that repeat about as well and are calm about as long as the best one is, it is the one whose pulse
  /// stands highest above the noise from frame to frame.
  private mutating func chooseLane() -> [Double] {
    let candidates = (0..<3).map { lane in
      let isUsable = wave.clippedShare[lane] < 0.05 && wave.mean[lane] >= 2
      return Candidate(wave, lane: lane, slopes: isUsable ? wave.slopes(lane: lane, reach: Self.firstReach) : [])
    }
    let tracks = candidates.map(\.track)
    let scores = candidates.map { Self.isHalved($0.track, among: tracks) ? 0 : $0.track.strength * $0.calm.share }
    let best = scores.max() ?? 0
    var clearest = 0.0
    for lane in 0..<3 where candidates[lane].isUsable && scores[lane] >= best - 0.05 {
      guard candidates[lane].clarity > clearest else { continue }
      clearest = candidates[lane].clarity
      self.lane = lane
    }
    if clearest > 0 { (calm, track, fastPower) = (candidates[lane].calm, tracks[lane], candidates[lane].fastPower) }
    colours = compareColours(candidates)
    return clearest > 0 ? candidates[lane].slopes : []
  }

  /// A colour that may be read.
  private struct Candidate {
    let slopes: [Double]
    let calm: Calm
    let track: PeriodTrack
    /// What is faster than a pulse where the finger is calm.
    let fastPower: Double

    var isUsable: Bool { !slopes.isEmpty }

    /// How high the pulse stands above the noise from frame to frame.
    var clarity: Double { slopes.withUnsafeBufferPointer { $0.energy } / (fastPower + 1e-12) }

    init(_ wave: RecordWave, lane: Int, slopes: [Double]) {
      calm = Calm(slopes)
      self.slopes = calm.quieted(slopes)
      track = PeriodTrack(self.slopes, hopBits: 7)
      fastPower = slopes.isEmpty ? 0 : wave.fastPower(lane: lane, outside: calm.disturbances)
    }
  }

  /// Whether a colour repeats after twice the time that another one does.
  ///
  /// A heart whose every second beat differs shows so in all colours. What differs from colour to colour is how much of a
  /// movement is in it: one that comes with every second beat doubles the period where it is large beside the pulse.
  private static func isHalved(_ track: PeriodTrack, among tracks: [PeriodTrack]) -> Bool {
    tracks.contains { other in
      other.strength > 0.6 && other.strength > 0.75 * track.strength
        && (1.9...2.1).contains(track.usual / max(other.usual, 1))
    }
  }

  /// Compares the colours where the finger was calm in the one that is read.
  private func compareColours(_ candidates: [Candidate]) -> CommonChange.Verdict {
    guard candidates[0].isUsable, candidates[1].isUsable else { return .unknown }
    // Less smoothed than for a pulse: what moves all colours may be faster than one.
    let reach = 3
    let hasBlue = candidates[2].isUsable
    var change = CommonChange(seconds: 3_600)
    wave.addSlopes(to: &change, outside: calm.disturbances, usesBlue: hasBlue)
    var noise = Light()
    for lane in 0..<3 where candidates[lane].isUsable {
      let isKnown = candidates[lane].calm.disturbances == calm.disturbances
      let fast = isKnown ? candidates[lane].fastPower : wave.fastPower(lane: lane, outside: calm.disturbances)
      // The third difference's gain for white noise is 20; a slope is the difference of two means.
      noise[lane] = fast / Double(wave.lights.count) / 20 * 2 / Double(reach)
    }
    var level = LightGrid.light(red: wave.mean[0], green: wave.mean[1], blue: wave.mean[2])
    if !hasBlue { level[2] = 0 }
    return change.verdict(noise: noise, level: level, isClipped: wave.clippedShare .>= 0.05)
  }

  /// Falling light is a beat, unless rising light is clearly the steeper.
  private mutating func lean(_ slopes: inout [Double]) {
    var cubes = SIMD4<Double>()
    var magnitudes = SIMD4<Double>()
    slopes.withUnsafeBufferPointer { slopes in
      for cell in stride(from: 0, to: slopes.count & ~3, by: 4) {
        let four = slopes.four(at: cell)
        let cube = four * four * four
        cubes += cube
        magnitudes += cube.atLeast(-cube)
      }
    }
    guard cubes.sum() < -0.3 * magnitudes.sum() else { return }
    sign = -1
    for index in slopes.indices { slopes[index] = -slopes[index] }
  }

  /// The slopes without what is left of them over a usual pulse: a pulse goes down as far as it comes up, and the rest is
  /// the light's own way, as of a finger that presses more and more.
  private func levelled(_ slopes: [Double]) -> [Double] {
    let reach = max(Int((0.5 * track.usual).rounded()), 4)
    guard slopes.count > 2 * reach + 1 else { return slopes }
    return [Double](unsafeUninitializedCapacity: slopes.count) { levelled, initialized in
      slopes.withUnsafeBufferPointer { slopes in
        let count = slopes.count
        let share = 1 / Double(2 * reach + 1)
        var sum = 0.0
        for cell in 0...2 * reach { sum += slopes[cell] }
        // Near the ends the first and the last whole pulse must do.
        for cell in 0..<reach { levelled[cell] = slopes[cell] - sum * share }
        levelled[reach] = slopes[reach] - sum * share
        for cell in reach + 1..<count - reach {
          sum += slopes[cell + reach] - slopes[cell - reach - 1]
          levelled[cell] = slopes[cell] - sum * share
        }
        for cell in count - reach..<count { levelled[cell] = slopes[cell] - sum * share }
        initialized = count
      }
    }
  }

  /// A first list of rises, as the live finder sees them.
  private func rises(_ slopes: [Double]) -> [Int] {
    let highest = slopes.withUnsafeBufferPointer { slopes in
      stride(from: 0, to: slopes.count - 48, by: 48).map { start in
        max(UnsafeBufferPointer(rebasing: slopes[start..<start + 48]).extremes.greatest, 0)
      }
    }
    var finder = BeatFinder()
    finder.begin(from: 8, height: highest.isEmpty ? 0 : highest.ranked(highest.count / 2))
    var found: [Int] = []
    found.reserveCapacity(256)
    for cell in 8..<slopes.count where slopes[cell] > 0 || !finder.isIdle {
      if let rise = finder.step(cell, slopes[cell], period: track.cells(at: cell)) { found.append(rise.cell) }
    }
    return found
  }

  /// Leaves out fits much smaller than their neighbours: dicrotic waves and noise between beats. The first and the last one
  /// must be larger: of a dicrotic wave at an end the pulse before it is not seen, or only a part is left of what it is.
  private mutating func dropEchoes() {
    let usual = fullHeights()
    let tops = fullHeights(rank: 8)
    var kept: [PulseTemplate.Match] = []
    kept.reserveCapacity(matches.count)
    var weak: [Int] = []
    var groundless: [Int] = []
    for index in matches.indices {
      let match = matches[index]
      let least = index == 0 || index == matches.count - 1 ? Self.leastHeightAtEnds : Self.leastHeight
      guard match.height >= max(least * usual[index], 0.15 * tops[index]) else { continue }
      if match.height < Self.weakest * usual[index] {
        weak.append(kept.count)
      } else {
        if isPause(weak, in: kept, until: match) { groundless += weak }
        weak.removeAll(keepingCapacity: true)
      }
      kept.append(match)
    }
    for index in groundless.reversed() { kept.remove(at: index) }
    matches = kept
    usualHeights = fullHeights()
  }

  /// Whether weak matches in a row, between two full ones, are noise in a pause of the heart, or what levelling leaves where the
  /// ebb goes on and on: a heart that had all its time beats full, and weak beats in rhythm leave no gap.
  private func isPause(_ weak: [Int], in kept: [PulseTemplate.Match], until next: PulseTemplate.Match) -> Bool {
    guard let first = weak.first, first > 0, kept[first].place - kept[first - 1].place > 0.8 * track.usual else {
      return false
    }
    return weak.contains { index in
      let following = index + 1 < kept.count ? kept[index + 1] : next
      return max(kept[index].place - kept[index - 1].place, following.place - kept[index].place) > 1.3 * track.usual
    }
  }

  /// For each match, the height of the full beats among the eleven around it: the one that six of them are no higher than.
  /// Where every second beat is weak, the middle one would now be a full beat and now a weak one.
  private func fullHeights(rank: Int = 6) -> [Double] {
    var near = SlidingRanks()
    return matches.indices.map { index in
      near.move(to: max(index - 5, 0)...min(index + 5, matches.count - 1)) { matches[$0].height }
      return near[near.count * rank / 10]
    }
  }

  /// Times each pulse with a longer template on less smoothed light, which rounds the pulse off less.
  private mutating func sharpen() {
    var fine = wave.slopes(lane: lane, reach: PulseTemplate.fineReach)
    if sign < 0 { for index in fine.indices { fine[index] = -fine[index] } }
    let rises = matches.map { Int(($0.place - 0.5).rounded()) }
    let long = PulseTemplate(fine, rises: rises, length: min(max(Int(0.9 * track.usual), 9), 48))
    let delay = long.refine(&matches, fine, noise: wave.frameNoise(lane: lane), cellsPerFrame: wave.cellsPerFrame)
    moveToFeet(delay)
    // A pulse at an end of the record may fit best where the record is over.
    let last = Double(wave.lights.count - 1)
    for index in matches.indices { matches[index].place = min(max(matches[index].place, 0), last) }
  }

  /// Takes out what a longer beat's longer pulse is found late by, as far as this record shows it (see `StretchTrend`).
  private mutating func moveToFeet(_ delay: Double) {
    let trend = StretchTrend(matches, track)
    guard trend.slope > 0 else { return }
    let places = matches.map(\.place)
    for index in matches.indices.dropLast() {
      let share = (places[index + 1] - places[index]) / trend.meanInterval - 1
      matches[index].place -= delay * trend.slope * min(max(share, -0.4), 0.4)
    }
  }
}
