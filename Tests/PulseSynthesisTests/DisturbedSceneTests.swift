import PulseSynthesis
import Testing
import VitalsModel

/// Disturbances end to end: on a finger with a pulse.
@Suite struct DisturbedSceneTests {
  private func scene(_ settings: DisturbanceSettings, perfusion: Double = 2, seed: UInt64 = 3) -> FingerScene {
    FingerScene(
      subject: Subject(heartRateBpm: 66, perfusionIndexPercent: perfusion), disturbances: settings, seed: seed)
  }

  private func course(
    _ scene: inout FingerScene, rateFps: Double, seconds: Double, _ colour: KeyPath<Light, Double> = \.green
  ) -> SampledCourse {
    SampledCourse(rateFps: rateFps, seconds: seconds) { scene.light(at: $0)[keyPath: colour] }
  }

  @Test(arguments: [
    DisturbanceSettings(tremorPercent: 5), DisturbanceSettings(wanderPercent: 5), DisturbanceSettings(speechPercent: 5),
  ])
  func aNearlyPulselessFingerShowsTheStrength(settings: DisturbanceSettings) {
    var scene = scene(settings, perfusion: 0.02)
    let course = course(&scene, rateFps: 25, seconds: 1_200)
    #expect((course.spread / course.mean - 0.05).magnitude < 0.005, "\(course.spread / course.mean)")
  }

  @Test func flickerIsTheSameInAllColoursAndOverTheTable() {
    func factors(_ lifts: Bool, _ colour: KeyPath<Light, Double>) -> [Double] {
      var clean = scene(DisturbanceSettings())
      var flickering = scene(DisturbanceSettings(flickerPercent: 8))
      if lifts {
        clean.setContact(false, at: .zero)
        flickering.setContact(false, at: .zero)
      }
      let (without, with) = (
        course(&clean, rateFps: 47, seconds: 20, colour), course(&flickering, rateFps: 47, seconds: 20, colour)
      )
      return zip(with.values, without.values).map { $0 / $1 }
    }
    for lifts in [false, true] {
      let (red, blue) = (factors(lifts, \.red), factors(lifts, \.blue))
      #expect(zip(red, blue).allSatisfy { ($0 - $1).magnitude < 1e-12 })
      #expect((red.min() ?? 0) < 0.93 && (red.max() ?? 0) > 1.04)
    }
  }

  /// A disturbance moves neither beats nor, once it is over, any light.
  @Test(arguments: DisturbanceKind.allCases)
  func whatIsOverLeavesNoTrace(kind: DisturbanceKind) {
    var calm = scene(DisturbanceSettings())
    var disturbed = scene(DisturbanceSettings())
    var turns = [(at(5), 10.0), (at(12), 0.0)][...]
    var changed = 0
    for step in 0..<3_000 {
      let moment = Instant(microseconds: Int64(step) * 10_000)
      if let next = turns.first, next.0 <= moment {
        disturbed.turnDisturbance(kind, to: next.1, at: next.0, over: .milliseconds(500))
        turns = turns.dropFirst()
      }
      let isSame = calm.light(at: moment) == disturbed.light(at: moment)
      if moment <= at(5) || moment >= at(13.5) { #expect(isSame, "at \(moment.seconds) s") }
      if !isSame { changed += 1 }
    }
    #expect(changed > 20)
    #expect(calm.truth.beats == disturbed.truth.beats && calm.truth.breathStarts == disturbed.truth.breathStarts)
  }

  @Test func thePulseIsStillThere() {
    var scene = scene(
      DisturbanceSettings(
        tremorPercent: 1, jerksPerMin: 2, swayPercent: 1, swayPerMin: 100, wanderPercent: 3, flickerPercent: 1,
        speechPercent: 1, swallowsPerMin: 1))
    let course = course(&scene, rateFps: 30, seconds: 120)
    #expect((course.peakHz(inHz: 1...1.3) - 1.1).magnitude < 0.05)
  }
}
