import OximeterLines
import OximeterProtocols
import Recordings
import Traces
import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension OximeterConnection {
  /// The first line of a recording.
  func header(_ answers: [DeviceAnswer], _ request: RecordRequest) -> TraceHeader {
    let told = answers.told
    let labels = request.labels.map { Field($0.key, .text($0.text)) }
    return TraceHeader(
      tool: VitalsSim.version, contract: ScenarioFiles.contract.name, scenario: "record", platform: "none", seed: 0,
      engine: "none", channels: speaks.hasPleth ? ["pleth"] : [],
      further: [
        Field("recordedAt", .text(timeOfDay())), Field("protocol", .text(speaks.rawValue)),
        Field("port", .text(port)), Field("line", .text(line.settings.text)),
        speaks.largestPleth.map { Field("largestPleth", .integer(Int64($0))) },
        told.isEmpty ? nil : Field("deviceTells", .object(told.map { Field($0.key, .text($0.text)) })),
      ].compactMap(\.self) + labels)
  }

  /// Now, as ISO 8601 in UTC: when a recording was made is part of it, and nothing is computed from it.
  private func timeOfDay() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension OximeterTally {
  /// What the device says at the moment: `pulse rate 72 bpm, SpO2 98 %, signal 5 of 8`.
  func now(_ line: LinkState) -> String {
    guard line == .streaming else { return Obstacle(line, latest).state }
    guard let latest, latest.isUsable else { return Obstacle(line, latest).text }
    let values = [
      latest.pulseRateBpm.map { "pulse rate \($0) bpm" }, latest.spo2Percent.map { "SpO2 \($0) %" },
      latest.signalStrength.map { "signal \($0) of 8" },
    ].compactMap(\.self)
    return (values + latest.flags.names).joined(separator: ", ")
  }

  /// What a recording holds: `60.0 s, 3600 samples, 61 readings: pulse rate 70 to 74 bpm, mean 72.1; …`.
  func summary(of length: TimeSpan) -> String {
    func spread(_ name: String, _ spread: Spread, _ unit: String) -> String? {
      guard let least = spread.least, let greatest = spread.greatest else { return nil }
      let mean = spread.mean.map { ", mean \(Fixed.text($0, places: 1))" } ?? ""
      return least == greatest ? "\(name) \(least)\(unit)" : "\(name) \(least) to \(greatest)\(unit)\(mean)"
    }
    let coverage = length > .zero ? 100 * min(1, usable.seconds / length.seconds) : 0
    let parts = [
      "recorded \(Fixed.text(length.seconds, places: 1)) s",
      samples > 0 ? "\(samples) samples" : nil, "\(readings.all) readings",
      spread("pulse rate", pulseRateBpm, " bpm"), spread("SpO2", spo2Percent, " %"),
      "usable \(Fixed.text(coverage, places: 0)) % of the time", gapText,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private var gapText: String? {
    guard let longest = gaps.map({ $0.to - $0.from }).max() else { return nil }
    let seconds = Fixed.text(longest.seconds, places: 2)
    return gaps.count == 1 ? "a gap of \(seconds) s" : "\(gaps.count) gaps, the longest \(seconds) s"
  }
}

extension DecodingCounts {
  /// What went wrong with the bytes, behind what else is said; empty where nothing did.
  var faults: String {
    let faults = [
      (short, "short"), (badChecksum, "with a bad checksum"), (unknown, "unknown"), (skipped, "bytes skipped"),
      (gaps, gaps == 1 ? "gap by the device's count" : "gaps by the device's count"),
    ]
    return faults.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
  }
}
