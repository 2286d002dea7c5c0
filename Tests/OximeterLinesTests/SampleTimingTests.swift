import Testing
import VitalsModel

@testable import OximeterLines

struct SampleTimingTests {
  typealias Delay = SimulatedDelivery.Delay

  /// Nominal and true frames in a second, and how they are delivered.
  static let devices: [(nominal: Double, actual: Double, delay: Delay)] = [
    (60, 60, .upTo(0.02)), (60, 60.04, .upTo(0.02)), (60, 62, .upTo(0.02)), (60, 58, .upTo(0.02)),
    (60, 59.9, .timer(0.016)), (60, 58, .timer(0.016)), (60, 60, .hiccups(0.3, upTo: 0.005)), (60, 60.1, .upTo(0)),
    (75, 75.01, .upTo(0.02)), (75, 74.9, .timer(0.016)), (100, 99.9, .upTo(0.02)), (100, 100, .timer(0.016)),
    (100, 96.5, .hiccups(0.4, upTo: 0.02)),
  ]

  @Test(arguments: devices)
  func `samples lie evenly, and never after they came`(nominal: Double, actual: Double, delay: Delay) {
    for seed: UInt64 in 1...1 {
      var timing = SampleTiming(framesPerSecond: nominal)
      let placed = PlacedSamples(
        &timing, SimulatedDelivery(period: 1 / actual, delay, seed: seed), count: Int(61 * actual))
      #expect(abs(timing.framesPerSecond / actual - 1) < 0.0002)
      #expect(zip(placed.captured, placed.captured.dropFirst()).allSatisfy { $0 < $1 })
      #expect(zip(placed.captured, placed.came).allSatisfy { $0 <= $1 })
      #expect(placed.intervalErrors(over: 1 / actual, from: 0, to: 3).quantile(1) < 5)
      #expect(placed.intervalErrors(over: 1 / actual, from: 3).quantile(0.99) < 0.3)
      #expect(placed.intervalErrors(over: 1, from: 12).quantile(0.99) < 1)
      #expect(placed.continuity.first == .anew)
      #expect(placed.continuity.dropFirst().allSatisfy { $0 == .next })
    }
  }

  @Test(arguments: [1, 2, 7, 45])
  func `lost frames do not shift those that follow`(count: Int) {
    for seed: UInt64 in 1...2 {
      var timing = SampleTiming(framesPerSecond: 60)
      let placed = PlacedSamples(
        &timing, SimulatedDelivery(period: 1 / 60.2, .upTo(0.02), seed: seed), count: 2_400
      ) { (1_300..<1_300 + count).contains($0) }
      #expect(placed.continuity.dropFirst().filter { $0 != .next } == [.missing(count)])
      #expect(placed.continuity[1_300] == .missing(count))
      #expect(placed.intervalErrors(over: 1, from: 15).quantile(1) < 1.5)
    }
  }

  @Test(arguments: [1, 0.5])
  func `late lines at first do not make another rate of a slow device`(framesPerSecond: Double) {
    for seed: UInt64 in 1...50 {
      var generator = SeededGenerator(seed: seed, stream: "late")
      var timing = SampleTiming(framesPerSecond: framesPerSecond)
      var arrived = Instant.zero
      for index in 0..<60 {
        let delay = index < 5 ? Double.random(in: 0...1.5, using: &generator) : 0.01
        arrived = max(arrived, Instant(microseconds: Int64((Double(index) / framesPerSecond + delay) * 1e6)))
        let placed = timing.place([SampleTiming.Tick(arrived: arrived)])
        #expect(index < 20 || placed.map(\.continuity) == [.next], "seed \(seed), line \(index)")
      }
      #expect(abs(timing.framesPerSecond / framesPerSecond - 1) < 0.005, "seed \(seed)")
    }
  }

