import OximeterProtocols
import VitalsModel

/// What the devices that speak a protocol have in common beyond their bytes.
struct OximeterFamily: Hashable, Sendable {
  /// How a pulse rate is made of the intervals between beats.
  enum Averaging: Hashable, Sendable {
    /// The mean of the last so many.
    case beats(Int)
    /// The mean of those of the last seconds.
    case seconds(Int64)
  }

  let averaging: Averaging
  /// How often the values that are sent are renewed.
  let renewal: TimeSpan
  /// How long the values are on their way from the beats to the line, beyond the averaging.
  let delay: TimeSpan
  /// How long a beat is marked, in frames.
  let markedFrames: Int
  /// How long values are held after the finger left.
  let hold: TimeSpan

  /// Nonin: a mean of four beats that is renewed every third of a second, and marks of 12 frames (specification of the
  /// model 9560, data formats 2 and 7). Format 8 and the text have the values for a display, which are renewed every
  /// 1.5 s; as all values for a display they are held for 10 s (the same, and the manual of the model 3150).
  ///
  /// Masimo: 8 s unless the user sets another time (operator's manual of the Rad-8). A Contec marks a beat in two frames
  /// (seen in a capture). What is not said here is nowhere told: 8 s and a second's delay are estimates for the others.
  init(_ protocol: OximeterProtocol) {
    switch `protocol` {
    case .contecV5, .contecV7, .bci:
      self.init(.seconds(8), renewal: .seconds(1), delay: .seconds(1), markedFrames: 2, hold: .zero)
    case .noninDF2, .noninDF7:
      self.init(.beats(4), renewal: .milliseconds(333), delay: .zero, markedFrames: 12, hold: .seconds(10))
    case .noninDF8:
      self.init(.beats(4), renewal: .milliseconds(1_500), delay: .zero, markedFrames: 1, hold: .seconds(10))
    case .noninASCII:
      self.init(.beats(4), renewal: .milliseconds(1_500), delay: .zero, markedFrames: 1, hold: .zero)
    case .masimoASCII, .nellcorASCII:
      self.init(.seconds(8), renewal: .seconds(1), delay: .seconds(1), markedFrames: 1, hold: .zero)
    }
  }

  private init(
    _ averaging: Averaging, renewal: TimeSpan, delay: TimeSpan, markedFrames: Int, hold: TimeSpan
  ) {
    self.averaging = averaging
    self.renewal = renewal
    self.delay = delay
    self.markedFrames = markedFrames
    self.hold = hold
  }
}
