import PulseSynthesis
import Testing
import VitalsModel

@Suite struct SubjectTests {
  @Test func contradictionsSayWhyAndTheLimit() {
    func check(
      _ field: Contradiction.Field?, _ reason: String, heart: HeartSettings = HeartSettings(),
      breathing: BreathingSettings = BreathingSettings(), perfusionIndexPercent: Double = 2
    ) {
      let found = Subject.contradiction(
        heart: heart, breathing: breathing, finger: FingerSettings(perfusionIndexPercent: perfusionIndexPercent))
      #expect(found?.field == field)
      #expect(found?.reason ?? "" == reason)
    }
    check(nil, "")
    check(.heartRate, "a heart rate is 30 to 220 bpm", heart: HeartSettings(rateBpm: 300))
    check(.heartRate, "a heart rate is 30 to 220 bpm", heart: HeartSettings(rateBpm: .nan))
    check(.rmssd, "an RMSSD is 0 to 200 ms", heart: HeartSettings(rmssdMs: -1))
    check(
      .rmssd, "an RMSSD of 150 ms does not fit a heart rate of 200 bpm: at most 66.0 ms",
      heart: HeartSettings(rateBpm: 200, rmssdMs: 150))
    check(nil, "", heart: HeartSettings(rateBpm: 200, rmssdMs: 66))
    check(nil, "", heart: HeartSettings(sdnnMs: 40))
    check(
      .sdnn, "an SDNN of 20 ms does not fit an RMSSD of 40 ms at 66 bpm: at least 36.9 ms",
      heart: HeartSettings(sdnnMs: 20))
    check(
      .sdnn, "an SDNN of 300 ms does not fit an RMSSD of 40 ms at 66 bpm: at most 163.6 ms",
      heart: HeartSettings(sdnnMs: 300))
    check(
      .respiratoryShare, "the respiratory and the low-frequency share are 100.0 % together: at most 95 %",
      heart: HeartSettings(respiratoryShare: 0.7, lowFrequencyShare: 0.3))
    check(
      .respiratoryShare,
      "a respiratory share of 80.0 % would swing the intervals by more than a quarter at 4 breaths per minute: "
        + "at most 9.2 %", heart: HeartSettings(rmssdMs: 200, respiratoryShare: 0.8),
      breathing: BreathingSettings(ratePerMin: 4))
    check(.breathingRate, "a breathing rate is 4 to 60 per minute", breathing: BreathingSettings(ratePerMin: 61))
    check(
      .amplitudeModulation, "an amplitude modulation is 0 to 50 %",
      breathing: BreathingSettings(amplitudeModulation: 0.6))
    check(.perfusionIndex, "a perfusion index is 0.02 to 20 %", perfusionIndexPercent: 0)
  }

  /// One pulse of 0.9 s as the light shows it, 0 at its foot and 1 at its top, in 300 steps.
  private func pulse(_ vessels: Vessels) -> [Double] {
    let subject = Subject(
      heart: HeartSettings(rateBpm: 60 / 0.9, rmssdMs: 0),
      breathing: BreathingSettings(amplitudeModulation: 0, baselineModulation: 0), vessels: vessels)
    var scene = FingerScene(subject: subject, seed: 1)
    _ = scene.light(at: at(2))
    guard let foot = scene.truth.beats.last?.foot else { return [] }
    var fresh = FingerScene(subject: subject, seed: 1)
    let greens = (0..<300).map { fresh.light(at: foot + TimeSpan(microseconds: 3_000 * $0)).green }
    guard let high = greens.max(), let low = greens.min() else { return [] }
    return greens.map { (high - $0) / (high - low) }
  }

  /// Each contour belongs to its class after Dawber, and its rise is as long as its age makes it.
  @Test(arguments: [
    (Vessels.young, 1, 130...170), (.adult, 2, 140...180), (.older, 3, 180...240), (.stiff, 4, 200...260),
  ])
  func contoursHaveTheirClass(vessels: Vessels, number: Int, riseMs: ClosedRange<Int>) throws {
    let pulse = pulse(vessels)
    let top = try #require(pulse.indices.max { pulse[$0] < pulse[$1] })
    #expect(riseMs.contains(3 * top), "\(3 * top) ms")
    for index in 1...top { #expect(pulse[index] >= pulse[index - 1]) }
    // The slope of the decline per interval, from where it is steepest after systole to well after the dicrotic wave.
    let slopes = (top + 1..<250).map { (pulse[$0 + 1] - pulse[$0 - 1]) * 150 }
    let systole = slopes.prefix(150 - top)
    let steepest = try #require(systole.indices.min { systole[$0] < systole[$1] })
    var (levellest, relief) = (slopes[steepest], 0.0)
    for slope in slopes[steepest...] {
      levellest = max(levellest, slope)
      // How much steeper the decline becomes again after it had been less so.
      relief = max(relief, levellest - slope)
      if relief > 0.3 { break }
    }
    let seen = levellest > 0.1 ? 1 : relief < 0.05 ? 4 : levellest > -0.4 ? 2 : 3
    #expect(seen == number, "levellest \(levellest), relief \(relief)")
  }
}
