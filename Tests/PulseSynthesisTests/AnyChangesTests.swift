import PulseSynthesis
import Testing
import VitalsModel

/// Whatever is changed, and however soon again, beats and breaths stay in order and the light stays a finger's.
@Suite struct AnyChangesTests {
  private func change(_ scene: inout FingerScene, at moment: Instant, _ generator: inout SeededGenerator) {
    func over(_ generator: inout SeededGenerator) -> TimeSpan {
      generator.uniform() < 0.3 ? .zero : TimeSpan(seconds: generator.uniform(in: 0...20))
    }
    switch Int(generator.uniform() * 5) {
    case 0: scene.turnHeartRate(to: generator.uniform(in: 30...220), at: moment, over: over(&generator))
    case 1: scene.turnBreathingRate(to: generator.uniform(in: 4...60), at: moment, over: over(&generator))
    case 2: scene.turnRmssd(to: generator.uniform(in: 0...60), at: moment)
    case 3:
      scene.setRhythm(Rhythm.allCases[Int(generator.uniform() * Double(Rhythm.allCases.count))], at: moment)
    default:
      let patterns = BreathingPattern.allCases
      scene.setBreathing(patterns[Int(generator.uniform() * Double(patterns.count))], at: moment)
    }
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func orderIsKept(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed, stream: "changes")
    var scene = FingerScene(subject: Subject(heartRateBpm: 70, rmssdMs: 30), seed: seed)
    var seconds = 0.0
    while seconds < 150 {
      // Often several changes in one beat, sometimes at one moment.
      let pause = generator.uniform()
      seconds += pause < 0.2 ? 0 : pause < 0.6 ? pause : 20 * pause
      change(&scene, at: at(seconds), &generator)
      let light = scene.light(at: at(seconds))
      #expect((180...220).contains(light.red) && (24...36).contains(light.green))
    }
    // Whatever has been, whole minutes of a calm rhythm realise what is asked.
    let calm = at(seconds + 1)
    scene.setRhythm(.sinus, at: calm)
    scene.setBreathing(.steady, at: calm)
    scene.turnHeartRate(to: 77, at: calm, over: .seconds(5))
    scene.turnRmssd(to: 25, at: calm)
    scene.turnBreathingRate(to: 13, at: calm, over: .zero)
    _ = scene.light(at: at(300))
    let truth = scene.truth
    let minute = truth.minute(4)
    #expect((try #require(minute.heartRateBpm) - 77).magnitude <= 0.05)
    #expect((try #require(minute.rmssdMs) - 25).magnitude <= 1)
    #expect((try #require(minute.breathingRatePerMin) - 13).magnitude <= 0.1)
    #expect(truth.beats.count > 120)
    for (one, next) in zip(truth.beats, truth.beats.dropFirst()) {
      #expect((next.foot - one.foot).seconds > 0.14 && one.foot < one.peak && one.peak < next.foot)
    }
    for (one, next) in zip(truth.breathStarts, truth.breathStarts.dropFirst()) { #expect(one < next) }
    for missed in truth.missed { #expect(!truth.beats.contains { $0.foot == missed }) }
  }
}
