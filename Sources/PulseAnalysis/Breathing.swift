/// The breathing rate of a record.
struct Breathing {
  /// A rate, or why there is none.
  enum Finding {
    case rate(Double)
    case withheld(String)
  }

  let finding: Finding

  init(_ reading: RecordReading, _ statistics: IntervalStatistics) {
    finding = .withheld("breathing does not show in the pulse")
  }
}
