import VitalsModel

/// Rebuilds when a device took its samples from when their frames came.
///
/// A device samples evenly; lines deliver in lumps, never early. So samples are placed on a line under the arrivals
/// (`DelayEnvelope`), and what is learnt of that line later moves the next samples little by little, so that intervals
/// between beats are not torn. Times strictly increase and are never later than the arrival, except by a microsecond
/// each for frames that came too fast to have been sampled so.
public struct SampleTiming: Sendable {
  /// A frame, as the line delivered it.
  public struct Tick: Hashable, Sendable {
    /// When its last byte came.
    public let arrived: Instant
    /// How many frames were lost before it, by the bytes that belong to none.
    public let lost: Int

    /// A frame that came.
    public init(arrived: Instant, lost: Int = 0) {
      self.arrived = arrived
      self.lost = lost
    }
  }

  /// When the sample of a frame was taken.
  public struct Placement: Hashable, Sendable {
    /// When it was taken.
    public let captured: Instant
    /// How it follows the one before.
    public let continuity: Continuity
  }

  /// How a sample follows the one before.
  public enum Continuity: Hashable, Sendable {
    /// One period later.
    case next
    /// So many samples are missing between.
    case missing(Int)
    /// The device's clock was lost; it is the first that is known again.
    case anew
  }

  private enum State {
    /// Nothing came since the beginning, or since the device was gone.
    case waiting
    /// Samples come on a clock.
    case running(SampleClock)
  }

  private let nominal: Double
  private var state = State.waiting
  /// What is known of the period from before.
  private var learnt: Double?
  private var last: Instant?

  /// The timing of a device that makes so many frames in a second, nominally.
  public init(framesPerSecond: Double) {
    nominal = 1 / framesPerSecond
  }

  /// Frames in a second, as far as is known; nominal before anything came.
  public var framesPerSecond: Double {
    switch state {
    case .waiting: 1 / (learnt ?? nominal)
    case .running(let clock): 1 / clock.period
    }
  }

  /// The longest time without a frame after which the device's clock is still the same.
  public var longestPause: TimeSpan { TimeSpan(seconds: max(1, 2.5 * nominal)) }

  /// Places the samples of frames in their order; those that came together should be given together.
  public mutating func place(_ ticks: [Tick]) -> [Placement] {
    guard let first = ticks.first else { return [] }
    var isAnew = false
    var clock: SampleClock
    if case .running(let running) = state, !running.hasLostTrack(ticks, after: longestPause) {
      clock = running
    } else {
      forget()
      isAnew = true
      clock = SampleClock(from: first.arrived, nominal: nominal, learnt: learnt)
    }
    let steps = clock.take(ticks)
    state = .running(clock)
    return steps.map { step in
      let at = clock.origin + TimeSpan(seconds: step.seconds)
      let captured = last.map { max($0 + TimeSpan(microseconds: 1), at) } ?? at
      last = captured
      defer { isAnew = false }
      return Placement(
        captured: captured, continuity: isAnew ? .anew : step.missing == 0 ? .next : .missing(step.missing))
    }
  }

  /// The device was gone: its next sample is the first of a new clock.
  public mutating func forget() {
    if case .running(let clock) = state { learnt = clock.settledPeriod ?? learnt }
    state = .waiting
  }
}

/// The clock of a device that has not paused since the first frame.
struct SampleClock: Sendable {
  let origin: Instant
  private let nominal: Double
  private var envelope: DelayEnvelope
  /// The index of the latest frame; frames that were lost have one too.
  private var index = -1
  /// The time that was given to it, in seconds since the origin.
  private var given = 0.0
  private var arrived = 0.0
  private var watch = LossWatch()
  /// The envelope as it was before the damage that is watched.
  private var proven: DelayEnvelope?
  /// Within so many seconds some frame comes nearly without delay.
  private static let timeToProve = 0.5

  /// A place on the clock.
  struct Step {
    let seconds: Double
    let missing: Int
  }

  init(from origin: Instant, nominal: Double, learnt: Double?) {
    self.origin = origin
    self.nominal = nominal
    // Devices that should send 60 in a second were seen to send 58 to 62; a device seen before is the same.
    envelope = DelayEnvelope(
      expected: learnt ?? nominal, uncertainty: learnt == nil ? 0.01 : 0.0005,
      permitted: nominal * 0.9...nominal * 1.1)
  }

  /// Seconds between samples.
  var period: Double { envelope.period }

  /// Seconds between samples, when they have been seen for long enough to rely on it.
  var settledPeriod: Double? { envelope.span >= 20 ? envelope.period : nil }

  /// Whether frames are too many or too far from where they should be to be of the same clock.
  func hasLostTrack(_ ticks: [SampleTiming.Tick], after longestPause: TimeSpan) -> Bool {
    guard let first = ticks.first, seconds(first.arrived) - arrived > longestPause.seconds else { return false }
    // A reader that was held up finds all frames of the meantime.
    return slack(ticks[...], from: index + 1) > max(0.25, 0.75 * nominal)
  }

  mutating func take(_ ticks: [SampleTiming.Tick]) -> [Step] {
    let before = index
    var indices: [Int] = []
    indices.reserveCapacity(ticks.count)
    for place in ticks.indices {
      index += 1 + missing(before: ticks[place...])
      count(at: seconds(ticks[place].arrived), isDamaged: ticks[place].lost > 0)
      indices.append(index)
    }
    let ceilings = ceilings(ticks)
    var steps: [Step] = []
    steps.reserveCapacity(ticks.count)
    var previous = before
    for (place, index) in indices.enumerated() {
      given =
        time(of: index, after: previous, ceiling: ceilings[place])
        ?? given + max(0, seconds(ticks[place].arrived) - given) / Double(ticks.count - place + 1)
      steps.append(Step(seconds: given, missing: previous < 0 ? 0 : max(0, index - previous - 1)))
      previous = index
    }
    return steps
  }

