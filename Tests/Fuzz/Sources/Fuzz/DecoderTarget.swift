import OximeterProtocols
import VitalsModel

extension FuzzTarget {
  /// A decoder gives the same for every cut of a stream, accounts for each byte, holds few of them back, gives nothing
  /// that cannot be, and begins anew after `finish`.
  static func decoder(_ device: OximeterProtocol) -> FuzzTarget {
    FuzzTarget(name: device.rawValue) { input in
      var input = input
      let cuts = UInt64(input.byte())
      let stream = FuzzStream(of: device, &input).bytes
      DecoderProperties(device: device, stream: stream).check(cuts: SeededGenerator(seed: cuts, stream: "cuts"))
    } seeds: {
      FuzzStream.seeds(of: device).map { [7] + $0 }
    }
  }
}

private struct DecoderProperties {
  /// More than any frame, or what is held until three of them agree.
  private static let mostHeld = 2_048

  let device: OximeterProtocol
  let stream: [UInt8]

  func check(cuts: SeededGenerator) {
    var cuts = cuts
    var whole = device.decoder()
    var frames: [OximeterFrame] = []
    whole.decode(stream, into: &frames)
    whole.finish()
    let counts = whole.counts
    checkFrames(frames, counts)

    var cut = device.decoder()
    var cutFrames: [OximeterFrame] = []
    var fed = 0
    var given = 0
    var accounted = 0
    for piece in cuts.pieces(of: stream) {
      cut.decode(piece, into: &cutFrames)
      fed += piece.count
      while given < cutFrames.count {
        accounted += length(cutFrames[given])
        given += 1
      }
      let held = fed - accounted - cut.counts.skipped
      require((0...Self.mostHeld).contains(held), "\(held) bytes are held back")
    }
    cut.finish()
    require(cutFrames == frames && cut.counts == counts, "cuts matter")
    if cuts.next() & 3 == 0 { checkAgain(whole, frames) }
  }

  /// A stream that follows on another is decoded as if there had been none.
  private func checkAgain(_ used: any OximeterDecoder, _ frames: [OximeterFrame]) {
    var whole = used
    let skipped = used.counts.skipped
    var again: [OximeterFrame] = []
    whole.decode(stream, into: &again)
    whole.finish()
    for index in again.indices { again[index].end -= stream.count }
    require(again == frames, "what came before finish matters")
    require(whole.counts.skipped == 2 * skipped, "the second time other bytes are skipped")
  }

  private func checkFrames(_ frames: [OximeterFrame], _ counts: DecodingCounts) {
    let given = frames.reduce(0) { $0 + length($1) }
    require(
      (stream.count - blanks...stream.count).contains(given + counts.skipped),
      "\(given) bytes are given, \(counts.skipped) skipped, of \(stream.count)")
    require(counts.good == frames.count, "wrong count")
    var last = 0
    for frame in frames {
      require(frame.end > last && frame.end <= stream.count, "places out of order")
      last = frame.end
      if let pleth = frame.pleth { require((0...(device.largestPleth ?? -1)).contains(pleth), "no such pleth") }
      if let reading = frame.reading { checkReading(reading) }
    }
  }

  private func checkReading(_ reading: OximeterReading) {
    if let rate = reading.pulseRateBpm { require((1...511).contains(rate), "no such pulse rate") }
    if let spo2 = reading.spo2Percent { require((0...100).contains(spo2), "no such SpO2") }
    if let strength = reading.signalStrength { require((0...8).contains(strength), "no such strength") }
    if let index = reading.perfusionIndexHundredths { require((0...10_000).contains(index), "no such index") }
  }

  /// How many bytes of the stream a frame has.
  private func length(_ frame: OximeterFrame) -> Int {
    switch device {
    case .contecV5, .bci: 5
    case .noninDF2, .noninDF7:
      switch frame.answer {
      case .acknowledged: 1
      case .packet(_, let payload): payload.count + 4
      default: 5
      }
    case .noninDF8: 4
    case .contecV7: frame.end - (stream[..<frame.end].lastIndex { $0 < 0x80 } ?? 0)
    case .noninASCII, .masimoASCII, .nellcorASCII:
      frame.end - (stream[..<(frame.end - 1)].lastIndex { !(0x20...0x7e).contains($0) }.map { $0 + 1 } ?? 0)
    }
  }

  /// Bytes between lines of text, of which a few belong to the next line and many are skipped.
  private var blanks: Int {
    switch device {
    case .contecV5, .contecV7, .bci, .noninDF2, .noninDF7, .noninDF8: 0
    case .noninASCII, .masimoASCII, .nellcorASCII: stream.count { [0x0a, 0x0d, 0x20].contains($0) }
    }
  }
}
