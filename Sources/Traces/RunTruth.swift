/// Why a run ended.
public enum RunEnd: String, CaseIterable, Sendable {
  /// The scenario said when.
  case until
  /// The session ended, and the time to see that nothing follows is over.
  case terminal
  /// Nothing more could happen.
  case quiet
  /// What the phone plays ran out.
  case exhausted
  /// Neither the scenario nor the session ended it, and the longest run is over.
  case limit
  /// Time no longer advanced.
  case stuck
}

/// The truths that the harness itself writes into a trace, whatever the contract.
public enum RunTruth: Hashable, Sendable {
  /// The last entry of every run.
  case end(RunEnd)
  /// What the phone played ran out; the sentence says how.
  case exhausted(String)
  /// What the result before it should have said, by the result's field names.
  case realised([Field])
  /// The stimulus at this place of the timeline, from 0, never came about.
  case unreached(stimulus: Int)

  /// As a trace holds it.
  public var message: Message {
    switch self {
    case .end(let reason): Message("end", [Field("reason", .text(reason.rawValue))])
    case .exhausted(let sentence): Message("exhausted", [Field("what", .text(sentence))])
    case .realised(let fields): Message("realised", fields)
    case .unreached(let stimulus): Message("unreached", [Field("item", .integer(Int64(stimulus)))])
    }
  }

  /// The truth that a message holds; nil for one of a contract.
  public init?(_ message: Message) {
    switch (message.name, message.fields.first?.value) {
    case ("end", .text(let reason)?):
      guard let end = RunEnd(rawValue: reason) else { return nil }
      self = .end(end)
    case ("exhausted", .text(let sentence)?): self = .exhausted(sentence)
    case ("realised", _): self = .realised(message.fields)
    case ("unreached", .integer(let stimulus)?): self = .unreached(stimulus: Int(stimulus))
    default: return nil
    }
  }
}
