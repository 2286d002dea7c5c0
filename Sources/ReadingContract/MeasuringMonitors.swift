import Checks
import Traces
import VitalsModel

/// V08: previews about once a second, with the elapsed share of the minute.
struct PreviewPace: ReadingMonitor {
  var ruling = Ruling(rule: "V08")
  private var last: Instant?
  private var progress = 0.0

  /// Whether a regular preview has come: only from then on is one too soon after another.
  private var isRegular = false

  /// How far progress may be from the elapsed time, in seconds.
  private static let tolerance = 0.15

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if context.isInterrupted || context.breakdowns.open != nil { pause() }
    guard case .event(let event) = moment else {
      switch moment {
      case .call(.stop): last = nil
      case .world("camera", let state) where state != "working": judgeSilence(context)
      case .notice: judgeSilence(context)
      default: break
      }
      return
    }
    switch event {
    case .started:
      last = nil
      isRegular = false
      progress = 0
    case .preview(let preview): see(preview, context)
    case .measurementComplete:
      ruling.judge(
        progress == 1, at: context.now, expected: "a preview with progress 1 before measurementComplete",
        actual: "progress \(progress)", ours: true)
      last = nil
    case .cancelled, .completed, .failed:
      judgeSilence(context)
      last = nil
    case .guidance, .heartbeat, .unknown: break
    }
  }

  mutating func finish(_ context: ReadingContext) {
    if context.capture.isWorking, context.breakdowns.open == nil { judgeSilence(context) }
  }

  /// Without frames previews may stop, and may make up for it afterwards.
  private mutating func pause() {
    last = nil
    isRegular = false
  }

  private mutating func see(_ preview: Message, _ context: ReadingContext) {
    guard let shown = preview["progress"]?.number else {
      ruling.judge(false, at: context.now, expected: "a preview with its progress", actual: "none")
      return
    }
    if let last {
      // The first one after the empty one may keep a clock of its own, and the last one comes with the full minute.
      let window = isRegular && shown < 1 ? Window.pace : .zero...Window.pace.upperBound
      ruling.judge(context.now - last, within: window, of: "the next preview", at: context.now)
      isRegular = true
    }
    last = context.now
    ruling.judge(
      (0...1).contains(shown) && shown >= progress && progress < 1, at: context.now,
      expected: progress < 1 ? "progress of \(progress) to 1" : "no preview after the full one",
      actual: "\(shown)")
    progress = shown
    guard let startedAt = context.startedAt else { return }
    // A frame that is late at the end is V10's.
    let elapsed = min((context.now - startedAt).seconds, 60)
    ruling.judge(
      (shown * 60 - elapsed).magnitude <= Self.tolerance, at: context.now,
      expected: "progress for \(Fixed.text(elapsed, places: 3)) s of 60 s", actual: "\(shown)")
  }

  private mutating func judgeSilence(_ context: ReadingContext) {
    guard let last, context.phase == .measuring, context.now - last > Window.pace.upperBound else { return }
    ruling.judge(context.now - last, within: Window.pace, of: "the next preview", at: context.now)
    self.last = nil
  }
}

/// V09: a heartbeat for each beat, with the interval since the one before.
struct HeartbeatIntervals: ReadingMonitor {
  var ruling = Ruling(rule: "V09")
  private var first: Instant?
  private var last: Instant?
  private var count = 0
  private var sumMs = 0.0
  /// The most by which intervals have run ahead of the time between their heartbeats in the warm-up, in ms: a reader
  /// that begins late tells its first beats in one lump.
  private var leadMs = 0.0
  private var lastMs: Double?
  /// Differences of successive intervals, without their signs.
  private var stepsMs: [Double] = []
  /// For how long the camera was last silent, and until when that may still delay a beat.
  private var gap: (ms: Double, until: Instant)?
  /// Set when the minute was full and the signal good all through it: the truth can then be held against it.
  private var isWholeAndGood = false

