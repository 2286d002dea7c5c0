/// Makes frames of a device's bytes.
///
/// It takes bytes however they are cut, and gives the same frames for every cut. Each byte belongs to a frame that is
/// given or is counted as skipped, at the latest by `finish`; what it holds back is bounded. Where the protocol has no
/// checksum, nothing is given before three good frames came in a row (`FrameConfirmation`).
public protocol OximeterDecoder: Sendable {
  /// What became of the bytes so far.
  var counts: DecodingCounts { get }
  /// Takes in more bytes and adds the frames that are beyond doubt.
  mutating func decode(_ bytes: some Collection<UInt8>, into frames: inout [OximeterFrame])
  /// The stream is over, or was interrupted: what is held back is counted as skipped, and the next byte is the first of
  /// a new stream. Counts and places go on.
  mutating func finish()
}

extension OximeterDecoder {
  /// The frames of more bytes.
  public mutating func decode(_ bytes: some Collection<UInt8>) -> [OximeterFrame] {
    var frames: [OximeterFrame] = []
    decode(bytes, into: &frames)
    return frames
  }
}

extension OximeterProtocol {
  /// A decoder at the beginning of a stream.
  public func decoder() -> any OximeterDecoder {
    switch self {
    case .contecV5: ContecV5Decoder()
    case .contecV7: ContecV7Decoder()
    case .bci: BCIDecoder()
    case .noninDF2: NoninDF2Decoder()
    case .noninDF7: NoninDF7Decoder()
    case .noninDF8: NoninDF8Decoder()
    case .noninASCII: NoninASCIIDecoder()
    case .masimoASCII: MasimoASCIIDecoder()
    case .nellcorASCII: NellcorASCIIDecoder()
    }
  }

  /// An encoder at the beginning of a stream.
  public func encoder() -> any OximeterEncoder {
    switch self {
    case .contecV5: ContecV5Encoder()
    case .contecV7: ContecV7Encoder()
    case .bci: BCIEncoder()
    case .noninDF2: NoninDF2Encoder()
    case .noninDF7: NoninDF7Encoder()
    case .noninDF8: NoninDF8Encoder()
    case .noninASCII: NoninASCIIEncoder()
    case .masimoASCII: MasimoASCIIEncoder()
    case .nellcorASCII: NellcorASCIIEncoder()
    }
  }
}
