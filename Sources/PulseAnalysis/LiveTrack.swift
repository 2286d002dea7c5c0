import VitalsModel

/// One unbroken stretch of contact as it comes in: its colour to read, its period, its beats, its quality.
struct LiveTrack: Sendable {
  /// A beat that has become certain, its place in cells; see `Beat`.
  struct Found {
    let cell: Double
    let isClean: Bool
    let isLinked: Bool
    let isAlike: Bool
  }

  /// Cells listened to before the first beat may count: 1.25 s.
  private static let listening = 40
  /// Cells after which it is known whether a landing was among the first: 3.25 s.
  private static let landed = 104
  /// The likeness of pulses that noise and motion hardly touch.
  private static let clear = 0.93
  /// How often in a row light whose colours change alike must be a pulse's: two seconds.
  private static let surely = 4
  /// The likeness of a pulse to others, be it premature and weak.
  private static let alike = 0.85
  /// The shortest period, in cells, that may be that of two beats: a bigeminy of 100 beats a minute.
  private static let paired = 38.0

  private var wave = PulseWave()
  private var finder = BeatFinder()
  private var shape = PulseShape()
  private var steadiness = Steadiness()
  private var recent = RecentBeats()
  private var period = PulsePeriod()
  private var rival: (lane: Int, votes: Int) = (0, 0)
  private var clippedShare = Light()
  private var noise = FrameNoise()
  private var trustedFrom = 0
  /// The first slope that says something of the pulse: a finger that lands presses and settles first.
  private var settledFrom = 2 * PulseWave.reach
  /// How often, since the colours last differed, they were found to change alike, and whether they ever differed.
  private var alike = 0
  private var hasDiffered = false
  private var colours = CommonChange(seconds: 8)
  /// How often in a row the light was a pulse's beyond doubt while its colours changed alike.
  private var sure = 0
  /// How often in a row the light has swung as evenly to either side as no pulse does.
  private var evenSwings = 0
  /// By how much the followed slopes lean to the rising side of the pulse, -1...1: see `Steadiness.Signs`.
  private var lean = 0.0
  /// How often in a row they have leant to the other side.
  private var leansBack = 0
  /// Whether the period may be that of two beats, the second one premature: it is long, and the pulses are clear.
  private var mayBePaired = false
  /// What the last cells are good for.
  private(set) var condition = SignalCondition.unsteady
  /// Whether a reading that runs can go on through the last cells.
  var isReadable: Bool { steadiness.isReadable }
  /// 0...1 over the last seconds; nil until known.
  private(set) var quality: Double?

  /// Forgets everything, keeping the storage.
  mutating func restart() {
    wave.restart()
    finder = BeatFinder()
    shape = PulseShape()
    steadiness = Steadiness()
    recent = RecentBeats()
    period = PulsePeriod()
    rival = (0, 0)
    clippedShare = Light()
    noise = FrameNoise()
    trustedFrom = 0
    settledFrom = 2 * PulseWave.reach
    alike = 0
    hasDiffered = false
    colours.restart()
    sure = 0
    evenSwings = 0
    lean = 0
    leansBack = 0
    mayBePaired = false
    condition = .unsteady
    quality = nil
  }

  /// Notes a frame before its cells come: its light, the time since the frame before and which colours are clipped
  /// (1) or not (0).
  mutating func note(_ light: Light, spanUs: Int64, clipped: Light) {
    clippedShare += (clipped - clippedShare) * 0.05
    noise.add(light, spanUs: Double(spanUs))
  }

  /// The light has jumped or the frames paused: what follows is not trusted for a moment.
  mutating func disturb() {
    steadiness.disturb(at: wave.count)
    trustedFrom = wave.count + PulseWave.reach
    colours.restart()
  }

  /// Whether the light of the last seconds changes alike in all colours.
  private var isCommon: Bool { alike >= (hasDiffered ? 6 : 1) }
  /// Whether it is then none of a pulse, as far as is known.
  private var isForeign: Bool { isCommon && sure < Self.surely }

  /// Whether what rises looks and comes as beats do, as far as there are enough to tell. Even a heart without any rhythm has
  /// pulses that look alike and intervals that are half as long as another; a finger that fidgets has neither.
  private var isOrderly: Bool {
    let now = Double(wave.lastSlope)
    if recent.isTooFast(now) { return false }
    return period.strength > 0.35 || !recent.isDisorderly(now)
  }

  /// Whether a surge is no more than a beat does that comes back with every period: the pulse of a strongly perfused finger
  /// is steeper than many a movement, but movements do not repeat themselves.
  func isBeat(_ surge: SurgeDetector.Surge) -> Bool {
    guard surge.isLarge else { return true }
    guard period.strength > 0.6, !isForeign else { return false }
    let (beat, ebb) = wave.sign > 0 ? (surge.fall, surge.rise) : (surge.rise, surge.fall)
    // A slope averages over an eighth of a second on either side, which flattens what is this fast.
    return beat < 2 * finder.usualHeight && ebb < 0.8 * finder.usualHeight
  }

