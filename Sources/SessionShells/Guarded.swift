import Foundation

/// A value that one thread at a time may touch.
///
/// The standard library's `Mutex` would do, were it not that on Linux it waits on a futex of its own, which the thread
/// sanitizer does not see: every access that it keeps apart would be reported as a race, and a real one would be lost
/// among them. What `NSLock` does the sanitizer knows.
final class Guarded<Value: Sendable>: Sendable {
  private let lock = NSLock()
  /// Touched only while `lock` is held.
  private nonisolated(unsafe) var value: Value

  init(_ value: Value) {
    self.value = value
  }

  /// Lets `body` read and change the value while nobody else does; it must not come back here.
  ///
  /// An array that is kept outside is best given as a new one (by `map`): a copy shares its storage until one of them
  /// changes. That is safe by the count of references, which the sanitizer does not see either.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
