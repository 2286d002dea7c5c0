import OximeterLines
import VitalsModel

/// A line whose bytes are kept until somebody takes them.
public struct TappedLine<Line: OximeterLine>: OximeterLine {
  /// The line itself.
  public var line: Line
  private let isTapped: Bool
  private var bytes: [(at: Instant, bytes: [UInt8])] = []

  /// A line over another one.
  ///
  /// - Parameter isTapped: whether anything is kept
  public init(_ line: Line, isTapped: Bool) {
    self.line = line
    self.isTapped = isTapped
  }

  /// What comes next, as `OximeterLine` has it.
  public mutating func next(before limit: Instant) -> LineArrival? {
    let arrival = line.next(before: limit)
    if isTapped, let arrival, case .bytes(let bytes) = arrival.content { self.bytes.append((arrival.at, bytes)) }
    return arrival
  }

  /// Sends bytes to the device.
  public mutating func send(_ bytes: [UInt8], at now: Instant) { line.send(bytes, at: now) }

  /// What came since this was asked last.
  mutating func takeBytes() -> [(at: Instant, bytes: [UInt8])] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
