import Checks
import Scenarios
import Traces
import VitalsModel

/// How a report for a terminal looks.
public struct TerminalStyle: Sendable {
  /// Colours the verdicts. Without it the text holds no escape sequence at all.
  public let usesColor: Bool
  /// Shows only what is not green, and the closing line.
  public let isQuiet: Bool

  /// A look.
  public init(usesColor: Bool, isQuiet: Bool) {
    self.usesColor = usesColor
    self.isQuiet = isQuiet
  }
}

/// The report for a person at a terminal: a line for each run, a block for each that needs attention, a closing line.
public func terminalText(of report: LibraryReport, vocabulary: Vocabulary, style: TerminalStyle) -> String {
  TerminalReport(report: report, excerpt: TraceExcerpt(vocabulary: vocabulary), style: style).text
}

/// The block for one run that is not green, as it stands in the terminal report, without colour.
func terminalBlock(of run: RunReport, in report: LibraryReport, vocabulary: Vocabulary) -> String {
  let alone = LibraryReport(tool: report.tool, source: report.source, runs: [run], wallSeconds: 0)
  let style = TerminalStyle(usesColor: false, isQuiet: false)
  return TerminalReport(report: alone, excerpt: TraceExcerpt(vocabulary: vocabulary), style: style).lines(of: run)
    .joined(separator: "\n")
}

private struct TerminalReport {
  let report: LibraryReport
  let excerpt: TraceExcerpt
  let style: TerminalStyle
  let shown: [RunReport]
  let labelWidth: Int
  let nameWidth: Int
  let platformWidth: Int
  let seedWidth: Int
  let timeWidth: Int

  init(report: LibraryReport, excerpt: TraceExcerpt, style: TerminalStyle) {
    self.report = report
    self.excerpt = excerpt
    self.style = style
    let rows = style.isQuiet ? report.runs.filter { !$0.verdict.isGreen } : report.runs
    func width(_ text: (RunReport) -> String) -> Int { rows.map { text($0).count }.max() ?? 0 }
    shown = rows
    labelWidth = width { $0.verdict.label }
    nameWidth = width { $0.scenario.withoutControls }
    platformWidth = width(\.platform)
    seedWidth = report.tellsSeeds ? width { Self.seedText($0) } : 0
    timeWidth = width { Self.timeText($0) }
  }

  static func seedText(_ run: RunReport) -> String { "seed \(run.seed)" }
  static func timeText(_ run: RunReport) -> String { "\(Fixed.text(run.virtualSeconds, places: 1)) s" }

  var text: String {
    var lines = shown.flatMap { self.lines(of: $0) }
    var notes: [String] = []
    for note in report.runs.filter({ $0.verdict != .skipped }).flatMap(\.notes) where !notes.contains(note) {
      notes.append(note)
    }
    lines += notes.map { "  note: \($0.withoutControls)" }
    if !lines.isEmpty { lines.append("") }
    return (lines + [closing]).joined(separator: "\n") + "\n"
  }

  /// All lines of one run.
  func lines(of run: RunReport) -> [String] {
    switch run.verdict {
    case .passed: [head(run, "\(time(run))\(slack(run))")] + waivers(run)
    case .marginal: marginalLines(run) + waivers(run)
    case .skipped: [head(run, run.notes.joined(separator: "; "))] + waivers(run)
    case .failed, .inconclusive, .blocked: block(run)
    }
  }

  private func time(_ run: RunReport) -> String { Self.timeText(run).padded(toAtLeast: timeWidth, side: .left) }

  private func slack(_ run: RunReport) -> String {
    guard let check = run.tightest, let margin = check.margin else { return "" }
    return "   least slack \(margin.text)  (\(check.rule ?? check.mark.map { "line \($0.line)" } ?? check.name))"
  }

  /// Verdict, scenario, platform and seed, and then the rest.
  private func head(_ run: RunReport, _ rest: String) -> String {
    let label = colored(run.verdict.label.padded(toAtLeast: labelWidth), run.verdict)
    var line = "  \(label)  \(run.scenario.withoutControls.padded(toAtLeast: nameWidth))"
    line += "  \(run.platform.padded(toAtLeast: platformWidth))"
    if seedWidth > 0 { line += "  \(Self.seedText(run).padded(toAtLeast: seedWidth))" }
    let tail = rest.withoutControls
    return tail.isEmpty ? line : "\(line)  \(tail)"
  }

  private var indent: String { String(repeating: " ", count: labelWidth + 4) }

  private func marginalLines(_ run: RunReport) -> [String] {
    let tight = run.checks.filter { $0.verdict == .marginal }
    return [head(run, "\(time(run))\(slack(run))")]
      + tight.map { check in
        let why =
          check.margin.map { "\($0.text) of \($0.widthText) left" }
          ?? "expected \(check.expected), actual \(check.actual)"
        return "\(indent)warning: \(place(check, in: run)) \(check.name): \(why)".withoutControls
      }
  }

