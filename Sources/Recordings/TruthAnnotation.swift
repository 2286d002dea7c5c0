import Traces

/// What an EDF+ annotation says of an entry of a trace: `beat`, `breath`, `contact lost`; nil for what it does not
/// mention.
///
/// - Parameters:
///   - entry: a truth; anything else is not mentioned
public func annotation(of entry: TraceEntry) -> String? {
  guard case .truth(let truth) = entry.item else { return nil }
  if let harness = RunTruth(truth) {
    switch harness {
    case .end, .exhausted, .realised, .unreached: return nil
    }
  }
  let words = [truth.name] + truth.fields.compactMap(\.value.text)
  return String(words.joined(separator: " ").prefix(EDFRecording.longestAnnotation))
}
