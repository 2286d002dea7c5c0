import OximeterProtocols
import Testing
import VitalsModel

@testable import OximeterLines

/// Streams whose wave counts frames, so that each sample that arrives can be told to which it belongs.
struct DamagedLineTests {
  /// What is done to the bytes on their way.
  enum Damage: String, CaseIterable {
    case droppedBytes, doubledBytes, flippedBits, garbage, lostStretches

    /// The share of samples that may be more than 0.7 periods off.
    var share: Double {
      switch self {
      // A garbled wave counts wrongly.
      case .droppedBytes, .doubledBytes, .flippedBits: 0.01
      // Bytes too many are at first held to be frames that were lost.
      case .garbage: 0.04
      // A loss without a trace is noticed half a second later.
      case .lostStretches: 0.15
      }
    }
  }

  static func arrivals(
    _ speaks: OximeterProtocol, _ damage: Damage, rate: Double, count: Int, seed: UInt64
  ) -> [LineArrival] {
    let steps = steps(speaks)
    var encoder = speaks.encoder()
    var generator = SeededGenerator(seed: seed, stream: "damage")
    var delivery = SimulatedDelivery(period: 1 / rate, .timer(0.016), seed: seed)
    var lostUntil = 0
    return (0..<count).compactMap { index -> LineArrival? in
      let frame = encoder.encode(
        OximeterMoment(
          pleth: Double(index % steps) / Double(steps),
          reading: OximeterReading(pulseRateBpm: 70, spo2Percent: 98, signalStrength: 5)))
      let at = Instant(microseconds: Int64((delivery.arrival(of: Double(index) / rate) * 1e6).rounded(.up)))
      if damage == .lostStretches, index > lostUntil, generator.uniform() < 0.002 {
        lostUntil = index + Int.random(in: 20...40, using: &generator)
      }
      if index < lostUntil { return nil }
      return LineArrival(at: at, .bytes(frame.flatMap { Self.damaged($0, damage, &generator) }))
    }
  }

  private static func damaged(_ byte: UInt8, _ damage: Damage, _ generator: inout SeededGenerator) -> [UInt8] {
    guard generator.uniform() < 0.005 else { return [byte] }
    return switch damage {
    case .droppedBytes: []
    case .doubledBytes: [byte, byte]
    case .flippedBits: [byte ^ (1 << UInt8.random(in: 0...7, using: &generator))]
    case .garbage:
      [byte] + (0..<Int.random(in: 1...20, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    case .lostStretches: [byte]
    }
  }

  /// How many frames the wave can count.
  static func steps(_ speaks: OximeterProtocol) -> Int {
    // Those of five bytes send 100 at most.
    speaks == .contecV5 || speaks == .bci ? 100 : speaks.largestPleth ?? 1
  }

  @Test(arguments: [OximeterProtocol.contecV5, .contecV7, .bci, .noninDF2, .noninDF7], Damage.allCases)
  func `what survives keeps its time`(speaks: OximeterProtocol, damage: Damage) {
    let rate = speaks.framesPerSecond * 1.001
    let steps = Double(Self.steps(speaks))
    let arrivals = Self.arrivals(speaks, damage, rate: rate, count: Int(rate * 60), seed: 11)
    var errors: [Double] = []
    for (_, event) in events(of: ScriptedLine(arrivals), speaking: speaks, until: 61) {
      guard case .sample(let sample) = event, sample.captured.seconds > 15, let pleth = sample.pleth else { continue }
      let ahead = sample.captured.seconds * rate - Double(pleth)
      errors.append(ahead - (ahead / steps).rounded() * steps)
    }
    #expect(Double(errors.filter { abs($0) > 0.7 }.count) <= damage.share * Double(errors.count))
    #expect(errors.count > arrivals.count / 2)
  }
}
