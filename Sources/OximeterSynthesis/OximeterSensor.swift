import OximeterProtocols
import VitalsModel

/// The part of an oximeter that sees the finger: makes a moment of each look.
struct OximeterSensor: Sendable {
  /// What is in the sensor.
  private enum Contact: Sendable {
    /// A finger, since a moment.
    case finger(since: Instant)
    /// Nothing, since a moment; what was said before that.
    case nothing(since: Instant, last: OximeterReading?)
  }

  /// What the device says at a moment, without its beats.
  private struct Values: Sendable {
    var rateBpm: Int
    var perfusionHundredths: Int
  }

  /// A finger covers at least this share of the sensor.
  private static let leastCover = 0.5
  /// Below this perfusion index a pulse is faint, and below that none is found. The first is where our truths call a pulse
  /// faint; the second lies near the least that devices declare.
  private static let faintPercent = (flagged: 0.5, lost: 0.05)
  /// Motion is told when it takes the light further than this many pulses do, and for so long after it.
  private static let largestDisturbance = 1.0
  private static let calming = TimeSpan.seconds(1)
  /// The light of a finger that has just come is no pulse yet.
  private static let settling = TimeSpan.milliseconds(500)
  /// How slowly the perfusion index follows, in seconds.
  private static let perfusionSeconds = 3.0

  private let family: OximeterFamily
  private let settings: OximeterSettings
  private let perfusionShare: Double
  private var channel: PlethChannel
  private var counter: PulseCounter
  private var contact = Contact.nothing(since: .zero, last: nil)
  private var perfusionPercent = 0.0
  private var restlessUntil = Instant.zero
  private var marks: [Instant] = []
  private var markedFrames = 0
  private var nextRenewal = Instant.zero
  /// Values on their way to the line.
  private var coming: [(at: Instant, values: Values)] = []
  private var values: Values?
  private var isFaint = false
  private var strength = 0

  init(_ family: OximeterFamily, settings: OximeterSettings, samplesPerSecond: Double) {
    self.family = family
    self.settings = settings
    perfusionShare = 1 - Maths.exp(-1 / (samplesPerSecond * Self.perfusionSeconds))
    channel = PlethChannel(samplesPerSecond: samplesPerSecond)
    counter = PulseCounter(family.averaging)
  }

  /// What the device makes of a look.
  ///
  /// - Parameter hold: how long values are held after the finger left; nil: as the family does
  mutating func moment(of look: FingertipLook, at now: Instant, hold: TimeSpan? = nil) -> OximeterMoment {
    guard look.coverage >= Self.leastCover else { return empty(at: now, hold: hold ?? family.hold) }
    let since = land(look, at: now)
    if look.disturbance.magnitude > Self.largestDisturbance * look.perfusionIndexPercent / 100 {
      restlessUntil = now + Self.calming
    }
    let isSettling = now < since + Self.settling
    perfusionPercent += (look.perfusionIndexPercent - perfusionPercent) * (isSettling ? 1 : perfusionShare)
    let isRestless = now < restlessUntil
    for foot in look.feet where foot >= since + Self.settling {
      count(foot, isClear: !isRestless && look.perfusionIndexPercent >= Self.faintPercent.lost)
    }
    let finding = counter.finding(at: now)
    renew(finding, at: now)
    var flags: OximeterFlags = []
    if finding.isSearching || values == nil { flags.insert(.searching) }
    if isRestless { flags.insert(.artifact) }
    if isFaint { flags.insert(.lowPerfusion) }
    let reading = OximeterReading(
      pulseRateBpm: values?.rateBpm, spo2Percent: values == nil ? nil : settings.spo2Percent,
      perfusionIndexHundredths: values?.perfusionHundredths, signalStrength: strength, flags: flags)
    return OximeterMoment(pleth: channel.take(look.light), isBeatMarked: isMarked(at: now), reading: reading)
  }

  /// The finger has come, unless it is there; gives when it did.
  private mutating func land(_ look: FingertipLook, at now: Instant) -> Instant {
    switch contact {
    case .finger(let since): return since
    case .nothing:
      contact = .finger(since: now)
      counter.begin(at: now)
      // Before that the light says nothing of the pulse.
      nextRenewal = now + Self.settling
      return now
    }
  }

  /// What is said without a finger.
  private mutating func empty(at now: Instant, hold: TimeSpan) -> OximeterMoment {
    let since: Instant
    let last: OximeterReading?
    switch contact {
    case .nothing(let begin, let held): (since, last) = (begin, held)
    case .finger:
      last = values.map { held in
        OximeterReading(
          pulseRateBpm: held.rateBpm, spo2Percent: settings.spo2Percent,
          perfusionIndexHundredths: held.perfusionHundredths, signalStrength: 0, flags: .fingerOut, isStale: true)
      }
      since = now
      contact = .nothing(since: now, last: last)
      leave()
    }
    let isHeld = now - since < hold
    let none = OximeterReading(signalStrength: 0, flags: .fingerOut)
    return OximeterMoment(pleth: PlethChannel.flat, reading: isHeld ? last ?? none : none)
  }

  private mutating func leave() {
    channel.stop()
    counter.stop()
    marks = []
    markedFrames = 0
    coming = []
    values = nil
    isFaint = false
    restlessUntil = .zero
  }

  private mutating func count(_ foot: Instant, isClear: Bool) {
    guard isClear else {
      counter.skip()
      return
    }
    counter.take(foot)
    marks.append(foot + settings.markDelay)
  }

  private mutating func isMarked(at now: Instant) -> Bool {
    if let mark = marks.first, mark <= now {
      marks.removeFirst()
      markedFrames = family.markedFrames
    }
    guard markedFrames > 0 else { return false }
    markedFrames -= 1
    return true
  }

  /// Brings what is shown up to date.
  private mutating func renew(_ finding: PulseCounter.Finding, at now: Instant) {
    if nextRenewal <= now {
      nextRenewal = nextRenewal + family.renewal
      isFaint = perfusionPercent < Self.faintPercent.flagged
      strength = Self.strength(perfusionPercent)
      if let rate = finding.rateBpm {
        let values = Values(
          rateBpm: Int(rate.rounded()), perfusionHundredths: Int((100 * perfusionPercent).rounded()))
        coming.append((now + family.delay, values))
      }
    }
    if finding.rateBpm == nil {
      values = nil
      coming = []
    }
    while let first = coming.first, first.at <= now {
      values = first.values
      coming.removeFirst()
    }
  }

  /// The strength of a signal, 0...8: two steps for each doubling of the perfusion index, with 4 at 1 %. An estimate.
  private static func strength(_ perfusionPercent: Double) -> Int {
    guard perfusionPercent >= faintPercent.lost else { return 0 }
    let steps = 4 + 2 * Maths.log(perfusionPercent) / Maths.log(2)
    return Int(min(max(steps.rounded(), 1), 8))
  }
}
