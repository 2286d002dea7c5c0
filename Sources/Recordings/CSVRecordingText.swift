import VitalsModel

/// The text of a recording as a table: a line of column names, then a frame a line, in the order of delivery.
///
/// `time_ms` is the frame's own time stamp in milliseconds, with three decimals. The colours are means of 0...255, with
/// as many decimals as it takes to read back the same number.
public enum CSVRecordingText {
  /// Appends the line of column names.
  public static func appendHeader(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "time_ms,red,green,blue\n".utf8)
  }

  /// Appends the line of a frame.
  public static func append(_ frame: FrameSample, to bytes: inout [UInt8]) {
    Fixed.append(units: frame.captured.microseconds, places: 3, to: &bytes)
    append(mean: frame.red, to: &bytes)
    append(mean: frame.green, to: &bytes)
    append(mean: frame.blue, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A comma and a mean. Five decimals hold one over 1,000 or 4,000 pixels; where they do not give the number back, more
  /// of them do, or its shortest text.
  private static func append(mean: Double, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: ","))
    if append(mean, places: 5, scale: 100_000, to: &bytes) { return }
    if append(mean, places: 9, scale: 1_000_000_000, to: &bytes) { return }
    bytes.append(contentsOf: mean.description.utf8)
  }

  /// Whether so many decimals are enough; if they are, they are appended. The quotient is rounded only once, as a
  /// reader rounds the text.
  private static func append(_ mean: Double, places: Int, scale: Double, to bytes: inout [UInt8]) -> Bool {
    let units = Int64(mean * scale + 0.5)
    guard Double(units) / scale == mean else { return false }
    Fixed.append(units: units, places: places, to: &bytes)
    return true
  }
}
