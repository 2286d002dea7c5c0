/// Lines on their way to a destination, which only ever gets whole ones: whoever ends the program leaves no half line.
struct LineOutput {
  /// The line that is being made, behind those that wait.
  var line: [UInt8] = []
  /// How far the lines before it reach.
  private var whole = 0
  private let destination: Destination
  private let mostBytes: Int

  /// A stream takes as much as a pipe takes at once or not at all (PIPE_BUF, 4096 on Linux).
  private static let mostBytesAtOnce = (stream: 4_096, file: 1 << 16)

  init(_ destination: Destination) {
    self.destination = destination
    mostBytes = destination.unfinishedPath == nil ? Self.mostBytesAtOnce.stream : Self.mostBytesAtOnce.file
    line.reserveCapacity(2 * mostBytes)
  }

  /// Ends a line, which holds its newline.
  mutating func endLine() throws(Refusal) {
    if line.count > mostBytes, whole > 0 {
      try destination.append(line[..<whole])
      line.removeSubrange(..<whole)
    }
    whole = line.count
  }

  /// Writes what waits, and puts the document in its place.
  mutating func finish() throws(Refusal) {
    try endLine()
    try destination.append(line[...])
    line = []
    try destination.finish()
  }
}
