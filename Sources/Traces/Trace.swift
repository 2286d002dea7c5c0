import VitalsModel

/// One thing that happened in a run, and when.
public struct TraceEntry: Hashable, Sendable {
  /// When it happened: for an input its delivery, for an effect the moment of the input that caused it.
  public let at: Instant
  /// What happened.
  public let item: TraceItem

  /// One thing and its moment.
  public init(at: Instant, _ item: TraceItem) {
    self.at = at
    self.item = item
  }
}

/// The kinds of things that happen in a run.
public enum TraceItem: Hashable, Sendable {
  /// The app called the session; the reply carries the same id.
  case call(id: Int, Message)
  /// A call came back.
  case reply(id: Int, Reply)
  /// The host told the session something: the camera failed, a result is built.
  case notice(Message)
  /// A sample reached the session. Only a recording keeps these.
  case sample(captured: Instant, values: [Double])
  /// Bytes came from a device; a decoder makes samples and references of them. Only a recording keeps these.
  case capture([UInt8])
  /// A reference device said something that the session is not told: a reading of pulse and oxygen, a gap.
  case reference(Message)
  /// The session's own deadline was served. Only a recording keeps these.
  case timer
  /// The session told the app something.
  case event(Message)
  /// The session asked the host for something.
  case command(Message)
  /// The scenario did something to the world.
  case stimulus(Message)
  /// What is really so, whoever can see it: the finger left, the realised heart rate.
  case truth(Message)
}

/// How a call came back.
public enum Reply: Hashable, Sendable {
  /// It did what it says.
  case returned
  /// It threw this error.
  case threw(Message)
}
