import PulseSynthesis
import Testing
import VitalsModel

/// A change to a scene, as a test writes it down.
enum Change: Sendable {
  case contact(Bool)
  case pulse(Bool)
  case fidgeting(Bool)
  case torch(Bool)
}

extension FingerScene {
  mutating func make(_ change: Change, at moment: Instant) {
    switch change {
    case .contact(let isPresent): setContact(isPresent, at: moment)
    case .pulse(let isVisible): setPulse(visible: isVisible, at: moment)
    case .fidgeting(let isFidgeting): setMotion(fidgeting: isFidgeting, at: moment)
    case .torch(let isOn): setTorch(isOn, at: moment)
    }
  }
}

/// Light every `step` microseconds up to `end`, with changes made at their moments.
func film(
  _ scene: inout FingerScene, every step: Int64, until end: Instant, changes: [(Double, Change)] = []
) -> [Int64: Light] {
  var lights: [Int64: Light] = [:]
  var left = changes[...]
  for time in stride(from: 0, through: end.microseconds, by: Int(step)) {
    let moment = Instant(microseconds: Int64(time))
    while let next = left.first, at(next.0) <= moment {
      scene.make(next.1, at: at(next.0))
      left = left.dropFirst()
    }
    lights[Int64(time)] = scene.light(at: moment)
  }
  return lights
}

@Suite struct FingerSceneTests {
  /// Overlapping, repeated and reversed changes, at moments that are on no frame.
  static let eventful: [(Double, Change)] = [
    (1.000_1, .fidgeting(true)), (1.5, .contact(true)), (2.345, .fidgeting(false)), (2.5, .fidgeting(true)),
    (2.9, .fidgeting(false)), (4.01, .contact(false)), (4.1, .contact(true)), (4.2, .contact(false)),
    (5, .pulse(false)), (5.1, .pulse(true)), (6.6, .contact(true)), (8, .torch(false)), (8.013, .torch(true)),
    (9, .fidgeting(true)), (9.000_001, .contact(false)), (9.7, .contact(true)), (12, .fidgeting(false)),
  ]

  @Test(arguments: [(10_000, 70_000), (10_000, 1_000_000), (3_000, 33_000)])
  func askingRateChangesNothing(often: Int64, seldom: Int64) {
    for seed: UInt64 in 0..<5 {
      var one = FingerScene(subject: Subject(), seed: seed)
      var other = FingerScene(subject: Subject(), seed: seed)
      let many = film(&one, every: often, until: at(14), changes: Self.eventful)
      let few = film(&other, every: seldom, until: at(14), changes: Self.eventful)
      var compared = 0
      for (time, light) in few {
        guard let same = many[time] else { continue }
        #expect(light == same, "at \(time)")
        compared += 1
      }
      #expect(compared > 10)
      _ = (one.light(at: at(15)), other.light(at: at(15)))
      #expect(one.truth.beats == other.truth.beats)
      #expect(one.truth.contact == other.truth.contact)
      #expect(one.truth.fidgeting == other.truth.fidgeting)
    }
  }

  @Test func sameSeedSameLightOtherSeedOther() {
    func lights(seed: UInt64) -> [Int64: Light] {
      var scene = FingerScene(subject: Subject(), seed: seed)
      return film(&scene, every: 33_333, until: at(20), changes: Self.eventful)
    }
    #expect(lights(seed: 7) == lights(seed: 7))
    #expect(lights(seed: 7) != lights(seed: 8))
  }

