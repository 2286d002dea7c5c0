import VitalsModel

@testable import RecordingAnalysis
@testable import Recordings

/// Frames of a finger whose pulse comes at an even rate, with a little noise.
func pulseFrames(
  bpm: Double, seconds: Double, fps: Double = 30, seed: UInt64 = 1, from: Double = 0
) -> [FrameSample] {
  var random = SeededGenerator(seed: seed, stream: "frames")
  return (0..<Int((seconds * fps).rounded())).map { index in
    let at = Double(index) / fps
    let phase = (at * bpm / 60).truncatingRemainder(dividingBy: 1)
    // A steep rise of a seventh of a second's beat, a slow fall, and a breath of 15 a minute in its height.
    let blood = phase < 0.15 ? phase / 0.15 : (1 - phase) / 0.85
    let height = 0.02 * (1 + 0.2 * Maths.sin(2 * .pi * 0.25 * at))
    let light = 1 - height * blood
    func noise() -> Double { 0.1 * (random.uniform() - 0.5) }
    return FrameSample(
      captured: Instant(microseconds: Int64(((from + at) * 1e6).rounded())), red: 200 * light + noise(),
      green: 60 * (1 - 2 * height * blood) + noise(), blue: 30 * (1 - 1.5 * height * blood) + noise())
  }
}

/// The recording of a table of these frames.
func recording(_ frames: [FrameSample], notes: [String] = []) -> Recording { Recording(frames: frames, notes: notes) }

extension AnalysisRequest {
  init(window: Double? = nil, from: Double = 0, length: Double? = nil, keepsWave: Bool = false) {
    self.init()
    self.window = window.map { TimeSpan(seconds: $0) }
    self.from = TimeSpan(seconds: from)
    self.length = length.map { TimeSpan(seconds: $0) }
    self.keepsWave = keepsWave
  }
}
