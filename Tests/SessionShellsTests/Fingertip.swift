import VitalsModel

@testable import ReadingSession

/// What the camera sees.
enum View {
  /// A finger with a pulse of 75 per minute.
  case finger
  /// A finger without a pulse.
  case flatFinger
  case table
  /// The camera delivers nothing.
  case nothing

  /// A frame, with a little seeded noise so that it looks like light; nil where none comes.
  func frame(at now: Instant) -> FrameSample? {
    var noise = SeededGenerator(seed: UInt64(bitPattern: now.microseconds), stream: "fingertip")
    let phase = now.seconds / 0.8 - (now.seconds / 0.8).rounded(.down)
    let pulse = Maths.exp(-((phase - 0.25) * (phase - 0.25)) / 0.01)
    func level(_ base: Double, _ depth: Double) -> Double { base * (1 - depth * pulse) + 0.05 * noise.gaussian() }
    switch self {
    case .finger:
      return FrameSample(captured: now, red: level(200, 0.015), green: level(30, 0.03), blue: level(25, 0.02))
    case .flatFinger: return FrameSample(captured: now, red: level(200, 0), green: level(30, 0), blue: level(25, 0))
    case .table: return FrameSample(captured: now, red: level(110, 0), green: level(108, 0), blue: level(102, 0))
    case .nothing: return nil
    }
  }
}

/// A moment in seconds.
func moment(_ seconds: Double) -> Instant { .zero + TimeSpan(seconds: seconds) }

extension ReadingResult {
  /// Some result.
  static let sample = ReadingResult(
    heartRateBpm: 75, rmssdMs: nil, sdnnMs: nil, meanNNMs: nil, breathingRatePerMin: nil, perfusionIndexPercent: nil,
    quality: 1, withheld: [])
}

extension LivePreview {
  /// The first of an attempt.
  static let empty = LivePreview(progress: 0, heartRateBpm: nil, rmssdMs: nil, signalLevel: nil)
}
