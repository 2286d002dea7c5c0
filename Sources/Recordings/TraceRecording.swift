import Traces
import VitalsModel

/// The frames that a session was fed in a recorded run, or that were generated, with the beats and breaths behind them
/// where the trace tells them, and without anything else of it: no calls, no faults.
///
/// - Parameters:
///   - entries: a trace that keeps its samples, each with the three colours
/// - Throws: when there is no frame in it, or a colour is not within 0...255.
public func readRecording(trace entries: [TraceEntry]) throws(RecordingError) -> Recording {
  var frames: [FrameSample] = []
  var first: Instant?
  for entry in entries {
    guard case .sample(let captured, let values) = entry.item else { continue }
    guard values.count == FrameSample.channels.count, values.allSatisfy((0...255).contains) else {
      throw RecordingError("the frame of \(Fixed.text(captured.seconds, places: 3)) s is not three colours of 0 to 255")
    }
    let begin = first ?? captured
    first = begin
    let sinceBegin = captured - begin
    guard sinceBegin <= Recording.longest, -sinceBegin <= Recording.longest else {
      throw RecordingError("its frames span more than 7 days")
    }
    frames.append(FrameSample(captured: .zero + sinceBegin, values: values))
  }
  guard !frames.isEmpty else {
    throw RecordingError("there are no frames in it; a trace keeps them when it is written by run --trace")
  }
  let begin = first ?? .zero
  var beats: [RecordedBeat] = []
  var breaths: [Instant] = []
  for entry in entries {
    guard case .truth(let message) = entry.item else { continue }
    if let beat = RecordedBeat(message) { beats.append(beat.counted(from: begin)) }
    if let start = message.breathStart { breaths.append(.zero + (start - begin)) }
  }
  beats.sort { $0.foot < $1.foot }
  let notes = beats.isEmpty ? "the frames of a recorded run" : "the frames and the beats of a recording"
  return Recording(frames: frames, notes: [notes], beats: beats, breaths: breaths.sorted())
}
