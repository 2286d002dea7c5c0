import PulseSynthesis
import Testing
import VitalsModel

/// How the finger comes to its states: the edges.
@Suite struct FingerEdgeTests {
  /// Light relative to the same finger that stays where it is, so that the pulse cancels.
  private func relative(_ film: Film, to calm: Film, _ colour: KeyPath<Light, Double>) -> [Double] {
    zip(film.lights, calm.lights).map { $0[keyPath: colour] / $1[keyPath: colour] }
  }

  @Test func liftingEasesThenFlashesThenShowsTheRoom() {
    for seed: UInt64 in 0..<8 {
      var calm = FingerScene(subject: Subject(), seed: seed)
      var lifted = FingerScene(subject: Subject(), seed: seed)
      lifted.setContact(false, at: at(5))
      let before = Film(&calm, from: 5, to: 5.3)
      let after = Film(&lifted, from: 5, to: 5.3)
      let red = relative(after, to: before, \.red)
      let coverage = after.truths.map(\.coverage)
      // For 60 ms the pressure falls, blood returns and the finger darkens.
      for index in 1...6 { #expect(red[index] < red[index - 1] && coverage[index] == 1) }
      #expect((0.93...0.97).contains(red[6]))
      // Then a gap opens, through which the torch's reflection flashes, and the room follows.
      for index in 7...18 { #expect(coverage[index] < coverage[index - 1]) }
      #expect((1.02...1.15).contains(red.max() ?? 0), "seed \(seed)")
      #expect(coverage[18...].allSatisfy { $0 == 0 })
      #expect(after.lights[18...].allSatisfy { (107..<113).contains($0.red) && (105..<111).contains($0.green) })
    }
  }

  @Test func landingSettlesAndCreeps() {
    for seed: UInt64 in 0..<8 {
      var calm = FingerScene(subject: Subject(), seed: seed)
      var landing = FingerScene(subject: Subject(), seed: seed)
      landing.setContact(false, at: at(2))
      landing.setContact(true, at: at(5))
      let before = Film(&calm, from: 5, to: 13)
      let after = Film(&landing, from: 5, to: 13)
      let coverage = after.truths.map(\.coverage)
      for index in 1...22 { #expect(coverage[index] > coverage[index - 1]) }
      // From the landing on the pressure only rises and with it the light: nearly at rest after 0.7 s, and at rest at last.
      let green = relative(after, to: before, \.green)
      let pressure = after.truths.map(\.pressure)
      for index in 23..<742 {
        #expect(coverage[index] == 1 && pressure[index] > pressure[index - 1] && pressure[index] < 0)
      }
      #expect((0.88...0.93).contains(green[22]) && (0.985..<1).contains(green[92]) && (0.995..<1).contains(green[300]))
      #expect(pressure[742...].allSatisfy { $0 == 0 } && green[742...].allSatisfy { $0 == 1 })
    }
  }

  /// A lift that is taken back, at whichever moment, makes no jump.
  @Test(arguments: [0.03, 0.08, 0.12, 0.179, 0.5])
  func reversalsAreContinuous(after seconds: Double) {
    var scene = FingerScene(subject: Subject(), seed: 3)
    scene.setContact(false, at: at(5))
    var film = Film(&scene, from: 5, to: 5 + seconds)
    scene.setContact(true, at: at(5 + seconds))
    let rest = Film(&scene, from: 5 + seconds + 0.01, to: 7)
    film.lights += rest.lights
    film.truths += rest.truths
    for (one, next) in zip(film.truths, film.truths.dropFirst()) {
      #expect((one.coverage - next.coverage).magnitude < 0.15)
    }
    #expect(film.truths.last?.coverage == 1)
  }

  /// A quantity of the truth goes one way and arrives.
  @Test(
    arguments: [
      (Change.pressure(.hard), \FrameTruth.pressure, 1.2, 1.2), (.temperature(.cold), \.torch, 0.99, 90),
      (.dimmed(true), \.torch, 0.396, 0.5), (.torch(false), \.torch, 0, 0.03), (.cover(.full), \.coverage, 1, 0.25),
    ] as [(Change, KeyPath<FrameTruth, Double> & Sendable, Double, Double)])
  func turnsGoOneWay(change: Change, fact: KeyPath<FrameTruth, Double> & Sendable, level: Double, length: Double) {
    var scene = FingerScene(subject: Subject(), seed: 3)
    scene.make(change, at: at(5))
    let values = Film(&scene, from: 5, to: 5 + length + 0.1).truths.map { $0[keyPath: fact] }
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= 0 } || steps.allSatisfy { $0 <= 0 })
    #expect(((values.last ?? .nan) - level).magnitude < 1e-9)
  }

  /// The cold works with a time constant of 15 s and leaves a fifth; warmth returns with one of 30 s.
  @Test func coldComesFasterThanWarmth() {
    var scene = FingerScene(subject: Subject(), seed: 6)
    var calm = FingerScene(subject: Subject(), seed: 6)
    scene.setTemperature(.cold, at: at(10))
    func share(_ seconds: Double) -> Double {
      _ = (scene.light(at: at(seconds)), calm.light(at: at(seconds)))
      return scene.frameTruth.perfusionIndexPercent / calm.frameTruth.perfusionIndexPercent
    }
    for (seconds, expected) in [(10.0, 1.0), (25, 0.468), (40, 0.27), (100, 0.2)] {
      #expect((share(seconds) - expected).magnitude < 0.01, "\(seconds) s")
    }
    scene.setTemperature(.warm, at: at(200))
    for (seconds, expected) in [(200.0, 0.2), (230, 0.732), (260, 0.93), (380, 1)] {
      #expect((share(seconds) - expected).magnitude < 0.01, "\(seconds) s")
    }
  }

  @Test(arguments: [(30.0, 0.0), (30, 0.03), (0, 0.1), (2_000, 0.3), (5_000, 0)])
  func torchWarmsUpAndDroops(warmUpMs: Double, droop: Double) {
    let torch = TorchSettings(warmUp: TimeSpan(seconds: warmUpMs / 1_000), droop: droop)
    var scene = FingerScene(subject: Subject(), torch: torch, seed: 1)
    _ = scene.light(at: .zero)
    #expect(scene.frameTruth.torch == 1 - droop)
    scene.setTorch(false, at: at(1))
    scene.setTorch(true, at: at(100))
    let film = Film(&scene, from: 100, to: 180).truths.map(\.torch)
    let lit = Int(warmUpMs / 10)
    #expect(lit == 0 || (film[0] == 0 && film[lit / 2] < 0.6 * (film[lit] + 0.01)))
    #expect((film[lit] - (1 - droop * (1 - Maths.exp(-warmUpMs / 10_000)))).magnitude < 0.02)
    for (one, next) in zip(film[lit...], film[lit...].dropFirst()) { #expect(next <= one) }
    #expect((film[1_000] - (1 - droop * (1 - Maths.exp(-1)))).magnitude < 0.012)
    #expect(film.last == 1 - droop)
  }

  @Test func dimRoomIsDarkWithoutAFinger() {
    var scene = FingerScene(subject: Subject(), seed: 1)
    scene.setContact(false, at: at(1))
    scene.setRoom(.dim, at: at(2))
    let film = Film(&scene, from: 3, to: 5)
    #expect((4...5).contains(film.mean(\.red)))
    scene.setRoom(.lit, at: at(5))
    #expect((105...115).contains(Film(&scene, from: 6, to: 8).mean(\.red)))
  }

  /// A sliding finger uncovers part of the lens again and again, and covers it between.
  @Test func slidingUncoversAndReturns() {
    for seed: UInt64 in 0..<10 {
      var scene = FingerScene(subject: Subject(), seed: seed)
      scene.setMotion(.sliding, at: at(2))
      let coverage = Film(&scene, from: 2, to: 42).truths.map(\.coverage)
      #expect((0.4...0.75).contains(coverage.min() ?? 0) && coverage.max() == 1)
      let returns = zip(coverage, coverage.dropFirst()).count { $0 < 1 && $1 == 1 }
      #expect((8...28).contains(returns), "\(returns)")
      scene.setMotion(.still, at: at(42))
      #expect(Film(&scene, from: 42.6, to: 44).truths.allSatisfy { $0.coverage == 1 && $0.slide == 0 })
    }
  }
}
