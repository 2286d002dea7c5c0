import Checks
import Traces
import VitalsModel

/// V15: guidance says what is true, once the truth has lasted long enough for a slow reader to see it.
struct GuidanceIsTrue: ReadingMonitor {
  var ruling = Ruling(rule: "V15")
  /// Whether each of the last guidances on a fidgeting fingertip was compliant.
  private var fidgeting: [Bool] = []
  /// How many guidances in a row were compliant without a pulse or a light, and not compliant on a good signal.
  private var blind = 0
  private var blamed = 0

  /// How long the fingertip has to be there or away.
  private static let contact = TimeSpan.milliseconds(2_500)
  /// How long frames have to be slow; regular ones are believed sooner or later than that.
  private static let slow = TimeSpan.milliseconds(3_500)
  private static let regular = TimeSpan.seconds(5)
  /// A reader that looks at the last two seconds has only seen fidgeting by then.
  private static let motion = TimeSpan.seconds(2)
  /// Fidgeting has rests, which look still: this many compliant guidances among the last ones are too many.
  private static let restless = 6
  private static let window = 8
  private static let noPulse = TimeSpan.seconds(6)
  /// This many guidances in a row on a good signal without one that is compliant are too many.
  private static let patience = 5

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.guidance(let value, _)):
      judgeContact(value, context)
      judgeFrames(value, context)
      judgeFidgeting(value, context)
      judgeBlind(value, context)
      judgeGood(value, context)
    case .event(.started): (blind, blamed) = (0, 0)
    case .world("motion", _): fidgeting = []
    default: break
    }
  }

  private mutating func judgeContact(_ value: String, _ context: ReadingContext) {
    if context.hasSeen("contact", "lost", for: Self.contact) {
      let isExcused = value == "frameDrop" && !context.hasRegularFrames(for: Self.regular)
      judge(value == "noContact" || isExcused, "noContact without a fingertip", value, context)
    } else if context.hasSeen("contact", "present", for: Self.contact) {
      // Nobody sees a finger in a picture that is all white or all black.
      let isExcused = value == "noContact" && context.isLightDisturbed
      judge(value != "noContact" || isExcused, "no noContact while the fingertip is there", value, context)
    }
  }

  private mutating func judgeFrames(_ value: String, _ context: ReadingContext) {
    if context.capture.slowSince != nil {
      guard context.hasSlowFrames(for: Self.slow) else { return }
      let isExcused = value == "noContact" && !context.hasSeen("contact", "present", for: Self.contact)
      let finger = context.finger
      let isFingerGood =
        finger.isTrue("contact", "present") && finger.isTrue("pulse", "present") && finger.isTrue("motion", "still")
      // Which of two words that are both true comes first is our choice.
      judge(
        value == "frameDrop" || isExcused, "frameDrop while frames are slow", value, context,
        ours: value != "compliant" && !isFingerGood)
    } else if value == "frameDrop", context.hasRegularFrames(for: Self.regular) {
      judge(false, "no frameDrop while frames keep their rate", value, context)
    }
  }

  private mutating func judgeFidgeting(_ value: String, _ context: ReadingContext) {
    guard context.hasSeen("motion", "fidgeting", for: Self.motion),
      context.hasSeen("contact", "present", for: Self.motion)
    else { return }
    fidgeting = fidgeting.suffix(Self.window - 1) + [value == "compliant"]
    let (steady, count) = (fidgeting.count { $0 }, fidgeting.count)
    judge(steady < Self.restless, "not steadily compliant while fidgeting", "\(steady) of \(count)", context)
  }

  private mutating func judgeBlind(_ value: String, _ context: ReadingContext) {
    let isDark = context.finger.since("torch", "lost").map { context.now - $0 >= Self.noPulse } ?? false
    // What a reader saw of a moving finger may look like a pulse for a while.
    let isPulseless =
      context.hasSeen("pulse", "absent", for: Self.noPulse) && context.hasSeen("motion", "still", for: Self.noPulse)
      && context.hasSeen("contact", "present", for: Self.noPulse)
    guard isDark || isPulseless else {
      blind = 0
      return
    }
    blind = value == "compliant" ? blind + 1 : 0
    judge(blind < 2, "not compliant \(isDark ? "in the dark" : "without a pulse")", value, context)
  }

  private mutating func judgeGood(_ value: String, _ context: ReadingContext) {
    guard let clear = context.clearSince else {
      blamed = 0
      return
    }
    blamed = value == "compliant" ? 0 : blamed + 1
    guard context.now - clear >= context.steadyWithin else { return }
    judge(blamed < Self.patience, "compliant now and then on a good signal", "\(value) again", context)
  }

  private mutating func judge(
    _ holds: Bool, _ expected: @autoclosure () -> String, _ actual: @autoclosure () -> String,
    _ context: ReadingContext,
    ours: Bool = false
  ) {
    ruling.judge(holds, at: context.now, expected: expected(), actual: actual(), ours: ours)
  }
}

