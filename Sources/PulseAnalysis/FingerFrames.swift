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

  /// Whether there is none of them for want of light.
  private(set) var isDark = false

  /// Picks them from a record of one frame or more.
  init(_ record: PulseRecord) {
    let evenTimes = FrameTimes.evenTimes(record.frames)
    pick(record, evenTimes)
    guard !frames.isEmpty else {
      let brightest = record.frames.map(\.brightest)
      isDark = brightest.ranked(brightest.count / 2) < FingerColour.darkest
      return
    }
    mean /= Double(frames.count)
    clippedShare = (clippedShare / Double(frames.count)).atLeast(Self.plateaus(frames))
    let firstUs = evenTimes?[0] ?? record.frames[0].atUs
    breaks = frames.withUnsafeMutableBufferPointer { frames in
      for index in frames.indices { frames[index].light = LightGrid.light(frames[index].light) }
      return Self.removeSteps(frames, since: firstUs)
    }
  }

  private mutating func pick(_ record: PulseRecord, _ evenTimes: [Int64]?) {
    let all = record.frames
    let evenTimes = evenTimes ?? []
    frames = [Frame](unsafeUninitializedCapacity: all.count) { frames, initialized in
      var untilUs = Int64.min
      var (total, clipped) = (Light(), Light())
      var count = 0
      var usualLight: Double?
      for index in 0..<all.count {
        let frame = all[index]
        let atUs = evenTimes.isEmpty ? frame.atUs : evenTimes[index]
        func isDimFinger() -> Bool {
          let light = usualLight ?? record.usualLight
          usualLight = light
          return record.isFinger(frame, inUsual: light)
        }
        guard record.isFinger(frame) || isDimFinger() else {
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

  /// For each colour the share of frames at its very highest value, where these are a twentieth or more: it was cut off there,
  /// as a camera whose white is 235 does. Where values often repeat below it too they are rounded, and it says nothing: 0.
  private static func plateaus(_ frames: [Frame]) -> Light {
    frames.withUnsafeBufferPointer { frames in
      var top = Light()
      for frame in frames { top = top.atLeast(frame.light) }
      var (atTop, repeats) = (Light(), Light())
      var before = Light()
      for frame in frames {
        let isTop = frame.light .>= top
        atTop.replace(with: atTop + 1, where: isTop)
        repeats.replace(with: repeats + 1, where: frame.light .== before .& .!isTop)
        before = frame.light
      }
      let count = Double(frames.count)
      let isPlateau = atTop .>= 0.05 * count .& repeats .<= 0.15 * (count - atTop)
      return Light().replacing(with: atTop / count, where: isPlateau)
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

  /// Variance of a frame's light by noise in one colour, square of natural logarithms: from the third differences, which are
  /// faster than any pulse and whose gain for white noise is 20.
  static func noise(of frames: [Frame], lane: Int) -> Double {
    guard frames.count > 3 else { return 0 }
    return frames.withUnsafeBufferPointer { frames in
      var (first, second, third) = (frames[0].light[lane], frames[1].light[lane], frames[2].light[lane])
      var sum = 0.0
      var usual = 0.0
      for index in 3..<frames.count {
        let light = frames[index].light[lane]
        let fast = light - third * 3 + second * 3 - first
        (first, second, third) = (second, third, light)
        let square = fast * fast
        if index < 19 { usual = max(usual, square) }
        // A jerk of the finger is no noise of the frames; what stays is, after some seconds.
        sum += min(square, usual * 8)
        usual = min(usual * 0.98 + square * 0.02, usual * 1.14)
      }
      return sum / (Double(frames.count - 3) * 20)
    }
  }
}
