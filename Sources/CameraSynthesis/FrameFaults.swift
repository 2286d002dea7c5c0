import VitalsModel

/// What became of a frame on its way.
public struct FrameFault: OptionSet, Hashable, Sendable {
  /// One bit for each fault.
  public let rawValue: UInt8

  /// A set of faults from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is delivered for the second time.
  public static let duplicated = FrameFault(rawValue: 1)
  /// It is delivered after its successor.
  public static let reordered = FrameFault(rawValue: 2)
  /// It is delivered later than its latency: it was held up, or had to wait behind one that was.
  public static let late = FrameFault(rawValue: 4)
  /// It is lost.
  public static let dropped = FrameFault(rawValue: 8)
  /// It is lost to a stall.
  public static let stalled = FrameFault(rawValue: 16)

  /// What the faults of the set are called, in a fixed order.
  public var names: [String] {
    let all: [(FrameFault, String)] = [
      (.dropped, "dropped"), (.stalled, "stalled"), (.duplicated, "duplicated"), (.reordered, "reordered"),
      (.late, "late"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// The faults that come to a share of the frames.
public enum FrameFaultKind: String, CaseIterable, Hashable, Sendable {
  /// The frame is lost.
  case dropped
  /// The frame is handed out twice in a row, with the same time stamp: the stamp belongs to the picture, and a buffer that
  /// is handed out again carries it again.
  case duplicated
  /// The frame is handed out right after its successor.
  case reordered
  /// The frame is handed out later, and what follows waits behind it and comes in a lump.
  case late
}

/// A frame on its way to the app.
public struct FrameDelivery: Hashable, Sendable {
  /// The frame, with the time stamp of the phone's clock.
  public fileprivate(set) var sample: FrameSample
  /// When its light was captured, in true time.
  public let capturedAt: Instant
  /// When it reaches the app, in true time.
  public fileprivate(set) var deliverAt: Instant
  /// What became of it.
  public fileprivate(set) var faults: FrameFault
}

/// How many frames had which fault so far.
public struct FrameCounts: Hashable, Sendable {
  /// Frames that were captured.
  public fileprivate(set) var captured = 0
  /// Frames that were lost one by one.
  public fileprivate(set) var dropped = 0
  /// Frames that were lost to stalls.
  public fileprivate(set) var stalled = 0
  /// Frames that were delivered twice.
  public fileprivate(set) var duplicated = 0
  /// Frames that were delivered after their successor.
  public fileprivate(set) var reordered = 0
  /// Frames that were delivered later than their latency.
  public fileprivate(set) var late = 0
}

/// The way of the frames from the camera to the app: it takes them in the order of capture and gives them in the order of
/// delivery.
///
/// Here a frame gets its time stamp, from the phone's clock.
///
/// Each kind of fault draws from a stream of its own ("camera.drops", "camera.duplicates", "camera.order", "camera.late",
/// "camera.stalls"), one draw for each captured frame while that kind is on, whatever becomes of the frame.
public struct FrameFaults: Sendable {
  private struct Held: Sendable {
    var delivery: FrameDelivery
    let isDuplicated: Bool
  }

  /// The shares that a fault may have.
  static let percents = 0.0...90.0
  /// Stalls per minute that there may be.
  static let stallRates = 0.0...60.0
  /// Frames that have queued up come so far apart: 1 to 5 ms in the public recordings that `TimeStamping.delivery` names.
  private static let handling = TimeSpan.milliseconds(3)
  /// Deliveries that are let go of at once.
  private static let leastRemoved = 16
  /// Between two stalls frames come for this long at least, on average.
  private static let leastBetweenStalls = TimeSpan.milliseconds(200)

  private let latency: TimeSpan
  private let stamps: StampClock
  private let stamping: TimeStamping
  private let lateBy: TimeSpan
  private let stallLength: TimeSpan
  private var drops: Chance
  private var duplicates: Chance
  private var reorders: Chance
  private var delays: Chance
  private var stalls: SeededGenerator
  private var stallsPerMin: Double
  /// The stall that no frame gets through, in true time; nil between stalls.
  public private(set) var stall: Range<Instant>?
  private var lastCapture: Instant?

  /// Frames in the order of delivery, from `first` on.
  @usableFromInline var pending: [FrameDelivery] = []
  @usableFromInline var first = 0
  /// Frames that are held back until a successor was delivered, in the order of capture.
  private var held: [Held] = []
  private var latestDelivery: Instant?

  /// How many frames had which fault so far.
  public private(set) var counts = FrameCounts()

  /// The way of a camera's frames.
  ///
  /// - Parameters:
  ///   - settings: without contradiction
  ///   - latency: from the capture of a frame to its delivery, 0 or more
  public init(_ settings: CameraSettings, latency: TimeSpan, seed: UInt64) {
    if let contradiction = settings.contradiction { preconditionFailure(contradiction.reason) }
    precondition(latency >= .zero, "a latency is 0 or more")
    self.latency = latency
    stamps = StampClock(settings)
    stamping = settings.stamping
    lateBy = settings.lateBy
    stallLength = settings.stallLength
    stallsPerMin = settings.stallsPerMin
    drops = Chance(percent: settings.droppedPercent, SeededGenerator(seed: seed, stream: "camera.drops"))
    duplicates = Chance(percent: settings.duplicatedPercent, SeededGenerator(seed: seed, stream: "camera.duplicates"))
    reorders = Chance(percent: settings.reorderedPercent, SeededGenerator(seed: seed, stream: "camera.order"))
    delays = Chance(percent: settings.latePercent, SeededGenerator(seed: seed, stream: "camera.late"))
    stalls = SeededGenerator(seed: seed, stream: "camera.stalls")
  }

  /// The most stalls of a length that fit a minute.
  static func mostStallsPerMin(of length: TimeSpan) -> Double { 60 / (length + leastBetweenStalls).seconds }

  /// Gives a fault another share, 0...90 %, from the next frame on.
  public mutating func turn(_ kind: FrameFaultKind, to percent: Double) {
    precondition(Self.percents.contains(percent), "a share of faults is 0 to 90 %")
    switch kind {
    case .dropped: drops.share = percent / 100
    case .duplicated: duplicates.share = percent / 100
    case .reordered: reorders.share = percent / 100
    case .late: delays.share = percent / 100
    }
  }

  /// Gives stalls another rate, from the next frame on; one that has begun goes on to its end.
  public mutating func turnStalls(perMin: Double) {
    precondition(
      Self.stallRates.contains(perMin) && perMin <= Self.mostStallsPerMin(of: stallLength), "stalls must fit a minute")
    stallsPerMin = perMin
  }

  /// The next delivery; a frame that is captured later may still come before it, unless its latency is over by then.
  ///
  /// Inlinable, like `nextTime`, because a call from another module copies all that the way consists of.
  @inlinable public var next: FrameDelivery? { first < pending.count ? pending[first] : nil }

  /// When `next` reaches the app.
  @inlinable public var nextTime: Instant? { first < pending.count ? pending[first].deliverAt : nil }

  /// Takes away `next`.
  public mutating func removeNext() {
    precondition(first < pending.count, "there is no delivery to take away")
    first += 1
    // What has been taken away goes out together now and then, which is cheaper than one by one.
    guard first >= Self.leastRemoved && 2 * first >= pending.count else { return }
    pending.removeFirst(first)
    first = 0
  }

  /// The camera stops: what is held back until a successor comes need not wait for it, and a stall is over.
  public mutating func stop(at moment: Instant) {
    stall = nil
    for waiting in held {
      var delivery = waiting.delivery
      delivery.deliverAt = queued(max(delivery.deliverAt, moment))
      if delivery.deliverAt > delivery.capturedAt + latency { delivery.faults.insert(.late) }
      append(delivery, isDuplicated: waiting.isDuplicated)
    }
    held.removeAll(keepingCapacity: true)
  }

  /// The share of the frames that is dropped one by one, 0...1.
  public var droppedShare: Double { drops.share }

  /// Takes a frame by its moment of capture, in true time and after the one before.
  ///
  /// - Parameter loss: the chance that it is lost to something else than these faults, 0...1
  /// - Returns: what becomes of it; one that waits behind another may come late as well
  @discardableResult
  public mutating func take(_ sample: FrameSample, loss: Double = 0) -> FrameFault {
    let moment = sample.captured
    counts.captured += 1
    let isDropped = drops.falls(besides: loss)
    let isDuplicated = duplicates.falls()
    let isReordered = reorders.falls()
    let isLate = delays.falls()
    if isStalled(at: moment) {
      counts.stalled += 1
      return .stalled
    }
    if isDropped {
      counts.dropped += 1
      return .dropped
    }
    send(sample, moment, isLate: isLate, isDuplicated: isDuplicated, isReordered: isReordered)
    var faults: FrameFault = isDuplicated ? .duplicated : []
    if isReordered { faults.insert(.reordered) }
    if isLate { faults.insert(.late) }
    return faults
  }

  private mutating func send(
    _ sample: FrameSample, _ moment: Instant, isLate: Bool, isDuplicated: Bool, isReordered: Bool
  ) {
    let regular = moment + latency
    let ready = isLate ? regular + lateBy : regular
    let due = queued(ready)
    let delivery = FrameDelivery(
      sample: sample, capturedAt: moment, deliverAt: due, faults: due > regular ? .late : [])
    if isReordered {
      held.append(Held(delivery: delivery, isDuplicated: isDuplicated))
    } else {
      append(delivery, isDuplicated: isDuplicated)
      releaseHeld()
    }
  }

  /// When a frame that is ready at a moment gets through, behind what was ready before.
  private func queued(_ ready: Instant) -> Instant {
    guard let latestDelivery, ready <= latestDelivery else { return ready }
    return latestDelivery + Self.handling
  }

  private mutating func append(_ frame: FrameDelivery, isDuplicated: Bool) {
    var delivery = frame
    let named = stamping == .capture ? delivery.capturedAt : delivery.deliverAt - latency
    delivery.sample = delivery.sample.stamped(stamps.stamp(at: named))
    if delivery.faults.contains(.late) { counts.late += 1 }
    latestDelivery = delivery.deliverAt
    pending.append(delivery)
    guard isDuplicated else { return }
    counts.duplicated += 1
    var again = delivery
    again.faults.insert(.duplicated)
    pending.append(again)
  }

  /// The successor is on its way: what waited for it follows, the last first, so that each comes after its own successor.
  private mutating func releaseHeld() {
    if held.isEmpty { return }
    for waiting in held.reversed() {
      var delivery = waiting.delivery
      // One that was late besides is not there any earlier.
      delivery.deliverAt = queued(delivery.deliverAt)
      delivery.faults.insert([.reordered, .late])
      counts.reordered += 1
      append(delivery, isDuplicated: waiting.isDuplicated)
    }
    held.removeAll(keepingCapacity: true)
  }

  /// Whether no frame comes at this moment. A stall begins with a chance that makes its starts as frequent as was asked
  /// for: as often, in the time between stalls, as `stallsPerMin` leaves of it.
  private mutating func isStalled(at moment: Instant) -> Bool {
    defer { lastCapture = moment }
    guard stallsPerMin > 0 || stall != nil else { return false }
    let draw = stallsPerMin > 0 ? stalls.uniform() : 1
    if let current = stall {
      if moment < current.upperBound { return true }
      stall = nil
    }
    guard stallsPerMin > 0, let lastCapture else { return false }
    let between = 60 / stallsPerMin - stallLength.seconds
    // A camera that was closed meanwhile has not been at risk.
    guard draw < min((moment - lastCapture).seconds, Self.longestPeriodSeconds) / between else { return false }
    stall = moment..<moment + stallLength
    return true
  }

  /// No camera's frames lie further apart.
  private static let longestPeriodSeconds = 0.2
}

/// A share of the frames, and the stream that chooses them.
private struct Chance: Sendable {
  /// 0...1.
  var share: Double
  private var generator: SeededGenerator

  init(percent: Double, _ generator: SeededGenerator) {
    share = percent / 100
    self.generator = generator
  }

  /// Whether it falls on this frame. `loss` is another chance beside it.
  mutating func falls(besides loss: Double = 0) -> Bool {
    let chance = share == 0 ? loss : 1 - (1 - share) * (1 - loss)
    return chance > 0 && generator.uniform() < chance
  }
}

extension FrameSample {
  /// The same colours under another time stamp.
  fileprivate func stamped(_ stamp: Instant) -> FrameSample {
    FrameSample(captured: stamp, red: red, green: green, blue: blue)
  }
}