  /// Takes the next cell; returns a beat that has become certain.
  mutating func add(_ light: Light) -> Found? {
    wave.append(light)
    let cell = wave.lastSlope
    if cell >= trustedFrom { colours.add(wave.lastSlopes) }
    guard cell >= 0, wave.count >= Self.listening else { return nil }
    if wave.count == Self.listening { startListening() }
    if wave.count % 16 == 8 { refresh() }
    if wave.count % 8 == 0 {
      condition = steadiness.judge(wave, signs)
    }
    let slope = wave.slope(cell)
    let period = expectedPeriod
    guard let rise = finder.step(cell, slope, period: period, mayBePaired: mayBePaired) else { return nil }
    return certain(rise)
  }

  private var signs: Steadiness.Signs {
    // Of a slow heart four seconds hold too few beats for a share.
    let beats = min(max(4 * period.cells, 128), 212)
    return Steadiness.Signs(
      cells: wave.count - settledFrom, noise: noise.slopeVariance[wave.lane].squareRoot(),
      usualHeight: finder.usualHeight, beats: finder.heightCount,
      period: period, isPulse: !isForeign && evenSwings < 2, isOrderly: isOrderly,
      cleanShare: recent.cleanShare(Double(wave.lastSlope), cells: beats), lean: lean)
  }

  /// The period to expect: of the signal, or of the last intervals, or a middling one.
  private var expectedPeriod: Double {
    if period.strength > 0.4 { return period.cells }
    return recent.usualInterval ?? 16
  }

  private mutating func startListening() {
    wave.follow(lane: bestLane(), sign: 1)
    let cell = wave.lastSlope
    var highest = 0.0
    for place in 2 * PulseWave.reach...cell { highest = max(highest, wave.slope(place)) }
    finder.begin(from: cell, height: 0.9 * highest)
  }

  /// The colour in which slopes stand out most from noise; a clipped or dark one is not eligible.
  private func bestLane() -> Int {
    var best = 0
    for candidate in 1..<3 where clarity(candidate) > clarity(best) { best = candidate }
    return best
  }

  private func clarity(_ lane: Int) -> Double {
    if clippedShare[lane] > 0.05 { return 0 }
    return wave.slopePower[lane] / (noise.slopeVariance[lane] + 1e-9)
  }

  private mutating func refresh() {
    reconsiderLane()
    if wave.count == Self.landed { forgetLanding() }
    let cells = min(wave.lastSlope - settledFrom + 1, 128) & ~1
    guard cells >= 40 else { return }
    compareColours()
    let first = wave.lastSlope - cells + 1
    withUnsafeTemporaryAllocation(of: Float.self, capacity: cells / 2) { halves in
      var mean = 0.0
      for index in 0..<cells / 2 {
        let pair = wave.slope(first + 2 * index) + wave.slope(first + 2 * index + 1)
        halves[index] = Float(pair * 1_000)
        mean += pair * 1_000
      }
      mean /= Double(cells / 2)
      var cubes: Float = 0
      var magnitudes: Float = 0
      for index in 0..<cells / 2 {
        halves[index] -= Float(mean)
        let cube = halves[index] * halves[index] * halves[index]
        cubes += cube
        magnitudes += cube.magnitude
      }
      period = PulsePeriod.find(UnsafeBufferPointer(halves))
      reconsiderSign(cubes: Double(cubes), magnitudes: Double(magnitudes), cells: cells)
    }
    weighSigns()
    evenSwings = period.isEvenSwing ? evenSwings + 1 : 0
    mayBePaired = expectedPeriod > Self.paired && recent.meanLikeness(Double(wave.lastSlope)) > Self.clear
    reconsiderHeight()
    rate()
  }

  /// A finger that lands shakes the light more than its pulse does, for a second or so; what was learnt then is forgotten.
  ///
  /// What is compared with that is long enough for the slowest heart to beat in.
  private mutating func forgetLanding() {
    func highest(_ cells: Range<Int>) -> Double {
      var highest = 0.0
      for cell in cells { highest = max(highest, wave.slope(cell).magnitude) }
      return highest
    }
    let settled = highest(Self.listening..<wave.lastSlope + 1)
    guard highest(settledFrom..<Self.listening) > 2.5 * settled else { return }
    settledFrom = Self.listening
    recent = RecentBeats()
    steadiness.forgetSwing()
    startAnew(after: wave.lastSlope - Self.listening)
  }

  /// What has been found to be common stays so until the colours are seen to differ. Where they did before, it takes three
  /// seconds to be believed: chance can hide the blood of a faint pulse for a moment.
  private mutating func compareColours() {
    switch colours.verdict(noise: noise.slopeVariance, level: wave.lastLight, isClipped: clippedShare .> 0.05) {
    case .common: alike += 1
    case .opposed: alike += 1
    case .coloured: (alike, hasDiffered) = (0, true)
    case .perhapsColoured, .either: alike = 0
    case .perhapsCommon, .unknown: break
    }
  }

