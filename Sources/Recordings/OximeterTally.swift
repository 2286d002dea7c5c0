import OximeterLines
import OximeterProtocols
import VitalsModel

/// What an oximeter said over a stretch of time, added up as it came.
public struct OximeterTally: Sendable {
  /// Values of the wave.
  public private(set) var samples = 0
  /// Beats that the device marked.
  public private(set) var beats = 0
  /// Readings that may be compared with anything, and all of them.
  public private(set) var readings = (usable: 0, all: 0)
  /// The usable pulse rates.
  public private(set) var pulseRateBpm = Spread()
  /// The usable saturations.
  public private(set) var spo2Percent = Spread()
  /// Stretches of which frames are missing.
  public private(set) var gaps: [OximeterGap] = []
  /// What the device says now; nil before its first word and while the line is not streaming.
  public private(set) var latest: OximeterReading?
  /// For how long it gave usable values.
  public private(set) var usable = TimeSpan.zero
  private var current: (reading: OximeterReading, since: Instant)?

  /// How long a value holds without another word: a little more than the slowest device pauses.
  private static let longestHold = TimeSpan.milliseconds(2_500)

  /// Nothing has come.
  public init() {}

  /// What comes from now on, of a device that has said this.
  public init(holding reading: OximeterReading?, from begin: Instant) {
    latest = reading
    if let reading, reading.isUsable { current = (reading, begin) }
  }

  /// Least, greatest and mean over time of whole numbers.
  public struct Spread: Sendable {
    /// The least; nil where there is none.
    public private(set) var least: Int?
    /// The greatest.
    public private(set) var greatest: Int?
    private var sum = 0.0
    private var seconds = 0.0

    /// The mean over time; nil where no value lasted.
    public var mean: Double? { seconds > 0 ? sum / seconds : nil }

    mutating func take(_ value: Int) {
      least = min(least ?? value, value)
      greatest = max(greatest ?? value, value)
    }

    mutating func hold(_ value: Int, for span: TimeSpan) {
      sum += Double(value) * span.seconds
      seconds += span.seconds
    }
  }

  /// Takes in what came.
  public mutating func take(_ event: LinkEvent) {
    switch event {
    case .sample(let sample):
      if sample.pleth != nil { samples += 1 }
      if sample.isBeat { beats += 1 }
    case .reading(let timed):
      readings.all += 1
      latest = timed.reading
      settle(at: timed.captured)
      guard timed.reading.isUsable else { return }
      current = (timed.reading, timed.captured)
      readings.usable += 1
      if let rate = timed.reading.pulseRateBpm { pulseRateBpm.take(rate) }
      if let spo2 = timed.reading.spo2Percent { spo2Percent.take(spo2) }
    case .gap(let gap):
      gaps.append(gap)
      settle(at: gap.from)
    case .state(let state, let at):
      guard state != .streaming else { return }
      latest = nil
      settle(at: at)
    case .send, .answer: break
    }
  }

  /// The stretch is over.
  public mutating func finish(at end: Instant) { settle(at: end) }

  /// Ends the stretch in which the current values held.
  private mutating func settle(at moment: Instant) {
    defer { current = nil }
    guard let (reading, since) = current, moment > since else { return }
    let span = min(moment - since, Self.longestHold)
    usable = usable + span
    if let rate = reading.pulseRateBpm { pulseRateBpm.hold(rate, for: span) }
    if let spo2 = reading.spo2Percent { spo2Percent.hold(spo2, for: span) }
  }
}
