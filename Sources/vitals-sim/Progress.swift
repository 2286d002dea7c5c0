import Scenarios
import Synchronization
import VitalsModel

/// How far long work has come, on a line of standard error that is gone when it ends.
///
/// It shows only where a person looks at a terminal, and only after a second.
struct Progress {
  private let clock = ContinuousClock()
  private let isWanted: Bool
  private let begun: ContinuousClock.Instant
  private let passes: Int
  private let length: TimeSpan
  private var passed = 0
  private var steps = 0
  private var shownAt: ContinuousClock.Instant

  private static let quiet = Duration.seconds(1)
  private static let pause = Duration.milliseconds(200)
  /// The clock is looked at once in so many steps.
  private static let stepsBetween = 1 << 12

  /// Work that goes `passes` times over the same length of time.
  ///
  /// - Parameter sharesOutput: whether what it makes goes to standard output, which may be the same terminal
  init(passes: Int, length: TimeSpan, sharesOutput: Bool) {
    isWanted = StandardStream.error.wantsColor && !sharesOutput
    begun = clock.now
    shownAt = begun
    self.passes = passes
    self.length = length
  }

  /// The work has come to this moment of the pass.
  mutating func come(to moment: Instant) {
    guard isWanted else { return }
    steps += 1
    guard steps % Self.stepsBetween == 0 else { return }
    let now = clock.now
    guard now - begun >= Self.quiet, now - shownAt >= Self.pause else { return }
    shownAt = now
    let share = (Double(passed) + moment.seconds / length.seconds) / Double(passes)
    let percent = Int(100 * min(max(share, 0), 1))
    StandardStream.error.showPassing("vitals-sim: \(percent) % of \(Quantity.time.text(length.seconds))")
  }

  /// One pass is over.
  mutating func endPass() { passed += 1 }

  /// The work is over.
  func end() { StandardStream.error.erasePassing() }
}

/// Whether standard error shows a line that is to go away.
private let showsPassingLine = Atomic<Bool>(false)

extension StandardStream {
  private static let erasure = "\r\u{1b}[K"

  /// Shows a line in the place of the one before it. Whatever is written next to this stream takes its place too.
  func showPassing(_ text: String) {
    write(text)
    showsPassingLine.store(true, ordering: .relaxed)
  }

  /// Takes the line away.
  func erasePassing() { write("") }

  /// What takes a passing line away; empty where there is none.
  static func takeErasure() -> String {
    showsPassingLine.exchange(false, ordering: .relaxed) ? erasure : ""
  }
}
