import PulseAnalysis
import VitalsModel

/// A measure as reports show it.
struct Measure: Sendable {
  /// As JSON and `PulseMeasurement` call it, with its unit last.
  let key: String
  /// As a person calls it.
  let name: String
  /// Its unit; empty where it has none.
  let unit: String
  /// Decimals for a person.
  let places: Int
  /// Decimals for a machine: a hundredth of what matters.
  let exactPlaces: Int
  let value: @Sendable (PulseMeasurement) -> Double?
  let truth: @Sendable (RecordedTruth) -> Double?

  /// All of them, in the order of every report.
  static let all = PulseMeasurement.Measure.allCases.map(Measure.init)

  private init(_ measure: PulseMeasurement.Measure) {
    key = measure.rawValue
    switch measure {
    case .heartRateBpm: (name, unit, value, truth) = ("heart rate", "bpm", \.heartRateBpm, \.heartRateBpm)
    case .rmssdMs: (name, unit, value, truth) = ("RMSSD", "ms", \.rmssdMs, \.rmssdMs)
    case .sdnnMs: (name, unit, value, truth) = ("SDNN", "ms", \.sdnnMs, \.sdnnMs)
    case .meanNNMs: (name, unit, value, truth) = ("mean NN", "ms", \.meanNNMs, { _ in nil })
    case .pnn50Percent: (name, unit, value, truth) = ("pNN50", "%", \.pnn50Percent, { _ in nil })
    case .breathingRatePerMin:
      (name, unit, value, truth) = ("breathing rate", "/min", \.breathingRatePerMin, \.breathingRatePerMin)
    case .perfusionIndexPercent:
      (name, unit, value, truth) = ("perfusion index", "%", \.perfusionIndexPercent, { _ in nil })
    }
    // A perfusion index is a few percent, or less than one.
    (places, exactPlaces) = measure == .perfusionIndexPercent ? (2, 4) : (1, 3)
  }

  /// Its value for a person, without the unit; nil where it is withheld.
  func text(_ measurement: PulseMeasurement) -> String? { value(measurement).flatMap(text) }

  /// A value of it for a person, without the unit; nil for what is no number.
  func text(_ value: Double) -> String? { value.isFinite ? Fixed.text(value, places: places) : nil }

  /// ` of red`: the colour that a height of the pulse is about, which differs from one colour to another by far.
  func channelText(_ window: MeasuredWindow) -> String {
    guard key == PulseMeasurement.Measure.perfusionIndexPercent.rawValue else { return "" }
    return window.channel.map { " of \($0)" } ?? ""
  }

  /// The measures that are withheld in a window by their reason, in the order of the reasons.
  static func withheld(in measurement: PulseMeasurement) -> [(reason: String, names: [String])] {
    var groups: [(reason: String, names: [String])] = []
    for withheld in measurement.withheld {
      let name = all.first { $0.key == withheld.measure }?.name ?? withheld.measure
      if let known = groups.firstIndex(where: { $0.reason == withheld.reason }) {
        groups[known].names.append(name)
      } else {
        groups.append((withheld.reason, [name]))
      }
    }
    return groups
  }
}

extension MeasuredBeat.Flag {
  /// Beats of each flag, in the order of the flags, such as `70 normal, 2 doubtful`.
  static func counts(_ beats: [MeasuredBeat]) -> String {
    let counts = allCases.compactMap { flag -> String? in
      let count = beats.count { $0.flag == flag }
      return count > 0 ? "\(count) \(flag.rawValue)" : nil
    }
    return counts.joined(separator: ", ")
  }
}
