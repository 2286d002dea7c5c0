import Testing
import VitalsModel

@testable import PulseSynthesis

extension Disturbances {
  /// White light through a finger without a pulse, disturbed.
  mutating func light(at moment: Instant) -> Light {
    let effect = effect(at: moment)
    let light = Pose(pressure: effect.pressure, slide: effect.slide).apply(to: Light(red: 1, green: 1, blue: 1))
    return light.scaled(red: effect.factor, green: effect.factor, blue: effect.factor)
  }
}

extension DisturbanceSettings {
  init(_ strengths: [DisturbanceKind: Double]) {
    self.init()
    for kind in DisturbanceKind.allCases { self[kind] = strengths[kind] ?? 0 }
  }
}

@Suite struct DisturbanceTests {
  /// Some of everything.
  static let everything: [DisturbanceKind: Double] = [
    .tremor: 2, .jerks: 20, .sway: 3, .wander: 5, .flicker: 4, .speech: 2, .swallowing: 6,
  ]

  private func green(
    _ kind: DisturbanceKind, _ strength: Double, rateFps: Double, seconds: Double, seed: UInt64,
    _ change: (inout DisturbanceSettings) -> Void = { _ in }
  ) -> SampledCourse {
    var settings = DisturbanceSettings([kind: strength])
    change(&settings)
    var disturbances = Disturbances(settings: settings, seed: seed)
    return SampledCourse(rateFps: rateFps, seconds: seconds) { disturbances.light(at: $0).green - 1 }
  }

  @Test(arguments: [
    (DisturbanceKind.tremor, 0.1, 0.02, 600.0), (.tremor, 20, 0.02, 600), (.wander, 0.2, 0.05, 3_600),
    (.wander, 30, 0.05, 3_600), (.speech, 0.5, 0.05, 3_600), (.speech, 20, 0.05, 3_600),
  ])
  func strengthIsTheRootMeanSquareInGreen(kind: DisturbanceKind, percent: Double, within: Double, seconds: Double) {
    for seed: UInt64 in 0..<4 {
      let realised = 100 * green(kind, percent, rateFps: 25, seconds: seconds, seed: seed).rootMeanSquare
      #expect((realised / percent - 1).magnitude < within, "seed \(seed): \(realised) %")
    }
  }

  @Test(arguments: [
    (DisturbanceKind.sway, 0.3, 100.0), (.sway, 20, 100), (.flicker, 0.5, 9_973), (.flicker, 50, 9_973),
  ])
  func strengthIsThePeakInGreen(kind: DisturbanceKind, percent: Double, rateFps: Double) {
    for seed: UInt64 in 0..<4 {
      let course = green(kind, percent, rateFps: rateFps, seconds: kind == .sway ? 60 : 2, seed: seed)
      #expect((100 * course.peak / percent - 1).magnitude < 0.005, "seed \(seed): \(course.peak)")
      #expect(100 * course.mean.magnitude < 0.01 * percent, "seed \(seed): \(course.mean)")
    }
  }

  struct Band: CustomTestStringConvertible {
    let kind: DisturbanceKind
    let change: @Sendable (inout DisturbanceSettings) -> Void
    let hertz: ClosedRange<Double>
    let share: Double
    var testDescription: String { "\(kind) \(hertz)" }
  }

  @Test(arguments: [
    Band(kind: .tremor, change: { $0.tremorHz = 4 }, hertz: 3.7...4.3, share: 0.98),
    Band(kind: .tremor, change: { $0.tremorHz = 8 }, hertz: 7.7...8.3, share: 0.98),
    Band(kind: .tremor, change: { $0.tremorHz = 12 }, hertz: 11.7...12.3, share: 0.98),
    Band(kind: .wander, change: { _ in }, hertz: 0.01...0.15, share: 0.99),
    Band(kind: .speech, change: { _ in }, hertz: 0.02...2.1, share: 0.96),
    Band(kind: .speech, change: { _ in }, hertz: 0.3...2.1, share: 0.45),
    Band(kind: .speech, change: { _ in }, hertz: 0.02...0.5, share: 0.45),
    Band(kind: .sway, change: { $0.swayPerMin = 20 }, hertz: 0.32...0.345, share: 0.9),
    Band(kind: .sway, change: { $0.swayPerMin = 75 }, hertz: 1.23...1.27, share: 0.9),
    Band(kind: .sway, change: { $0.swayPerMin = 240 }, hertz: 3.98...4.02, share: 0.9),
  ])
  func powerLiesInItsBand(_ row: Band) {
    for seed: UInt64 in 0..<2 {
      let course = green(row.kind, 3, rateFps: 25, seconds: 240, seed: seed, row.change)
      #expect(course.share(inHz: row.hertz) > row.share, "seed \(seed): \(course.share(inHz: row.hertz))")
    }
  }