  /// The frame of the latest index came.
  private mutating func count(at arrival: Double, isDamaged: Bool) {
    // Damage upon damage: what was counted between was not put to the proof.
    if isDamaged, !(watch.isDamaged && arrival - watch.since < Self.timeToProve) { proven = envelope }
    if watch.isDamaged || isDamaged, let proven, proven.time(of: index) - arrival > period / 2 {
      // No frame comes before it was sent: so many were not lost.
      index -= Int(((proven.time(of: index) - arrival) / period).rounded())
      envelope = proven
    }
    watch.see(
      delay: arrival - envelope.time(of: index), arrival: arrival, pause: arrival - arrived, isDamaged: isDamaged)
    envelope.add(index: index, arrival: arrival)
    arrived = arrival
  }

  private func seconds(_ instant: Instant) -> Double { (instant - origin).seconds }

  // MARK: which frame it is

  /// Lines of text, a second or two apart, come with delays that are small beside the period.
  private var isSlow: Bool { nominal >= 0.5 }

  private mutating func missing(before ticks: ArraySlice<SampleTiming.Tick>) -> Int {
    guard index >= 0, let first = ticks.first else { return 0 }
    if isSlow { return max(0, Int((slack(ticks, from: index + 1) / period + 0.25).rounded(.down))) }
    if let unseen = watch.unseen(at: arrived, period: period) { return unseen + first.lost }
    guard first.lost > 0 else { return 0 }
    // Bytes too many are not always frames: those that follow must not be placed after they came.
    let room = (slack(ticks, from: index + 1) / period + 0.5).rounded(.down)
    return max(0, min(first.lost, Int(room)))
  }

  /// By how much the frames come later than they would if the first had that index: the least of them, in seconds.
  private func slack(_ ticks: ArraySlice<SampleTiming.Tick>, from index: Int) -> Double {
    var least = Double.infinity
    for (ahead, tick) in ticks.enumerated() {
      least = min(least, seconds(tick.arrived) - envelope.time(of: index + ahead))
    }
    return least
  }

  // MARK: when it was taken

  /// The first frames may all be late, and the line under them sinks for a while. Samples are placed early by so much,
  /// in seconds, and less and less.
  private static let guardAtFirst = 0.02
  private static let guardLasts = 4.0
  /// Corrections take as many seconds as the clock is known, within these.
  private static let quickest = 1.0
  private static let slowest = 4.0

  /// The time for a frame; nil where there is no room for it between the one before and the ceiling.
  private func time(of index: Int, after previous: Int, ceiling: Double) -> Double? {
    let age = Double(index) * period
    let target = envelope.time(of: index) - Self.guardAtFirst * Maths.exp(-age / Self.guardLasts)
    guard previous >= 0 else { return min(target, ceiling) }
    let step = Double(max(1, index - previous)) * period
    let share = min(1, step / min(max(age, Self.quickest), Self.slowest))
    let time = min(given + step + (target - given - step) * share, ceiling)
    return time > given ? time : nil
  }

  /// The latest time for each sample: its arrival, and early enough that those that came with it have room as well.
  private func ceilings(_ ticks: [SampleTiming.Tick]) -> [Double] {
    var ceilings = ticks.map { seconds($0.arrived) }
    for place in ceilings.indices.dropLast().reversed() {
      ceilings[place] = min(ceilings[place], ceilings[place + 1] - period / 2)
    }
    return ceilings
  }
}

/// Watches for frames that were lost without a trace, or more of them than the traces show: then all that follow come
/// late by whole periods.
struct LossWatch: Sendable {
  /// What speaks for a loss.
  private enum Suspicion {
    /// Nothing does.
    case none
    /// For a while nothing came, as when a reader was held up, who then finds all of it within moments.
    case pause
    /// Bytes belong to no frame.
    case damage
  }

  private var suspicion = Suspicion.none
  /// Since when it watches, in seconds.
  private(set) var since = 0.0
  private var leastDelay = Double.infinity

  /// How long frames must be late, in seconds.
  private var patience: Double {
    switch suspicion {
    case .none: 5
    case .pause: 0.5
    case .damage: 2
    }
  }

  /// How late they must be, in seconds.
  private func leastLoss(_ period: Double) -> Double {
    switch suspicion {
    case .none, .pause: max(4 * period, 0.1)
    case .damage: 0.7 * period
    }
  }

  /// Takes in how late a frame came, and what was seen before it; all in seconds.
  mutating func see(delay: Double, arrival: Double, pause: Double, isDamaged damage: Bool) {
    if damage || pause > 0.15 {
      suspicion = damage || isDamaged ? .damage : .pause
      since = arrival
      leastDelay = .infinity
    }
    leastDelay = min(leastDelay, delay)
  }

  /// Whether bytes belong to no frame.
  var isDamaged: Bool { suspicion == .damage }

  /// How many frames were lost unseen; nil while that is not known, or none were.
  mutating func unseen(at now: Double, period: Double) -> Int? {
    guard now - since >= patience else { return nil }
    let isLoss = leastDelay >= leastLoss(period)
    let count = isLoss ? Int((leastDelay / period).rounded()) : nil
    self = LossWatch()
    since = now
    return count
  }
}
