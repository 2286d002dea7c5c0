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

/// The pleth that an oximeter sent, as the light of a finger: a pleth rises with the blood, and light falls.
///
/// - Parameters:
///   - entries: a trace of which each sample is one value of the pleth
///   - largest: the largest value that the device can send
/// - Throws: when there is no value in it, or one is not within 0...`largest`.
public func readRecording(pleth entries: [TraceEntry], largest: Int) throws(RecordingError) -> Recording {
  guard largest > 0 else { throw RecordingError("its header says that the largest value of the pleth is \(largest)") }
  var frames: [FrameSample] = []
  var first: Instant?
  for entry in entries {
    guard case .sample(let captured, let values) = entry.item else { continue }
    let begin = first ?? captured
    first = begin
    guard values.count == 1, (0...Double(largest)).contains(values[0]), captured >= begin,
      captured - begin <= Recording.longest
    else {
      throw RecordingError(
        "the pleth at \(Fixed.text(captured.seconds, places: 3)) s is not one value of 0 to \(largest)")
    }
    // As faint as a fingertip on a camera: a deeper wave is taken for the light of something that moves.
    let light = 200 - 8 * values[0] / Double(largest)
    frames.append(FrameSample(captured: .zero + (captured - begin), red: light, green: 0, blue: 0))
  }
  guard !frames.isEmpty else { throw RecordingError("there is no pleth in it: its device sends none, or none came") }
  return Recording(
    frames: frames, colours: .pleth, notes: ["the device has scaled and filtered the pleth as it does always"])
}
