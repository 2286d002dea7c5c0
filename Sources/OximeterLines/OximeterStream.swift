import OximeterProtocols
import VitalsModel

/// What comes of a device, pulled from its line: drives an `OximeterLink` and sends what that asks for.
public struct OximeterStream<Line: OximeterLine> {
  /// The line.
  public var line: Line
  private var link: OximeterLink
  private var pending: [LinkEvent] = []
  private var given = 0
  private var hasBegun = false
  /// The moment up to which everything has come.
  public private(set) var now: Instant

  /// A stream over a line that is open.
  ///
  /// - Parameters:
  ///   - line: the line, at the speed of the protocol
  ///   - speaks: what the device speaks
  ///   - setsFormat: whether a device that can speak several formats, and keeps the one it was set to, is told to use
  ///     this one
  ///   - begin: the moment on the line's clock at which it is taken over
  public init(_ line: Line, speaking speaks: OximeterProtocol, setsFormat: Bool = false, from begin: Instant = .zero) {
    self.line = line
    link = OximeterLink(speaks, setsFormat: setsFormat)
    now = begin
  }

  /// What the line speaks.
  public var speaks: OximeterProtocol { link.speaks }
  /// What became of the bytes so far.
  public var counts: DecodingCounts { link.counts }
  /// How the line is.
  public var state: LinkState { link.state }
  /// Frames in a second by the device's clock, as far as is known.
  public var framesPerSecond: Double { link.framesPerSecond }
  /// What is to be sent before the line is closed; empty for most.
  public var farewell: [UInt8] { link.farewell }

  /// The gap that is not over yet, up to now; nil while frames come, and before the first of them.
  public var openGap: LinkEvent? { link.openGap(until: now) }

  /// What comes next, strictly before `limit`; nil when nothing does. What is to be sent was sent already when it is
  /// told of.
  public mutating func next(before limit: Instant) -> (at: Instant, event: LinkEvent)? {
    if !hasBegun {
      hasBegun = true
      queue(link.begin(at: now))
    }
    while given == pending.count {
      guard now < limit, state != .ended else { return nil }
      let deadline = link.deadline.flatMap { $0 < limit ? $0 : nil }
      if let arrival = line.next(before: deadline ?? limit) {
        now = max(now, arrival.at)
        queue(link.take(LineArrival(at: now, arrival.content)))
      } else if let deadline {
        now = max(now, deadline)
        queue(link.serveDeadline(at: now))
      } else {
        now = limit
        return nil
      }
    }
    defer { given += 1 }
    return (now, pending[given])
  }

  private mutating func queue(_ events: [LinkEvent]) {
    pending = events
    given = 0
    for case .send(let bytes) in events { line.send(bytes, at: now) }
  }
}
