import Scenarios
import Traces
import VitalsModel

extension TraceView {
  /// Judges one line under `expect`.
  func judge(_ expectation: Expectation, options: JudgeOptions) -> CheckResult {
    switch expectation.kind {
    case .sequence(let patterns):
      judgeSequence(patterns, at: expectation.mark)
    case .see(let pattern, let anchor, let window):
      judgeSee(pattern, after: anchor, within: window, at: expectation.mark)
    case .never(let pattern, let anchor):
      judgeNever(pattern, after: anchor, at: expectation.mark)
    case .count(let pattern, let count):
      judgeCount(pattern, count, at: expectation.mark)
    case .reply(let call, let occurrence, let answer):
      judgeReply(to: call, occurrence: occurrence, is: answer, at: expectation.mark)
    case .result(let measure, let demand):
      judgeResult(measure, is: demand, options: options, at: expectation.mark)
    case .truth(let measure, let value, let tolerance):
      judgeTruth(measure, is: value, tolerance: tolerance, at: expectation.mark)
    }
  }

  private func judgeSequence(_ patterns: [EventPattern], at mark: SourceMark) -> CheckResult {
    let seen = effects.filter(\.isLifecycle)
    let expected = "[\(patterns.map(\.description).joined(separator: ", "))]"
    let actual = "[\(seen.map(\.pattern.description).joined(separator: ", "))]"
    let matching = zip(patterns, seen).prefix { pattern, event in
      pattern.matches(name: event.pattern.name, argument: event.pattern.argument)
    }.count
    if matching == patterns.count, matching == seen.count {
      return CheckResult(name: "sequence", mark: mark, verdict: .passed, expected: expected, actual: actual)
    }
    // A recording that ran out in the middle of the right sequence says nothing about the rest.
    let ranOut = !isWhole && matching == seen.count
    return CheckResult(
      name: "sequence", mark: mark, verdict: ranOut ? .inconclusive : .failed, expected: expected,
      actual: ranOut ? "\(actual), and then \(exhaustion ?? "")" : actual,
      at: seen.dropFirst(matching).first?.at ?? end)
  }

  private func judgeSee(
    _ pattern: EventPattern, after anchor: Expectation.Anchor?, within window: ClosedRange<TimeSpan>?,
    at mark: SourceMark
  ) -> CheckResult {
    let name = "see \(pattern)"
    let suffix = anchor.map { " after \($0)" } ?? ""
    guard let origin = place(of: anchor) else {
      return CheckResult(
        name: name, mark: mark, verdict: .inconclusive, expected: "\(pattern)\(suffix)",
        actual: "\(anchor?.description ?? "") never happened", at: end)
    }
    let first = effects(pattern, after: origin).first
    guard let window else {
      return CheckResult(
        name: name, mark: mark, verdict: first != nil ? .passed : isWhole ? .failed : .inconclusive,
        expected: "\(pattern)\(suffix)", actual: first.map { "at \($0.at.text)" } ?? absence, at: first?.at ?? end)
    }
    let expected =
      "\(pattern) from \((origin.at + window.lowerBound).text) to \((origin.at + window.upperBound).text)"
      + " (\(window.lowerBound.text) to \(window.upperBound.text)\(suffix))"
    guard let first else {
      let isOver = end > origin.at + window.upperBound
      return CheckResult(
        name: name, mark: mark, verdict: isOver || isWhole ? .failed : .inconclusive, expected: expected,
        actual: absence, at: min(end, origin.at + window.upperBound))
    }
    let span = first.at - origin.at
    let margin = Margin(of: span, within: window)
    let lateness =
      margin.value < 0
      ? ", \(Fixed.text(-margin.value, places: 3)) s too \(span < window.lowerBound ? "early" : "late")" : ""
    return CheckResult(
      name: name, mark: mark, verdict: margin.verdict, expected: expected, actual: "at \(first.at.text)\(lateness)",
      margin: margin, at: first.at)
  }

  private func judgeNever(
    _ pattern: EventPattern, after anchor: Expectation.Anchor?, at mark: SourceMark
  ) -> CheckResult {
    let name = "never \(pattern)"
    let expected = "no \(pattern)" + (anchor.map { " after \($0)" } ?? "")
    guard let origin = place(of: anchor) else {
      return CheckResult(
        name: name, mark: mark, verdict: .inconclusive, expected: expected,
        actual: "\(anchor?.description ?? "") never happened", at: end)
    }
    guard let first = effects(pattern, after: origin).first else {
      // What a recording did not come to may still have happened after it.
      return CheckResult(
        name: name, mark: mark, verdict: isWhole ? .passed : .inconclusive, expected: expected,
        actual: exhaustion.map { "none, and then \($0)" } ?? "none", at: isWhole ? nil : end)
    }
    return CheckResult(
      name: name, mark: mark, verdict: .failed, expected: expected, actual: "\(first.pattern) at \(first.at.text)",
      at: first.at)
  }

  private func judgeCount(_ pattern: EventPattern, _ count: Int, at mark: SourceMark) -> CheckResult {
    let seen = effects(pattern, after: .start)
    let verdict: Verdict =
      if seen.count <= count, !isWhole { .inconclusive } else { seen.count == count ? .passed : .failed }
    return CheckResult(
      name: "count \(pattern)", mark: mark, verdict: verdict, expected: "\(count) of \(pattern)",
      actual: "\(seen.count)", at: verdict == .passed ? nil : seen.dropFirst(count).first?.at ?? end)
  }

  private func judgeReply(
    to name: String, occurrence: Int, is answer: Expectation.Answer, at mark: SourceMark
  ) -> CheckResult {
    let which = occurrence == 1 ? name : "\(name)#\(occurrence)"
    func line(_ verdict: Verdict, _ actual: String, _ moment: Instant) -> CheckResult {
      CheckResult(
        name: "reply \(which)", mark: mark, verdict: verdict, expected: "\(which) \(answer)", actual: actual, at: moment
      )
    }
    guard let call = call(name, occurrence: occurrence) else { return line(.inconclusive, "it was not called", end) }
    guard let seen = reply(to: call) else { return line(.failed, "no reply", call.place.at) }
    switch (seen.reply, answer) {
    case (.returned, .returned): return line(.passed, "returned", seen.at)
    case (.returned, .threw): return line(.failed, "returned", seen.at)
    case (.threw(let error), .returned): return line(.failed, Self.text(of: error), seen.at)
    case (.threw(let error), .threw(let name)):
      return line(error.name == name ? .passed : .failed, Self.text(of: error), seen.at)
    }
  }

  /// An error with what it says in words: `threw licenseInvalid (expired)`.
  private static func text(of error: Message) -> String {
    let details = error.fields.compactMap(\.value.text)
    return "threw \(error.name)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  /// That something did not come, and why that may be.
  var absence: String {
    exhaustion.map { "did not come: \($0)" } ?? "did not come by \(end.text)"
  }
}
