import Testing
import VitalsModel

@testable import PulseSynthesis

@Suite struct NothingTests {
  static let room = Light(red: 110, green: 108, blue: 102)
  static let fingerLike = Nothing.allCases.filter(\.looksLikeFinger)

  private func course(
    _ kind: Nothing, rateFps: Double = 30, seconds: Double = 120, seed: UInt64 = 1, torch: Double = 1,
    _ colour: KeyPath<Light, Double> = \.green
  ) -> SampledCourse {
    var scene = NothingScene(kind, frameRateFps: rateFps, seed: seed)
    return SampledCourse(rateFps: rateFps, seconds: seconds) {
      scene.light(at: $0, torch: torch, surroundings: Self.room)[keyPath: colour]
    }
  }

  @Test func thereAreAtLeastTwelve() {
    #expect(Nothing.allCases.count >= 12)
    #expect(Set(Nothing.allCases.map(\.about)).count == Nothing.allCases.count)
    #expect(Nothing.allCases.filter { !$0.looksLikeFinger } == [.dark, .table, .paper])
  }

  struct Size: CustomTestStringConvertible {
    let kind: Nothing
    /// The standard deviation of brightness over two minutes, as a share of the mean.
    let spread: ClosedRange<Double>
    /// Where nearly all of it lies.
    let hertz: ClosedRange<Double>
    let share: Double
    var testDescription: String { kind.rawValue }
  }

  @Test(arguments: [
    Size(kind: .drift, spread: 0.01...0.04, hertz: 0...0.06, share: 0.99),
    Size(kind: .ramp, spread: 0.07...0.1, hertz: 0...0.1, share: 0.98),
    Size(kind: .step, spread: 0.03...0.08, hertz: 0...0.7, share: 0.9),
    Size(kind: .flicker, spread: 0.011...0.014, hertz: 1.15...1.25, share: 0.9),
    Size(kind: .slowFlicker, spread: 0.011...0.014, hertz: 0.22...0.28, share: 0.9),
    Size(kind: .noise, spread: 0.009...0.011, hertz: 0.65...3.05, share: 0.98),
    Size(kind: .tremor, spread: 0.025...0.05, hertz: 0.02...12.1, share: 0.98),
    Size(kind: .tremor, spread: 0.025...0.05, hertz: 4...12, share: 0.2),
    Size(kind: .exposure, spread: 0.015...0.06, hertz: 0.1...2, share: 0.8),
    Size(kind: .torch, spread: 0.06...0.09, hertz: 1.03...1.17, share: 0.75),
    Size(kind: .sway, spread: 0.04...0.045, hertz: 0.95...1.55, share: 0.9),
  ])
  func eachIsWhatItSays(_ row: Size) {
    for seed: UInt64 in 0..<4 {
      let course = course(row.kind, seed: seed)
      #expect(row.spread.contains(course.spread / course.mean), "seed \(seed): \(course.spread / course.mean)")
      #expect(course.share(inHz: row.hertz) > row.share, "seed \(seed): \(course.share(inHz: row.hertz))")
    }
  }

  @Test(arguments: [Nothing.dark, .table, .paper, .photo])
  func theseAreStill(kind: Nothing) {
    let course = course(kind)
    #expect(course.values.allSatisfy { $0 == course.values[0] })
  }

  /// Slow and fast ones leave the band of the pulse alone; what is in it there, no heart moves.
  @Test(arguments: [(Nothing.drift, 2e-5), (.ramp, 1e-4), (.tremor, 2e-3), (.slowFlicker, 5e-3)])
  func theseLeaveThePulseBandAlone(kind: Nothing, largest: Double) {
    for seed: UInt64 in 0..<4 {
      let course = course(kind, seed: seed)
      let share = course.meanSquare(inHz: 0.7...3.5).squareRoot() / course.mean
      #expect(share < largest, "seed \(seed): \(share)")
    }
  }

  /// An object has no blood: all colours change by the same share.
  @Test(arguments: fingerLike)
  func coloursChangeTogether(kind: Nothing) {
    var scene = NothingScene(kind, frameRateFps: 30, seed: 6)
    let first = scene.light(at: .zero, torch: 1, surroundings: Self.room)
    #expect((170...235).contains(first.red) && (22...40).contains(first.green) && (18...34).contains(first.blue))
    for step in 1..<2_000 {
      let moment = Instant(microseconds: Int64(step) * 33_333)
      let light = scene.light(at: moment, torch: 1, surroundings: Self.room)
      #expect((light.red / first.red - light.green / first.green).magnitude < 1e-12)
      #expect((light.blue / first.blue - light.green / first.green).magnitude < 1e-12)
    }
  }

  struct Brightness: CustomTestStringConvertible {
    let kind: Nothing
    let torch: Double
    let red: ClosedRange<Double>
    let green: ClosedRange<Double>
    var testDescription: String { "\(kind) \(torch)" }
  }

