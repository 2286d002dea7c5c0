import Testing
import VitalsModel

@testable import OximeterProtocols

/// Holds a decoder against what is demanded of all: that the cuts of a stream change nothing, that noise loses no more
/// than the frames that it touched and the two that follow, and that nothing is ever made of noise.
struct DecoderVerifier {
  let oximeter: OximeterProtocol
  /// How many bytes before its `end` a frame begins, in the stream that it was found in.
  let length: @Sendable (OximeterFrame, [UInt8]) -> Int
  /// How many frames noise may take the reading from, with those that it touched: readings are put together of that
  /// many.
  let framesOfReading: Int
  /// The most bytes that may be held back.
  let mostHeld: Int

  init(
    _ oximeter: OximeterProtocol, framesOfReading: Int? = nil, mostHeld: Int = 2_048,
    length: (@Sendable (OximeterFrame, [UInt8]) -> Int)? = nil
  ) {
    self.oximeter = oximeter
    self.framesOfReading = framesOfReading ?? (oximeter == .noninDF2 || oximeter == .noninDF7 ? 52 : 0)
    self.mostHeld = mostHeld
    self.length = length ?? oximeter.frameLength
  }

  /// All demands on one clean stream: the bytes of a device from its first frame on, at least thirty frames, of which
  /// all are given and each value stays for at least four frames.
  func verify(_ stream: [UInt8], seeds: Range<UInt64> = 0..<6, sourceLocation: SourceLocation = #_sourceLocation) {
    verifyCuts(stream, sourceLocation: sourceLocation)
    for seed in seeds {
      verifySparseNoise(stream, seed: seed, sourceLocation: sourceLocation)
      verifyDenseNoise(stream, seed: seed, sourceLocation: sourceLocation)
    }
  }

