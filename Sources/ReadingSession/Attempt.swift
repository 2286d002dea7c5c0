import PulseAnalysis
import VitalsModel

/// One attempt at a reading: its frames, its beats, and what the previews show of them.
struct Attempt: Sendable {
  /// Counts from 1 within a session.
  let number: Int
  private let startedAt: Instant
  private var nextPreview: Instant
  private var lostSince: Instant?
  private(set) var record = PulseRecord()
  private var rates = LiveRates()
  private var lastBeat: Instant?
  private var shownRmssdMs: Double?
  private var signal = SignalLevelSmoother()

  init(number: Int, startedAt: Instant) {
    self.number = number
    self.startedAt = startedAt
    nextPreview = startedAt + Timing.preview
  }

  private var completesAt: Instant { startedAt + Timing.reading }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant {
    let due = min(nextPreview, completesAt)
    guard let lostSince else { return due }
    return min(due, lostSince + Timing.contactGrace)
  }

  /// Takes in a frame and gives the interval of a beat that became certain with it.
  mutating func see(_ frame: FrameSample, _ update: PulseUpdate, at now: Instant) -> Heartbeat? {
    // A frame may have been captured before the attempt began and delivered after.
    guard frame.captured >= startedAt else { return nil }
    record.append(frame)
    lostSince = update.hasContact ? nil : lostSince ?? now
    if let quality = update.quality { signal.add(quality) }
    guard let beat = update.beat, beat.at >= startedAt else { return nil }
    rates.add(beat)
    let interval = lastBeat.map { (beat.at - $0).milliseconds }
    lastBeat = beat.at
    return Heartbeat(ibiMs: interval)
  }

  struct Heartbeat {
    let ibiMs: Double?
  }

  enum TimerOutcome {
    case notYet
    case preview(LivePreview)
    case full(LivePreview)
    case contactLost
  }

  mutating func serveTimer(at now: Instant) -> TimerOutcome {
    // A minute that is full is full, even when the grace of a lift ends in the same moment.
    if now >= completesAt { return .full(preview(at: now)) }
    if let lostSince, now >= lostSince + Timing.contactGrace { return .contactLost }
    guard now >= nextPreview else { return .notYet }
    // Previews keep to whole seconds of the attempt, also after a timer that came late.
    repeat { nextPreview = nextPreview + Timing.preview } while nextPreview <= now
    return .preview(preview(at: now))
  }

  private mutating func preview(at now: Instant) -> LivePreview {
    let elapsed = now - startedAt
    if elapsed >= Timing.provisionalRMSSD { shownRmssdMs = rates.rmssdMs(at: now) ?? shownRmssdMs }
    return LivePreview(
      progress: min(1, elapsed.seconds / Timing.reading.seconds), heartRateBpm: rates.heartRateBpm(at: now),
      rmssdMs: shownRmssdMs, signalLevel: signal.level(isInContact: lostSince == nil))
  }
}

/// Turns frame qualities into the level that a preview shows: the mean of the last three previews' scores, moving at
/// most one level at a time while the fingertip is there (V30).
struct SignalLevelSmoother: Sendable {
  private var sum = 0.0
  private var count = 0
  /// The scores of the last three previews, the newest first.
  private var scores: (Double?, Double?, Double?)
  private var shown: SignalLevel?

  /// Takes in the quality of one frame, 0...1.
  mutating func add(_ quality: Double) {
    sum += quality
    count += 1
  }

  /// The level to show now; nil while nothing has been scored.
  mutating func level(isInContact: Bool) -> SignalLevel? {
    if count > 0 {
      scores = (sum / Double(count), scores.0, scores.1)
      (sum, count) = (0, 0)
    }
    let known = [scores.0, scores.1, scores.2].compactMap(\.self)
    guard !known.isEmpty else { return nil }
    let wanted = Self.level(of: known.reduce(0, +) / Double(known.count))
    guard let shown, isInContact else {
      shown = wanted
      return wanted
    }
    let next: SignalLevel =
      switch (shown, wanted < shown, wanted > shown) {
      case (.strong, true, _), (.fair, _, true): .good
      case (.good, true, _), (.weak, _, true): .fair
      case (.fair, true, _): .weak
      case (.good, _, true): .strong
      default: shown
      }
    self.shown = next
    return next
  }

  private static func level(of quality: Double) -> SignalLevel {
    switch quality {
    case 0.75...: .strong
    case 0.5..<0.75: .good
    case 0.25..<0.5: .fair
    default: .weak
    }
  }
}
