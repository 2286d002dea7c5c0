import PulseSynthesis
import Testing
import VitalsModel

/// A finger's light and truth over a stretch of time, one for every 10 ms.
struct Film {
  var lights: [Light] = []
  var truths: [FrameTruth] = []

  /// Films a scene from `start` to `end` seconds.
  init(_ scene: inout FingerScene, from start: Double, to end: Double) {
    for moment in stride(from: at(start).microseconds, to: at(end).microseconds, by: 10_000) {
      lights.append(scene.light(at: Instant(microseconds: moment)))
      truths.append(scene.frameTruth)
    }
  }

  func mean(_ colour: KeyPath<Light, Double>) -> Double {
    lights.map { $0[keyPath: colour] }.reduce(0, +) / Double(lights.count)
  }

  func mean(_ fact: KeyPath<FrameTruth, Double>) -> Double {
    truths.map { $0[keyPath: fact] }.reduce(0, +) / Double(truths.count)
  }
}

@Suite struct FingerStateTests {
  /// What a word does once it has settled, relative to the same finger without it.
  struct Effect: Sendable {
    let change: Change
    let red: ClosedRange<Double>
    let redOverGreen: ClosedRange<Double>
    let perfusion: ClosedRange<Double>
    let coverage: ClosedRange<Double>
  }

  static let effects: [Effect] = [
    Effect(
      change: .pressure(.light), red: 0.82...0.92, redOverGreen: 0.8...1, perfusion: 0.2...0.4, coverage: 0.94...0.98),
    Effect(
      change: .pressure(.hard), red: 1.15...1.25, redOverGreen: 0.88...0.95, perfusion: 0.1...0.15, coverage: 1...1),
    Effect(
      change: .cover(.partial), red: 0.8...0.92, redOverGreen: 0.4...0.55, perfusion: 0.3...0.5, coverage: 0.65...0.75),
    Effect(
      change: .temperature(.cold), red: 1...1.04, redOverGreen: 0.93...0.99, perfusion: 0.19...0.23, coverage: 1...1),
    Effect(
      change: .dimmed(true), red: 0.395...0.42, redOverGreen: 0.99...1.01, perfusion: 0.99...1.01, coverage: 1...1),
    Effect(
      change: .torch(false), red: 0.01...0.015, redOverGreen: 0.99...1.01, perfusion: 0.99...1.01, coverage: 1...1),
    Effect(
      change: .motion(.sliding), red: 0.8...0.98, redOverGreen: 0.5...0.95, perfusion: 0.4...0.9, coverage: 0.7...0.95),
    Effect(
      change: .perfusion(0.5, .seconds(3)), red: 0.99...1.01, redOverGreen: 0.99...1.01, perfusion: 0.245...0.255,
      coverage: 1...1),
    Effect(change: .pulse(false), red: 0.99...1.01, redOverGreen: 0.99...1.01, perfusion: 0...0, coverage: 1...1),
    Effect(change: .room(.dim), red: 0.985...0.99, redOverGreen: 1...1, perfusion: 1...1, coverage: 1...1),
  ]

  @Test(arguments: effects)
  func wordsHaveTheirSizes(effect: Effect) {
    for seed: UInt64 in 0..<4 {
      var calm = FingerScene(subject: Subject(), seed: seed)
      var changed = FingerScene(subject: Subject(), seed: seed)
      let settled = changed.make(effect.change, at: at(2)).seconds
      #expect(settled >= 2)
      let before = Film(&calm, from: settled, to: settled + 40)
      let after = Film(&changed, from: settled, to: settled + 40)
      let ratio = (before.mean(\.red) / before.mean(\.green), after.mean(\.red) / after.mean(\.green))
      let rows = [
        ("red", after.mean(\.red) / before.mean(\.red), effect.red), ("ratio", ratio.1 / ratio.0, effect.redOverGreen),
        (
          "perfusion", after.mean(\.perfusionIndexPercent) / before.mean(\.perfusionIndexPercent), effect.perfusion
        ), ("coverage", after.mean(\.coverage), effect.coverage),
      ]
      for (name, value, range) in rows {
        #expect((range.lowerBound - 1e-9...range.upperBound + 1e-9).contains(value), "\(name) \(value), seed \(seed)")
      }
    }
  }

  /// The moment that a change returns is the one from which it fully holds.
  @Test(arguments: [
    (Change.contact(false), 0.18), (.contact(true), 0), (.pressure(.hard), 1.2), (.pressure(.firm), 0),
    (.cover(.partial), 0.25), (.temperature(.cold), 90), (.motion(.sliding), 0), (.torch(false), 0.03),
    (.torch(true), 0),
    (.dimmed(true), 0.5), (.room(.dim), 0.3), (.perfusion(3, .seconds(7)), 7), (.pulse(false), 0.3),
  ])
  func changesSayWhenTheyHold(change: Change, after: Double) {
    var scene = FingerScene(subject: Subject(), seed: 1)
    #expect(scene.make(change, at: at(5)) == at(5 + after))
  }

  @Test func returningTakesItsOwnTime() {
    let rows: [(Change, Change, Double)] = [
      (.contact(false), .contact(true), 0.22), (.pressure(.hard), .pressure(.firm), 1.8),
      (.pressure(.light), .pressure(.firm), 1.2), (.temperature(.cold), .temperature(.warm), 180),
      (.motion(.sliding), .motion(.still), 0.6), (.motion(.fidgeting), .motion(.still), 0.3),
      (.torch(false), .torch(true), 0.03),
    ]
    for (there, back, length) in rows {
      var scene = FingerScene(subject: Subject(), seed: 1)
      scene.make(there, at: at(5))
      #expect(scene.make(back, at: at(9)) == at(9 + length), "\(back)")
    }
  }

