import ReadingSession
import Simulation
import Traces
import VitalsModel

/// An input of the vitals reading.
typealias Heard = SessionInput<FrameSample>

/// What is wrong with a session. Each part that is left alone is as in the built-in engine.
///
/// The parts are called in the order of what happens and never at once, so they may remember things in variables of
/// the closure that makes the fault.
struct Fault {
  /// The platform that the session is asked to play.
  let platform: Platform
  /// The platform that it plays.
  var profile: Platform
  /// Its times.
  var timing = Timing.standard
  /// What it makes of an input.
  var hears: ((Heard, Past) -> Hearing)?
  /// When it asks to be woken instead of the moment at which it should be.
  var wakes: ((Instant, Past) -> Instant?)?
  /// What it does at once, in which order, instead of what it should.
  var orders: (([SessionEffect], Past) -> [SessionEffect])?
  /// What it does instead of one thing.
  var says: ((SessionEffect, Past) -> [SessionEffect])?
  /// How late one thing comes; nil: in time.
  var lateness: ((SessionEffect, Past) -> TimeSpan?)?
  /// When it does something of its own accord; nil: never.
  var alarm: ((Past) -> Instant?)?
  /// What it does then.
  var rings: ((Past) -> [SessionEffect])?
  /// How fast its clock runs.
  var clock = BrokenClock.right
  /// A second engine hears and tells the same.
  var hasTwin = false

  init(platform: Platform) {
    self.platform = platform
    profile = platform
  }
}

/// What a broken session makes of an input.
enum Hearing {
  /// It hears it as it is.
  case asIs
  /// It does not hear it; a call returns all the same.
  case nothing
  /// It hears this instead.
  case instead([Heard])
  /// It hears it that much later; a call returns at once.
  case late(TimeSpan)
  /// It does this and hears nothing.
  case answered([SessionEffect])
  /// It does this and then nothing any more.
  case over([SessionEffect])
  /// It begins anew as a session that nothing has happened to, and hears this.
  case renewed([Heard])
}

/// The clock of a session.
enum BrokenClock {
  case right
  /// It runs at this speed, for frames and deadlines alike.
  case speed(Double)
  /// There is none: each frame counts as a thirtieth of a second.
  case frames
}

// MARK: Families of faults

extension Fault {
  /// It is deaf to some inputs.
  mutating func ignores(_ isMeant: @escaping (Heard, Past) -> Bool) {
    hears = { isMeant($0, $1) ? .nothing : .asIs }
  }

  /// It hears some inputs too late.
  mutating func hearsLate(by span: TimeSpan, _ isMeant: @escaping (Heard, Past) -> Bool) {
    hears = { isMeant($0, $1) ? .late(span) : .asIs }
  }

  /// It sees other frames; nil: it does not see this one.
  mutating func sees(_ change: @escaping (FrameSample, Past) -> FrameSample?) {
    hears = { input, past in
      guard case .sample(let frame) = input else { return .asIs }
      return change(frame, past).map { .instead([.sample($0)]) } ?? .nothing
    }
  }

  /// It leaves some things undone.
  mutating func omits(_ isMeant: @escaping (SessionEffect, Past) -> Bool) {
    says = { isMeant($0, $1) ? [] : [$0] }
  }

  /// It does some things twice.
  mutating func doubles(_ isMeant: @escaping (SessionEffect, Past) -> Bool) {
    says = { isMeant($0, $1) ? [$0, $0] : [$0] }
  }

  /// It tells an event otherwise; nil: not at all.
  mutating func tells(_ name: String, _ change: @escaping (Message, Past) -> Message?) {
    says = { effect, past in
      guard case .event(let event) = effect, event.name == name else { return [effect] }
      return change(event, past).map { [.event($0)] } ?? []
    }
  }

  /// It does some things too late.
  mutating func delays(by span: TimeSpan, _ isMeant: @escaping (SessionEffect, Past) -> Bool) {
    lateness = { isMeant($0, $1) ? span : nil }
  }
}
