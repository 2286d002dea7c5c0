import Traces
import VitalsModel

/// A session that the loop drives: a built-in engine, a broken one, or another program behind an adapter.
///
/// It is fed inputs in the order of their times and answers with what it does, in order. When an input and its
/// deadline fall on the same moment, the input comes first.
public protocol SessionUnderTest<Sample> {
  /// What it is fed with.
  associatedtype Sample: SessionSample
  /// When it wants to be fed `timer`; nil: it waits for something else.
  var deadline: Instant? { get }
  /// Takes in one input and gives what the session does because of it.
  mutating func feed(_ input: SessionInput<Sample>, at now: Instant) -> [SessionEffect]
}

/// An input in the harness's own words.
public enum SessionInput<Sample: SessionSample>: Sendable {
  /// The app calls.
  case call(id: Int, Message)
  /// The host tells the session something.
  case notice(Message)
  /// A sample is delivered.
  case sample(Sample)
  /// The session's deadline has come.
  case timer
}

/// An effect in the harness's own words.
public enum SessionEffect: Hashable, Sendable {
  /// The app is told.
  case event(Message)
  /// The host is asked.
  case command(Message)
  /// A call comes back.
  case reply(id: Int, Reply)
}