  /// Brightness and truth within one foot and the next: height over mean in green, without what drifts.
  private func realisedPercent(
    _ subject: Subject, seed: UInt64, sign: Double = 1, change: Change? = nil
  ) -> (light: Double, truth: Double) {
    var scene = FingerScene(subject: subject, seed: seed)
    let start = change.map { scene.make($0, at: at(1)) } ?? .zero
    let film = Film(&scene, from: start.seconds, to: start.seconds + 60)
    let beats = scene.truth.beats.map(\.foot).filter { $0 >= start }
    var sum = 0.0
    for (one, next) in zip(beats, beats.dropFirst()) {
      let (from, to) = (Int((one - start).microseconds / 10_000) + 1, Int((next - start).microseconds / 10_000))
      let slope = (film.lights[to].green - film.lights[from].green) / Double(to - from)
      let heights = (from...to).map {
        sign * (film.lights[from].green + slope * Double($0 - from) - film.lights[$0].green)
      }
      sum += heights.max() ?? 0
    }
    return (100 * sum / Double(beats.count - 1) / film.mean(\.green), film.mean(\.perfusionIndexPercent))
  }

  @Test(arguments: SkinTone.allCases, [0.02, 0.3, 2, 20])
  func perfusionIsAsAskedAtEachTone(skin: SkinTone, percent: Double) {
    for polarity in Polarity.allCases {
      let finger = FingerSettings(perfusionIndexPercent: percent, skin: skin, polarity: polarity)
      let realised = realisedPercent(Subject(finger: finger), seed: 5, sign: polarity == .normal ? 1 : -1)
      #expect((realised.light / percent - 1).magnitude < 0.03, "\(realised)")
      #expect((realised.truth / percent - 1).magnitude < 0.02, "\(realised)")
    }
  }

  /// What the truth says of the perfusion index is what the light shows, whatever has been done to the finger.
  @Test(arguments: [
    Change.pressure(.hard), .temperature(.cold), .perfusion(8, .seconds(1)), .dimmed(true), .torch(false), .room(.dim),
  ])
  func truthTellsThePerfusionThatShows(change: Change) {
    let realised = realisedPercent(Subject(), seed: 8, change: change)
    #expect((realised.light / realised.truth - 1).magnitude < 0.03, "\(realised)")
  }

  /// The colours follow the blood as public recordings do: red little, blue nearly as green.
  @Test func coloursPulseInProportion() {
    var scene = FingerScene(subject: Subject(), seed: 2)
    let film = Film(&scene, from: 0, to: 30)
    func relative(_ colour: KeyPath<Light, Double>) -> [Double] {
      film.lights.map { $0[keyPath: colour] / film.mean(colour) - 1 }
    }
    let green = relative(\.green)
    for (colour, share) in [(\Light.red, 0.3), (\.blue, 0.8)] {
      #expect(zip(relative(colour), green).allSatisfy { ($0 - share * $1).magnitude < 1e-3 })
    }
  }

  /// A darker skin is darker, most in blue and least in red, and nothing else of the light changes.
  @Test func tonesDiffInBrightnessAlone() {
    func film(_ skin: SkinTone) -> Film {
      var scene = FingerScene(subject: Subject(finger: FingerSettings(skin: skin)), seed: 3)
      return Film(&scene, from: 0, to: 10)
    }
    let films = SkinTone.allCases.map(film)
    for (paler, darker) in zip(films, films.dropFirst()) {
      let share = (
        darker.mean(\.red) / paler.mean(\.red), darker.mean(\.green) / paler.mean(\.green),
        darker.mean(\.blue) / paler.mean(\.blue)
      )
      #expect(share.2 < share.1 && share.1 < share.0 && share.0 < 1)
      for (one, other) in zip(paler.lights, darker.lights) {
        #expect((other.red / one.red / share.0 - 1).magnitude < 1e-12)
        #expect((other.blue / one.blue / share.2 - 1).magnitude < 1e-12)
      }
      #expect(paler.truths == darker.truths)
    }
    let whole = (films[5].mean(\.red) / films[1].mean(\.red), films[5].mean(\.blue) / films[1].mean(\.blue))
    #expect((0.65...0.8).contains(whole.0) && (0.35...0.55).contains(whole.1), "\(whole)")
  }

  @Test func invertedPulseIsTheOtherWayRound() {
    func film(_ polarity: Polarity) -> Film {
      var scene = FingerScene(subject: Subject(finger: FingerSettings(polarity: polarity)), seed: 3)
      return Film(&scene, from: 0, to: 30)
    }
    let (normal, inverted) = (film(.normal), film(.inverted))
    // Half their sum is the finger without its pulse; about that they are mirrored.
    let heights = normal.truths.map(\.pulseHeight)
    let swings = zip(inverted.lights, normal.lights).map { ($0.green - $1.green) / 2 }
    let top = zip(heights, swings).filter { $0.0 > 0.9 }
    let foot = zip(heights, swings).filter { $0.0 < 0.1 }
    #expect(top.allSatisfy { $0.1 > 0.2 } && foot.allSatisfy { $0.1 < -0.1 })
    #expect(normal.truths == inverted.truths)
  }
}