  /// The alias of the flicker's fundamental is at the distance to the nearest multiple of the frame rate.
  @Test(
    arguments: [15, 23.976, 24, 25, 29.97, 30, 50, 59.94, 60], [(50.0, 1.0), (60, 1), (49.7, 1), (50, 2), (60, 2)])
  func flickerHasItsTrueAlias(rateFps: Double, lamp: (mainsHz: Double, harmonic: Double)) {
    // The first harmonic, or the second, which carries a tenth of its height.
    let hertz = 2 * lamp.mainsHz * lamp.harmonic
    let aliasHz = (hertz - (hertz / rateFps).rounded() * rateFps).magnitude
    let course = green(.flicker, 4, rateFps: rateFps, seconds: 60, seed: 3) { $0.mainsHz = lamp.mainsHz }
    if aliasHz < 0.02 {
      // Frozen: all harmonics alias to nothing.
      #expect(course.spread < 1e-4)
    } else {
      // Within one bin of it, wherever the others fall.
      let band = max(aliasHz - 0.05, 0.01)...min(aliasHz + 0.05, rateFps / 2)
      #expect((course.peakHz(inHz: band) - aliasHz).magnitude < 0.002, "\(course.peakHz(inHz: band)), not \(aliasHz)")
      let height = (2 * course.meanSquare(inHz: max(aliasHz - 0.06, 0.01)...aliasHz + 0.06)).squareRoot()
      #expect(lamp.harmonic == 1 ? height > 0.025 : (0.002...0.04).contains(height), "\(height)")
    }
  }

  struct Events: CustomTestStringConvertible {
    let kind: DisturbanceKind
    let perMin: Double
    let seconds: ClosedRange<Double>
    let heights: ClosedRange<Double>
    var testDescription: String { "\(perMin) \(kind) a minute" }
  }

  private func events(in course: SampledCourse, from: Double = 0) -> [(start: Double, length: Double, peak: Double)] {
    var found: [(start: Double, length: Double, peak: Double)] = []
    var start: Int?
    for (index, value) in course.values.enumerated() {
      if value == 0, let first = start {
        let peak = course.values[first..<index].map(\.magnitude).max() ?? 0
        found.append((from + Double(first) / course.rateFps, Double(index - first) / course.rateFps, peak))
        start = nil
      } else if value != 0, start == nil {
        start = index
      }
    }
    return found
  }

  @Test(arguments: [
    Events(kind: .jerks, perMin: 5, seconds: 0.17...0.62, heights: 0.079...0.251),
    Events(kind: .jerks, perMin: 20, seconds: 0.17...0.62, heights: 0.079...0.251),
    Events(kind: .swallowing, perMin: 4, seconds: 0.46...1.02, heights: 0.019...0.051),
    Events(kind: .swallowing, perMin: 15, seconds: 0.46...1.02, heights: 0.019...0.051),
  ])
  func eventsComeAsOftenAsAsked(_ row: Events) {
    for seed: UInt64 in 0..<3 {
      let minutes = 1_000 / row.perMin
      let found = events(in: green(row.kind, row.perMin, rateFps: 50, seconds: 60 * minutes, seed: seed))
      // A Poisson count of 1000 is within 4 standard deviations; what has no time to be is no more likely.
      #expect((Double(found.count) / 1_000 - 1).magnitude < 0.127, "seed \(seed): \(found.count)")
      // Two may touch now and then, and are then taken for one.
      let odd = found.filter { !row.seconds.contains($0.length) || !row.heights.contains($0.peak) }
      #expect(odd.count < found.count / 20, "seed \(seed): \(odd.count)")
    }
  }

