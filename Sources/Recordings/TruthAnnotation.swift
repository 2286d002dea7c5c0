import Traces
import VitalsModel

/// What an EDF+ annotation says of an entry of a trace: `beat`, `beat ectopic`, `beat non-NN` where the interval before it is
/// no NN interval, `breath`, `contact lost`, and of a change of the world `changed: phoneCall ongoing` or `changed: heartRate 120`; nil for what it does not mention.
public func annotation(of entry: TraceEntry) -> String? {
  switch entry.item {
  case .call, .reply, .notice, .sample, .capture, .reference, .timer, .event, .command: return nil
  case .stimulus(let change): return fitted(["changed: \(change.name)"] + change.fields.compactMap(\.value.plainText))
  case .truth(let truth):
    switch truth.name {
    // What is said of single frames, and of all together, has no place among events.
    case "frame", "frameFault", "frameCounts": return nil
    // That a beat is as usual goes without saying; when it was is the annotation's own time.
    case "beat":
      let kind = truth["kind"]?.text ?? "normal"
      // An ectopic beat ends no NN interval, which goes without saying as well.
      let isNN = truth["isNN"] != .flag(false) || kind == ectopicKind
      return fitted(["beat"] + (kind == "normal" ? [] : [kind]) + (isNN ? [] : [nonNN]))
    default:
      return RunTruth(truth) == nil ? fitted([truth.name] + truth.fields.compactMap(\.value.text)) : nil
    }
  }
}

/// The annotation of a breath's beginning.
let breathAnnotation = "breath"
private let ectopicKind = "ectopic"
private let nonNN = "non-NN"

extension RecordedBeat {
  /// The beat that an annotation tells, which `annotation(of:)` wrote; nil when it tells none.
  init?(annotation: String, at foot: Instant) {
    let words = annotation.split(separator: " ")
    guard words.first == "beat" else { return nil }
    isEctopic = words.contains { $0 == ectopicKind }
    isNN = !isEctopic && !words.contains { $0 == nonNN }
    self.foot = foot
  }
}

/// Words in one text, as far as they fit.
private func fitted(_ words: [String]) -> String {
  String(decoding: words.joined(separator: " ").utf8.prefix(EDFRecording.longestAnnotation), as: UTF8.self)
}

extension FieldValue {
  /// The value as a person writes it; nil for what is neither a word nor a number.
  fileprivate var plainText: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .fixed(let units, let places): Fixed.text(units: units, places: places)
    case .flag, .object: nil
    }
  }
}