  /// How far the sum of intervals may be from the time that passed: a detector's delay may vary that much, in ms.
  private static let tolerance = 1_000.0
  /// How long after a silent camera a beat may be told late.
  private static let catchUp = TimeSpan.seconds(2)
  /// How long a reader may take to become regular.
  private static let warmUp = TimeSpan.seconds(8)
  /// No longer silence than this on a good signal: a live reader may miss two beats of a slow heart in a row.
  private static let silence = TimeSpan.seconds(5)
  /// Beats told, over the beats that there were.
  private static let share = 0.85...1.1
  /// How far the usual step between intervals may be from what the true RMSSD makes of it, in ms: live beats may be
  /// timed less well.
  private static let stepTolerance = 25.0
  /// The median of the steps' sizes, over the RMSSD: 0.6745 for a normal distribution. One beat too many or too few
  /// moves a median little.
  private static let medianShare = 0.6745

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.started):
      (first, last, count, sumMs, isWholeAndGood) = (nil, nil, 0, 0, false)
      (leadMs, lastMs, stepsMs) = (0, nil, [])
    case .world("camera", "working"):
      if let since = context.capture.brokenSince {
        gap = ((context.now - since).milliseconds, context.now + Self.catchUp)
      }
    case .event(.heartbeat(let ibiMs)): see(ibiMs, context)
    case .event(.measurementComplete): isWholeAndGood = context.isGoodAttempt
    case .realised(let truth):
      if isWholeAndGood { judge(truth, context) }
    default: break
    }
  }

  private mutating func judge(_ truth: Message, _ context: ReadingContext) {
    if let heartRate = truth["heartRateBpm"]?.number {
      ruling.judge(
        Self.share.contains(Double(count) / heartRate), at: context.now,
        expected: "about \(Fixed.text(heartRate, places: 0)) heartbeats in the minute", actual: "\(count)")
    }
    if let rmssd = truth["rmssdMs"]?.number, !stepsMs.isEmpty {
      let told = stepsMs.sorted()[stepsMs.count / 2]
      let expected = rmssd * Self.medianShare
      ruling.judge(
        (told - expected).magnitude <= Self.stepTolerance, at: context.now,
        expected: "intervals that differ by about \(Fixed.text(expected, places: 0)) ms from one to the next",
        actual: "\(Fixed.text(told, places: 0)) ms")
    }
  }

  private mutating func see(_ ibiMs: Double?, _ context: ReadingContext) {
    count += 1
    if context.isGoodAttempt, let last {
      ruling.judge(
        context.now - last <= Self.silence, at: context.now, expected: "no silence of more than 5 s on a good signal",
        actual: (context.now - last).text)
    }
    last = context.now
    guard let first else {
      ruling.judge(
        ibiMs == nil, at: context.now, expected: "no ibiMs on an attempt's first heartbeat", actual: "\(ibiMs ?? 0) ms")
      self.first = context.now
      return
    }
    if let ibiMs, let lastMs { stepsMs.append((ibiMs - lastMs).magnitude) }
    lastMs = ibiMs
    sumMs += ibiMs ?? 0
    let passed = (context.now - first).milliseconds
    let elapsed = context.startedAt.map { context.now - $0 } ?? .zero
    if elapsed <= Self.warmUp { leadMs = max(leadMs, sumMs - passed) }
    let lateMs = gap.map { context.now <= $0.until ? $0.ms : 0 } ?? 0
    ruling.judge(
      (ibiMs ?? 0) > 0 && (-Self.tolerance - lateMs...Self.tolerance).contains(sumMs - passed - leadMs)
        && sumMs <= elapsed.milliseconds + Self.tolerance, at: context.now,
      expected: "ibiMs since the beat before; \(Fixed.text(passed, places: 0)) ms since the first",
      actual: ibiMs.map { "\($0) ms, \(Fixed.text(sumMs, places: 0)) ms in all" } ?? "no ibiMs")
  }
}

/// V10: the minute, once.
struct FullMinute: ReadingMonitor {
  var ruling = Ruling(rule: "V10")
  private var count = 0

  /// The rate that the camera's frames have now, and the highest that they had in the attempt; nil: nobody said.
  private var fps: Double?
  private var highestFps: Double?