  @Test func `bytes too many are not lost frames`() {
    for seed: UInt64 in 1...2 {
      var timing = SampleTiming(framesPerSecond: 60)
      var delivery = SimulatedDelivery(period: 1 / 60, .upTo(0.002), seed: seed)
      var offsets: [Double] = []
      for index in 0..<1_800 {
        let sent = Double(index) / 60
        let arrived = Instant(microseconds: Int64((delivery.arrival(of: sent) * 1e6).rounded(.up)))
        let placements = timing.place([SampleTiming.Tick(arrived: arrived, lost: index % 100 == 99 ? 1 : 0)])
        offsets += placements.map { ($0.captured.seconds - sent) * 1_000 }
      }
      #expect(offsets.dropFirst(900).allSatisfy { abs($0) < 3 })
    }
  }

  @Test func `frames that were lost without a trace are noticed`() {
    for seed: UInt64 in 1...2 {
      var timing = SampleTiming(framesPerSecond: 75)
      let placed = PlacedSamples(
        &timing, SimulatedDelivery(period: 1 / 75, .upTo(0.02), seed: seed), count: 75 * 60, traced: false
      ) { (1_500..<1_530).contains($0) }
      #expect(placed.continuity.dropFirst().filter { $0 != .next } == [.missing(30)])
      #expect(placed.offsets(from: 33).allSatisfy { abs($0) < 3 })
    }
  }

  @Test func `a reader that was held up misses nothing`() {
    var timing = SampleTiming(framesPerSecond: 60)
    let before = timing.place((0..<600).map { SampleTiming.Tick(arrived: Instant(microseconds: 16_667 * $0)) })
    let held = (600..<900).map { _ in SampleTiming.Tick(arrived: Instant(microseconds: 16_667 * 900)) }
    let after = timing.place(held)
    #expect(before.dropFirst().allSatisfy { $0.continuity == .next })
    #expect(after.allSatisfy { $0.continuity == .next })
    let times = (before + after).map(\.captured.seconds)
    #expect(zip(times, times.dropFirst()).dropFirst(300).allSatisfy { abs($1 - $0 - 0.016667) < 0.0005 })
  }

  @Test func `a pause begins a new clock that remembers its rate`() {
    var timing = SampleTiming(framesPerSecond: 60)
    let delivery = SimulatedDelivery(period: 1 / 61.5, .upTo(0.02), seed: 3)
    _ = PlacedSamples(&timing, delivery, count: 61 * 40)
    let again = PlacedSamples(&timing, delivery, count: 61 * 20, from: 60)
    #expect(again.continuity.first == .anew)
    #expect(again.continuity.dropFirst().allSatisfy { $0 == .next })
    #expect(again.intervalErrors(over: 1, from: 0, to: 3).quantile(0.99) < 6)
  }

  @Test func `lines of text keep their second`() {
    var timing = SampleTiming(framesPerSecond: 1)
    let placed = PlacedSamples(&timing, SimulatedDelivery(period: 1.00002, .upTo(0.1), seed: 9), count: 300) {
      $0 == 100 || $0 == 200
    }
    #expect(placed.continuity.dropFirst().filter { $0 != .next } == [.missing(1), .missing(1)])
    #expect(zip(placed.captured, placed.came).allSatisfy { $0 <= $1 })
    #expect(placed.offsets(from: 60).allSatisfy { abs($0) < 60 })
  }

  @Test func `nothing creeps in a day`() {
    var timing = SampleTiming(framesPerSecond: 0.5)
    let placed = PlacedSamples(&timing, SimulatedDelivery(period: 2 / 1.00005, .upTo(0.02), seed: 4), count: 43_200)
    #expect(placed.offsets(from: 300).allSatisfy { abs($0) < 15 })
    #expect(placed.continuity.dropFirst().allSatisfy { $0 == .next })
  }

  @Test func `frames that come too fast keep their order`() {
    var timing = SampleTiming(framesPerSecond: 60)
    let placements = (0..<50).flatMap { lump in
      timing.place((0..<40).map { _ in SampleTiming.Tick(arrived: Instant(microseconds: 1_000 * (lump + 1))) })
    }
    let times = placements.map(\.captured)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(timing.place([]).isEmpty)
  }
}
