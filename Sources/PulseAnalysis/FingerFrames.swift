import VitalsModel

/// The frames of a record that show a fingertip, in order: logarithms of their light without the jumps of the exposure.
///
/// One step after the other over all frames, since each keeps what it knows in the processor's few registers.
struct FingerFrames {
  /// What is doubtful around a frame without a finger, and after a step or a pause: microseconds.
  private static let doubtUs: (edge: Int64, step: Int64) = (800_000, 100_000)
  /// A pause of the frames after which the light is doubtful.
  private static let pauseUs: Int64 = 250_000

  /// One of them.
  struct Frame {
    var light: Light
    /// When it was captured.
    let atUs: Int64
    /// Until when the light is doubtful after what came before it: a lifting or landing finger, a step or a pause.
    var doubtfulUntilUs: Int64
  }

  private(set) var frames: [Frame] = []
  /// The pauses of the frames that break the signal: how many, and how long together.
  private(set) var breaks = (count: 0, us: Int64(0))
  /// Mean of each colour, 0...255.
  private(set) var mean = Light()
  /// Share of frames in which each colour was clipped.
  private(set) var clippedShare = Light()
  /// Variance of a frame's light by noise, square of natural logarithms, for each colour.
  private(set) var noise = Light()

  /// Picks them from a record of one frame or more.
  init(_ record: PulseRecord) {
    let evenTimes = FrameTimes.evenTimes(record.frames)
    pick(record, evenTimes)
    guard !frames.isEmpty else { return }
    mean /= Double(frames.count)
    clippedShare /= Double(frames.count)
    let firstUs = evenTimes?[0] ?? record.frames[0].atUs
    (noise, breaks) = frames.withUnsafeMutableBufferPointer { frames in
      for index in frames.indices { frames[index].light = LightGrid.light(frames[index].light) }
      let breaks = Self.removeSteps(frames, since: firstUs)
      var differences = ThirdDifferences()
      for frame in frames { differences.add(frame.light) }
      return (differences.variance, breaks)
    }
  }

  private mutating func pick(_ record: PulseRecord, _ evenTimes: [Int64]?) {
    let all = record.frames
    frames = [Frame](unsafeUninitializedCapacity: all.count) { frames, initialized in
      var untilUs = Int64.min
      var (total, clipped) = (Light(), Light())
      var count = 0
      for index in 0..<all.count {
        let frame = all[index]
        let atUs = evenTimes?[index] ?? frame.atUs
        guard record.isFinger(frame) else {
          // The edge of a lifting or landing finger is no pulse.
          untilUs = atUs + Self.doubtUs.edge
          continue
        }
        let colour = Light(frame.red, frame.green, frame.blue, 0)
        total += colour
        clipped += Light().replacing(with: 1, where: colour .>= FingerColour.clipped)
        frames[count] = Frame(light: colour, atUs: atUs, doubtfulUntilUs: untilUs)
        count += 1
      }
      (mean, clippedShare) = (total, clipped)
      initialized = count
    }
  }

  /// Takes the steps out, and returns the breaks.
  private static func removeSteps(
    _ frames: UnsafeMutableBufferPointer<Frame>, since firstUs: Int64
  ) -> (count: Int, us: Int64) {
    var breaks = (count: 0, us: Int64(0))
    var steps = StepRemover()
    var lastUs = firstUs
    var untilUs = Int64.min
    for index in frames.indices {
      let level = steps.level(frames[index].light)
      frames[index].light = level.light
      let atUs = frames[index].atUs
      let gapUs = atUs - lastUs
      if level.isStep || gapUs > pauseUs {
        untilUs = atUs + doubtUs.step
        if index > 0, gapUs > PulseAnalyzer.longestGapUs { breaks = (breaks.count + 1, breaks.us + gapUs) }
      }
      if untilUs > frames[index].doubtfulUntilUs { frames[index].doubtfulUntilUs = untilUs }
      lastUs = atUs
    }
    return breaks
  }
}

/// The noise of single frames, from changes faster than any pulse.
private struct ThirdDifferences {
  private var lights = (Light(), Light(), Light())
  private var sum = Light()
  private var usual = Light()
  private var count = 0.0

  @inline(__always)
  mutating func add(_ light: Light) {
    let fast = light - lights.2 * 3 + lights.1 * 3 - lights.0
    lights = (lights.1, lights.2, light)
    count += 1
    guard count > 3 else { return }
    let square = fast * fast
    if count < 20 { usual = usual.replacing(with: square, where: square .> usual) }
    // A jerk of the finger is no noise of the frames; what stays is, after some seconds.
    let noise = square.atMost(usual * 8)
    usual = usual * 0.98 + noise * 0.02
    sum += noise
  }

  /// The gain of a third difference for white noise is 20.
  var variance: Light { count > 3 ? sum / ((count - 3) * 20) : Light() }
}
