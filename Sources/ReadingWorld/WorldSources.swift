import OximeterProtocols
import PulseSynthesis
import Scenarios

/// What may be before a vitals reading; the first is the standard.
public let readingSources: [SourceWord] =
  [SourceWord("finger", about: "A fingertip lit by the torch.")]
  + Nothing.allCases.map { SourceWord(nothingPrefix + $0.rawValue, about: "No pulse: \($0.about).") }
  + OximeterProtocol.allCases.map(source)

/// What the names of sources without a pulse begin with.
let nothingPrefix = "nothing/"
/// What the names of oximeters begin with.
private let oximeterPrefix = "oximeter:"

private func source(_ speaks: OximeterProtocol) -> SourceWord {
  let name = oximeterPrefix + speaks.rawValue
  if let refusal = refusal(ofSource: speaks) { return SourceWord(name, refusal: refusal) }
  return SourceWord(
    name, about: "A pulse oximeter with the fingertip in it, whose pleth is the light.", words: ["oximeter"],
    lack: SourceWord.Lack(of: phoneKeys, reason: "an oximeter has neither camera nor torch"))
}

/// Why an oximeter cannot be before a reading; nil when it can.
public func refusal(ofSource speaks: OximeterProtocol) -> String? {
  speaks.hasPleth ? nil : "\(speaks.rawValue) sends no pleth, so that it can only be a reference and not a source"
}

/// What is said of a phone's camera, its torch and the light of the room.
public let phoneKeys: [String] =
  ["camera", "torch", "frames", "room", "power", "thermal"]
  + (readingSections.first { $0.name == "camera" }?.fields.filter(\.isChangeable).map(\.name) ?? [])

extension OximeterProtocol {
  /// What a scenario names as its source; nil for anything but an oximeter.
  public init?(source: String?) {
    guard let source, source.hasPrefix(oximeterPrefix) else { return nil }
    self.init(rawValue: String(source.dropFirst(oximeterPrefix.count)))
  }
}
