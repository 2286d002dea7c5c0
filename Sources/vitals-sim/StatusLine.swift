import VitalsModel

/// How live work goes: on a terminal a line of standard error that is shown anew, elsewhere a line when there is news.
struct StatusLine {
  private let isTerminal: Bool
  private let clock = ContinuousClock()
  private var shownAt: ContinuousClock.Instant?
  private var told: String?

  private static let pause = Duration.milliseconds(200)

  /// - Parameter sharesOutput: whether what the work makes goes to standard output, which may be the same terminal
  init(sharesOutput: Bool) {
    isTerminal = StandardStream.error.wantsColor && !sharesOutput
  }

  /// What the user is to know or to do, once for each news.
  mutating func tell(_ text: String) {
    guard text != told else { return }
    told = text
    if isTerminal {
      StandardStream.error.showPassing("vitals-sim: \(text)")
    } else {
      StandardStream.error.write("vitals-sim: \(text)\n")
    }
  }

  /// How far the work has come, for who looks on.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isTerminal else { return }
    let now = clock.now
    if let shownAt, now - shownAt < Self.pause { return }
    shownAt = now
    StandardStream.error.showPassing("vitals-sim: \(text())")
  }

  /// The line is to go.
  func erase() {
    if isTerminal { StandardStream.error.erasePassing() }
  }
}
