/// The annotations of one record of an EDF+ file: lists of times and texts, in bytes that the format defines.
///
/// A list is an onset with its sign, perhaps 0x15 and a duration, 0x14, then texts that each end with 0x14, and a 0 byte.
struct EDFAnnotations {
  /// A text at its time.
  struct Annotation: Hashable {
    /// Seconds since the file's start.
    let onset: Double
    let text: String
  }

  /// When the record begins, in seconds since the file's start; nil: it does not say so.
  private(set) var recordOnset: Double?
  /// The texts in the order of the file.
  private(set) var annotations: [Annotation] = []

  private static let (textEnd, durationStart) = (UInt8(0x14), UInt8(0x15))

  /// Reads the bytes of a signal of annotations; lists that cannot be read are passed over.
  init(_ bytes: ArraySlice<UInt8>) {
    for (place, list) in bytes.split(separator: 0).enumerated() {
      let parts = list.split(separator: Self.textEnd, omittingEmptySubsequences: false)
      let time = parts[0].split(separator: Self.durationStart, omittingEmptySubsequences: false)[0]
      guard let onset = decimalValue(time), onset.magnitude < 1e9 else { continue }
      // The first list of a record begins with an empty text, which keeps its time.
      if place == 0, parts.dropFirst().first?.isEmpty ?? false { recordOnset = onset }
      for text in parts.dropFirst() where !text.isEmpty {
        annotations.append(Annotation(onset: onset, text: String(decoding: text, as: UTF8.self)))
      }
    }
  }
}