  /// Fed whole, byte by byte, cut at every index and cut at random, a stream gives the same.
  func verifyCuts(_ stream: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let whole = run([stream[...]], sourceLocation)
    #expect(whole.frames.isEmpty == false, "nothing was given", sourceLocation: sourceLocation)
    let single = run(stream.indices.map { stream[$0...$0] }, sourceLocation)
    #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
    var random = SeededGenerator(seed: 1, stream: "cuts")
    var pieces: [ArraySlice<UInt8>] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...40, using: &random))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    #expect(run(pieces, sourceLocation) == whole, "cut at random", sourceLocation: sourceLocation)

    let start = stream.prefix(500)
    let wholeStart = run([start], sourceLocation)
    let odd = start.indices.filter { run([start[..<$0], start[$0...]], sourceLocation) != wholeStart }
    #expect(odd == [], "cut in two at these places", sourceLocation: sourceLocation)
  }

  /// Bytes that are no stream of this protocol give nothing, and are counted.
  func verifyNothing(in bytes: [UInt8], _ what: Comment = "noise", sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(run(bytes.pieces(of: 4_096), sourceLocation).frames == [], what, sourceLocation: sourceLocation)
  }

  /// A million random bytes for the first seed and fewer for the others, and garbage with structure, give nothing.
  func verifyNothingOfGarbage(seeds: Range<UInt64> = 0..<5, sourceLocation: SourceLocation = #_sourceLocation) {
    for seed in seeds {
      var random = SeededGenerator(seed: seed, stream: "garbage")
      let count = seed == seeds.lowerBound ? 1_000_000 : 60_000
      verifyNothing(in: random.bytes(count), "random bytes, seed \(seed)", sourceLocation: sourceLocation)
      verifyNothing(in: random.runs(60_000), "runs of one byte, seed \(seed)", sourceLocation: sourceLocation)
      verifyNothing(
        in: random.bytes(60_000).map { $0 & 0x7f }, "random bytes of seven bits, seed \(seed)",
        sourceLocation: sourceLocation)
    }
    for byte in UInt8.min...UInt8.max {
      verifyNothing(in: Array(repeating: byte, count: 300), "\(byte) all the time", sourceLocation: sourceLocation)
    }
  }

  /// A stream read at another speed than its own gives nothing.
  func verifyNothingAtOtherSpeeds(_ stream: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    for (numerator, denominator) in [(1, 12), (1, 6), (1, 4), (1, 2), (2, 1), (4, 1), (6, 1), (12, 1)] {
      verifyNothing(
        in: stream.read(atSpeed: numerator, over: denominator), "at \(numerator)/\(denominator) of the speed",
        sourceLocation: sourceLocation)
    }
  }

  /// Noise far enough apart for the decoder to recover: runs of random bytes between frames and inside them, and bytes
  /// garbled, lost and doubled. It may take the frames that it touched and the two that follow, and gives no reading
  /// that the clean stream does not have.
  func verifySparseNoise(_ stream: [UInt8], seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
    var random = SeededGenerator(seed: seed, stream: "sparse noise")
    let clean = run([stream[...]], sourceLocation).frames
    var noisy = NoisyStream()
    if Bool.random(using: &random) { noisy.insert(random.bytes(Int.random(in: 1...40, using: &random))) }
    // Two frames with noise on both sides are lost: there is no third.
    var next = Int.random(in: 3...14, using: &random)
    var start = 0
    for (index, frame) in clean.enumerated() {
      let bytes = stream[start..<frame.end]
      if index == next {
        noisy.add(bytes, damagedBy: NoisyStream.Damage.random(using: &random), using: &random)
        next += Int.random(in: 12...30, using: &random)
      } else {
        noisy.add(bytes)
      }
      start = frame.end
    }
    if Bool.random(using: &random) { noisy.insert(random.bytes(Int.random(in: 1...40, using: &random))) }

    let given = run(noisy.bytes.pieces(of: 97), sourceLocation).frames
    expectNoneInvented(given, clean, seed, sourceLocation)
    #expect(
      lost(clean, given, noisy) == [], "lost out of reach of the noise, seed \(seed)", sourceLocation: sourceLocation)
  }

  /// Which clean frames are not given though no noise is near.
  private func lost(_ clean: [OximeterFrame], _ given: [OximeterFrame], _ noisy: NoisyStream) -> [Int] {
    var mayLose = noisy.isDirtyAtStart ? 2 : 0
    var mayLoseReading = max(mayLose, noisy.isDirtyAtStart ? framesOfReading : 0)
    var lost: [Int] = []
    var candidate = given.startIndex
    for (index, frame) in clean.enumerated() {
      let place = noisy.frames[index]
      if place.isTouched {
        mayLose = 3
        mayLoseReading = max(framesOfReading, mayLose)
      }
      while candidate < given.endIndex, given[candidate].end < place.end { candidate += 1 }
      let found = candidate < given.endIndex && given[candidate].end == place.end ? given[candidate] : nil
      let isSame = found != nil && found?.pleth == frame.pleth
      let isReadingSame = found?.reading == frame.reading || found?.reading == nil && mayLoseReading > 0
      // An answer may be one only with the packet after it.
      if mayLose == 0, frame.answer == nil, !isSame || !isReadingSame { lost.append(index) }
      mayLose = max(mayLose - 1, 0)
      mayLoseReading = max(mayLoseReading - 1, 0)
      if place.isFollowedByNoise {
        mayLose = 2
        mayLoseReading = max(framesOfReading, mayLose)
      }
    }
    return lost
  }

  /// Noise as thick as one place in `every` bytes, of every kind: no reading that the clean stream does not have.
  func verifyDenseNoise(
    _ stream: [UInt8], seed: UInt64, every: Int = 60, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var random = SeededGenerator(seed: seed, stream: "dense noise")
    let clean = run([stream[...]], sourceLocation).frames
    var noisy: [UInt8] = []
    for byte in stream {
      guard Int.random(in: 0..<every, using: &random) == 0 else {
        noisy.append(byte)
        continue
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: noisy += random.bytes(Int.random(in: 1...40, using: &random)) + [byte]
      case 1: noisy.append(byte ^ 1 << UInt8.random(in: 0...7, using: &random))
      case 2: noisy += [byte, byte]
      default: break
      }
    }
    expectNoneInvented(run(noisy.pieces(of: 61), sourceLocation).frames, clean, seed, sourceLocation)
  }

  private func expectNoneInvented(
    _ given: [OximeterFrame], _ clean: [OximeterFrame], _ seed: UInt64, _ sourceLocation: SourceLocation
  ) {
    let readings = Set(clean.compactMap(\.reading))
    // A garbled letter of an answer cannot be known, but none comes where there was none.
    let hasAnswers = clean.contains { $0.answer != nil }
    let invented = given.filter { frame in
      frame.reading.map { !readings.contains($0) } ?? false || frame.answer != nil && !hasAnswers
    }
    #expect(invented == [], "invented, seed \(seed)", sourceLocation: sourceLocation)
  }

  /// What a stream gives, piece by piece. Every byte is accounted for, and few are held back at any time.
  private func run(_ pieces: [ArraySlice<UInt8>], _ sourceLocation: SourceLocation) -> Run {
    var decoder = oximeter.decoder()
    var frames: [OximeterFrame] = []
    let stream = Array(pieces.joined())
    var fed = 0
    var given = 0
    var accounted = 0
    var held = 0
    for piece in pieces {
      decoder.decode(piece, into: &frames)
      fed += piece.count
      while given < frames.count {
        accounted += length(frames[given], stream)
        given += 1
      }
      held = max(held, fed - accounted - decoder.counts.skipped)
    }
    decoder.finish()
    let counts = decoder.counts
    let isInOrder = zip(frames, frames.dropFirst()).allSatisfy { $0.end < $1.end } && (frames.last?.end ?? 0) <= fed
    #expect(held <= mostHeld, "too much is held back", sourceLocation: sourceLocation)
    #expect(accounted + counts.skipped == fed, "bytes of no account", sourceLocation: sourceLocation)
    #expect(counts.good == frames.count, "wrong count", sourceLocation: sourceLocation)
    #expect(isInOrder, "places out of order", sourceLocation: sourceLocation)
    return Run(frames: frames, counts: counts)
  }

  private struct Run: Equatable {
    let frames: [OximeterFrame]
    let counts: DecodingCounts
  }
}

extension OximeterProtocol {
  /// How many bytes before its end a frame begins in a stream.
  var frameLength: @Sendable (OximeterFrame, [UInt8]) -> Int {
    switch self {
    case .contecV5, .bci, .noninDF2, .noninDF7: { _, _ in 5 }
    case .noninDF8: { _, _ in 4 }
    case .contecV7:
      { frame, stream in
        frame.end - (stream[..<frame.end].lastIndex { $0 < 0x80 } ?? 0)
      }
    case .noninASCII, .masimoASCII, .nellcorASCII:
      // Up to the byte that ends the line, that one with it.
      { frame, stream in
        frame.end - (stream[..<(frame.end - 1)].lastIndex { $0 == 0x0a || $0 == 0x0d }.map { $0 + 1 } ?? 0)
      }
    }
  }
}
