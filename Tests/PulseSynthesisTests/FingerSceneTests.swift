import PulseSynthesis
import Testing
import VitalsModel

/// A change to a scene, as a test writes it down.
enum Change: Sendable {
  case contact(Bool)
  case pulse(Bool)
  case motion(FingerMotion)
  case pressure(FingerPressure)
  case cover(FingerCover)
  case temperature(FingerTemperature)
  case perfusion(Double, TimeSpan)
  case torch(Bool)
  case dimmed(Bool)
  case room(Room)
}

extension FingerScene {
  @discardableResult
  mutating func make(_ change: Change, at moment: Instant) -> Instant {
    switch change {
    case .contact(let isPresent): setContact(isPresent, at: moment)
    case .pulse(let isVisible): setPulse(visible: isVisible, at: moment)
    case .motion(let motion): setMotion(motion, at: moment)
    case .pressure(let pressure): setPressure(pressure, at: moment)
    case .cover(let cover): setCover(cover, at: moment)
    case .temperature(let temperature): setTemperature(temperature, at: moment)
    case .perfusion(let percent, let length): turnPerfusionIndex(to: percent, at: moment, over: length)
    case .torch(let isOn): setTorch(isOn, at: moment)
    case .dimmed(let isDimmed): setTorchDimmed(isDimmed, at: moment)
    case .room(let room): setRoom(room, at: moment)
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
    (1.000_1, .motion(.fidgeting)), (1.5, .contact(true)), (2.345, .motion(.still)), (2.5, .motion(.fidgeting)),
    (2.9, .motion(.still)), (4.01, .contact(false)), (4.1, .contact(true)), (4.2, .contact(false)),
    (5, .pulse(false)), (5.1, .pulse(true)), (6.6, .contact(true)), (8, .torch(false)), (8.013, .torch(true)),
    (9, .motion(.fidgeting)), (9.000_001, .contact(false)), (9.7, .contact(true)), (12, .motion(.still)),
    (12.1, .motion(.sliding)), (12.2, .pressure(.light)), (12.5, .pressure(.hard)), (12.6, .cover(.partial)),
    (12.7, .temperature(.cold)), (12.8, .perfusion(7, .seconds(2))), (12.9, .dimmed(true)), (13, .room(.dim)),
    (14, .motion(.fidgeting)), (14.2, .motion(.sliding)), (15, .temperature(.warm)), (15.1, .cover(.full)),
    (15.2, .pressure(.light)), (15.5, .perfusion(0.5, .zero)), (16, .dimmed(false)), (16.1, .room(.lit)),
    (17, .motion(.still)), (17.5, .pressure(.firm)),
  ]

  @Test(arguments: [(10_000, 70_000), (10_000, 1_000_000), (3_000, 33_000)])
  func askingRateChangesNothing(often: Int64, seldom: Int64) {
    for seed: UInt64 in 0..<5 {
      var one = FingerScene(subject: Subject(), seed: seed)
      var other = FingerScene(subject: Subject(), seed: seed)
      let many = film(&one, every: often, until: at(21), changes: Self.eventful)
      let few = film(&other, every: seldom, until: at(21), changes: Self.eventful)
      var compared = 0
      for (time, light) in few {
        guard let same = many[time] else { continue }
        #expect(light == same, "at \(time)")
        compared += 1
      }
      #expect(compared > 10)
      _ = (one.light(at: at(22)), other.light(at: at(22)))
      #expect(one.truth.beats == other.truth.beats)
      #expect(one.truth.contact == other.truth.contact)
      #expect(one.truth.fidgeting == other.truth.fidgeting && one.truth.sliding == other.truth.sliding)
      #expect(one.frameTruth == other.frameTruth)
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
    (Change.contact(false), Change.contact(true), 7.42), (.pulse(false), .pulse(true), 0.3),
    (.motion(.fidgeting), .motion(.still), 0.3), (.motion(.sliding), .motion(.still), 0.6),
    (.torch(false), .torch(true), 0.03), (.dimmed(true), .dimmed(false), 0.5), (.cover(.partial), .cover(.full), 0.25),
    (.pressure(.light), .pressure(.firm), 1.2), (.pressure(.hard), .pressure(.firm), 1.8),
    (.perfusion(5, .seconds(1)), .perfusion(2, .seconds(2)), 2), (.temperature(.cold), .temperature(.warm), 180),
  ])
  func disturbancePassesWithoutTrace(begins: Change, ends: Change, settledAfter: Double) {
    let torch = TorchSettings(droop: 0)
    var calm = FingerScene(subject: Subject(), torch: torch, seed: 4)
    var disturbed = FingerScene(subject: Subject(), torch: torch, seed: 4)
    let end = at(max(20, 10 + settledAfter))
    let without = film(&calm, every: 10_000, until: end)
    let with = film(&disturbed, every: 10_000, until: end, changes: [(6, begins), (9, ends)])
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

  @Test func truthMarksWhatHeld() {
    var scene = FingerScene(subject: Subject(), seed: 1)
    let script: [(Double, Change)] = [
      (2, .motion(.fidgeting)), (2.2, .motion(.fidgeting)), (4, .motion(.still)), (4.1, .motion(.fidgeting)),
      (5, .motion(.still)), (6, .pulse(false)), (8, .pulse(true)), (10, .contact(false)), (12, .contact(true)),
      // A landing that is given up before the finger has landed never was contact.
      (14, .contact(false)), (16, .contact(true)), (16.1, .contact(false)), (17, .contact(true)),
      // One motion takes over from the other.
      (18, .motion(.sliding)), (19, .motion(.fidgeting)), (20, .motion(.sliding)), (20.2, .motion(.still)),
    ]
    for (seconds, change) in script { scene.make(change, at: at(seconds)) }
    func list(_ stretches: [Stretch]) -> [[Double?]] { stretches.map { [$0.from.seconds, $0.to?.seconds] } }
    #expect(list(scene.truth.contact) == [[0, 10], [12.22, 14], [17.22, nil]])
    #expect(list(scene.truth.visiblePulse) == [[0, 6], [8.3, nil]])
    #expect(list(scene.truth.fidgeting) == [[2, 5.3], [19, 20.3]])
    #expect(list(scene.truth.sliding) == [[18, 19.6], [20, 20.8]])
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
        #expect((160..<230).contains(light.red) && (15..<45).contains(light.green) && (10..<40).contains(light.blue))
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
      let lights = film(&scene, every: 50_000, until: at(20), changes: [(3, .motion(.fidgeting))])
      for start in stride(from: 3_500_000, to: 19_000_000, by: 1_000_000) {
        let window = stride(from: start, to: start + 1_000_000, by: 50_000).compactMap { lights[Int64($0)] }
        let reds = window.map(\.red)
        // A pulse of 2 % moves red by little more than one count.
        #expect((reds.max() ?? 0) - (reds.min() ?? 0) > 9, "seed \(seed) at \(start)")
        #expect(window.allSatisfy { $0.red > 2.5 * $0.green && $0.green > 5 })
      }
    }
  }
}
