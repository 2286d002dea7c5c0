import VitalsModel

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
      permitted: nominal * (1 - Self.spread(nominal))...nominal * (1 + Self.spread(nominal)))
  }

  /// By which share a device may be slower or faster. Lines a second apart are made by a clock of seconds; were more
  /// believed, a few late lines at first would make frames of nine tenths with one missing in ten, for good.
  private static func spread(_ nominal: Double) -> Double { nominal >= slowPeriod ? 0.02 : 0.1 }

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
  private var isSlow: Bool { nominal >= Self.slowPeriod }
  private static let slowPeriod = 0.5

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
