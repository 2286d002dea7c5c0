import OximeterProtocols
import VitalsModel

/// Listens for one protocol.
struct ProtocolEar: Sendable {
  let speaks: OximeterProtocol
  private var decoder: any OximeterDecoder
  private var bytes = 0
  /// Frames of the stream.
  private(set) var ticks = 0
  private(set) var answers: [DeviceAnswer] = []
  /// When the first frames became certain, and how many at once: those had come before.
  private var first: (at: Instant, ticks: Int)?
  private var last = Instant.zero

  init(_ speaks: OximeterProtocol) {
    self.speaks = speaks
    decoder = speaks.decoder()
  }

  mutating func take(_ new: [UInt8], at now: Instant) {
    var frames: [OximeterFrame] = []
    decoder.decode(new, into: &frames)
    bytes += new.count
    for case let answer? in frames.map(\.answer) where !answers.contains(answer) { answers.append(answer) }
    let came = frames.count(where: \.isTick)
    guard came > 0 else { return }
    ticks += came
    first = first ?? (now, came)
    last = now
  }

  /// The share of the bytes that may belong to its frames.
  var coverage: Double { bytes == 0 ? 0 : 1 - Double(decoder.counts.skipped) / Double(bytes) }

  /// For how long frames have been coming.
  var span: TimeSpan { first.map { last - $0.at } ?? .zero }

  /// Frames in a second; nil before they have come for half a second.
  var framesPerSecond: Double? {
    guard let first, span >= .milliseconds(500) else { return nil }
    return Double(ticks - first.ticks) / span.seconds
  }

  /// Whether frames come as often as chance and another protocol would not make them.
  var hasHeardEnough: Bool { ticks >= (speaks.isSlow ? 3 : 15) }
}

extension OximeterProtocol {
  /// Whether its frames come so rarely that three of them take seconds.
  var isSlow: Bool { framesPerSecond <= 2 }

  /// Whether its frames are lines of text.
  var isText: Bool {
    switch self {
    case .noninASCII, .masimoASCII, .nellcorASCII: true
    case .contecV5, .contecV7, .bci, .noninDF2, .noninDF7, .noninDF8: false
    }
  }
}
