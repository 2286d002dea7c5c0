import VitalsModel

@testable import OximeterLines

/// Frames of a device's clock, as a line delivers them.
struct SimulatedDelivery {
  /// How a line delays what is sent.
  enum Delay {
    /// Each frame by another time up to this, in seconds; none overtakes another.
    case upTo(Double)
    /// Until the next tick of a timer of this period, in seconds.
    case timer(Double)
    /// As the first, and now and then nothing for this long, in seconds.
    case hiccups(Double, upTo: Double)
  }

  let period: Double
  let delay: Delay
  private var generator: SeededGenerator
  private var heldUntil = 0.0
  private var last = 0.0

  init(period: Double, _ delay: Delay, seed: UInt64) {
    self.period = period
    self.delay = delay
    generator = SeededGenerator(seed: seed, stream: "delivery")
  }

  /// When what was sent at a moment comes, in seconds.
  mutating func arrival(of sent: Double) -> Double {
    let comes: Double
    switch delay {
    case .upTo(let most): comes = sent + generator.uniform() * most
    case .timer(let tick): comes = (sent / tick).rounded(.up) * tick
    case .hiccups(let pause, let most):
      if generator.uniform() < 0.002 { heldUntil = sent + pause }
      comes = max(heldUntil, sent + generator.uniform() * most)
    }
    last = max(last, comes)
    return last
  }
}

/// What was made of the frames of a device.
struct PlacedSamples {
  /// When each was taken, in seconds.
  var taken: [Double] = []
  /// When each came.
  var came: [Double] = []
  /// When each is said to have been taken.
  var captured: [Double] = []
  var continuity: [SampleTiming.Continuity] = []

  /// Places frames `0..<count` of a device, without those for which `isLost` holds.
  ///
  /// - Parameter traced: whether the bytes show how many were lost
  init(
    _ timing: inout SampleTiming, _ delivery: SimulatedDelivery, count: Int, from begin: Double = 0.3,
    traced: Bool = true,
    isLost: (Int) -> Bool = { _ in false }
  ) {
    var delivery = delivery
    var batch: [SampleTiming.Tick] = []
    var lost = 0
    func place(_ placed: inout PlacedSamples, _ timing: inout SampleTiming) {
      for placement in timing.place(batch) {
        placed.captured.append(placement.captured.seconds)
        placed.continuity.append(placement.continuity)
      }
      batch = []
    }
    for index in 0..<count {
      guard !isLost(index) else {
        lost += 1
        continue
      }
      let sent = begin + Double(index) * delivery.period
      let arrival = Instant(microseconds: Int64((delivery.arrival(of: sent) * 1e6).rounded(.up)))
      if let first = batch.first, first.arrived != arrival { place(&self, &timing) }
      batch.append(SampleTiming.Tick(arrived: arrival, lost: traced ? lost : 0))
      lost = 0
      taken.append(sent)
      came.append(arrival.seconds)
    }
    place(&self, &timing)
  }

  /// The errors of the intervals over `span` seconds that end between two moments, in milliseconds, sorted.
  func intervalErrors(over span: Double, from: Double, to: Double = .infinity) -> [Double] {
    var errors: [Double] = []
    var left = 0
    for right in taken.indices where taken[right] - taken[0] >= from && taken[right] - taken[0] < to {
      while left < right, taken[right] - taken[left] > span + 1e-9 { left += 1 }
      guard left < right else { continue }
      errors.append(abs((captured[right] - captured[left]) - (taken[right] - taken[left])) * 1_000)
    }
    return errors.sorted()
  }

  /// How late each is placed, in milliseconds, between two moments.
  func offsets(from: Double, to: Double = .infinity) -> [Double] {
    taken.indices.filter { taken[$0] - taken[0] >= from && taken[$0] - taken[0] < to }.map {
      (captured[$0] - taken[$0]) * 1_000
    }
  }
}

extension [Double] {
  /// The value below which this share lies, of sorted ones.
  func quantile(_ share: Double) -> Double { isEmpty ? .nan : self[Int(Double(count - 1) * share)] }
}
