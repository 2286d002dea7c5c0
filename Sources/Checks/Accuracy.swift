import Scenarios
import Traces
import VitalsModel

extension TraceView {
  /// Judges how near a measure of the result comes to the truth.
  func judgeResult(_ measure: String, tolerance: Double, options: JudgeOptions, at mark: SourceMark) -> CheckResult {
    let word = word(of: measure, among: vocabulary.result?.measures ?? [])
    func line(_ verdict: Verdict, _ expected: String, _ actual: String, _ margin: Margin? = nil) -> CheckResult {
      CheckResult(
        name: "result \(measure)", mark: mark, verdict: verdict, expected: expected, actual: actual, margin: margin,
        at: end)
    }
    let within = "the truth ± \(word.text(tolerance))"
    guard !options.skipsAccuracy, !options.skippedMeasures.contains(measure) else {
      return line(.skipped, within, "not judged, as asked")
    }
    guard let result else {
      return line(isWhole ? .failed : .inconclusive, within, isWhole ? "no result" : absence)
    }
    guard let truth = realised?[word.field]?.number else {
      return line(.inconclusive, within, Self.unknown)
    }
    let expected = "\(word.text(truth)) ± \(word.text(tolerance))"
    guard let value = result[word.field]?.number else {
      let reason = withheldReason(word.field, in: result)
      return line(.failed, expected, reason.map { "withheld: \($0)" } ?? "absent")
    }
    let margin = Margin(of: value, from: truth, within: tolerance, word)
    return line(margin?.verdict ?? .failed, expected, word.text(value), margin)
  }

  /// Judges what really happened over the stretch that the result speaks of.
  func judgeTruth(_ measure: String, is value: Double, tolerance: Double, at mark: SourceMark) -> CheckResult {
    let word = word(of: measure, among: vocabulary.truths)
    let expected = "\(word.quantity.text(value)) ± \(word.quantity.text(tolerance))"
    func line(_ verdict: Verdict, _ actual: String, _ margin: Margin? = nil) -> CheckResult {
      CheckResult(
        name: "truth \(measure)", mark: mark, verdict: verdict, expected: expected, actual: actual, margin: margin,
        at: end)
    }
    guard let truth = realised?[word.field]?.number else {
      return line(.inconclusive, result != nil ? Self.unknown : isWhole ? "nothing was measured" : absence)
    }
    let margin = Margin(of: truth, from: value, within: tolerance, word)
    return line(margin?.verdict ?? .failed, word.text(truth), margin)
  }

  private static let unknown = "the truth is not known of this source"

  private func word(of measure: String, among known: [MeasureWord]) -> MeasureWord {
    guard let word = known.first(where: { $0.name == measure }) else {
      preconditionFailure("the parser lets only known measures through")
    }
    return word
  }

  private func withheldReason(_ field: String, in result: Message) -> String? {
    guard case .object(let reasons) = result["withheld"] else { return nil }
    return reasons.first { $0.key == field }?.value.text
  }
}

extension MeasureWord {
  /// A value with as many decimals as a report shows, and its unit.
  fileprivate func text(_ value: Double) -> String { measured(value, unit: quantity.unit, places: places) }
}

extension Margin {
  /// The slack of a measured value about the right one. Values have decimals, so that one which is just as far away as
  /// it may be is within: what is less than 10^-9 comes from binary fractions alone. Nil where the value is none that a
  /// body gives, since no report could show by how much.
  fileprivate init?(of value: Double, from right: Double, within tolerance: Double, _ word: MeasureWord) {
    let slack = tolerance - (value - right).magnitude
    guard slack.magnitude < 1e9 else { return nil }
    self.init(slack.magnitude < 1e-9 ? 0 : slack, unit: word.quantity.unit, places: word.places, width: tolerance)
  }
}
