import Checks
import Traces
import VitalsModel

/// V50: each measure is a plausible number or withheld with a reason, and on a good minute no number is a guess.
struct HonestResult: ReadingMonitor {
  var ruling = Ruling(rule: "V50")
  private var wasGood = false
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

  mutating func observe(_ moment: ReadingMoment, _ context: ReadingContext) {
    switch moment {
    case .event(.measurementComplete): wasGood = context.isGoodAttempt
    case .event(.completed(let result)):
      judge(result, context)
      self.result = result
    case .realised(let truth):
      if wasGood { judge(against: truth, context) }
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

  private mutating func judge(against truth: Message, _ context: ReadingContext) {
    if let told = result?["heartRateBpm"]?.number, let real = truth["heartRateBpm"]?.number {
      ruling.judge(
        (told - real).magnitude <= Self.heartRateTolerance, at: context.now,
        expected: "a heart rate within 5 bpm of \(real) on a good minute", actual: "\(told) bpm")
    }
    if let told = result?["rmssdMs"]?.number, let real = truth["rmssdMs"]?.number {
      let tolerance = max(Self.rmssdTolerance, Self.rmssdShare * real)
      ruling.judge(
        (told - real).magnitude <= tolerance, at: context.now,
        expected: "an RMSSD within \(Fixed.text(tolerance, places: 0)) ms of \(real) ms on a good minute",
        actual: "\(told) ms")
    }
  }
}
