/// What a trace says of itself in its first line: which run it is of, and what its samples hold.
public struct TraceHeader: Hashable, Sendable {
  /// The name of the format, the first field of every trace.
  public static let format = "vitals-sim trace"
  /// The version of the format that this code writes and reads.
  public static let version: Int64 = 1

  /// The tool that wrote it, with its version.
  public let tool: String
  /// The contract that the session keeps.
  public let contract: String
  /// The scenario's name.
  public let scenario: String
  /// The platform that the session played.
  public let platform: String
  /// The seed of every random stream of the run.
  public let seed: UInt64
  /// The engine under test.
  public let engine: String
  /// The name of each value of a sample, in order.
  public let channels: [String]
  /// What else is worth knowing, such as a device's name; its keys are none of the above.
  public let further: [Field]

  /// The first line of a trace.
  public init(
    tool: String, contract: String, scenario: String, platform: String, seed: UInt64, engine: String,
    channels: [String], further: [Field] = []
  ) {
    self.tool = tool
    self.contract = contract
    self.scenario = scenario
    self.platform = platform
    self.seed = seed
    self.engine = engine
    self.channels = channels
    self.further = further
  }

  /// The keys of a header in their order; `further` may use none of them.
  enum Key: String, CaseIterable {
    case format, version, tool, contract, scenario, platform, seed, engine, channels
  }
}
