import OximeterLines
import VitalsModel

/// A line that keeps the bytes that come over it.
public struct CapturingLine<Line: OximeterLine>: OximeterLine {
  /// The line itself.
  public var line: Line
  private let keeps: Bool
  private var captures: [(at: Instant, bytes: [UInt8])] = []

  /// A line over another one.
  ///
  /// - Parameter keeps: whether anything is kept
  public init(_ line: Line, keeps: Bool = true) {
    self.line = line
    self.keeps = keeps
  }

  /// What comes next, as `OximeterLine` has it.
  public mutating func next(before limit: Instant) -> LineArrival? {
    let arrival = line.next(before: limit)
    if keeps, let arrival, case .bytes(let bytes) = arrival.content { captures.append((arrival.at, bytes)) }
    return arrival
  }

  /// Sends bytes to the device.
  public mutating func send(_ bytes: [UInt8], at now: Instant) { line.send(bytes, at: now) }

  /// Takes away what came since this was asked last.
  public mutating func takeCaptures() -> [(at: Instant, bytes: [UInt8])] {
    defer { captures.removeAll(keepingCapacity: true) }
    return captures
  }
}
