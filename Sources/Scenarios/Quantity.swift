/// A kind of quantity; each has one base unit, in which its values are kept.
public enum Quantity: String, CaseIterable, Sendable {
  /// Beats per minute: `66 bpm`.
  case heartRate
  /// A length of time in seconds: `1m30s`, `40 ms`, `20 s`.
  case time
  /// A difference between intervals in milliseconds: `40 ms`.
  case milliseconds
  /// Per minute: `14 /min`.
  case perMinute
  /// Percent: `2 %`.
  case percent
  /// Frames per second: `30 fps`.
  case frameRate
  /// Cycles per second: `50 Hz`.
  case frequency
  /// Parts per million, such as a clock's drift: `-20 ppm`.
  case partsPerMillion
  /// Exposure in stops, each a factor of two in light: `0.5 EV`.
  case stops
  /// A plain number without a unit.
  case number
}

extension Quantity {
  /// A tolerance beyond this, in the base unit, would let any result of a living person pass.
  var widestTolerance: Double {
    switch self {
    case .heartRate, .percent: 100
    case .time, .perMinute, .frameRate: 60
    case .milliseconds: 1_000
    case .frequency: 1_000
    case .partsPerMillion: 1e6
    case .stops: 20
    case .number: 1e9
    }
  }

  /// The unit of its base values, as a person writes it; empty for a plain number.
  public var unit: String {
    switch self {
    case .heartRate: "bpm"
    case .time: "s"
    case .milliseconds: "ms"
    case .perMinute: "/min"
    case .percent: "%"
    case .frameRate: "fps"
    case .frequency: "Hz"
    case .partsPerMillion: "ppm"
    case .stops: "EV"
    case .number: ""
    }
  }
}
