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
  /// Whether all colours change alike, which no pulse makes them do.
  private(set) var isCommon = false
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
    let noise = wave.fastPower(lane: lane, outside: calm.disturbances) / Double(20 * wave.lights.count)
    skewness = PulseSkewness(wave, lane: lane, period: track.usual, noise: noise)
    // The rising half and a little of the falling one: what changes least from beat to beat.
    let length = min(max(Int(0.66 * track.usual), 9), 22)
    matches = PulseTemplate(slopes, rises: rises(slopes), length: length).matches(slopes, track: track)
    // Learnt again from the half that fits best, so that a restless stretch does not blur it.
    let order = matches.map(\.coarse).sorted()
    let fitting = matches.filter { $0.coarse >= order[order.count / 2] }.map { Int(($0.place - 0.5).rounded()) }
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
    var slopes: [[Double]] = []
    var calms: [Calm] = []
    var tracks: [PeriodTrack] = []
    for candidate in 0..<3 {
      let isUsable = wave.clippedShare[candidate] < 0.05 && wave.mean[candidate] >= 2
      let all = isUsable ? wave.slopes(lane: candidate, reach: Self.firstReach) : []
      calms.append(Calm(all))
      slopes.append(calms[candidate].quieted(all))
      tracks.append(PeriodTrack(slopes[candidate], hop: 128))
    }
    let scores = (0..<3).map { Self.isHalved(tracks[$0], among: tracks) ? 0 : tracks[$0].strength * calms[$0].share }
    let best = scores.max() ?? 0
    var clearest = 0.0
    for candidate in 0..<3 where !slopes[candidate].isEmpty && scores[candidate] >= best - 0.05 {
      var power = 0.0
      for slope in slopes[candidate] { power += slope * slope }
      let clarity = power / (wave.fastPower(lane: candidate, outside: calms[candidate].disturbances) + 1e-12)
      guard clarity > clearest else { continue }
      clearest = clarity
      (lane, calm, track) = (candidate, calms[candidate], tracks[candidate])
    }
    isCommon = areAlike(slopes)
    return clearest > 0 ? slopes[lane] : []
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
  private func areAlike(_ slopes: [[Double]]) -> Bool {
    guard !slopes[0].isEmpty, !slopes[1].isEmpty else { return false }
    // Less smoothed than for a pulse: what moves all colours may be faster than one.
    let reach = 3
    let slopes = (0..<3).map { slopes[$0].isEmpty ? [] : wave.slopes(lane: $0, reach: reach) }
    var change = CommonChange(seconds: 3_600)
    let blue = slopes[2].isEmpty ? slopes[1] : slopes[2]
    var first = 0
    for end in calm.disturbances.map(\.lowerBound) + [slopes[0].count] {
      for cell in first..<max(end, first) { change.add(Light(slopes[0][cell], slopes[1][cell], blue[cell], 0)) }
      first = calm.disturbances.first { $0.lowerBound >= end }?.upperBound ?? slopes[0].count
    }
    var noise = Light()
    for lane in 0..<3 where !slopes[lane].isEmpty {
      // The third difference's gain for white noise is 20; a slope is the difference of two means.
      let power = wave.fastPower(lane: lane, outside: calm.disturbances) / Double(max(slopes[lane].count, 1))
      noise[lane] = power / 20 * 2 / Double(reach)
    }
    var level = LightGrid.light(red: wave.mean[0], green: wave.mean[1], blue: wave.mean[2])
    if slopes[2].isEmpty { level[2] = 0 }
    return change.verdict(noise: noise, level: level, isClipped: wave.clippedShare .>= 0.05) == .common
  }

  /// Falling light is a beat, unless rising light is clearly the steeper.
  private mutating func lean(_ slopes: inout [Double]) {
    var cubes = 0.0
    var magnitudes = 0.0
    for slope in slopes {
      let cube = slope * slope * slope
      cubes += cube
      magnitudes += cube.magnitude
    }
    guard cubes < -0.3 * magnitudes else { return }
    sign = -1
    for index in slopes.indices { slopes[index] = -slopes[index] }
  }

  /// The slopes without what is left of them over a usual pulse: a pulse goes down as far as it comes up, and the rest is
  /// the light's own way, as of a finger that presses more and more.
  private func levelled(_ slopes: [Double]) -> [Double] {
    let reach = max(Int((0.5 * track.usual).rounded()), 4)
    guard slopes.count > 2 * reach + 1 else { return slopes }
    var levelled = slopes
    var sum = 0.0
    for cell in 0..<2 * reach { sum += slopes[cell] }
    let share = 1 / Double(2 * reach + 1)
    for cell in reach..<slopes.count - reach {
      sum += slopes[cell + reach]
      let mean = sum * share
      levelled[cell] -= mean
      // Near the ends the first and the last whole pulse must do.
      if cell == reach { for first in 0..<reach { levelled[first] -= mean } }
      if cell == slopes.count - reach - 1 { for last in cell + 1..<slopes.count { levelled[last] -= mean } }
      sum -= slopes[cell - reach]
    }
    return levelled
  }

  /// A first list of rises, as the live finder sees them.
  private func rises(_ slopes: [Double]) -> [Int] {
    var highest: [Double] = []
    for start in stride(from: 0, to: slopes.count - 48, by: 48) {
      var top = 0.0
      for cell in start..<start + 48 { top = max(top, slopes[cell]) }
      highest.append(top)
    }
    highest.sort()
    var finder = BeatFinder()
    finder.begin(from: 8, height: highest.isEmpty ? 0 : highest[highest.count / 2])
    var found: [Int] = []
    for cell in 8..<slopes.count {
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
    var near: [Double] = []
    near.reserveCapacity(11)
    return matches.indices.map { index in
      near.removeAll(keepingCapacity: true)
      for other in max(index - 5, 0)...min(index + 5, matches.count - 1) { near.append(matches[other].height) }
      near.sort()
      return near[near.count * rank / 10]
    }
  }

  /// Times each pulse with a longer template on less smoothed light, which rounds the pulse off less.
  private mutating func sharpen() {
    var fine = wave.slopes(lane: lane, reach: PulseTemplate.fineReach)
    if sign < 0 { for index in fine.indices { fine[index] = -fine[index] } }
    let rises = matches.map { Int(($0.place - 0.5).rounded()) }
    let long = PulseTemplate(fine, rises: rises, length: min(max(Int(0.9 * track.usual), 9), 48))
    let delay = long.refine(&matches, fine, noise: wave.frameNoise[lane], cellsPerFrame: wave.cellsPerFrame)
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