  @Test func mostJerksAreStillApart() {
    var disturbances = Disturbances(settings: DisturbanceSettings([.jerks: 120]), seed: 5)
    let course = SampledCourse(rateFps: 100, seconds: 600) { disturbances.light(at: $0).green - 1 }
    let peaks = course.values.indices.dropFirst().dropLast().filter { index in
      let (before, here, after) = (course.values[index - 1], course.values[index], course.values[index + 1])
      return here.magnitude >= 0.078 && here.magnitude > before.magnitude && here.magnitude >= after.magnitude
    }
    #expect((1_140...1_260).contains(peaks.count), "\(peaks.count)")
  }

  @Test func eventsFollowAChangingRate() {
    var counts = [0, 0, 0]
    for seed: UInt64 in 0..<40 {
      var disturbances = Disturbances(settings: DisturbanceSettings(), seed: seed)
      var isTurned = [false, false]
      let course = SampledCourse(rateFps: 50, seconds: 200) { moment in
        if moment >= at(10) && !isTurned[0] {
          disturbances.turn(.jerks, to: 60, at: at(10), over: .seconds(60))
          isTurned[0] = true
        }
        if moment >= at(100) && !isTurned[1] {
          disturbances.turn(.jerks, to: 0, at: at(100), over: .seconds(20))
          isTurned[1] = true
        }
        return disturbances.light(at: moment).green - 1
      }
      for event in events(in: course) {
        if event.start < 10 || event.start > 120 { counts[2] += 1 }
        if (10..<40).contains(event.start) { counts[0] += 1 }
        if (40..<70).contains(event.start) { counts[1] += 1 }
      }
    }
    // A smooth ramp over a minute from 0 to 60 holds 30, of which 3/32 * 60 = 5.6 in its first half.
    #expect((180...270).contains(counts[0]) && (850...1_010).contains(counts[1]) && counts[2] == 0, "\(counts)")
  }

