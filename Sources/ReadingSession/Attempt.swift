import PulseAnalysis
import VitalsModel

/// One attempt at a reading: its frames, its beats, and what the previews show of them.
struct Attempt: Sendable {
  /// Counts from 1 within a session.
  let number: Int
  private let startedAt: Instant
  private let completesAt: Instant
  private var nextPreview: Instant
  /// When the fingertip will have been away for too long; nil while it is there.
  private var lostAt: Instant?
  private(set) var record = PulseRecord()
  private var rates = LiveRates()
  private var lastBeat: Instant?
  private var shownRmssdMs: Double?
  private var signal = SignalLevelSmoother()
  private var poor = PoorSignal()

  init(number: Int, startedAt: Instant, _ timing: Timing) {
    self.number = number
    self.startedAt = startedAt
    completesAt = startedAt + timing.reading
    nextPreview = startedAt + timing.preview
  }

  /// The moment at which `serveTimer` has something to do.
  var deadline: Instant {
    let due = min(nextPreview, completesAt)
    return lostAt.map { min(due, $0) } ?? due
  }

  /// Whether the minute is captured.
  func isFull(at now: Instant) -> Bool { now >= completesAt }

  /// Takes in a frame and gives the interval of a beat that became certain with it.
  mutating func see(_ frame: FrameSample, _ update: PulseUpdate, at now: Instant, _ timing: Timing) -> Heartbeat? {
    // A frame may have been captured before the attempt began and delivered after.
    guard frame.captured >= startedAt else { return nil }
    record.append(frame)
    lostAt = update.hasContact ? nil : lostAt ?? now + timing.contactGrace
    poor.see(isReadable: update.hasContact ? update.isReadable : nil, captured: frame.captured)
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
    /// The preview has told of the poor signal that ends the attempt.
    case poorSignal(LivePreview)
  }

  mutating func serveTimer(at now: Instant, _ timing: Timing) -> TimerOutcome {
    // A minute that is full is full, even when the grace of a lift ends in the same moment.
    if isFull(at: now) { return .full(preview(at: now, timing)) }
    if let lostAt, now >= lostAt { return .contactLost }
    guard now >= nextPreview else { return .notYet }
    // Previews keep to whole seconds of the attempt, also after a timer that came late.
    repeat { nextPreview = nextPreview + timing.preview } while nextPreview <= now
    let preview = preview(at: now, timing)
    let isTold = preview.signalLevel.map { $0 <= .fair } ?? false
    return isTold && poor.time >= timing.poorGrace ? .poorSignal(preview) : .preview(preview)
  }

  private mutating func preview(at now: Instant, _ timing: Timing) -> LivePreview {
    let elapsed = now - startedAt
    if elapsed >= timing.provisionalRMSSD { shownRmssdMs = rates.rmssdMs(at: now) ?? shownRmssdMs }
    return LivePreview(
      progress: min(1, elapsed.seconds / timing.reading.seconds), heartRateBpm: rates.heartRateBpm(at: now),
      rmssdMs: shownRmssdMs,
      signalLevel: signal.level(isInContact: lostAt == nil, atMost: poor.time >= timing.poorShown ? .fair : .strong))
  }
}

/// How long the signal of an attempt has been poor. A poor second counts one up and a good one a third down, since a
/// finger that fidgets looks steady now and then, which must not hide that the stretch is bad (V26).
struct PoorSignal: Sendable {
  private(set) var time = TimeSpan.zero
  private var last: Instant?
  /// A gap between frames says nothing of the signal.
  private static let longestStep = TimeSpan.milliseconds(250)

  /// Takes in whether the signal can be read; nil without a fingertip, which is another matter.
  mutating func see(isReadable: Bool?, captured: Instant) {
    let step = min(last.map { captured - $0 } ?? .zero, Self.longestStep)
    last = captured
    guard let isReadable else { return }
    time = isReadable ? max(.zero, time - TimeSpan(microseconds: step.microseconds / 3)) : time + step
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

  /// The level to show now, which moves towards `atMost` where the score is better; nil while nothing has been scored.
  mutating func level(isInContact: Bool, atMost: SignalLevel) -> SignalLevel? {
    if count > 0 {
      scores = (sum / Double(count), scores.0, scores.1)
      (sum, count) = (0, 0)
    }
    let known = [scores.0, scores.1, scores.2].compactMap(\.self)
    guard !known.isEmpty else { return nil }
    let wanted = min(Self.level(of: known.reduce(0, +) / Double(known.count)), atMost)
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
