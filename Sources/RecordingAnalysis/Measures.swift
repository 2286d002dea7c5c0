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
  static let all: [Measure] = [
    Measure(
      key: "heartRateBpm", name: "heart rate", unit: "bpm", places: 1, exactPlaces: 3, value: \.heartRateBpm,
      truth: \.heartRateBpm),
    Measure(key: "rmssdMs", name: "RMSSD", unit: "ms", places: 1, exactPlaces: 3, value: \.rmssdMs, truth: \.rmssdMs),
    Measure(key: "sdnnMs", name: "SDNN", unit: "ms", places: 1, exactPlaces: 3, value: \.sdnnMs, truth: \.sdnnMs),
    Measure(
      key: "meanNNMs", name: "mean NN", unit: "ms", places: 1, exactPlaces: 3, value: \.meanNNMs, truth: { _ in nil }),
    Measure(
      key: "pnn50Percent", name: "pNN50", unit: "%", places: 1, exactPlaces: 3, value: \.pnn50Percent,
      truth: { _ in nil }),
    Measure(
      key: "breathingRatePerMin", name: "breathing rate", unit: "/min", places: 1, exactPlaces: 3,
      value: \.breathingRatePerMin, truth: \.breathingRatePerMin),
    Measure(
      key: "perfusionIndexPercent", name: "perfusion index", unit: "%", places: 2, exactPlaces: 4,
      value: \.perfusionIndexPercent, truth: { _ in nil }),
  ]

  /// Its value for a person, without the unit; nil where it is withheld.
  func text(_ measurement: PulseMeasurement) -> String? { value(measurement).flatMap(text) }

  /// A value of it for a person, without the unit; nil for what is no number.
  func text(_ value: Double) -> String? { value.isFinite ? Fixed.text(value, places: places) : nil }

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
