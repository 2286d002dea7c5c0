/// Where two runs part.
public struct TraceDifference: Hashable, Sendable, CustomStringConvertible {
  /// The index of the first entry that differs, in both traces.
  public let index: Int
  /// The left trace's entry there; nil when it has ended.
  public let left: TraceEntry?
  /// The right trace's entry there; nil when it has ended.
  public let right: TraceEntry?
  /// Up to three entries before it, which both traces share.
  public let context: [TraceEntry]

  /// The shared lines, then the left line behind `-` and the right line behind `+`, each ended by a newline.
  public var description: String {
    var text = ""
    for entry in context { text += "  \(TraceText.line(entry))\n" }
    text += "- \(left.map(TraceText.line) ?? "(the trace ends)")\n"
    text += "+ \(right.map(TraceText.line) ?? "(the trace ends)")\n"
    return text
  }
}

/// The first entry in which two traces differ; nil when they are equal.
public func firstDifference(_ left: [TraceEntry], _ right: [TraceEntry]) -> TraceDifference? {
  var index = 0
  while index < left.count, index < right.count, left[index] == right[index] { index += 1 }
  if index == left.count, index == right.count { return nil }
  return TraceDifference(
    index: index,
    left: index < left.count ? left[index] : nil,
    right: index < right.count ? right[index] : nil,
    context: Array(left[..<index].suffix(3)))
}
