import Checks
import Traces
import VitalsModel

/// What one run of one scenario came to, with everything that a report may want to show of it.
public struct RunReport: Sendable {
  /// The scenario's name.
  public let scenario: String
  /// The file of the scenario, as the user would write it.
  public let file: String
  /// The platform that the session played.
  public let platform: String
  /// The seed of every random stream.
  public let seed: UInt64
  /// What it came to.
  public let verdict: Verdict
  /// The hash of the trace's body; nil when there was no run.
  public let traceHash: String?
  /// How long the session took in its own time, in seconds.
  public let virtualSeconds: Double
  /// How long the run took on the wall's clock, in seconds. The one thing that differs from run to run.
  public let wallSeconds: Double
  /// The event that carried the result; nil when there was none.
  public let result: Message?
  /// What the result should have said; nil when the truth is unknown.
  public let truth: Message?
  /// Everything that was checked.
  public let checks: [CheckResult]
  /// What else is to be known: why it was skipped, what was mended in a recording.
  public let notes: [String]
  /// What happened. May be empty where nothing of it is to be shown.
  public let trace: [TraceEntry]
  /// The command that does this run again.
  public let replayCommand: String

  /// A run and what it came to.
  public init(
    scenario: String, file: String, platform: String, seed: UInt64, verdict: Verdict, traceHash: String? = nil,
    virtualSeconds: Double = 0, wallSeconds: Double = 0, result: Message? = nil, truth: Message? = nil,
    checks: [CheckResult] = [], notes: [String] = [], trace: [TraceEntry] = [], replayCommand: String
  ) {
    self.scenario = scenario
    self.file = file
    self.platform = platform
    self.seed = seed
    self.verdict = verdict
    self.traceHash = traceHash
    self.virtualSeconds = virtualSeconds
    self.wallSeconds = wallSeconds
    self.result = result
    self.truth = truth
    self.checks = checks
    self.notes = notes
    self.trace = trace
    self.replayCommand = replayCommand
  }

  /// Whether the scenario waives a rule of its contract, broken or not.
  var hasWaivers: Bool { checks.contains { $0.waiver != nil } }

  /// The check with the least slack for the width of its window; nil when no check has a margin.
  var tightest: CheckResult? {
    checks.filter { $0.margin != nil }.min { left, right in
      (left.margin?.relativeSlack ?? 1) < (right.margin?.relativeSlack ?? 1)
    }
  }
}

extension Margin {
  /// The slack as a share of the width, so that seconds and beats per minute compare.
  fileprivate var relativeSlack: Double { width > 0 ? value / width : value }
}

/// What all runs of one call of the tool came to.
public struct LibraryReport: Sendable {
  /// The tool with its version.
  public let tool: String
  /// What was measured on: `synthetic`, or the recording.
  public let source: String
  /// The runs, in the order in which they were asked for.
  public let runs: [RunReport]
  /// How long all of it took on the wall's clock, in seconds.
  public let wallSeconds: Double

  /// The runs of one call.
  public init(tool: String, source: String, runs: [RunReport], wallSeconds: Double) {
    self.tool = tool
    self.source = source
    self.runs = runs
    self.wallSeconds = wallSeconds
  }

  /// What the report is, and what it is not.
  public static let disclaimer =
    "This report comes from a test instrument. Agreement on the bench does not show accuracy on people."

  /// The worst of all runs; skipped when there was none.
  public var verdict: Verdict { runs.isEmpty ? .skipped : Verdict.worst(of: runs.map(\.verdict)) }

  /// 3 when a run was blocked, else 1 when one failed or was inconclusive, else 0.
  public var exitCode: Int32 {
    switch verdict {
    case .passed, .marginal, .skipped: 0
    case .failed, .inconclusive: 1
    case .blocked: 3
    }
  }

  /// How many runs came to this verdict.
  public func count(_ verdict: Verdict) -> Int {
    runs.reduce(0) { $0 + ($1.verdict == verdict ? 1 : 0) }
  }

  /// Whether a scenario ran on a platform with more than one seed, so that only the seed tells its runs apart.
  var tellsSeeds: Bool {
    var seen: Set<[String]> = []
    return !runs.allSatisfy { seen.insert([$0.file, $0.scenario, $0.platform]).inserted }
  }
}
