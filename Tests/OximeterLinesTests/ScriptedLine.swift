import OximeterProtocols
import VitalsModel

@testable import OximeterLines

/// A line that delivers what was written down, whatever it is sent.
struct ScriptedLine: OximeterLine {
  /// What was sent over a line, and when.
  struct Sent: Hashable {
    let at: Instant
    let bytes: [UInt8]
  }

  private var arrivals: ArraySlice<LineArrival>
  private(set) var sent: [Sent] = []

  init(_ arrivals: [LineArrival]) { self.arrivals = arrivals[...] }

  mutating func next(before limit: Instant) -> LineArrival? {
    guard let first = arrivals.first, first.at < limit else { return nil }
    return arrivals.removeFirst()
  }

  mutating func send(_ bytes: [UInt8], at now: Instant) { sent.append(Sent(at: now, bytes: bytes)) }
}

/// A stream of a device.
struct DeviceStream {
  /// What the device sees.
  enum Finger: Hashable, CaseIterable {
    case steady, racing, out, searching
    /// It is out, and comes after so many seconds.
    case comes(Double)

    static let allCases = [steady, racing, out, searching]
  }

  let speaks: OximeterProtocol
  /// The bytes of each frame.
  let frames: [[UInt8]]
  let begin: Double

  /// What a device that speaks a protocol sends from a moment on, in seconds.
  init(_ speaks: OximeterProtocol, seconds: Double, from begin: Double = 0, _ finger: Finger = .steady) {
    self.speaks = speaks
    self.begin = begin
    var encoder = speaks.encoder()
    frames = (0..<Int((seconds * speaks.framesPerSecond).rounded())).map { index in
      let time = Double(index) / speaks.framesPerSecond
      let phase = (time * 1.2).truncatingRemainder(dividingBy: 1)
      return encoder.encode(
        OximeterMoment(
          pleth: finger == .out ? 0 : 0.5 + 0.4 * Maths.cos(6.283 * phase),
          isBeatMarked: phase < 0.05 && finger != .out, reading: Self.reading(finger, at: time),
          clockSeconds: 800_000_000 + Int(begin + time)))
    }
  }

  private static func reading(_ finger: Finger, at time: Double) -> OximeterReading {
    let rate = 72 + Int(time / 6) % 3
    let spo2 = 97 + Int(time / 4) % 2
    return switch finger {
    case .comes(let moment): Self.reading(time < moment ? .out : .steady, at: time)
    case .steady: OximeterReading(pulseRateBpm: rate, spo2Percent: spo2, signalStrength: 6)
    case .racing: OximeterReading(pulseRateBpm: rate + 128, spo2Percent: spo2, signalStrength: 3)
    case .out: OximeterReading(signalStrength: 0, flags: .fingerOut)
    case .searching: OximeterReading(signalStrength: 2, flags: .searching)
    }
  }

  /// When a frame is sent, in seconds.
  func time(of index: Int) -> Double { begin + Double(index) / speaks.framesPerSecond }

  /// Arrivals of frame by frame.
  var arrivals: [LineArrival] { lumps(every: 0) }

  /// Arrivals by a timer that ticks with this period in seconds; without one as they are sent.
  func lumps(every tick: Double) -> [LineArrival] {
    var arrivals: [LineArrival] = []
    var at = Instant.zero
    var lump: [UInt8] = []
    for (index, frame) in frames.enumerated() where !frame.isEmpty {
      let sent = time(of: index)
      let delivered = tick > 0 ? (sent / tick).rounded(.up) * tick : sent
      let comes = Instant(microseconds: Int64((delivered * 1e6).rounded(.up)))
      if comes > at, !lump.isEmpty {
        arrivals.append(LineArrival(at: at, .bytes(lump)))
        lump = []
      }
      at = comes
      lump += frame
    }
    if !lump.isEmpty { arrivals.append(LineArrival(at: at, .bytes(lump))) }
    return arrivals
  }
}

extension [LineArrival] {
  /// The same with their bytes cut into pieces of one to `most`, a tenth of a millisecond apart.
  func cut(intoAtMost most: Int, seed: UInt64) -> [LineArrival] {
    var generator = SeededGenerator(seed: seed, stream: "cuts")
    return flatMap { arrival -> [LineArrival] in
      guard case .bytes(var bytes) = arrival.content else { return [arrival] }
      var pieces: [LineArrival] = []
      var at = arrival.at
      while !bytes.isEmpty {
        let count = Swift.min(bytes.count, Int.random(in: 1...most, using: &generator))
        pieces.append(LineArrival(at: at, .bytes([UInt8](bytes.prefix(count)))))
        bytes.removeFirst(count)
        at = at + TimeSpan(microseconds: 100)
      }
      return pieces
    }.sorted { $0.at < $1.at }
  }

  /// The same with random bytes between, of which `runs` in a hundred arrivals are followed.
  func withGarbage(runs: Int, seed: UInt64) -> [LineArrival] {
    var generator = SeededGenerator(seed: seed, stream: "garbage")
    return flatMap { arrival -> [LineArrival] in
      guard Int.random(in: 0..<100, using: &generator) < runs else { return [arrival] }
      let noise = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      return [arrival, LineArrival(at: arrival.at, .bytes(noise))]
    }
  }

  /// Those before a moment, in seconds, and those from another on.
  func without(_ from: Double, _ to: Double) -> [LineArrival] {
    filter { $0.at.seconds < from || $0.at.seconds >= to }
  }
}

/// The events of everything that comes before a moment, in seconds.
func events(
  of line: ScriptedLine, speaking speaks: OximeterProtocol, until end: Double, setsFormat: Bool = false
) -> [(at: Instant, event: LinkEvent)] {
  var stream = OximeterStream(line, speaking: speaks, setsFormat: setsFormat)
  var events: [(at: Instant, event: LinkEvent)] = []
  while let next = stream.next(before: Instant(microseconds: Int64(end * 1e6))) { events.append(next) }
  return events
}
