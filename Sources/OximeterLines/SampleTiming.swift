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
