import Traces

/// What an EDF+ annotation says of an entry of a trace: `beat`, `breath`, `contact lost`, and of a change of the world
/// `changed: phoneCall ongoing`; nil for what it does not mention.
public func annotation(of entry: TraceEntry) -> String? {
  switch entry.item {
  case .call, .reply, .notice, .sample, .timer, .event, .command: return nil
  case .stimulus(let change): return text("changed: \(change.name)", change)
  case .truth(let truth):
    // What is said of every frame has no place among events, and neither has the harness's own.
    return truth.name == "frame" || RunTruth(truth) != nil ? nil : text(truth.name, truth)
  }
}

/// The words of a message behind its name, as far as they fit.
private func text(_ name: String, _ message: Message) -> String {
  let words = [name] + message.fields.compactMap(\.value.text)
  return String(decoding: words.joined(separator: " ").utf8.prefix(EDFRecording.longestAnnotation), as: UTF8.self)
}
