import OximeterProtocols

/// How fast each decoder reads a stream of good frames, fed in lumps of 4 KB, and as a multiple of what its device sends.
func decoderFigures() -> [Figure] {
  OximeterProtocol.allCases.flatMap { speaks in
    let stream = goodStream(of: speaks)
    var frames: [OximeterFrame] = []
    let seconds = medianSeconds(runs: 7) {
      var decoder = speaks.decoder()
      for begin in stride(from: 0, to: stream.bytes.count, by: 4_096) {
        frames.removeAll(keepingCapacity: true)
        decoder.decode(stream.bytes[begin..<min(begin + 4_096, stream.bytes.count)], into: &frames)
      }
      precondition(decoder.counts.good > stream.frames / 2, "a good stream is decoded")
    }
    let name = speaks.rawValue.split(separator: "-").enumerated()
      .map { $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst() }.joined()
    return [
      Figure(name: "\(name)DecodedMegabytesPerSecond", value: Double(stream.bytes.count) / 1e6 / seconds),
      Figure(
        name: "\(name)DecodedTimesFasterThanRealTime",
        value: Double(stream.frames) / speaks.framesPerSecond / seconds, places: 0),
    ]
  }
}

/// About two megabytes of a device with a finger in it, whose rate changes now and then.
private func goodStream(of speaks: OximeterProtocol) -> (bytes: [UInt8], frames: Int) {
  var encoder = speaks.encoder()
  var bytes: [UInt8] = []
  var frames = 0
  while bytes.count < 2_000_000 {
    let seconds = Double(frames) / speaks.framesPerSecond
    let reading = OximeterReading(pulseRateBpm: 70 + Int(seconds / 5) % 4, spo2Percent: 98, signalStrength: 5)
    let phase = (seconds * 1.2).truncatingRemainder(dividingBy: 1)
    let moment = OximeterMoment(
      pleth: 1 - phase, isBeatMarked: phase < 0.1, reading: reading, clockSeconds: Int(seconds))
    bytes += encoder.encode(moment)
    frames += 1
  }
  return (bytes, frames)
}