  /// After a disturbance has passed, the light is again, to the bit, what it would have been without it.
  @Test(arguments: [
    (Change.contact(false), Change.contact(true), 0.92), (.pulse(false), .pulse(true), 0.3),
    (.fidgeting(true), .fidgeting(false), 0.3), (.torch(false), .torch(true), 0.03),
  ])
  func disturbancePassesWithoutTrace(begins: Change, ends: Change, settledAfter: Double) {
    var calm = FingerScene(subject: Subject(), seed: 4)
    var disturbed = FingerScene(subject: Subject(), seed: 4)
    let without = film(&calm, every: 10_000, until: at(20))
    let with = film(&disturbed, every: 10_000, until: at(20), changes: [(6, begins), (9, ends)])
    var changed = 0
    for (time, light) in with {
      let isCalm = time <= 6_000_000 || Double(time) >= (9 + settledAfter) * 1_000_000
      if isCalm { #expect(light == without[time], "at \(time)") } else if light != without[time] { changed += 1 }
    }
    #expect(changed > 290)
    #expect(calm.truth.beats == disturbed.truth.beats)
  }

  @Test func partsDoNotMoveEachOther() {
    func truth(_ subject: Subject, _ seed: UInt64 = 3) -> PulseTruth {
      var scene = FingerScene(subject: subject, seed: seed)
      _ = scene.light(at: at(60))
      return scene.truth
    }
    let plain = truth(Subject())
    #expect(truth(Subject(heartRateBpm: 66, perfusionIndexPercent: 9)).beats == plain.beats)
    #expect(truth(Subject(heartRateBpm: 90)).breathStarts == plain.breathStarts)
    #expect(truth(Subject(heartRateBpm: 66, rmssdMs: 80)).breathStarts == plain.breathStarts)
    #expect(truth(Subject(), 4).beats != plain.beats)
    #expect(truth(Subject(), 4).breathStarts != plain.breathStarts)
  }

  @Test func edgesTakeFractionsOfASecond() {
    var scene = FingerScene(subject: Subject(), seed: 9)
    let lights = film(
      &scene, every: 10_000, until: at(20), changes: [(5, .contact(false)), (8, .contact(true)), (12, .torch(false))])
    func red(_ seconds: Double) -> Double { lights[at(seconds).microseconds]?.red ?? .nan }
    #expect(red(5) > 185 && (115..<190).contains(red(5.09)) && (107..<113).contains(red(5.2)))
    #expect((107..<113).contains(red(7.9)) && (115..<190).contains(red(8.1)) && red(8.25) > 175)
    for step in 1..<18 { #expect(red(5 + Double(step) / 100) < red(4.99 + Double(step) / 100)) }
    #expect(red(11.9) > 185 && red(12.03) < 5 && red(19) < 5)
  }

  @Test func truthMarksWhatHeld() {
    var scene = FingerScene(subject: Subject(), seed: 1)
    let script: [(Double, Change)] = [
      (2, .fidgeting(true)), (2.2, .fidgeting(true)), (4, .fidgeting(false)), (4.1, .fidgeting(true)),
      (5, .fidgeting(false)), (6, .pulse(false)), (8, .pulse(true)), (10, .contact(false)), (12, .contact(true)),
      // A landing that is given up before the finger has landed never was contact.
      (14, .contact(false)), (16, .contact(true)), (16.1, .contact(false)), (17, .contact(true)),
    ]
    for (seconds, change) in script { scene.make(change, at: at(seconds)) }
    func list(_ stretches: [Stretch]) -> [[Double?]] { stretches.map { [$0.from.seconds, $0.to?.seconds] } }
    #expect(list(scene.truth.contact) == [[0, 10], [12.22, 14], [17.22, nil]])
    #expect(list(scene.truth.visiblePulse) == [[0, 6], [8.3, nil]])
    #expect(list(scene.truth.fidgeting) == [[2, 5.3]])
  }

  @Test func beatsArePublishedUpToTheMomentAsked() {
    var scene = FingerScene(subject: Subject(), seed: 6)
    var last = 0
    for time in stride(from: 0, through: 60_000_000, by: 33_333) {
      let moment = Instant(microseconds: Int64(time))
      _ = scene.light(at: moment)
      #expect(scene.truth.beats.allSatisfy { $0.foot >= .zero && $0.foot <= moment })
      #expect(scene.truth.beats.count - last <= 1)
      last = scene.truth.beats.count
    }
    #expect((65...67).contains(last))
  }

  @Test(arguments: [30.0, 66, 220], [0.0, 1])
  func extremesStayPossible(bpm: Double, shareOfLimit: Double) {
    let rmssdMs = shareOfLimit * HeartSettings.rmssdLimitMs(rateBpm: bpm)
    for (breathsPerMin, perfusion) in [(4.0, 0.02), (60, 20), (4, 20), (14, 2)] {
      let subject = Subject(
        heartRateBpm: bpm, rmssdMs: rmssdMs, breathingRatePerMin: breathsPerMin, perfusionIndexPercent: perfusion)
      var scene = FingerScene(subject: subject, seed: 11)
      let lights = film(&scene, every: 50_000, until: at(90))
      for light in lights.values {
        #expect((150..<250).contains(light.red) && (15..<45).contains(light.green) && (10..<40).contains(light.blue))
      }
      let mean = 60 / bpm
      for (one, next) in zip(scene.truth.beats, scene.truth.beats.dropFirst()) {
        let share = (next.foot - one.foot).seconds / mean
        #expect(share >= 0.599 && share <= 1.401)
      }
    }
  }

  /// Fidgeting must be unfit for measuring throughout, and yet look like a finger.
  @Test func fidgetingDrownsThePulse() {
    for seed: UInt64 in 0..<20 {
      var scene = FingerScene(subject: Subject(), seed: seed)
      let lights = film(&scene, every: 50_000, until: at(20), changes: [(3, .fidgeting(true))])
      for start in stride(from: 3_500_000, to: 19_000_000, by: 1_000_000) {
        let window = stride(from: start, to: start + 1_000_000, by: 50_000).compactMap { lights[Int64($0)] }
        let reds = window.map(\.red)
        // A pulse of 2 % moves red by about 3 counts.
        #expect((reds.max() ?? 0) - (reds.min() ?? 0) > 9, "seed \(seed) at \(start)")
        #expect(window.allSatisfy { $0.red > 2.5 * $0.green && $0.green > 5 })
      }
    }
  }
}
