/// What a device says of pulse and oxygen, with what it says of the reliance on it.
public struct OximeterReading: Hashable, Sendable {
  /// The pulse rate in beats per minute, 1...511; nil where the device has none.
  public var pulseRateBpm: Int?
  /// The oxygen saturation in percent, 0...100; nil where the device has none.
  public var spo2Percent: Int?
  /// The perfusion index in hundredths of a percent; nil where the device has none.
  public var perfusionIndexHundredths: Int?
  /// The strength of the signal, 0...8; nil where the protocol has none.
  public var signalStrength: Int?
  /// What the device says is wrong.
  public var flags: OximeterFlags
  /// Whether the values are held from before the finger left.
  public var isStale: Bool

  /// A reading; without values, one that says that there are none.
  public init(
    pulseRateBpm: Int? = nil, spo2Percent: Int? = nil, perfusionIndexHundredths: Int? = nil,
    signalStrength: Int? = nil, flags: OximeterFlags = [], isStale: Bool = false
  ) {
    self.pulseRateBpm = pulseRateBpm
    self.spo2Percent = spo2Percent
    self.perfusionIndexHundredths = perfusionIndexHundredths
    self.signalStrength = signalStrength
    self.flags = flags
    self.isStale = isStale
  }

  /// The perfusion index, AC/DC in percent.
  public var perfusionIndexPercent: Double? { perfusionIndexHundredths.map { Double($0) / 100 } }

  /// Whether it has a pulse rate or a saturation, old as they may be.
  var hasValue: Bool { pulseRateBpm != nil || spo2Percent != nil }

  /// Whether it may be compared with anything: it has a pulse rate of 18 to 321 bpm, the widest range that a device of
  /// these families declares, an SpO2 from 1 %, and nothing is said against them.
  public var isUsable: Bool {
    guard let pulseRateBpm, let spo2Percent, !isStale, flags.isDisjoint(with: .disqualifying) else { return false }
    return (18...321).contains(pulseRateBpm) && spo2Percent >= 1
  }
}

/// What a device says is wrong with its signal.
public struct OximeterFlags: OptionSet, Hashable, Sendable {
  /// One bit for each flag.
  public let rawValue: UInt16

  /// Flags from their bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// There is no finger, or the sensor is off it.
  public static let fingerOut = OximeterFlags(rawValue: 1 << 0)
  /// The device looks for the pulse, or has lost track of it.
  public static let searching = OximeterFlags(rawValue: 1 << 1)
  /// The finger moves, or the light is disturbed.
  public static let artifact = OximeterFlags(rawValue: 1 << 2)
  /// The pulse is faint.
  public static let lowPerfusion = OximeterFlags(rawValue: 1 << 3)
  /// The sensor is missing, broken or of another kind.
  public static let sensorFault = OximeterFlags(rawValue: 1 << 4)
  /// The battery runs low.
  public static let lowBattery = OximeterFlags(rawValue: 1 << 5)
  /// The saturation falls, or a limit is passed: an alarm, and nothing against the values.
  public static let alarm = OximeterFlags(rawValue: 1 << 6)

  /// Those with which a value is of no use.
  public static let disqualifying: OximeterFlags = [.fingerOut, .searching, .sensorFault]

  /// The names of those that are set, as a recording has them.
  public var names: [String] {
    let all: [(OximeterFlags, String)] = [
      (.fingerOut, "fingerOut"), (.searching, "searching"), (.artifact, "artifact"), (.lowPerfusion, "lowPerfusion"),
      (.sensorFault, "sensorFault"), (.lowBattery, "lowBattery"), (.alarm, "alarm"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