  @Test(arguments: [
    Brightness(kind: .dark, torch: 1, red: 0...1, green: 0...1),
    Brightness(kind: .table, torch: 1, red: 110...110, green: 108...108),
    Brightness(kind: .table, torch: 0, red: 110...110, green: 108...108),
    Brightness(kind: .paper, torch: 1, red: 248...255, green: 245...255),
    Brightness(kind: .paper, torch: 0, red: 60...70, green: 60...70),
    Brightness(kind: .photo, torch: 1, red: 190...210, green: 26...34),
    Brightness(kind: .photo, torch: 0.5, red: 94...107, green: 13...18),
    Brightness(kind: .photo, torch: 0, red: 1...4, green: 0...1),
    Brightness(kind: .torch, torch: 0, red: 1...4, green: 0...1),
    Brightness(kind: .flicker, torch: 0, red: 185...213, green: 25...35),
  ])
  func brightnessIsThatOfTheThing(_ row: Brightness) {
    for seed: UInt64 in 0..<4 {
      var scene = NothingScene(row.kind, frameRateFps: 30, seed: seed)
      let light = scene.light(at: at(3), torch: row.torch, surroundings: Self.room)
      #expect(row.red.contains(light.red) && row.green.contains(light.green), "\(light)")
    }
  }

  @Test(arguments: [15, 20, 23.976, 24, 25, 29.97, 30, 50, 59.94, 60], [(Nothing.flicker, 1.2), (.slowFlicker, 0.25)])
  func lampFlickerAppearsWhereItShould(rateFps: Double, row: (kind: Nothing, aliasHz: Double)) {
    let lampHz = NothingScene.lampHz(aliasHz: row.aliasHz, frameRateFps: rateFps)
    // Twice a mains of 50 or 60 Hz, off by no more than a generator may be.
    #expect(min((lampHz - 100).magnitude, (lampHz - 120).magnitude) <= 1.33, "\(lampHz)")
    #expect(((lampHz - (lampHz / rateFps).rounded() * rateFps).magnitude - row.aliasHz).magnitude < 1e-9)
    let course = course(row.kind, rateFps: rateFps, seconds: 60)
    #expect((course.peakHz(inHz: 0.05...min(rateFps / 2, 8)) - row.aliasHz).magnitude < 0.002)
    // And in truth it is a lamp: seen 7,919 times a second it flickers at its own frequency.
    var scene = NothingScene(row.kind, frameRateFps: rateFps, seed: 1)
    let fast = SampledCourse(rateFps: 7_919, seconds: 2) {
      scene.light(at: $0, torch: 1, surroundings: Self.room).green
    }
    #expect((fast.peakHz(inHz: 80...140) - lampHz).magnitude < 0.05)
  }

  @Test func exposureHuntsInSteps() {
    let values = course(.exposure, rateFps: 100, seconds: 60).values
    let held = zip(values, values.dropFirst()).filter { $0 == $1 }.count
    // Nine in ten times it holds, but for the moments at which it is upset.
    #expect((0.87...0.91).contains(Double(held) / Double(values.count)))
  }

  @Test func stepsAreStepsAndTorchPulsesAreSharp() {
    for seed: UInt64 in 0..<4 {
      let steps = course(.step, rateFps: 25, seconds: 600, seed: seed).values
      let moved = zip(steps, steps.dropFirst()).filter { ($0 - $1).magnitude > 1e-9 }.count
      // Every 3.5 s in the mean, and one or two frames to each.
      #expect((150...380).contains(moved), "\(moved)")
      let pulses = course(.torch, rateFps: 30, seconds: 60, seed: seed).values
      let (low, high) = (pulses.min() ?? 0, pulses.max() ?? 0)
      #expect((low / high - 0.852).magnitude < 0.002)
      let between = pulses.filter { $0 > low * 1.001 && $0 < high * 0.999 }.count
      #expect(between < 20, "\(between) of 1800 frames on an edge")
    }
  }

  @Test(arguments: Nothing.allCases)
  func askingRateAndSeedsDoAsTheyShould(kind: Nothing) {
    func lights(every step: Int, seed: UInt64) -> [Int: Light] {
      var scene = NothingScene(kind, frameRateFps: 30, seed: seed)
      var lights: [Int: Light] = [:]
      for time in stride(from: 0, through: 40_000_000, by: step) {
        lights[time] = scene.light(at: Instant(microseconds: Int64(time)), torch: 1, surroundings: Self.room)
      }
      return lights
    }
    let many = lights(every: 10_000, seed: 3)
    for step in [70_000, 4_000_000, 40_000_000] {
      #expect(lights(every: step, seed: 3).allSatisfy { many[$0.key] == $0.value })
    }
    if kind.looksLikeFinger { #expect(lights(every: 70_000, seed: 4) != lights(every: 70_000, seed: 3)) }
  }
}
