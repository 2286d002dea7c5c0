import Recordings
import Scenarios
import Simulation
import Traces
import VitalsModel

/// A phone whose camera shows a recording: when it opens, the recording begins, and its first frame comes at once.
///
/// Camera off pauses it and camera on goes on with the next frame. What is true of the finger is not known, but for the
/// beats that a recording may tell; the reference intervals, where there are some, say what a result should be.
struct RecordedPhone: Phone {
  private let frames: [FrameSample]
  private let beats: [RecordedBeat]
  private let breaths: [Instant]
  private let duration: TimeSpan
  /// The rate at which it was recorded.
  private let frameRateFps: Double
  private let reference: ReferenceIntervals?
  private let resultDelay: TimeSpan
  private var nextFrame = 0
  /// From the recording's time to the run's; nil while the camera is off.
  private var shift: TimeSpan?
  /// The last shift, for what is asked when the camera is off again.
  private var lastShift = TimeSpan.zero
  private var hasAnnouncedFrames = false
  private var latest = Instant.zero
  private var queue = DeliveryQueue()

  init(_ recording: Recording, reference: ReferenceIntervals?, resultDelay: TimeSpan) {
    frames = recording.frames
    beats = recording.beats
    breaths = recording.breaths
    duration = recording.duration
    frameRateFps = recording.frameRateFps
    self.reference = reference
    self.resultDelay = resultDelay
  }

  var exhaustion: String? {
    guard shift != nil, nextFrame == frames.count, queue.nextTime == nil else { return nil }
    return "the recording ended after \(Fixed.text(duration.seconds, places: 1)) s"
  }

  mutating func next(before limit: Instant) -> Delivery<FrameSample>? {
    // A frame whose time stamp goes back is delivered when its turn comes.
    let frameAt = shift.flatMap { nextFrame < frames.count ? max(frames[nextFrame].captured + $0, latest) : nil }
    if let queuedAt = queue.nextTime, frameAt.map({ queuedAt <= $0 }) ?? true {
      return queuedAt < limit ? queue.removeFirst() : nil
    }
    guard let shift, let frameAt, frameAt < limit else { return nil }
    latest = frameAt
    if !hasAnnouncedFrames {
      hasAnnouncedFrames = true
      return Delivery(at: frameAt, .truth(Message("firstFrame")))
    }
    let frame = frames[nextFrame]
    nextFrame += 1
    return Delivery(
      at: frameAt,
      .sample(
        FrameSample(captured: frame.captured + shift, red: frame.red, green: frame.green, blue: frame.blue)))
  }

  mutating func obey(_ command: Message, at now: Instant) {
    latest = max(latest, now)
    switch (command.name, command["on"], command["attempt"]) {
    case ("camera", .flag(true)?, _):
      guard shift == nil else { return }
      hasAnnouncedFrames = false
      queue.add(.notice(.frameRate(frameRateFps)), at: now)
      lastShift = nextFrame < frames.count ? now - frames[nextFrame].captured : .zero
      shift = lastShift
    case ("camera", .flag(false)?, _): shift = nil
    case ("buildResult", _, let attempt?):
      queue.add(.notice(Message("resultBuilt", [Field("attempt", attempt)])), at: now + resultDelay)
    // A recording has no torch, and its rate is what it is.
    default: break
    }
  }

  /// A recording cannot be changed; `refusal(of:on:)` keeps scenarios away that would.
  mutating func change(_ change: WorldChange, at now: Instant) {
    preconditionFailure("a recording's \(change.word) cannot be changed")
  }

  func truth(from start: Instant, to end: Instant) -> [Field] {
    guard let reference else {
      return BodyTruth(beats, breaths, from: start - lastShift, to: end - lastShift).statistics
    }
    return [
      Field("heartRateBpm", reference.heartRateBpm, places: 2), Field("rmssdMs", reference.rmssdMs, places: 2),
    ].compactMap(\.self)
  }
}
