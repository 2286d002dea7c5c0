import Testing
import VitalsModel

@testable import CameraSynthesis

/// A frame that shows its number.
private func frame(_ index: Int) -> (sample: FrameSample, at: Instant) {
  let moment = Instant(microseconds: Int64(index) * 100_000 / 3)
  return (FrameSample(captured: moment, red: Double(index), green: 0, blue: 0), moment)
}

private let latency = TimeSpan.milliseconds(40)

/// What arrives of so many frames when each delivery is taken as soon as no frame can come before it.
private func deliveries(
  _ settings: CameraSettings, frames: Int, seed: UInt64 = 1, turn: (Int, inout FrameFaults) -> Void = { _, _ in }
) -> (arrived: [FrameDelivery], counts: FrameCounts) {
  var faults = FrameFaults(settings, latency: latency, seed: seed)
  var arrived: [FrameDelivery] = []
  for index in 0..<frames {
    let (sample, moment) = frame(index)
    while let next = faults.next, next.deliverAt <= moment + latency {
      arrived.append(next)
      faults.removeNext()
    }
    turn(index, &faults)
    faults.take(sample)
  }
  faults.stop(at: frame(frames).at)
  while let next = faults.next {
    arrived.append(next)
    faults.removeNext()
  }
  return (arrived, faults.counts)
}

private func numbers(_ arrived: [FrameDelivery]) -> [Int] { arrived.map { Int($0.sample.red) } }

@Suite struct FrameFaultsTests {
  @Test func aGoodWayChangesNothing() {
    let (arrived, counts) = deliveries(CameraSettings(), frames: 300)
    #expect(numbers(arrived) == Array(0..<300))
    #expect(arrived.allSatisfy { $0.faults.isEmpty && $0.deliverAt == $0.capturedAt + latency })
    #expect(counts.captured == 300 && counts.dropped + counts.late + counts.duplicated + counts.reordered == 0)
  }

  @Test(arguments: [1, 10, 40, 90]) func sharesAreAsAsked(percent: Double) {
    let count = 40_000
    let expected = Double(count) * percent / 100
    let slack = 4 * (expected * (1 - percent / 100)).squareRoot() + 1
    func close(_ number: Int) -> Bool { (Double(number) - expected).magnitude < slack }

    let dropped = deliveries(camera { $0.droppedPercent = percent }, frames: count)
    #expect(close(dropped.counts.dropped) && dropped.arrived.count == count - dropped.counts.dropped)
    #expect(numbers(dropped.arrived) == numbers(dropped.arrived).sorted())

    let duplicated = deliveries(camera { $0.duplicatedPercent = percent }, frames: count)
    #expect(close(duplicated.counts.duplicated))
    #expect(duplicated.arrived.count == count + duplicated.counts.duplicated)
    #expect(
      zip(duplicated.arrived, duplicated.arrived.dropFirst()).allSatisfy {
        $1.faults.contains(.duplicated) == ($0.sample == $1.sample)
      })

    let reordered = deliveries(camera { $0.reorderedPercent = percent }, frames: count)
    #expect(close(reordered.counts.reordered) && reordered.arrived.count == count)
    var places = [Int](repeating: 0, count: count)
    for (place, number) in numbers(reordered.arrived).enumerated() { places[number] = place }
    let isAfterSuccessor = reordered.arrived.allSatisfy { delivery in
      let number = Int(delivery.sample.red)
      guard number + 1 < count, delivery.faults.contains(.reordered) else { return true }
      return places[number] > places[number + 1]
    }
    #expect(isAfterSuccessor)

