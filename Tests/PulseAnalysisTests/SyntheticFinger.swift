import PulseAnalysis
import VitalsModel

/// A fingertip made of numbers, independent of the product's synthesizer: each beat a Gaussian systole and a dicrotic
/// Gaussian, brightness falling in systole, white noise on every colour.
struct SyntheticFinger {
  var framesPerSecond = 30.0
  /// Standard deviation of the frame times about their even places, seconds.
  var jitterSeconds = 0.0
  var seconds = 64.0
  var seed: UInt64 = 1
  var colour = SIMD3(200.0, 30, 25)
  /// Height of a pulse as a share of the light, in red.
  var pulse = 0.015
  /// What the pulse is of that in each colour: blood absorbs green most.
  var blood = SIMD3(1, 1.45, 1.2)
  /// Standard deviation of the noise of a colour mean of 200, of 255; that of less light is less, as its root.
  var noise = 0.15
  var isInverted = false
  /// Height of the dicrotic wave as a share of the systole's.
  var dicrotic = 0.35
  /// How much longer the systole ebbs than it rises.
  var ebb = 1.0
  /// What breathing does to the height of the pulse and to the light, shares.
  var breathing = (perMin: 15.0, height: 0.0, light: 0.0)
  /// The length in seconds of the beat that a pulse has the shape of, whatever the interval after it; nil: of its own.
  var shapeSeconds: Double?
  /// The length in seconds of the beat of a number that begins at a time.
  var interval: (Int, Double, inout SeededGenerator) -> Double = { _, _, _ in 0.8 }
  /// Relative height of the beat that begins at a time.
  var height: (Double) -> Double = { _ in 1 }
  /// What happens to the light at a time, before noise.
  var disturb: (Double, inout SIMD3<Double>) -> Void = { _, _ in }

  /// A heart that beats at one rate, give or take a share.
  static func beating(_ bpm: Double, spread: Double = 0) -> SyntheticFinger {
    var finger = SyntheticFinger()
    finger.interval = { _, _, generator in 60 / bpm * (1 + spread * generator.gaussian()) }
    return finger
  }

  /// The frames, and the times of the pulses' feet in seconds.
  ///
  /// The foot is where the straight line along the steepest rise meets the level before it: two widths before the middle
  /// of the systole.
  func record() -> (frames: [FrameSample], beats: [Double]) {
    var heart = SeededGenerator(seed: seed, stream: "heart")
    var starts: [Double] = []
    var lengths: [Double] = []
    var next = -2.0
    while next < seconds + 3 {
      let length = interval(starts.count, next, &heart)
      starts.append(next)
      lengths.append(length)
      next += length
    }
    var camera = SeededGenerator(seed: seed, stream: "camera")
    var frames: [FrameSample] = []
    var first = 0
    let grain = noise * (colour / 200).squareRoot()
    for index in 0..<Int(seconds * framesPerSecond) {
      let time = max(Double(index) / framesPerSecond + jitterSeconds * camera.gaussian(), 0)
      while first + 1 < starts.count, starts[first + 1] < time - 2 { first += 1 }
      var wave = 0.0
      var beat = first
      while beat < starts.count, starts[beat] < time + 1 {
        let phase = (time - starts[beat]) / (shapeSeconds ?? lengths[beat])
        let systole = (phase - 0.2) / (phase < 0.2 ? 0.07 : 0.07 * ebb)
        let echo = (phase - 0.52) / 0.09
        wave += height(starts[beat]) * (Maths.exp(-systole * systole / 2) + dicrotic * Maths.exp(-echo * echo / 2))
        beat += 1
      }
      let breath = Maths.sin(2 * .pi * breathing.perMin / 60 * time)
      let beating = (isInverted ? 1 : -1) * pulse * wave * (1 + breathing.height * breath)
      var light = colour * (1 + beating * blood + breathing.light * breath)
      disturb(time, &light)
      light += SIMD3(camera.gaussian(), camera.gaussian(), camera.gaussian()) * grain
      light = light.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
      frames.append(
        FrameSample(
          captured: Instant(microseconds: Int64((time * 1e6).rounded())), red: light.x, green: light.y, blue: light.z))
    }
    let beats = starts.indices.map { starts[$0] + (0.2 - 2 * 0.07) * (shapeSeconds ?? lengths[$0]) }
      .filter { $0 >= 0 && $0 < seconds }
    return (frames, beats)
  }

  /// The offline result for the frames.
  func measured() -> PulseMeasurement { measurement(of: record().frames) }
}

func measurement(of frames: some Sequence<FrameSample>) -> PulseMeasurement {
  var record = PulseRecord()
  for frame in frames { record.append(frame) }
  return measurePulse(record)
}

/// Heart rate and RMSSD of beats at times in seconds.
func truth(_ beats: [Double]) -> (heartRateBpm: Double, rmssdMs: Double) {
  let intervals = zip(beats.dropFirst(), beats).map { 1_000 * ($0 - $1) }
  let squares = zip(intervals.dropFirst(), intervals).map { ($0 - $1) * ($0 - $1) }
  let mean = intervals.reduce(0, +) / Double(intervals.count)
  return (60_000 / mean, (squares.reduce(0, +) / Double(squares.count)).squareRoot())
}
