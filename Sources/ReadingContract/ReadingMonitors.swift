import Checks
import Traces
import VitalsModel

/// A monitor of one rule of the vitals reading.
protocol ReadingMonitor: Sendable {
  var ruling: Ruling { get }
  /// Takes in what happened; `context` is the run before it, and its time.
  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext)
  /// The run ended: judges what was still open.
  mutating func finish(_ context: ReadingContext)
}

extension ReadingMonitor {
  mutating func finish(_ context: ReadingContext) {}
}

/// Every monitor of the vitals reading, fed from one reading of the trace.
struct ReadingMonitors: RuleMonitor {
  private var context: ReadingContext
  private var monitors: [any ReadingMonitor] = [
    PhaseOrder(), KnownEvents(), StartBegins(), GuidancePace(), ProgressFills(), StartsByItself(), EmptyPreview(),
    PreviewPace(), HeartbeatIntervals(), FullMinute(), Finalizing(), HeartRateOrFailure(), NothingAfterEnd(),
    EventsInPhase(), GuidanceIsTrue(), WeakSignalByPlatform(), FrameDropHoldsStart(), ProgressNeedsCompliance(),
    HeldStart(), HoldSparesReading(), LetGoStarts(), OneCancelEach(), GoesOnAfterCancel(), ContactGrace(),
    PoorSignalCancels(), InterruptedForCause(), CancelByApp(), PreviewValues(), SignalLevelMoves(),
    PlatformTriggers(), SilentWait(), RestoresByItself(), NeverFailsWaiting(), FailedRecovery(), SlowFrames(),
    StallRestart(), OwnerEnds(), StopEnds(), StopDeliversMeasured(), CameraCannotOpen(), StartsAgain(),
    HonestResult(),
  ]

  init(platform: String) { context = ReadingContext(platform: platform) }

  var rulings: [Ruling] { monitors.map(\.ruling) }

  mutating func observe(_ entry: TraceEntry) {
    let moment = context.read(entry)
    if case .other = moment { return }
    for index in monitors.indices { monitors[index].observe(moment, context) }
    context.advance(past: moment)
  }

  mutating func finish(at end: Instant) {
    context.reach(end)
    for index in monitors.indices { monitors[index].finish(context) }
  }
}

/// The windows that more than one monitor accepts.
enum Window {
  /// About once a second (V04, V08).
  static let pace = TimeSpan.milliseconds(700)...TimeSpan.milliseconds(1500)
  /// Soon, for the first of a stretch (V03, V24).
  static let soon = TimeSpan.zero...TimeSpan.milliseconds(1500)
  /// At once, as a monitor can tell (V07, V28, V39, V40).
  static let atOnce = TimeSpan.zero...TimeSpan.milliseconds(100)
  /// How soon an interruption cancels (V31, V32).
  static let interrupted = TimeSpan.zero...TimeSpan.milliseconds(500)
  /// How soon a session acts on a silent camera (V37).
  static let stall = TimeSpan.seconds(1)...TimeSpan.seconds(5)
  /// How soon it acts on slow frames (V36): 0.4 s without any bring the rate of two seconds down to 80 %.
  static let slow = TimeSpan.milliseconds(400)...TimeSpan.seconds(5)
  /// How long a session tries to get a first frame (V03, V35).
  static let recovery = TimeSpan.seconds(9)...TimeSpan.seconds(12)
  /// By when a good signal is called steady now and then: from the first frame on, and after a disturbance (V15).
  static let steady = TimeSpan.seconds(8)
  static let steadyAgain = TimeSpan.seconds(25)
  /// The longest that a full startProgress takes once the fingertip is steady (V05).
  static let filling = TimeSpan.seconds(6)
  /// The longest that finalizing may take (V11, V40).
  static let finalizing = TimeSpan.zero...TimeSpan.seconds(10)
}
