import VitalsModel

/// The frames of one attempt or recording, kept for the result at its end.
public struct PulseRecord: Sendable {
  /// Which colours its frames tell.
  public enum Colours: Sendable {
    /// All three: whether a fingertip is there is told by them.
    case redGreenBlue
    /// One, given as red: a fingertip is taken to be wherever there is light.
    case single
  }

  /// One frame: when it was captured and the means of its colours, 0...255.
  struct Frame: Sendable {
    let atUs: Int64
    let red: Double
    let green: Double
    let blue: Double

    /// One colour: 0 red, 1 green, 2 blue.
    @inline(__always)
    func value(_ lane: Int) -> Double { lane == 0 ? red : lane == 1 ? green : blue }

    var brightest: Double { max(red, max(green, blue)) }
  }

  private static let fewestFramesOfABeat = 8
  /// The part of a record's usual light that a finger leaves wherever it lies; a torch that goes out leaves less.
  private static let leastShare = 0.4
  /// A minute at 30 frames a second, and some more.
  private static let usualFrames = 2_048

  /// In order of time. One array, since a session copies its state with every frame.
  private(set) var frames: [Frame] = []
  private var lastUs = Int64.min
  /// Frames whose time was not after the one before; they are not in the record.
  public private(set) var setAsideFrames = 0

  /// Which colours the frames tell.
  let colours: Colours

  /// An empty record.
  public init(colours: Colours = .redGreenBlue) { self.colours = colours }

  /// Frames in the record.
  public var count: Int { frames.count }

  /// Adds a frame; one whose time is not after the one before is set aside and counted.
  public mutating func append(_ frame: FrameSample) {
    let atUs = frame.captured.microseconds
    guard atUs > lastUs else {
      setAsideFrames += 1
      return
    }
    lastUs = atUs
    if frames.isEmpty { frames.reserveCapacity(Self.usualFrames) }
    frames.append(Frame(atUs: atUs, red: frame.red, green: frame.green, blue: frame.blue))
  }

  /// Whether a frame shows a fingertip.
  func isFinger(_ frame: Frame) -> Bool {
    switch colours {
    case .redGreenBlue: FingerColour.isFinger(red: frame.red, green: frame.green, blue: frame.blue)
    case .single: frame.red >= FingerColour.darkest
    }
  }

  /// Whether a frame shows a fingertip by its hue, in whatever light.
  private func hasFingerHue(_ frame: Frame) -> Bool {
    switch colours {
    case .redGreenBlue: FingerColour.hasFingerHue(red: frame.red, green: frame.green, blue: frame.blue)
    case .single: true
    }
  }

  /// Whether a frame shows a fingertip in the light that is usual for the record.
  func isFinger(_ frame: Frame, inUsual light: Double) -> Bool {
    frame.brightest >= max(FingerColour.fewestCounts, Self.leastShare * light) && hasFingerHue(frame)
  }

  /// How bright the frames with a fingertip's hue are in the brighter half of them: the middle one, 0...255; 0 without any.
  var usualLight: Double {
    let lights = frames.filter(hasFingerHue).map(\.brightest)
    return lights.isEmpty ? 0 : lights.ranked(lights.count * 3 / 4)
  }

  /// Of all change from frame to frame in one colour (0 red, 1 green, 2 blue) between the beats of `stretches`, the share
  /// that comes in single changes of more than half of `height`, a part of the colour's mean.
  ///
  /// A pulse rises over several frames; a lamp or an exposure that hops between two levels does all of it in one. Where
  /// not even eight frames come to a beat the rise of any pulse is done in one or two, and the share tells nothing: 0.
  func shareOfJumps(lane: Int, height: Double, mean: Double, within stretches: [(fromUs: Int64, toUs: Int64)]) -> Double
  {
    let large = 0.5 * height * mean
    var all = 0.0
    var jumps = 0.0
    var seen = 0
    frames.withUnsafeBufferPointer { frames in
      var index = 1
      for stretch in stretches {
        while index < frames.count, frames[index].atUs <= stretch.fromUs { index += 1 }
        guard index < frames.count else { break }
        var before = frames[index - 1].value(lane)
        while index < frames.count, frames[index].atUs <= stretch.toUs {
          let light = frames[index].value(lane)
          let change = (light - before).magnitude
          before = light
          all += change
          seen += 1
          if change > large { jumps += change }
          index += 1
        }
      }
    }
    return all > 0 && seen >= Self.fewestFramesOfABeat * stretches.count ? jumps / all : 0
  }
}
