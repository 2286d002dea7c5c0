import OximeterLines
import OximeterProtocols
import Traces
import VitalsModel

extension LinkEvent {
  /// What a trace holds of it beside samples: a `reading`, a `beat`, a `gap`, what the `device` says of itself, how the
  /// `line` is; nil where it says nothing of that kind.
  ///
  /// A reading has `captured` (seconds, rebuilt from the device's rate), `pulseRateBpm`, `spo2Percent`,
  /// `perfusionIndexPercent`, `signalStrength` (0...8), `flags` (words with a blank between them) and `stale`; what the
  /// device does not give is absent.
  ///
  /// - Parameter begin: the moment of the line from which the trace counts
  public func reference(since begin: Instant) -> Message? {
    func moment(_ key: String, _ moment: Instant) -> Field {
      Field(key, .fixed(units: (moment - begin).microseconds, places: 6))
    }
    switch self {
    case .reading(let timed):
      return Message("reading", [moment("captured", timed.captured)] + timed.reading.fields)
    case .sample(let sample):
      return sample.isBeat ? Message("beat", [moment("captured", sample.captured)]) : nil
    case .gap(let gap):
      return Message(
        "gap", [moment("from", gap.from), moment("to", gap.to), Field("cause", .text(gap.cause.rawValue))])
    case .answer(let answer, _): return answer.reference
    case .state(let state, _): return Message("line", [Field("state", .text(state.rawValue))])
    case .send: return nil
    }
  }
}

extension OximeterReading {
  fileprivate var fields: [Field] {
    func whole(_ key: String, _ value: Int?) -> Field? { value.map { Field(key, .integer(Int64($0))) } }
    return [
      whole("pulseRateBpm", pulseRateBpm), whole("spo2Percent", spo2Percent),
      perfusionIndexHundredths.map { Field("perfusionIndexPercent", .fixed(units: Int64($0), places: 2)) },
      whole("signalStrength", signalStrength),
      flags.isEmpty ? nil : Field("flags", .text(flags.names.joined(separator: " "))),
      isStale ? Field("stale", .flag(true)) : nil,
    ].compactMap(\.self)
  }
}

extension DecodingCounts {
  /// As a trace holds it: `counts`, with what became of the bytes.
  public var reference: Message {
    let counts = [
      ("good", good), ("short", short), ("badChecksum", badChecksum), ("unknown", unknown), ("skippedBytes", skipped),
      ("gaps", gaps),
    ]
    return Message("counts", counts.map { Field($0.0, .integer(Int64($0.1))) })
  }
}

extension DeviceAnswer {
  /// What a trace holds of it, under `device`; nil for what only its capture has.
  public var reference: Message? {
    func device(_ key: String, _ text: String) -> Message { Message("device", [Field(key, .text(text))]) }
    switch self {
    case .model(let text): return device("model", text)
    case .vendor(let text): return device("vendor", text)
    case .deviceID(let text): return device("deviceID", text)
    case .firmware(let text): return device("firmware", text)
    case .disconnecting(let reason): return Message("device", [Field("disconnecting", .integer(Int64(reason)))])
    // The capture has them, and nobody reads them as words.
    case .acknowledged, .packet: return nil
    }
  }
}