    let late = deliveries(camera { $0.latePercent = percent }, frames: count)
    // Those that wait behind a late one are late as well.
    #expect(late.counts.late >= Int(expected - slack))
    #expect(numbers(late.arrived) == Array(0..<count))
    #expect(late.arrived.allSatisfy { ($0.deliverAt - $0.capturedAt) <= latency + .milliseconds(140) })
    #expect(late.arrived.allSatisfy { $0.faults.contains(.late) == ($0.deliverAt - $0.capturedAt > latency) })
  }

  @Test func deliveriesAreInTheOrderOfTimeWithEverythingOn() {
    let settings = camera {
      $0.droppedPercent = 20
      $0.duplicatedPercent = 20
      $0.reorderedPercent = 30
      $0.latePercent = 20
      $0.stallsPerMin = 4
    }
    for seed in 1...20 as ClosedRange<UInt64> {
      let (arrived, counts) = deliveries(settings, frames: 3_000, seed: seed)
      #expect(zip(arrived, arrived.dropFirst()).allSatisfy { $0.deliverAt <= $1.deliverAt })
      #expect(arrived.allSatisfy { $0.deliverAt >= $0.capturedAt + latency })
      #expect(arrived.count == counts.captured - counts.dropped - counts.stalled + counts.duplicated)
      #expect(Set(numbers(arrived)).count == counts.captured - counts.dropped - counts.stalled)
    }
  }

  @Test func aFrameWithoutASuccessorComesAtLast() {
    let (arrived, counts) = deliveries(
      camera {
        $0.reorderedPercent = 90
        $0.duplicatedPercent = 90
      }, frames: 3, seed: 2)
    #expect(Set(numbers(arrived)) == [0, 1, 2])
    #expect(arrived.count == 3 + counts.duplicated)
    #expect(zip(arrived, arrived.dropFirst()).allSatisfy { $0.deliverAt <= $1.deliverAt })
  }

  @Test(arguments: [(2, 0.5), (6, 5), (60, 0.1), (1, 10)] as [(Double, Double)])
  func stallsAreAsFrequentAndLongAsAsked(perMin: Double, seconds: Double) {
    let settings = camera {
      $0.stallsPerMin = perMin
      $0.stallLength = TimeSpan(seconds: seconds)
    }
    let minutes = 600
    let (arrived, _) = deliveries(settings, frames: minutes * 1_800)
    let gaps = zip(arrived, arrived.dropFirst()).map { ($1.capturedAt - $0.capturedAt).seconds }.filter { $0 > 0.05 }
    let stalls = Double(minutes) * perMin
    #expect((Double(gaps.count) - stalls).magnitude < 5 * stalls.squareRoot(), "\(gaps.count) of \(stalls)")
    // One stall may follow another at once.
    #expect(gaps.allSatisfy { $0 > seconds } && gaps.sorted()[gaps.count / 2] < seconds + 0.07)
  }

  @Test func aStallIsOverWhenTheCameraStops() {
    var faults = FrameFaults(
      camera {
        $0.stallsPerMin = 5
        $0.stallLength = .seconds(10)
      }, latency: latency, seed: 1)
    var index = 0
    while faults.stall == nil, index < 10_000 {
      faults.take(frame(index).sample)
      index += 1
    }
    let begun = frame(index - 1).at
    #expect(faults.stall == begun..<begun + .seconds(10))
    faults.take(frame(index).sample)
    #expect(faults.counts.stalled == 2)
    faults.stop(at: frame(index).at)
    faults.turnStalls(perMin: 0)
    faults.take(frame(index + 1).sample)
    #expect(faults.stall == nil && faults.counts.stalled == 2)
  }

  @Test func stampsAreThoseOfThePhonesClock() {
    let settings = camera {
      $0.clockDriftPpm = 1_000
      $0.clockOffset = .seconds(-2)
      $0.latePercent = 10
    }
    let (captured, _) = deliveries(settings, frames: 900)
    let clock = StampClock(settings)
    #expect(captured.allSatisfy { $0.sample.captured == clock.stamp(at: $0.capturedAt) })
    let (delivered, _) = deliveries(
      camera {
        $0.stamping = .delivery
        $0.latePercent = 10
      }, frames: 900)
    #expect(delivered.allSatisfy { $0.sample.captured == $0.deliverAt - latency })
    // A lump: those behind a late one arrive with it.
    let steps = zip(delivered, delivered.dropFirst()).map { $1.sample.captured - $0.sample.captured }
    #expect(
      steps.contains(.milliseconds(3)) && steps.allSatisfy { $0 > .zero } && steps.contains { $0 > .milliseconds(140) })
  }

  @Test func sharesTurnMidRun() {
    let (arrived, counts) = deliveries(CameraSettings(), frames: 900) { index, faults in
      if index == 300 { faults.turn(.dropped, to: 50) }
      if index == 600 { faults.turn(.dropped, to: 0) }
    }
    let lost = Set(0..<900).subtracting(numbers(arrived))
    #expect(lost.count == counts.dropped && (100...200).contains(lost.count))
    #expect(lost.allSatisfy { (300..<600).contains($0) })
  }

  @Test func kindsHaveTheirOwnStreams() {
    func dropped(_ change: (inout CameraSettings) -> Void) -> Set<Int> {
      let settings = camera {
        $0.droppedPercent = 20
        change(&$0)
      }
      return Set(0..<600).subtracting(numbers(deliveries(settings, frames: 600).arrived))
    }
    let alone = dropped { _ in }
    #expect(alone == dropped { $0.latePercent = 30 })
    #expect(alone == dropped { $0.reorderedPercent = 30 })
    #expect(alone == dropped { $0.duplicatedPercent = 30 })
    #expect(alone.isSubset(of: dropped { $0.stallsPerMin = 6 }))
  }

  @Test func otherLossesAddToTheShare() {
    var faults = FrameFaults(camera { $0.droppedPercent = 50 }, latency: latency, seed: 1)
    for index in 0..<10_000 { faults.take(frame(index).sample, loss: 0.4) }
    #expect((6_800...7_200).contains(faults.counts.dropped))
  }
}
