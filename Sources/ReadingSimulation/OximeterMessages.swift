import OximeterLines
import OximeterProtocols
import Traces
import VitalsModel

// What comes of an oximeter's line, as a trace holds it under `reference`.

extension Message {
  /// A `reading`: what is missing on the device is left out, and so is `stale` where nothing is.
  public init(_ reading: OximeterReading) {
    let flags = reading.flags.names
    self.init(
      "reading",
      [
        reading.pulseRateBpm.map { Field("pulseRateBpm", .integer(Int64($0))) },
        reading.spo2Percent.map { Field("spo2Percent", .integer(Int64($0))) },
        reading.perfusionIndexPercent.map { Field("perfusionIndexPercent", .number($0, places: 2)) },
        flags.isEmpty ? nil : Field("flags", .text(flags.joined(separator: " "))),
        reading.isStale ? Field("stale", .flag(true)) : nil,
      ].compactMap(\.self))
  }

  /// A `gap`: from when to when frames are missing, in seconds, and why.
  public init(_ gap: OximeterGap) {
    self.init(
      "gap",
      [
        Field("from", .number(gap.from.seconds, places: 6)), Field("to", .number(gap.to.seconds, places: 6)),
        Field("cause", .text(gap.cause.rawValue)),
      ])
  }

  /// A `line`: how it is from now on.
  public init(_ state: LinkState) { self.init("line", [Field("state", .text(state.rawValue))]) }

  /// An `answer`: what the device says of itself.
  public init(_ answer: DeviceAnswer) {
    let field: Field =
      switch answer {
      case .model(let text): Field("model", .text(text))
      case .vendor(let text): Field("vendor", .text(text))
      case .deviceID(let text): Field("deviceID", .text(text))
      case .firmware(let text): Field("firmware", .text(text))
      case .acknowledged(let isTaken): Field("acknowledged", .flag(isTaken))
      case .disconnecting(let reason): Field("disconnecting", .integer(Int64(reason)))
      case .packet(let type, _): Field("packet", .integer(Int64(type)))
      }
    self.init("answer", [field])
  }
}
