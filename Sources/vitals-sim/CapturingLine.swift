import OximeterLines
import VitalsModel

/// A line that keeps the bytes that come over it.
struct CapturingLine<Line: OximeterLine>: OximeterLine {
  /// The line itself.
  private(set) var line: Line
  private var captures: [(at: Instant, bytes: [UInt8])] = []

  init(_ line: Line) { self.line = line }

  mutating func next(before limit: Instant) -> LineArrival? {
    let arrival = line.next(before: limit)
    if case .bytes(let bytes)? = arrival?.content, let at = arrival?.at { captures.append((at, bytes)) }
    return arrival
  }

  mutating func send(_ bytes: [UInt8], at now: Instant) { line.send(bytes, at: now) }

  /// Takes away what came since this was asked last.
  mutating func takeCaptures() -> [(at: Instant, bytes: [UInt8])] {
    defer { captures.removeAll(keepingCapacity: true) }
    return captures
  }
}
