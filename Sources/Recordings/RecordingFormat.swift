/// How a recording is written.
public enum RecordingFormat: String, CaseIterable, Sendable {
  /// A table: a line of column names, then a frame a line.
  case csv
  /// A trace, JSON Lines: frames and truths.
  case jsonl
  /// EDF+, on a regular grid of samples, with the truths as annotations.
  case edf

  /// The format that a file's name asks for by its ending, in whichever letters; nil where it asks for none.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: "."), !fileName[dot...].contains("/") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
  }
}
