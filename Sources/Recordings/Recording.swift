import VitalsModel

/// The frames of a recording, with what its reader had to assume about them.
public struct Recording: Sendable {
  /// The frames in the order of the file; times count from the first one, and may repeat or go back.
  public let frames: [FrameSample]
  /// The colours that it tells, under the names that its file gives them.
  public let colours: RecordedColours
  /// What a report must say about it: how its time was read, gaps, repeated time stamps.
  public private(set) var notes: [String]
  /// The feet of the pulse waves that are known to be behind the frames, in order, counted as frames are; empty where
  /// nothing is known.
  public let beats: [RecordedBeat]
  /// The beginnings of the inspirations that are known, likewise.
  public let breaths: [Instant]

  /// From the first frame to the latest.
  public var duration: TimeSpan {
    (frames.map(\.captured).max() ?? .zero) - (frames.first?.captured ?? .zero)
  }

  /// Frames per second, by the usual spacing of its frames; 30, as of a phone's camera, where they have none.
  public var frameRateFps: Double {
    let steps = zip(frames, frames.dropFirst()).map { $1.captured - $0.captured }.filter { $0 > .zero }.sorted()
    return steps.dropFirst(steps.count / 2).first.map { 1 / $0.seconds } ?? 30
  }

  /// A recording of at least one frame. Adds notes on what is unusual about the frames' times.
  init(
    frames: [FrameSample], colours: RecordedColours = .all, notes: [String], beats: [RecordedBeat] = [],
    breaths: [Instant] = []
  ) {
    self.frames = frames
    self.colours = colours
    self.beats = beats
    self.breaths = breaths
    self.notes = notes + Self.timingNotes(frames)
  }

  /// More frames than a week at 30 a second has; they have to fit into memory.
  static let mostFrames = 30_000_000
  static let tooManyFrames = RecordingError("it has more than 30 million frames; measure it in parts")

  /// The same with one note more.
  func noting(_ note: String) -> Recording {
    var copy = self
    copy.notes.append(note)
    return copy
  }

  /// A gap longer than this is worth telling.
  private static let gap = TimeSpan.milliseconds(500)

  private static func timingNotes(_ frames: [FrameSample]) -> [String] {
    var (repeated, backwards, gaps) = (0, 0, 0)
    var steps: [TimeSpan] = []
    var longest = TimeSpan.zero
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      let step = later.captured - earlier.captured
      if step == .zero { repeated += 1 }
      if step < .zero { backwards += 1 }
      if step > gap { gaps += 1 }
      longest = max(longest, step)
      if step > .zero { steps.append(step) }
    }
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
    }
    // Cameras take 5 to 200 frames a second.
    let middle = steps.sorted().dropFirst(steps.count / 2).first
    let spacing = middle.flatMap { middle -> String? in
      guard !(5_000...200_000).contains(middle.microseconds) else { return nil }
      return
        "frames are \(Fixed.text(middle.milliseconds, places: 3)) ms apart, as no camera's; is the time's unit right?"
    }
    return [
      spacing, count(repeated, "frame repeats a time stamp", "frames repeat a time stamp"),
      count(backwards, "frame goes back in time", "frames go back in time"),
      count(gaps, "gap of more than 0.5 s", "gaps of more than 0.5 s")
        .map { "\($0), the longest \(Fixed.text(longest.seconds, places: 3)) s" },
    ].compactMap(\.self)
  }
}

/// Which of its colours a recording tells, each by the name that its file gives it; nil is 0 in every frame.
public struct RecordedColours: Hashable, Sendable {
  /// What stands for red in the frames: where a file has no red, another colour.
  public let red: String
  /// What stands for green.
  public let green: String?
  /// What stands for blue.
  public let blue: String?

  /// Red, green and blue.
  static let all = RecordedColours(red: "red", green: "green", blue: "blue")

  /// Whether it is the pleth of a device, which has no steady part.
  public var arePleth: Bool { self == Self.pleth }
  /// The pleth of a device in the place of red.
  static let pleth = RecordedColours(red: "pleth of an oximeter", green: nil, blue: nil)

  /// Whether it tells all three, without which nobody knows the colour of what is before the camera.
  public var areComplete: Bool { green != nil && blue != nil }
}

/// Why a recording or a reference could not be read.
public struct RecordingError: Error, Hashable, Sendable {
  /// What was found and what to do instead.
  public let message: String
  /// The line it is about, from 1; nil when it is about the whole.
  public let line: Int?

  /// What was found and what to do instead, and where.
  public init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }
}

/// The intervals between heartbeats that a reference device recorded.
public struct ReferenceIntervals: Hashable, Sendable {
  /// Intervals in milliseconds, in order.
  public let intervalsMs: [Double]

  /// 60,000 over the mean interval, beats per minute.
  public var heartRateBpm: Double { 60_000 * Double(intervalsMs.count) / intervalsMs.reduce(0, +) }

  /// Root mean square of successive differences, milliseconds; nil with a single interval.
  public var rmssdMs: Double? {
    guard intervalsMs.count > 1 else { return nil }
    let squares = zip(intervalsMs, intervalsMs.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }
}

/// Reads intervals in milliseconds, separated by blanks, line ends, commas or semicolons.
///
/// Throws when there is none, or when one is not a number from 100 to 10,000 ms: a device that misses beats or sees two
/// in one writes intervals that no heart has, and still none in seconds.
public func readReferenceIntervals(_ bytes: [UInt8]) throws(RecordingError) -> ReferenceIntervals {
  var intervals: [Double] = []
  var line = 1
  var word: [UInt8] = []
  func take(_ word: [UInt8]) throws(RecordingError) {
    guard !word.isEmpty else { return }
    let text = String(decoding: word, as: UTF8.self)
    guard isDecimal(text), let value = Double(text), (100...10_000).contains(value) else {
      throw RecordingError(
        "\"\(text.prefix(40))\" is not an interval between heartbeats: write milliseconds, 100 to 10000, such as 850",
        line: line)
    }
    intervals.append(value)
  }
  // A byte order mark is no part of the first.
  for byte in bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...] {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","),
      UInt8(ascii: ";"):
      try take(word)
      word = []
      if byte == UInt8(ascii: "\n") { line += 1 }
    default: word.append(byte)
    }
  }
  try take(word)
  guard !intervals.isEmpty else { throw RecordingError("there are no intervals in it") }
  return ReferenceIntervals(intervalsMs: intervals)
}