  /// Where colours do not tell blood from a lamp, the wave must; five seconds of it, once there are four.
  private mutating func weighSigns() {
    guard isCommon, wave.lastSlope - settledFrom >= 128, period.cells > 0 else {
      sure = 0
      return
    }
    let signs = PulseSigns(
      wave, cells: min(wave.lastSlope - settledFrom, 160), period: period, noise: noise.slopeVariance[wave.lane],
      likeness: recent.meanLikeness(Double(wave.lastSlope)))
    // Once believed, it takes two doubts in a row not to be.
    sure = signs.areSure() ? min(sure + 1, Self.surely + 1) : sure > Self.surely ? Self.surely : 0
  }

  /// A disturbance can leave heights that no pulse reaches again. When the light repeats itself and no beat comes for
  /// three periods, the usual height is taken afresh.
  private mutating func reconsiderHeight() {
    guard period.strength > 0.4, Double(wave.lastSlope - finder.lastCell) > 3 * period.cells else { return }
    startAnew(after: Int(1.5 * period.cells))
  }

  /// Another colour takes over only when it has been clearly better three times running.
  private mutating func reconsiderLane() {
    let best = bestLane()
    guard best != wave.lane, clarity(best) > 2.5 * clarity(wave.lane) else {
      rival.votes = 0
      return
    }
    rival = (best, rival.lane == best ? rival.votes + 1 : 1)
    let isUnusable = clippedShare[wave.lane] > 0.05
    if rival.votes >= 3 || isUnusable {
      wave.follow(lane: best, sign: wave.sign)
      rival.votes = 0
      startAnew()
    }
  }

  /// The steeper side of the wave is the beat: falling light for a finger, rising light when a camera inverts it.
  private mutating func reconsiderSign(cubes: Double, magnitudes: Double, cells: Int) {
    lean = magnitudes > 0 ? cubes / magnitudes : 0
    guard cells >= 64 else { return }
    // A fast pulse leans little, and shows it for long.
    leansBack = lean < -0.15 ? leansBack + 1 : 0
    if lean < -0.35 || leansBack >= 4 {
      lean = -lean
      leansBack = 0
      wave.follow(lane: wave.lane, sign: -wave.sign)
      startAnew()
    }
  }

  private mutating func startAnew(after listened: Int = 48) {
    var highest = 0.0
    for place in max(wave.lastSlope - listened, 2 * PulseWave.reach)...wave.lastSlope {
      highest = max(highest, wave.slope(place))
    }
    finder.begin(from: wave.lastSlope, height: 0.8 * highest)
    shape = PulseShape()
    trustedFrom = wave.count
  }

  private mutating func certain(_ rise: BeatFinder.Rise) -> Found {
    let left = wave.slope(rise.cell - 1)
    let right = wave.slope(rise.cell + 1)
    let bend = left - 2 * rise.height + right
    let shift = bend < 0 ? min(max(0.5 * (left - right) / bend, -0.5), 0.5) : 0
    // A slope lies between its cell and the next.
    let place = Double(rise.cell) + 0.5 + shift
    let likeness = shape.compare(wave, around: rise.cell)
    let ratio = rise.height / max(finder.usualHeight, 1e-12)
    let isTrusted = rise.cell >= trustedFrom && ratio < 2.5
    let isUsual = isTrusted && likeness > 0.75 && ratio > 0.4
    let known = recent.add(place, looksUsual: isUsual, likeness: likeness)
    return Found(
      cell: place, isClean: known.isClean, isLinked: known.isLinked, isAlike: isTrusted && likeness > Self.alike)
  }

  private mutating func rate() {
    let now = Double(wave.lastSlope)
    guard wave.count >= 96, recent.count >= 3 || wave.count >= 144 else { return }
    let repeats = ramp(period.strength, 0.2, 0.75)
    let looks = ramp(recent.meanLikeness(now), 0.5, 0.92)
    // What repeats well has a rhythm, though every second beat is premature.
    let rhythm = max(recent.cleanShare(now), ramp(period.strength, 0.6, 0.9))
    // What repeats almost perfectly stands out however fast it changes from frame to frame.
    let clear = ramp(wave.slopePower[wave.lane] / (noise.slopeVariance[wave.lane] + 1e-12), 1.5, 6)
    let stands = max(clear, ramp(period.strength, 0.75, 0.9))
    // What repeats well with beats that are all alike need not lean.
    let leans = max(ramp(lean + signs.blunting, 0.1, 0.4), ramp(period.strength + recent.cleanShare(now), 1.2, 1.7))
    let mean = (repeats + looks + rhythm + stands + leans) / 5
    let least = min(min(min(repeats, looks), min(rhythm, stands)), leans)
    // However well it seems to repeat, a pulse that is hardly there cannot be good.
    let fresh = condition == .weak ? min(0.5 * (mean + least), 0.25) : 0.5 * (mean + least)
    // A first impression counts for less.
    quality = quality.map { $0 + 0.5 * (fresh - $0) } ?? 0.6 * fresh
  }
}

/// 0 below `low`, 1 above `high`, straight in between.
func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
  min(max((value - low) / (high - low), 0), 1)
}
