/// What a pulse oximeter speaks on its line.
///
/// Each has a file of its own with a decoder and an encoder, and says there what its bytes mean and where that is known
/// from.
public enum OximeterProtocol: String, CaseIterable, Sendable {
  /// Five bytes, 60 times a second; the older devices of its family.
  case contecV5 = "contec-v5"
  /// Nine bytes, 60 times a second, with commands and a keep-alive; the newer devices of that family.
  case contecV7 = "contec-v7"
  /// Five bytes, 100 times a second.
  case bci
  /// Five bytes with a checksum, 75 times a second, 25 of them a packet.
  case noninDF2 = "nonin-df2"
  /// The same with a wave of 16 bits and no first byte.
  case noninDF7 = "nonin-df7"
  /// Four bytes once a second, without a wave.
  case noninDF8 = "nonin-df8"
  /// A line of text once a second.
  case noninASCII = "nonin-ascii"
  /// A line of text once a second, with named values.
  case masimoASCII = "masimo-ascii"
  /// A line of text every two seconds, in columns.
  case nellcorASCII = "nellcor-ascii"

  /// Frames, or lines, in a second.
  public var framesPerSecond: Double {
    switch self {
    case .contecV5, .contecV7: 60
    case .bci: 100
    case .noninDF2, .noninDF7: 75
    case .noninDF8, .noninASCII, .masimoASCII: 1
    case .nellcorASCII: 0.5
    }
  }

  /// Whether each frame carries a value of the pleth.
  public var hasPleth: Bool {
    switch self {
    case .contecV5, .contecV7, .bci, .noninDF2, .noninDF7: true
    case .noninDF8, .noninASCII, .masimoASCII, .nellcorASCII: false
    }
  }

  /// The largest value of the pleth; nil where there is none.
  public var largestPleth: Int? {
    switch self {
    case .contecV5, .contecV7, .bci: 127
    case .noninDF2: 255
    case .noninDF7: 65_535
    case .noninDF8, .noninASCII, .masimoASCII, .nellcorASCII: nil
    }
  }

  /// How its line is set, the most usual first.
  public var lineSettings: [LineSettings] {
    switch self {
    case .contecV5: [LineSettings(baud: 19_200, parity: .odd), LineSettings(baud: 4_800, parity: .odd)]
    case .contecV7, .bci: [LineSettings(baud: 115_200, parity: .none)]
    case .noninDF2, .noninDF7, .noninDF8, .noninASCII, .masimoASCII, .nellcorASCII:
      [LineSettings(baud: 9_600, parity: .none)]
    }
  }
}

/// How a serial line is set; data bits are always eight, stop bits one.
public struct LineSettings: Hashable, Sendable {
  /// Bits in a second.
  public let baud: Int
  /// The parity bit of each byte.
  public let parity: Parity

  /// Settings of a line.
  public init(baud: Int, parity: Parity) {
    self.baud = baud
    self.parity = parity
  }

  /// What the parity bit makes of the count of ones.
  public enum Parity: String, Sendable {
    /// There is no parity bit.
    case none = "N"
    /// It makes it odd.
    case odd = "O"
    /// It makes it even.
    case even = "E"
  }

  /// As the field writes it: `19200 8O1`.
  public var text: String { "\(baud) 8\(parity.rawValue)1" }
}