  /// Each kind is what it is alone: no other moves its draws, and together they add up.
  @Test func kindsDoNotMoveEachOther() {
    for seed: UInt64 in 0..<5 {
      var together = Disturbances(settings: DisturbanceSettings(Self.everything), seed: seed)
      var alone = Self.everything.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        Disturbances(settings: DisturbanceSettings([$0.key: $0.value]), seed: seed)
      }
      for step in 0..<3_000 {
        let moment = Instant(microseconds: Int64(step) * 33_367)
        let effect = together.effect(at: moment)
        let effects = alone.indices.map { alone[$0].effect(at: moment) }
        #expect((effects.map(\.pressure).reduce(0, +) - effect.pressure).magnitude < 1e-12)
        #expect((effects.map(\.slide).reduce(0, +) - effect.slide).magnitude < 1e-12)
        #expect((effects.map(\.factor).reduce(1, *) - effect.factor).magnitude < 1e-12)
        let green = Pose(pressure: effect.pressure, slide: effect.slide).apply(to: Light(red: 1, green: 1, blue: 1))
          .green
        #expect((green * effect.factor - 1 - effect.greenShare).magnitude < 1e-9)
      }
    }
  }

  /// What the script of `film` below does, at moments on no frame.
  static let script: [(seconds: Double, kind: DisturbanceKind, value: Double, over: Double)] = [
    (1.001, .tremor, 5, 0.3), (1.5, .jerks, 100, 0), (2.2, .flicker, 8, 1), (3.3, .tremor, 0, 0.5),
    (3.6, .tremor, 4, 0), (4.004, .speech, 3, 0.2), (5, .tremor, 0, 0), (6, .jerks, 3, 2), (6.1, .sway, 6, 0),
    (7, .tremor, 3, 0.1), (8, .wander, 3, 3), (9, .flicker, 0, 0), (9.5, .swallowing, 20, 0), (11, .flicker, 4, 0),
  ]

  private func film(_ settings: DisturbanceSettings, every step: Int, until end: Int) -> [Int: DisturbanceEffect] {
    var disturbances = Disturbances(settings: settings, seed: 12)
    var left = Self.script[...]
    var effects: [Int: DisturbanceEffect] = [:]
    for time in stride(from: 0, through: end, by: step) {
      let moment = Instant(microseconds: Int64(time))
      while let next = left.first, at(next.seconds) <= moment {
        disturbances.turn(next.kind, to: next.value, at: at(next.seconds), over: TimeSpan(seconds: next.over))
        left = left.dropFirst()
      }
      effects[time] = disturbances.effect(at: moment)
    }
    return effects
  }

  @Test(arguments: [(10_000, 70_000), (10_000, 2_500_000), (3_000, 33_000)])
  func askingRateChangesNothing(often: Int, seldom: Int) {
    for strengths in [[:], Self.everything] {
      let many = film(DisturbanceSettings(strengths), every: often, until: 30_000_000)
      let few = film(DisturbanceSettings(strengths), every: seldom, until: 30_000_000)
      let compared = few.filter { many[$0.key] != nil }
      #expect(compared.count > 10 && compared.allSatisfy { many[$0.key] == $0.value })
    }
  }

  /// How long a bout lasted, and what was asked of it, does not move the next.
  @Test(arguments: DisturbanceKind.allCases)
  func nextBoutIsItsOwn(kind: DisturbanceKind) {
    let strength = DisturbanceSettings.range(of: kind).upperBound / 2
    func later(end: Double, every: Double) -> [DisturbanceEffect] {
      var disturbances = Disturbances(settings: DisturbanceSettings([kind: strength]), seed: 8)
      for time in stride(from: 0.0, to: end, by: every) { _ = disturbances.effect(at: at(time)) }
      disturbances.turn(kind, to: 0, at: at(end), over: .milliseconds(200))
      var calm = disturbances
      disturbances.turn(kind, to: strength, at: at(20), over: .seconds(1))
      // Gone, but for an event that had begun.
      for time in stride(from: end + 1.2, to: 20, by: 0.1) { #expect(calm.effect(at: at(time)) == .none) }
      return stride(from: 20.0, to: 40, by: 0.04).map { disturbances.effect(at: at($0)) }
    }
    let short = later(end: 2.5, every: 0.5)
    let long = later(end: 18, every: 0.04)
    #expect(short == long)
    #expect(short.contains { $0 != .none })
  }

  /// Each bout plays from the stream of its kind's name, and a later one from a stream of its own.
  @Test func boutsHaveTheirNamedStreams() {
    func check<Play: Course>(_ kind: DisturbanceKind, _ begin: (Instant, String) -> Play) {
      var disturbances = Disturbances(settings: DisturbanceSettings([kind: 10]), seed: 31)
      func plays(_ name: String, _ moments: ClosedRange<Double>) -> Bool {
        var play = begin(at(moments.lowerBound), name)
        return stride(from: moments.lowerBound, through: moments.upperBound, by: 0.1).allSatisfy {
          (disturbances.effect(at: at($0)).greenShare - 0.1 * play.value(at: at($0))).magnitude < 1e-12
        }
      }
      #expect(plays("\(kind)", 0...9), "\(kind)")
      disturbances.turn(kind, to: 0, at: at(10), over: .zero)
      disturbances.turn(kind, to: 10, at: at(11), over: .zero)
      #expect(plays("\(kind).2", 11...30), "\(kind).2")
    }
    check(.tremor) { moment, stream in
      BandNoise(
        bandHz: 7.75...8.25, spacing: .even, renewedEvery: .seconds(5), from: moment,
        generator: SeededGenerator(seed: 31, stream: stream))
    }
    check(.wander) { moment, stream in
      BandNoise(
        bandHz: 0.02...0.14, spacing: .octaves, renewedEvery: .seconds(40), from: moment,
        generator: SeededGenerator(seed: 31, stream: stream))
    }
    check(.sway) { RhythmicMotion(perMin: 75, from: $0, generator: SeededGenerator(seed: 31, stream: $1)) }
    check(.speech) { Speech(from: $0, seed: 31, stream: $1) }
    check(.flicker) { MainsFlicker(lampHz: 100, generator: SeededGenerator(seed: 31, stream: $1)) }
  }

  /// Each quarter of the band, by ratio or by width, carries a quarter of the power, and moves on from its phase.
  @Test(arguments: [
    (BandNoise.Spacing.even, [1.0, 1.5, 2, 2.5, 3]), (.octaves, [0.25, 0.5, 1, 2, 4]),
  ])
  func noiseFillsItsBandEvenly(spacing: BandNoise.Spacing, bounds: [Double]) {
    var noise = BandNoise(
      bandHz: bounds[0]...bounds[4], spacing: spacing, renewedEvery: .seconds(7), from: .zero,
      generator: SeededGenerator(seed: 5, stream: "noise"))
    var largestStep = 0.0
    var last = noise.value(at: .zero)
    let course = SampledCourse(rateFps: 200, seconds: 20 * 7) { moment in
      let value = noise.value(at: moment)
      largestStep = max(largestStep, (value - last).magnitude)
      last = value
      return value
    }
    for (low, high) in zip(bounds, bounds.dropFirst()) {
      #expect((course.meanSquare(inHz: low...high) - 0.25).magnitude < 0.05, "\(low)...\(high)")
    }
    #expect(course.peak <= BandNoise.crest)
    // No jump: each sine of height 0.71 moves by no more than its frequency lets it.
    #expect(largestStep < 0.71 * 2 * .pi * bounds.dropFirst().reduce(0, +) / 200)
  }

  @Test func seedsDifferAndRepeat() {
    func green(_ kind: DisturbanceKind, _ seed: UInt64) -> [Double] {
      self.green(kind, 10, rateFps: 30, seconds: 30, seed: seed).values
    }
    for kind in DisturbanceKind.allCases {
      #expect(green(kind, 1) == green(kind, 1))
      #expect(green(kind, 1) != green(kind, 2))
    }
  }

  @Test func aCleanFingerIsUntouched() {
    var disturbances = Disturbances(settings: DisturbanceSettings(), seed: 1)
    for time in 0..<100 { #expect(disturbances.effect(at: at(Double(time))) == .none) }
  }

  @Test func daysLaterItIsAsExact() {
    var disturbances = Disturbances(settings: DisturbanceSettings([.flicker: 10, .sway: 5, .tremor: 3]), seed: 2)
    let course = SampledCourse(rateFps: 30, seconds: 60, from: 3 * 86_400) { disturbances.effect(at: $0).factor }
    #expect((course.peakHz(inHz: 9.9...10.1) - 10).magnitude < 0.001)
  }

  /// Flicker is the same in all colours; what moves the finger is not.
  @Test(arguments: DisturbanceKind.allCases)
  func coloursChangeByTheirOwnShares(kind: DisturbanceKind) {
    var disturbances = Disturbances(settings: DisturbanceSettings([kind: 10]), seed: 4)
    var differing = 0
    for step in 0..<3_000 {
      let light = disturbances.light(at: Instant(microseconds: Int64(step) * 33_367))
      if (light.red - light.green).magnitude > 1e-12 { differing += 1 }
    }
    if kind == .flicker { #expect(differing == 0) } else { #expect(differing > 100) }
  }

  /// At the limit of what may go together, no light is ever negative.
  @Test func lightIsNeverNegative() {
    let settings = DisturbanceSettings(tremorPercent: 10, swayPercent: 10, wanderPercent: 13)
    #expect(settings.contradiction == nil)
    var disturbances = Disturbances(settings: settings, seed: 9)
    for step in 0..<200_000 {
      let light = disturbances.light(at: Instant(microseconds: Int64(step) * 50_003))
      #expect(light.red > 0 && light.green > 0.04 && light.blue > 0)
    }
  }
}