  /// What became of the rules that are waived, whatever the run came to: a waiver is never out of sight.
  private func waivers(_ run: RunReport) -> [String] {
    run.checks.filter { $0.waiver != nil }.map { "\(indent)\($0.name) \($0.actual)".withoutControls }
  }

  private func place(_ check: CheckResult, in run: RunReport) -> String {
    check.mark.map { "\(run.file):\($0.line):\($0.column)" } ?? run.file
  }

  /// The block of a run that needs attention: what broke first in full, the rest in short, and how to see it again.
  private func block(_ run: RunReport) -> [String] {
    let findings = Findings(run)
    guard let main = findings.main else {
      return [head(run, run.file)] + run.notes.map { "\(indent)\($0)".withoutControls } + waivers(run)
        + [replay(run)]
    }
    let also = findings.companions.isEmpty ? "" : "   (also breaks \(findings.companions.joined(separator: ", ")))"
    var lines = [head(run, place(main, in: run))] + describe(main, suffix: also)
    if main.verdict == .failed, let moment = main.at {
      lines += excerpt.around(moment, of: run.trace).map { line, isMoment in
        dimmed("\(indent)\(isMoment ? ">" : " ")\(line)".withoutControls)
      }
    }
    for (check, times) in findings.others {
      let again = times > 1 ? "   (\(times) times)" : ""
      lines += ["\(indent)\(place(check, in: run))".withoutControls] + describe(check, suffix: again)
    }
    if findings.omitted > 0 { lines.append("\(indent)and \(findings.omitted) more") }
    return lines + waivers(run) + [replay(run)]
  }

  private func describe(_ check: CheckResult, suffix: String) -> [String] {
    [check.name, "expected  \(check.expected)", "actual    \(check.actual)\(suffix)"]
      .map { "\(indent)\($0)".withoutControls }
  }

  private func replay(_ run: RunReport) -> String { "\(indent)replay    \(run.replayCommand)".withoutControls }

  /// `61 passed, 1 failed, 5,712 s of sessions in 0.19 s`.
  private var closing: String {
    let order: [Verdict] = [.passed, .marginal, .failed, .inconclusive, .blocked, .skipped]
    let counts = order.compactMap { verdict in
      let count = report.count(verdict)
      return count > 0 || verdict == .passed
        ? colored("\(count.withThousands) \(verdict.rawValue)", count > 0 ? verdict : .skipped) : nil
    }
    let session = Int(report.runs.reduce(0) { $0 + $1.virtualSeconds }.rounded())
    let wall = Fixed.text(report.wallSeconds, places: 2)
    return "\(counts.joined(separator: ", ")), \(session.withThousands) s of sessions in \(wall) s"
  }

  private func colored(_ text: String, _ verdict: Verdict) -> String {
    guard style.usesColor, let code = verdict.colorCode else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private func dimmed(_ text: String) -> String { style.usesColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

/// What of a run's checks needs attention, sorted by how much room it deserves.
private struct Findings {
  /// The one to show in full: an expectation before a rule, since a person wrote it for this scenario.
  let main: CheckResult?
  /// The rules that broke within half a second of it.
  let companions: [String]
  /// The rest, one for each name, with how often.
  let others: [(check: CheckResult, times: Int)]
  /// How many of the rest are left out.
  let omitted: Int

  static let mostOthers = 5
  static let closeBy = TimeSpan.milliseconds(500)

  init(_ run: RunReport) {
    let worst = run.checks.filter { $0.verdict == run.verdict }
    main = worst.first { $0.rule == nil } ?? worst.first
    var companions: [String] = []
    var others: [(check: CheckResult, times: Int)] = []
    for check in worst where check != main {
      if let rule = check.rule, let at = check.at, let moment = main?.at, main?.rule == nil,
        max(at - moment, moment - at) <= Self.closeBy
      {
        if !companions.contains(rule) { companions.append(rule) }
      } else if let index = others.firstIndex(where: { $0.check.name == check.name && check.rule != nil }) {
        others[index].times += 1
      } else {
        others.append((check, 1))
      }
    }
    self.companions = companions
    others.removeAll { other in other.check.rule.map { companions.contains($0) } ?? false }
    self.others = Array(others.prefix(Self.mostOthers))
    omitted = max(0, others.count - Self.mostOthers)
  }
}

extension Verdict {
  /// Whether a reader who looks only for trouble may pass over it.
  fileprivate var isGreen: Bool { self == .passed || self == .skipped }

  /// The word at the beginning of a line; what stops a release is loud.
  fileprivate var label: String {
    switch self {
    case .failed, .blocked: rawValue.uppercased()
    case .passed, .marginal, .inconclusive, .skipped: rawValue
    }
  }

  /// The number of its colour in an ANSI escape sequence (ECMA-48, select graphic rendition).
  fileprivate var colorCode: Int? {
    switch self {
    case .passed: 32
    case .marginal, .inconclusive: 33
    case .failed, .blocked: 31
    case .skipped: nil
    }
  }
}
