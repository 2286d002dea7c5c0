import OximeterProtocols
import VitalsModel

/// The pulse rates that a device said, each until the next one.
struct PulseRateTrack: Sendable {
  private var entries: [(at: Instant, rateBpm: Double?)] = []

  /// A reading that is older than this says nothing of now: a device that streams says one each second or so.
  private static let longest = TimeSpan.seconds(2)
  /// How long they are kept, far longer than an attempt.
  private static let memory = TimeSpan.seconds(300)

  /// Takes in the next reading; one that is not usable ends the one before.
  mutating func add(_ reading: OximeterReading, at moment: Instant) {
    let rate = reading.isUsable ? reading.pulseRateBpm.map(Double.init) : nil
    entries.append((moment, rate))
    if let first = entries.first, moment - first.at > Self.memory + .seconds(60) {
      entries.removeAll { moment - $0.at > Self.memory }
    }
  }

  /// The mean of the usable pulse rates over a stretch; nil where they cover less than half of it.
  func mean(from start: Instant, to end: Instant) -> Double? {
    var (sum, covered) = (0.0, 0.0)
    for (index, entry) in entries.enumerated() {
      guard let rate = entry.rateBpm else { continue }
      let next = index + 1 < entries.count ? entries[index + 1].at : end
      let seconds = (min(next, entry.at + Self.longest, end) - max(entry.at, start)).seconds
      guard seconds > 0 else { continue }
      sum += rate * seconds
      covered += seconds
    }
    return covered > 0 && covered >= 0.5 * (end - start).seconds ? sum / covered : nil
  }
}
