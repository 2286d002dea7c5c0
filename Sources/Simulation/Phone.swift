import Scenarios
import Traces
import VitalsModel

/// What a session runs on: it obeys commands and delivers samples and notices, each with its time.
///
/// A simulated phone, a recording and a live device differ only in who stamps the samples: a virtual one answers at
/// once, a live one waits until something comes or the limit is reached.
public protocol Phone<Sample> {
  /// What it delivers.
  associatedtype Sample: SessionSample
  /// The next delivery strictly before `limit`; nil when there is none. Times never decrease, and are never before
  /// the latest command.
  mutating func next(before limit: Instant) -> Delivery<Sample>?
  /// Does what the session asks.
  mutating func obey(_ command: Message, at now: Instant)
  /// Changes the world: a word takes a state at once, a setting comes to its value over a time.
  ///
  /// A setting that is still on its way goes on from where it is.
  mutating func change(_ change: WorldChange, at now: Instant)
  /// What a result over this stretch should say, with the result's field names; empty where the truth is unknown.
  func truth(from start: Instant, to end: Instant) -> [Field]
  /// Set when what the phone plays has run out, as a recording does; the sentence says how.
  var exhaustion: String? { get }
}

/// Something that comes from a phone.
public struct Delivery<Sample: SessionSample>: Sendable {
  /// When it is delivered.
  public let at: Instant
  /// What is delivered.
  public let content: Content

  /// A delivery and its moment.
  public init(at: Instant, _ content: Content) {
    self.at = at
    self.content = content
  }

  /// What a phone delivers.
  public enum Content: Sendable {
    /// A sample, to the session.
    case sample(Sample)
    /// A notice, to the session.
    case notice(Message)
    /// Bytes of a device, for a trace that keeps inputs.
    case capture([UInt8])
    /// What a reference device says, for the trace.
    case reference(Message)
    /// Something true that the session is not told, for the trace.
    case truth(Message)
  }
}