  private static let minute = TimeSpan.seconds(60)
  /// A frame where nobody said how long one is: of the slowest camera.
  private static let slowestFps = 17.14
  /// How many frames of time the minute may be off, and the share of frames that may be too many: cameras are not
  /// quite regular.
  private static let frames = 1.2
  private static let surplus = 1.05
  /// When frames were last slow or missing: the frame that fills the minute is then late.
  private var lastSparse: Instant?
  /// For how long after sparse frames the minute may still be late by as much as a camera may be silent.
  private static let aftermath = TimeSpan.seconds(1)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    let capture = context.capture
    if capture.slowSince != nil || !capture.isWorking || context.breakdowns.open != nil { lastSparse = context.now }
    switch moment {
    case .notice(.frameRateSelected(let selected)):
      fps = selected
      highestFps = selected.map { max($0, highestFps ?? 0) }
    case .buildResult(let frames?): judgeFrames(frames, context)
    case .event(let event): see(event, context)
    default: break
    }
  }

  private mutating func see(_ event: ReadingMoment.Event, _ context: ReadingContext) {
    if case .started = event { highestFps = fps }
    if case .measurementComplete = event {
      count += 1
      ruling.judge(count == 1, at: context.now, expected: "one measurementComplete", actual: "\(count)")
      if let startedAt = context.startedAt {
        let elapsed = context.now - startedAt
        // One that is on time has no need of what sparse frames allow.
        let window = onTime.contains(elapsed) ? onTime : window(context)
        ruling.judge(elapsed, within: window, of: "measurementComplete", at: context.now)
      }
    } else {
      judgeFull(event, context)
      judgeOverdue(context)
    }
  }

  /// A minute that is full is full, whatever comes in the same moment.
  private mutating func judgeFull(_ event: ReadingMoment.Event, _ context: ReadingContext) {
    guard case .cancelled(let reason) = event, context.phase == .measuring, let startedAt = context.startedAt else {
      return
    }
    let elapsed = context.now - startedAt
    if elapsed >= Self.minute {
      ruling.judge(
        false, at: context.now, expected: "measurementComplete of a full minute", actual: "cancelled(\(reason))",
        ours: true)
    }
  }

  mutating func finish(_ context: ReadingContext) { judgeOverdue(context) }

  private mutating func judgeOverdue(_ context: ReadingContext) {
    guard context.phase == .measuring, let startedAt = context.startedAt else { return }
    let elapsed = context.now - startedAt
    if elapsed > window(context).upperBound {
      ruling.judge(elapsed, within: window(context), of: "measurementComplete", at: context.now)
    }
  }

  /// What a result is made of was captured in the minute, not before.
  private mutating func judgeFrames(_ frames: Int, _ context: ReadingContext) {
    // A camera that tells a wrong rate says nothing of how many frames are too many.
    guard let highestFps, !context.isLightDisturbed else { return }
    let most = Int(highestFps * Self.minute.seconds * Self.surplus)
    ruling.judge(
      frames <= most, at: context.now, expected: "a result of at most \(most) frames", actual: "\(frames)", ours: true)
  }

  private var onTime: ClosedRange<TimeSpan> {
    let off = TimeSpan(seconds: Self.frames / (fps ?? Self.slowestFps))
    return Self.minute - off...Self.minute + off
  }

  private func window(_ context: ReadingContext) -> ClosedRange<TimeSpan> {
    guard let lastSparse, context.now - lastSparse <= Self.aftermath else { return onTime }
    return onTime.lowerBound...onTime.upperBound + Window.stall.upperBound
  }
}

/// V29: when the previews' values come, and that RMSSD stays.
struct PreviewValues: ReadingMonitor {
  var ruling = Ruling(rule: "V29")
  private var hasShownRmssd = false
  /// The RMSSDs shown on a good signal: the first, how many, and whether any was another.
  private var firstRmssd: Double?
  private var shownCount = 0
  private var hasMoved = false
  /// The shortest and the longest interval told meanwhile, in ms.
  private var spreadMs: ClosedRange<Double>?
  /// The intervals of the last heartbeats, against which a shown heart rate is held.
  private var recentMs: [Double] = []

