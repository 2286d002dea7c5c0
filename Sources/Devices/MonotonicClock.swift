import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time that passes on this machine, which nobody can set; it begins with the clock.
public struct MonotonicClock: Sendable {
  /// Microseconds of the system's clock when this one began.
  private let origin: Int64

  /// A clock that shows zero now.
  public init() {
    origin = Self.reading()
  }

  /// The moment it is.
  public var now: Instant { Instant(microseconds: Self.reading() - origin) }

  /// Waits until a moment; at once when it is over.
  public func sleep(until moment: Instant) {
    while true {
      let remaining = moment - now
      guard remaining > .zero else { return }
      // In pieces of an hour, so that the far future fits. Whoever a signal woke looks at the clock again.
      let microseconds = min(remaining.microseconds, 3_600_000_000)
      var span = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
      nanosleep(&span, nil)
    }
  }

  private static func reading() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
