import ReadingSession
import Testing
import VitalsModel

@testable import SessionShells

/// What is played on the core and on a shell of each platform.
private struct Row: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let script: ScriptedSession
  /// Whether the session ends, so that the iOS stream does too.
  var ends = true
}

private typealias Act = ScriptedSession.Act

private func row(
  _ name: String, ends: Bool = true, seconds: Double = 72, startsItself: Bool = true, _ acts: [(Double, Act)]
) -> Row {
  let start: [(Double, Act)] = startsItself ? [(0, .call(.start(isOnMainThread: true)))] : []
  return Row(testDescription: name, script: ScriptedSession(seconds: seconds, acts: start + acts), ends: ends)
}

private let start = Act.call(.start(isOnMainThread: true))
private let background = Act.input(.host(.app(isInForeground: false)))
private let foreground = Act.input(.host(.app(isInForeground: true)))

/// A pulse that comes and goes, never away long enough for the attempt to be abandoned.
private let flicker: [(Double, Act)] = stride(from: 5.5, to: 62, by: 5).flatMap {
  [($0, Act.view(.flatFinger)), ($0 + 2.4, .view(.finger))]
}

private let rows: [Row] = [
  row("a complete reading", [(67, .build)]),
  row("a result that is never built", seconds: 80, []),
  row("no heart rate", flicker + [(68, .build)]),
  row(
    "cancelled by the app, held, let go, stopped", seconds: 40,
    [
      (0.5, .call(.cancelReading)), (10, .call(.setAutoStart(false))), (15, .call(.cancelReading)),
      (25, .call(.setAutoStart(true))), (35, .call(.stop)),
    ]),
  row("still positioning", ends: false, seconds: 20, [(0, .view(.table))]),
  row("contact lost", ends: false, seconds: 25, [(10, .view(.table)), (16, .view(.finger))]),
  row(
    "interrupted twice", ends: false, seconds: 40,
    [
      (10, .input(.interruptionBegan(.otherApp))), (18, .input(.interruptionEnded(.otherApp))), (27, background),
      (30, foreground),
    ]),
  row(
    "interrupted by a call, which only iOS minds", ends: false, seconds: 25,
    [(10, .input(.interruptionBegan(.phoneCall))), (14, .input(.interruptionEnded(nil)))]),
  row("stopped while positioning", seconds: 5, [(2, .call(.stop)), (3, start), (4, .call(.stop))]),
  row("stopped while finalizing", [(66, .call(.stop)), (66.5, .call(.stop)), (67, .build)]),
  row("interrupted while finalizing", [(66, background), (67, .build)]),
  row("stopped before it began", seconds: 3, startsItself: false, [(1, .call(.stop)), (2, start)]),
  row("started twice", ends: false, seconds: 8, [(1, start)]),
  row("a camera without a frame", seconds: 15, [(0, .view(.nothing))]),
  row("a camera that stalls twice", seconds: 40, [(10, .view(.nothing)), (13, .view(.finger)), (25, .view(.nothing))]),
  row("a camera that fails at once", seconds: 3, [(0, .input(.cameraFailed))]),
  row("a torch that goes out", ends: false, seconds: 8, [(3, .input(.torch(isAvailable: false)))]),
  row("a selected rate that is not kept", ends: false, seconds: 12, [(5, .input(.frameRateSelected(fps: 60)))]),
]

extension ScriptedSession {
  fileprivate var losesFrames: Bool {
    acts.contains { if case .view(.nothing) = $0.1 { true } else { false } }
  }

  fileprivate var isStopped: Bool {
    acts.contains { if case .call(.stop) = $0.1 { true } else { false } }
  }
}

extension CorePlayer {
  /// Whether it told how the session ended.
  fileprivate var hasEnded: Bool {
    switch log.events.last {
    case .completed, .failed: true
    case .guidance, .started, .preview, .heartbeat, .cancelled, .measurementComplete, nil: false
    }
  }
}

/// The same inputs at the same times give the same events, commands and answers, in the same order.
@MainActor
private func check(_ row: Row, _ platform: Platform, isClockLate: Bool) async throws {
  let core = CorePlayer(platform)
  await row.script.play(core)
  // Or the end of the stream would be waited for in vain.
  try #require(row.ends == (core.hasEnded || row.script.isStopped))
  let shell = try ShellPlayer(platform, moments: core.moments, isClockLate: isClockLate)
  await row.script.play(shell)
  let log = await shell.finish(endsStream: row.ends && platform == .ios)
  #expect(log == core.log)
  #expect(!log.commands.isEmpty || row.testDescription.contains("before it began"))
}

@MainActor
@Test(.timeLimit(.minutes(5)), arguments: rows, Platform.allCases)
private func aShellDoesWhatTheCoreDoes(_ row: Row, _ platform: Platform) async throws {
  try await check(row, platform, isClockLate: false)
}

/// Wake-ups that come a little late change nothing: the time comes with the data. Where frames stay away the next input
/// is not a little late.
@MainActor
@Test(.timeLimit(.minutes(5)), arguments: rows.filter { $0.ends && !$0.script.losesFrames }, [Platform.ios])
private func aLateClockChangesNothing(_ row: Row, _ platform: Platform) async throws {
  try await check(row, platform, isClockLate: true)
}
