import VitalsModel

/// The time that a session keeps. The host stamps its frames and notices with the same one.
public protocol SessionClock: Sendable {
  /// The moment it is; never falls. Asked for while a session is locked: must not call back.
  var now: Instant { get }

  /// Calls `body` once, on any thread, when `moment` has come.
  func wakeUp(at moment: Instant, _ body: @escaping @Sendable () -> Void)
}

/// The clock of a real session: continuous time since it was made. It goes on while the device sleeps.
public struct ContinuousSessionClock: SessionClock {
  private let clock = ContinuousClock()
  private let origin: ContinuousClock.Instant

  /// A clock that shows zero now.
  public init() {
    origin = clock.now
  }

  /// Time since the clock was made.
  public var now: Instant {
    let (seconds, attoseconds) = origin.duration(to: clock.now).components
    return Instant(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }

  /// Sleeps in a task of its own.
  public func wakeUp(at moment: Instant, _ body: @escaping @Sendable () -> Void) {
    let due = origin.advanced(by: .microseconds(moment.microseconds))
    Task {
      try? await clock.sleep(until: due)
      body()
    }
  }
}