  private static let recent = 12
  /// A heart rate from fewer is a guess, or another attempt's.
  private static let leastIntervals = 2
  /// How far a shown heart rate may be from that of the last heartbeats.
  private static let tolerance = 0.2
  /// Over this many previews an RMSSD moves, unless the heart beats more regularly than this.
  private static let enough = 15
  private static let regularMs = 20.0
  /// How many intervals the attempt has told.
  private var intervals = 0

  private static let heartRateBy = TimeSpan.seconds(10)
  private static let rmssdFrom = TimeSpan.milliseconds(19_500)
  private static let rmssdBy = TimeSpan.seconds(25)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    switch event {
    case .started:
      (hasShownRmssd, intervals) = (false, 0)
      recentMs = []
      (firstRmssd, shownCount, hasMoved, spreadMs) = (nil, 0, false, nil)
    case .heartbeat(let ibiMs?):
      intervals += 1
      if firstRmssd != nil {
        let spread = spreadMs ?? ibiMs...ibiMs
        spreadMs = min(spread.lowerBound, ibiMs)...max(spread.upperBound, ibiMs)
      }
      recentMs.append(ibiMs)
      if recentMs.count > Self.recent { recentMs.removeFirst() }
    case .preview(let preview):
      guard let startedAt = context.startedAt else { return }
      judge(preview, elapsed: context.now - startedAt, isGood: context.isGoodAttempt, context)
      judgeHeartRate(preview, context)
      if context.isGoodAttempt, let shown = preview["rmssdMs"]?.number {
        shownCount += 1
        hasMoved = hasMoved || shown != firstRmssd ?? shown
        firstRmssd = firstRmssd ?? shown
      }
    case .measurementComplete, .cancelled: judgeMovement(context)
    case .guidance, .heartbeat, .completed, .failed, .unknown: break
    }
  }

  private mutating func judgeMovement(_ context: ReadingContext) {
    guard shownCount >= Self.enough, let spreadMs, spreadMs.upperBound - spreadMs.lowerBound > Self.regularMs else {
      return
    }
    ruling.judge(
      hasMoved, at: context.now, expected: "an rmssdMs that follows the heartbeats",
      actual: "\(firstRmssd ?? 0) ms in all \(shownCount) previews")
    shownCount = 0
  }

  private mutating func judgeHeartRate(_ preview: Message, _ context: ReadingContext) {
    if preview["heartRateBpm"] != nil, intervals < Self.leastIntervals {
      ruling.judge(
        false, at: context.now, expected: "no heart rate before two intervals of the attempt", actual: "a heart rate",
        ours: true)
    }
    guard context.isGoodAttempt, recentMs.count == Self.recent, let shown = preview["heartRateBpm"]?.number else {
      return
    }
    let told = 60_000 * Double(recentMs.count) / recentMs.reduce(0, +)
    ruling.judge(
      (shown / told - 1).magnitude <= Self.tolerance, at: context.now,
      expected: "a heart rate near that of the last heartbeats, \(Fixed.text(told, places: 1)) bpm",
      actual: "\(shown) bpm")
  }

  private mutating func judge(_ preview: Message, elapsed: TimeSpan, isGood: Bool, _ context: ReadingContext) {
    let hasRmssd = preview["rmssdMs"] != nil
    if hasRmssd || hasShownRmssd {
      ruling.judge(
        hasRmssd && elapsed >= Self.rmssdFrom, at: context.now,
        expected: hasRmssd ? "no rmssdMs before 19.5 s of the attempt" : "rmssdMs keeps its last good value",
        actual: hasRmssd ? "rmssdMs at \(elapsed.text)" : "absent at \(elapsed.text)")
    }
    if isGood, elapsed >= Self.rmssdBy {
      ruling.judge(
        hasRmssd, at: context.now, expected: "rmssdMs by 25 s on a good signal", actual: "absent at \(elapsed.text)")
    }
    if isGood, elapsed >= Self.heartRateBy {
      ruling.judge(
        preview["heartRateBpm"] != nil, at: context.now, expected: "heartRateBpm by 10 s on a good signal",
        actual: "absent at \(elapsed.text)")
    }
    hasShownRmssd = hasShownRmssd || hasRmssd
  }
}
