import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import VitalsModel

/// What came of a device that was played, and what a decoder makes of it.
struct Played {
  var arrivals: [LineArrival] = []
  var bytes: [UInt8] = []
  /// When the lump came that each byte was in.
  var times: [Instant] = []
  var frames: [(at: Instant, frame: OximeterFrame)] = []
  var counts = DecodingCounts()

  /// The readings with the moments at which they came.
  var readings: [(at: Instant, reading: OximeterReading)] {
    frames.compactMap { frame in frame.frame.reading.map { (frame.at, $0) } }
  }

  /// The last reading before a moment.
  func reading(before seconds: Double) -> OximeterReading? { readings.last { $0.at < at(seconds) }?.reading }

  /// Whether bytes came in a stretch of time.
  func hasBytes(_ from: Double, _ to: Double) -> Bool { times.contains { at(from) <= $0 && $0 < at(to) } }
}

/// Plays a device for so many seconds; the host sends its lines of bytes at their times.
func play<Tip: Fingertip>(
  _ device: OximeterProtocol, _ oximeter: inout VirtualOximeter<Tip>, seconds: Double,
  sending: [(seconds: Double, bytes: [UInt8])] = []
) -> Played {
  var played = Played()
  var decoder = device.decoder()
  func take(until limit: Instant) {
    while let arrival = oximeter.next(before: limit) {
      played.arrivals.append(arrival)
      guard case .bytes(let bytes) = arrival.content else {
        decoder.finish()
        continue
      }
      played.bytes += bytes
      played.times += bytes.map { _ in arrival.at }
      for frame in decoder.decode(bytes) { played.frames.append((arrival.at, frame)) }
    }
  }
  for sent in sending {
    take(until: at(sent.seconds))
    oximeter.send(sent.bytes, at: at(sent.seconds))
  }
  take(until: at(seconds))
  decoder.finish()
  played.counts = decoder.counts
  return played
}

/// Plays a device that sees a finger.
func play(
  _ device: OximeterProtocol, _ tip: SyntheticFingertip = SyntheticFingertip(), seconds: Double,
  settings: OximeterSettings = OximeterSettings(), faults: [OximeterFault] = [], seed: UInt64 = 1,
  sending: [(seconds: Double, bytes: [UInt8])] = []
) -> Played {
  var oximeter = VirtualOximeter(device, tip: tip, settings: settings, faults: faults, seed: seed)
  return play(device, &oximeter, seconds: seconds, sending: sending)
}
