import Traces
import VitalsModel

/// A beat as a recording tells it.
public struct RecordedBeat: Hashable, Sendable {
  /// The foot of the pulse wave at the fingertip.
  public let foot: Instant
  /// Whether the interval before it is one between two regular beats.
  public let isNN: Bool
  /// Whether it is premature.
  public let isEctopic: Bool
}

extension RecordedBeat {
  /// The beat that a truth of a trace tells; nil when it tells none.
  init?(_ message: Message) {
    guard message.name == "beat", let foot = message["foot"]?.number else { return nil }
    self.foot = Instant(microseconds: Int64((foot * 1e6).rounded()))
    isNN = message["isNN"] == .flag(true)
    isEctopic = message["kind"]?.text == "ectopic"
  }

  /// The same beat on a clock that begins at another moment.
  func counted(from begin: Instant) -> RecordedBeat {
    RecordedBeat(foot: .zero + (foot - begin), isNN: isNN, isEctopic: isEctopic)
  }
}

extension Message {
  /// The beginning of the breath that it tells; nil when it tells none.
  var breathStart: Instant? {
    guard name == "breath", let start = self["start"]?.number else { return nil }
    return Instant(microseconds: Int64((start * 1e6).rounded()))
  }
}
