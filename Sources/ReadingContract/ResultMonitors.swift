import Checks
import Traces
import VitalsModel

/// For how much of an attempt no pulse could be seen, by the truth.
private struct UnseenPulse {
  private var since: Instant?
  private var total = TimeSpan.zero

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    if case .event(.started) = moment { (since, total) = (nil, .zero) }
    let finger = context.finger
    let isUnseen =
      finger.isTrue("pulse", "absent") || finger.isTrue("contact", "lost") || finger.isTrue("torch", "lost")
    if isUnseen { since = since ?? context.now } else { close(context) }
  }

  /// How long in all, up to now.
  mutating func all(_ context: ReadingContext) -> TimeSpan {
    close(context)
    return total
  }

  private mutating func close(_ context: ReadingContext) {
    if let since { total = total + (context.now - since) }
    since = nil
  }
}

/// V12: a result has a heart rate; without one the session fails, and only after the minute.
struct HeartRateOrFailure: ReadingMonitor {
  var ruling = Ruling(rule: "V12")
  private var isBuilt = false
  private var wasGood = false
  private var unseen = UnseenPulse()
  private var wasUnseen = false

  private static let errors = readingVocabulary.event("failed")?.arguments ?? []
  /// Nobody finds a heart rate in what is left of a minute after this.
  private static let nothing = TimeSpan.seconds(55)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    unseen.observe(moment, context)
    switch moment {
    case .notice(.resultBuilt): isBuilt = isBuilt || context.phase == .finalizing
    case .event(.measurementComplete):
      wasGood = context.isGoodAttempt
      wasUnseen = unseen.all(context) >= Self.nothing
    case .event(.completed(let result)):
      ruling.judge(
        result["heartRateBpm"]?.number.map { $0 > 0 } ?? false, at: context.now,
        expected: "a result with a heart rate", actual: "none")
      if wasUnseen {
        ruling.judge(
          false, at: context.now, expected: "failed(noHeartRate) after a minute without a pulse", actual: "completed")
      }
    case .event(.failed(let error)): judge(error, context)
    default: break
    }
  }

  private mutating func judge(_ error: String, _ context: ReadingContext) {
    if error == "noHeartRate" {
      ruling.judge(
        context.phase == .finalizing && !wasGood, at: context.now,
        expected: wasGood
          ? "a heart rate from a signal that was good all through" : "noHeartRate only after the minute",
        actual: "failed(noHeartRate) while \(context.phase.rawValue)")
    } else {
      ruling.judge(
        Self.errors.contains(error) && !isBuilt, at: context.now,
        expected: isBuilt
          ? "completed or failed(noHeartRate) once the result is built" : "an error that failed carries",
        actual: "failed(\(error))")
    }
  }
}

/// V50: each measure is a plausible number or withheld with a reason, and on a good minute no number is a guess.
struct HonestResult: ReadingMonitor {
  var ruling = Ruling(rule: "V50")
  private var wasGood = false
  private var unseen = UnseenPulse()
  private var wasUnseen = false
  private var result: Message?

  /// The measures that every result gives or withholds, and what a number of theirs may be.
  private static let needed: [(String, ClosedRange<Double>)] = [
    ("rmssdMs", 0...500), ("breathingRatePerMin", 3...70),
  ]
  /// Those that a result may do without.
  private static let related: [(String, ClosedRange<Double>)] = [
    ("sdnnMs", 0...500), ("meanNNMs", 200...3_000), ("perfusionIndexPercent", 0...100), ("quality", 0...1),
  ]
  private static let heartRate = 20.0...300.0
  /// How far from the truth a number on a good minute may be.
  private static let heartRateTolerance = 5.0
  private static let rmssdTolerance = 25.0
  private static let rmssdShare = 0.5
  private static let breathingTolerance = 6.0
  /// A heart rate that comes of what was seen of a minute, with so much of it unseen, is right or made up.
  private static let half = TimeSpan.seconds(30)

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    unseen.observe(moment, context)
    switch moment {
    case .event(.measurementComplete):
      wasGood = context.isGoodAttempt
      wasUnseen = unseen.all(context) >= Self.half
    case .event(.completed(let result)):
      judge(result, context)
      self.result = result
    case .realised(let truth):
      if wasGood || wasUnseen { judgeHeartRate(against: truth, context) }
      if wasGood {
        judgeRmssd(against: truth, context)
        judgeBreathing(against: truth, context)
      }
    default: break
    }
  }

  private mutating func judge(_ result: Message, _ context: ReadingContext) {
    var reasons: [Field] = []
    if case .object(let fields)? = result["withheld"] { reasons = fields }
    for reason in reasons {
      ruling.judge(
        reason.value.text.map { !$0.isEmpty } ?? false, at: context.now,
        expected: "a reason for withholding \(reason.key)", actual: "none", ours: true)
    }
    let heartRate = result["heartRateBpm"]?.number
    ruling.judge(
      heartRate.map { Self.heartRate.contains($0) } ?? false, at: context.now,
      expected: "a heart rate of 20 to 300 bpm", actual: heartRate.map { "\($0) bpm" } ?? "none")
    for (measure, range) in Self.needed + Self.related {
      let isWithheld = reasons.contains { $0.key == measure }
      guard let value = result[measure] else {
        let isNeeded = Self.needed.contains { $0.0 == measure }
        if isNeeded || isWithheld {
          ruling.judge(isWithheld, at: context.now, expected: "\(measure) or why it is withheld", actual: "neither")
        }
        continue
      }
      ruling.judge(!isWithheld, at: context.now, expected: "\(measure) or why it is withheld", actual: "both")
      ruling.judge(
        value.number.map { range.contains($0) } ?? false, at: context.now,
        expected: "\(measure) of \(range.lowerBound) to \(range.upperBound)",
        actual: value.number.map { "\($0)" } ?? "no number")
    }
  }

  private mutating func judgeHeartRate(against truth: Message, _ context: ReadingContext) {
    if let told = result?["heartRateBpm"]?.number, let real = truth["heartRateBpm"]?.number {
      ruling.judge(
        (told - real).magnitude <= Self.heartRateTolerance, at: context.now,
        expected: "a heart rate within 5 bpm of \(real) \(wasGood ? "on a good minute" : "or none")",
        actual: "\(told) bpm")
    }
  }

  private mutating func judgeRmssd(against truth: Message, _ context: ReadingContext) {
    if let told = result?["rmssdMs"]?.number, let real = truth["rmssdMs"]?.number {
      let tolerance = max(Self.rmssdTolerance, Self.rmssdShare * real)
      ruling.judge(
        (told - real).magnitude <= tolerance, at: context.now,
        expected: "an RMSSD within \(Fixed.text(tolerance, places: 0)) ms of \(real) ms on a good minute",
        actual: "\(told) ms")
    }
  }

  private mutating func judgeBreathing(against truth: Message, _ context: ReadingContext) {
    if let told = result?["breathingRatePerMin"]?.number, let real = truth["breathingRatePerMin"]?.number {
      ruling.judge(
        (told - real).magnitude <= Self.breathingTolerance, at: context.now,
        expected: "a breathing rate within 6 /min of \(real) /min on a good minute", actual: "\(told) /min")
    }
  }
}
