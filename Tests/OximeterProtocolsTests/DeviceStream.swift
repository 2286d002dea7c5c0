import VitalsModel

@testable import OximeterProtocols

/// Streams as a device sends them.
enum DeviceStream {
  /// A stream made by our own encoder: a wave at 75 bpm with its beats marked, and values that change now and then,
  /// with whiles of no finger and of searching.
  static func encoded(_ oximeter: OximeterProtocol, frames: Int, seed: UInt64 = 0) -> [UInt8] {
    var encoder = oximeter.encoder()
    return moments(frames, framesPerSecond: oximeter.framesPerSecond, seed: seed).flatMap { encoder.encode($0) }
  }

  /// What such a device sees.
  static func moments(_ count: Int, framesPerSecond: Double, seed: UInt64 = 0) -> [OximeterMoment] {
    var random = SeededGenerator(seed: seed, stream: "moments")
    var reading = OximeterReading(pulseRateBpm: 72, spo2Percent: 98, signalStrength: 5)
    var next = 20
    return (0..<count).map { index in
      let beats = Double(index) * 75 / 60 / framesPerSecond
      let phase = beats - beats.rounded(.down)
      if index == next {
        reading = Self.reading(using: &random)
        next += Int.random(in: 5...40, using: &random)
      }
      return OximeterMoment(
        pleth: reading.flags.contains(.fingerOut) ? 0.5 : 0.5 + 0.4 * Maths.sin(2 * .pi * phase),
        isBeatMarked: phase < 2.5 / framesPerSecond && reading.pulseRateBpm != nil, reading: reading,
        clockSeconds: 700_000_000 + Int(Double(index) / framesPerSecond))
    }
  }

  private static func reading(using random: inout SeededGenerator) -> OximeterReading {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: OximeterReading(signalStrength: 0, flags: .fingerOut)
    case 1: OximeterReading(signalStrength: 3, flags: .searching)
    case let kind:
      OximeterReading(
        pulseRateBpm: [60, 127, 128, 142, 254, 40].randomElement(using: &random),
        spo2Percent: Int.random(in: 80...100, using: &random), signalStrength: kind + 2)
    }
  }
}
