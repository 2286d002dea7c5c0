import Scenarios
import Traces
import VitalsModel

extension TraceView {
  /// Judges how near a measure of the result comes to the truth, or whether it is withheld.
  func judgeResult(
    _ measure: String, is demand: Expectation.Demand, options: JudgeOptions, at mark: SourceMark
  ) -> CheckResult {
    let word = word(of: measure, among: vocabulary.result?.measures ?? [])
    func line(
      _ verdict: Verdict, _ actual: String, about truth: String = "the truth", _ margin: Margin? = nil
    ) -> CheckResult {
      CheckResult(
        name: "result \(measure)", mark: mark, verdict: verdict, expected: word.text(demand, about: truth),
        actual: actual, margin: margin, at: end)
    }
    guard !options.skips(demand, of: measure) else { return line(.skipped, "not judged, as asked") }
    guard let result else { return line(isWhole ? .failed : .inconclusive, isWhole ? "no result" : absence) }
    let said = SaidMeasure(word.field, in: result)
    let tolerance: Double
    switch demand {
    case .withheld: return line(said.isCarried ? .failed : .passed, said.text(word))
    case .withinOrWithheld where !said.isCarried: return line(.passed, said.text(word))
    case .within(let least), .withinOrWithheld(let least): tolerance = least
    }
    guard let truth = realised?[word.field]?.number else { return line(.inconclusive, Self.unknown) }
    guard case .number(let value) = said else { return line(.failed, said.text(word), about: word.text(truth)) }
    let margin = Margin(of: value, from: truth, within: tolerance, word)
    return line(margin?.verdict ?? .failed, word.text(value), about: word.text(truth), margin)
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
}

/// What a result says of a measure.
private enum SaidMeasure {
  case number(Double)
  /// It carries something else.
  case noNumber
  /// It does not carry it; the reason where it tells one.
  case withheld(reason: String?)

  init(_ field: String, in result: Message) {
    if let value = result[field] {
      self = value.number.map { .number($0) } ?? .noNumber
    } else if case .object(let reasons) = result["withheld"] {
      self = .withheld(reason: reasons.first { $0.key == field }?.value.text)
    } else {
      self = .withheld(reason: nil)
    }
  }

  /// Whether the result carries the measure, even where it is no number.
  var isCarried: Bool {
    switch self {
    case .number, .noNumber: true
    case .withheld: false
    }
  }

  func text(_ word: MeasureWord) -> String {
    switch self {
    case .number(let value): word.text(value)
    case .noNumber: "no number"
    case .withheld(let reason): reason.map { "withheld, \"\($0)\"" } ?? "absent"
    }
  }
}

extension JudgeOptions {
  /// Whether a demand on a measure of the result is left unjudged. That it is withheld has nothing to do with accuracy.
  fileprivate func skips(_ demand: Expectation.Demand, of measure: String) -> Bool {
    switch demand {
    case .within, .withinOrWithheld: skipsAccuracy || skippedMeasures.contains(measure)
    case .withheld: skippedMeasures.contains(measure)
    }
  }
}

extension MeasureWord {
  /// A demand in words, with the truth as far as it is known.
  fileprivate func text(_ demand: Expectation.Demand, about truth: String) -> String {
    switch demand {
    case .within(let tolerance): "\(truth) ± \(text(tolerance))"
    case .withinOrWithheld(let tolerance): "\(truth) ± \(text(tolerance)), or withheld"
    case .withheld: "withheld"
    }
  }

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
