import Testing
import VitalsModel

@testable import OximeterProtocols

/// Holds a decoder of lines against what is demanded of all, with a measure of its own for noise: a digit that is
/// garbled by less than a value may change from line to line cannot be seen.
struct TextLineVerifier {
  let oximeter: OximeterProtocol
  let steps: LineConfirmation.Steps

  /// All demands on lines that the encoder makes.
  func verifyEncoded(sourceLocation: SourceLocation = #_sourceLocation) {
    let verifier = DecoderVerifier(oximeter, length: Self.length)
    let stream = DeviceStream.encoded(oximeter, frames: 200)
    verifier.verifyCuts(stream, sourceLocation: sourceLocation)
    verifier.verifyNothingOfGarbage(sourceLocation: sourceLocation)
    for other in OximeterProtocol.allCases where other != oximeter {
      verifier.verifyNothing(
        in: DeviceStream.encoded(other, frames: 200), "lines or frames of \(other)", sourceLocation: sourceLocation)
    }
    for seed in UInt64(0)..<12 { verifyNoise(stream, seed: seed, sourceLocation) }
    verifyShuffled(stream, sourceLocation)
  }

  /// From the byte after the one that ended the line before, and blank lines with it.
  static let length: @Sendable (OximeterFrame, [UInt8]) -> Int = { frame, stream in
    func isEnd(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
    var start = stream[..<(frame.end - 1)].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
    let before = stream[..<start].lastIndex { !isEnd($0) && $0 != 0x20 }.map { $0 + 1 } ?? 0
    let isAfterText = before > 0 && (0x20...0x7e).contains(stream[before - 1])
    if start > 0 { start = isAfterText ? (stream[before...].firstIndex(where: isEnd) ?? before) + 1 : before }
    return frame.end - start
  }

  /// Noise of every kind, where values hold still, takes no line but those that it touched and the two that follow, and
  /// makes no number that is not near one of the clean lines.
  private func verifyNoise(_ stream: [UInt8], seed: UInt64, _ sourceLocation: SourceLocation) {
    var random = SeededGenerator(seed: seed, stream: "noise in lines")
    var decoder = oximeter.decoder()
    let clean = decoder.decode(stream)
    var noisy = NoisyStream()
    var reach: [Int] = []
    var next = Int.random(in: 0...14, using: &random)
    var start = 0
    for (index, frame) in clean.enumerated() {
      if index >= next, isSteady(clean, around: index) {
        noisy.add(stream[start..<frame.end], damagedBy: .random(using: &random), using: &random)
        reach += [index, index + 1, index + 2]
        next = index + Int.random(in: 8...20, using: &random)
      } else {
        noisy.add(stream[start..<frame.end])
      }
      start = frame.end
    }
    decoder = oximeter.decoder()
    let given = decoder.decode(noisy.bytes)
    #expect(reach.isEmpty == false, sourceLocation: sourceLocation)

    let cleanReadings = Set(clean.compactMap(\.reading))
    let invented = given.compactMap(\.reading).filter { reading in
      reading.hasValue && !cleanReadings.contains { isNear($0, reading) }
    }
    #expect(invented == [], "invented, seed \(seed)", sourceLocation: sourceLocation)
    let readings = Dictionary(given.map { ($0.end, $0.reading) }) { first, _ in first }
    let lost = clean.indices.filter { !reach.contains($0) && readings[noisy.frames[$0].end] != clean[$0].reading }
    // The last lines may lack what confirms them.
    #expect(lost.filter { $0 < clean.count - 3 } == [], "lost, seed \(seed)", sourceLocation: sourceLocation)
  }

  /// Whether the readings around a frame all say the same.
  private func isSteady(_ frames: [OximeterFrame], around index: Int) -> Bool {
    let readings = frames[max(index - 8, 0)..<min(index + 8, frames.count)].compactMap(\.reading)
    return readings.allSatisfy { $0 == readings.first }
  }

  /// Lines that are cut and put together at random give no number that is not near a true one.
  private func verifyShuffled(_ stream: [UInt8], _ sourceLocation: SourceLocation) {
    var random = SeededGenerator(seed: 0, stream: "shuffled lines")
    var decoder = oximeter.decoder()
    let clean = Set(decoder.decode(stream).compactMap(\.reading))
    let shuffled = stream.pieces(of: 23).shuffled(using: &random).flatMap(Array.init)
    decoder = oximeter.decoder()
    let invented = decoder.decode(shuffled).compactMap(\.reading).filter { reading in
      reading.hasValue && !clean.contains { isNear($0, reading) }
    }
    #expect(invented == [], "shuffled", sourceLocation: sourceLocation)
  }

  private func isNear(_ one: OximeterReading, _ other: OximeterReading) -> Bool {
    func isNear(_ one: Int?, _ other: Int?, _ step: Int) -> Bool {
      guard let one, let other else { return one == other }
      return abs(one - other) <= step
    }
    return isNear(one.pulseRateBpm, other.pulseRateBpm, steps.pulseRateBpm)
      && isNear(one.spo2Percent, other.spo2Percent, steps.spo2Percent)
  }
}

/// What becomes of one line.
enum LineOutcome: Equatable {
  case reading(OximeterReading)
  /// It is known, and says nothing of now.
  case known(DeviceAnswer? = nil)
  case refused
}

extension LineOutcome {
  static func values(
    _ pulseRate: Int?, _ spo2: Int?, perfusionHundredths: Int? = nil, _ flags: OximeterFlags = [], stale: Bool = false
  ) -> LineOutcome {
    .reading(
      OximeterReading(
        pulseRateBpm: pulseRate, spo2Percent: spo2, perfusionIndexHundredths: perfusionHundredths, flags: flags,
        isStale: stale))
  }

  /// What a grammar says of a line.
  init(_ meaning: LineMeaning?) {
    switch meaning {
    case .reading(let reading, _): self = .reading(reading)
    case .known(let answer): self = .known(answer)
    case nil: self = .refused
    }
  }
}

/// Holds one line against what it says, for a grammar at the beginning of a stream.
func check<Grammar: LineGrammar>(
  _: Grammar.Type, _ line: String, _ expected: LineOutcome, sourceLocation: SourceLocation = #_sourceLocation
) {
  var grammar = Grammar()
  #expect(LineOutcome(grammar.meaning(of: Array(line.utf8))) == expected, "\(line)", sourceLocation: sourceLocation)
}