/// V16: weakSignal on iOS only, and there for a faint pulse.
struct WeakSignalByPlatform: ReadingMonitor {
  var ruling = Ruling(rule: "V16")
  /// The values of a stretch in which a fingertip lies still and shows little or no pulse.
  private var values: [String] = []
  /// When the first of them came.
  private var since = Instant.zero

  /// From when on a guidance is of the stretch, and how long after the first of them one has to have named it.
  private static let settled = TimeSpan.seconds(3)
  private static let named = TimeSpan.seconds(5)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    guard case .guidance(let value, _) = event else {
      values = []
      return
    }
    if context.platform == "android" {
      // On iOS it is always in its place here, and V15 knows whether it is true.
      if value == "weakSignal" || Self.isWeak(context, for: Self.settled) {
        ruling.judge(value != "weakSignal", at: context.now, expected: "lowQuality on Android", actual: value)
      }
    } else {
      if value == "weakSignal" { ruling.judge(true, at: context.now, expected: "", actual: "") }
      judgeNamed(value, context)
    }
  }

  private mutating func judgeNamed(_ value: String, _ context: ReadingContext) {
    guard Self.isWeak(context, for: Self.settled) else {
      values = []
      return
    }
    if values.isEmpty { since = context.now }
    values.append(value)
    guard context.now - since >= Self.named else { return }
    // A faint pulse may be good enough for this reader.
    let isBelieved = context.finger.isTrue("pulse", "faint") && values.contains("compliant")
    ruling.judge(
      values.contains("weakSignal") || isBelieved, at: context.now, expected: "weakSignal for a faint pulse",
      actual: "\(value) all the time")
  }

  private static func isWeak(_ context: ReadingContext, for span: TimeSpan) -> Bool {
    (context.hasSeen("pulse", "absent", for: span) || context.hasSeen("pulse", "faint", for: span))
      && context.hasSeen("contact", "present", for: span) && context.hasSeen("motion", "still", for: span)
      && context.hasRegularFrames(for: span)
  }
}

/// V17: no start while frameDrop shows, nor where it would have to.
struct FrameDropHoldsStart: ReadingMonitor {
  var ruling = Ruling(rule: "V17")
  private var isShown = false

  /// How long frames have to be slow for a start to be wrong whatever guidance said.
  private static let slow = TimeSpan.milliseconds(3_500)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    guard case .event(let event) = moment else { return }
    let isSlow = context.hasSlowFrames(for: Self.slow)
    if isShown || (context.phase == .positioning && context.capture.slowSince != nil) {
      var hasStarted = false
      if case .started = event { hasStarted = true }
      ruling.judge(
        !hasStarted || !(isShown || isSlow), at: context.now,
        expected: "no start while \(isShown ? "frameDrop shows" : "frames are slow")",
        actual: "started")
    }
    if case .guidance("frameDrop", _) = event { isShown = true } else { isShown = false }
  }

  mutating func finish(_ context: ReadingContext) {
    if isShown { ruling.judge(true, at: context.now, expected: "", actual: "") }
  }
}
