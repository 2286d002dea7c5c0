import ReadingSimulation
import Recordings
import Traces
import VitalsModel

/// EDF+, written by a library into the unfinished file.
///
/// Frames and annotations are on the phone's clock, which shows 0 when the recording begins.
struct EDFWriter: RecordingWriter {
  private let destination: Destination
  private let file: EDFRecording
  private let clock: RecordingClock

  init(_ destination: Destination, take: Take, content: EDFContent) throws(Refusal) {
    self.destination = destination
    clock = take.clock
    file = try Self.reporting(destination) { () throws(EDFFault) in
      try EDFRecording(
        path: destination.unfinishedPath ?? "", timing: take.edfTiming, length: take.length, content: content,
        equipment: VitalsSim.version)
    }
  }

  mutating func write(_ item: SyntheticRecorder.Item) throws(Refusal) {
    try Self.reporting(destination) { () throws(EDFFault) in
      switch item {
      case .frame(let frame, _): try file.add(clock.elapsed(frame))
      case .entry(let entry):
        if let text = annotation(of: entry) { try file.annotate(text, at: clock.elapsed(atTrue: entry.at)) }
      }
    }
  }

  mutating func finish() throws(Refusal) {
    try Self.reporting(destination) { () throws(EDFFault) in try file.finish() }
    try destination.finish()
  }

  private static func reporting<Value>(
    _ destination: Destination, _ work: () throws(EDFFault) -> Value
  ) throws(Refusal) -> Value {
    do throws(EDFFault) {
      return try work()
    } catch {
      destination.abandon()
      switch error {
      case .opening, .writing: throw Refusal(blocked: "cannot write \(destination.path): is the disk full?")
      case .tooManyAnnotations(let places):
        throw Refusal(
          request: "EDF+ has places for \(places) beats and other truths in this time, and there are more",
          hint: "write csv or jsonl, with --truth, or set camera.frameRate to whole frames per second")
      }
    }
  }
}

extension EDFContent {
  /// Counts an item in as it will be written.
  mutating func add(_ item: SyntheticRecorder.Item, clock: RecordingClock) {
    switch item {
    case .frame(let frame, _): add(clock.elapsed(frame))
    case .entry(let entry):
      if annotation(of: entry) != nil { addAnnotation(at: clock.elapsed(atTrue: entry.at)) }
    }
  }
}

extension Take {
  /// The regular samples of its EDF+ file.
  var edfTiming: EDFTiming { EDFTiming(frameRateFps: frameRateFps) }
}

extension RecordingClock {
  /// How long the recording has gone on by the phone's clock at a true moment.
  fileprivate func elapsed(atTrue moment: Instant) -> Instant { elapsed(at: stamp(at: moment)) }

  /// The frame with the time since the recording began in the place of its stamp.
  fileprivate func elapsed(_ frame: FrameSample) -> FrameSample {
    FrameSample(captured: elapsed(at: frame.captured), red: frame.red, green: frame.green, blue: frame.blue)
  }
}
