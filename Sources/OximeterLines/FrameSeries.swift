import OximeterProtocols
import VitalsModel

/// Makes events of a device's frames: samples, readings, answers, and the gaps between them.
struct FrameSeries: Sendable {
  private let speaks: OximeterProtocol
  /// How many bytes a frame has; nil where that differs.
  private let length: Int?
  /// How many bytes of the stream came up to the last frame.
  private var end = 0
  private var lastCaptured: Instant?
  /// What came between the last frame and the next, where it is worse than damage.
  private var interruption: OximeterGap.Cause?
  private var given: TimedReading?

  init(_ speaks: OximeterProtocol) {
    self.speaks = speaks
    length = speaks.frameLength
  }

  /// Something came between the last frame and the next; the worst counts.
  mutating func interrupt(_ cause: OximeterGap.Cause) {
    if interruption != .unplugged { interruption = cause }
  }

  /// The gap from the last frame to now; nil before the first frame.
  ///
  /// - Parameter cause: where nothing worse has come in between
  func openGap(until now: Instant, otherwise cause: OximeterGap.Cause) -> LinkEvent? {
    guard let from = lastCaptured, from < now else { return nil }
    return .gap(OximeterGap(from: from, to: now, cause: interruption ?? cause))
  }

  /// Adds the events of frames that became certain together; says whether one of them belongs to the stream.
  mutating func append(
    _ frames: [OximeterFrame], at now: Instant, _ stamps: inout ByteStamps, _ timing: inout SampleTiming,
    to events: inout [LinkEvent]
  ) -> Bool {
    var ticks: [SampleTiming.Tick] = []
    for frame in frames {
      let arrived = stamps.arrival(of: frame.end) ?? now
      if frame.isTick { ticks.append(SampleTiming.Tick(arrived: arrived, lost: lost(before: frame))) }
      end = frame.end
    }
    let placements = timing.place(ticks)
    var next = 0
    for frame in frames {
      if let answer = frame.answer { events.append(.answer(answer, at: now)) }
      guard frame.isTick else { continue }
      append(frame, arrived: ticks[next].arrived, placements[next], to: &events)
      next += 1
    }
    return !ticks.isEmpty
  }

  /// How many whole frames the bytes would make that came before a frame and belong to none.
  private func lost(before frame: OximeterFrame) -> Int {
    guard let length else { return 0 }
    return (frame.end - end - length + length / 2) / length
  }

  private mutating func append(
    _ frame: OximeterFrame, arrived: Instant, _ placement: SampleTiming.Placement, to events: inout [LinkEvent]
  ) {
    let captured = placement.captured
    if let from = lastCaptured, placement.continuity != .next {
      events.append(.gap(OximeterGap(from: from, to: captured, cause: interruption ?? .damaged)))
    }
    interruption = nil
    lastCaptured = captured
    if speaks.hasPleth {
      events.append(
        .sample(OximeterSample(captured: captured, arrived: arrived, pleth: frame.pleth, isBeat: frame.isBeat)))
    }
    guard let reading = frame.reading, isWorthGiving(reading, captured) else { return }
    let timed = TimedReading(captured: captured, arrived: arrived, reading: reading)
    given = timed
    events.append(.reading(timed))
  }

  /// Devices with a wave repeat their reading in each frame: it is given when it changes, and once a second.
  private func isWorthGiving(_ reading: OximeterReading, _ captured: Instant) -> Bool {
    guard speaks.hasPleth, let given else { return true }
    return reading != given.reading || captured - given.captured >= .seconds(1)
  }
}

extension OximeterFrame {
  /// Whether it is one of those that come at the device's rate, and not an answer or a heading between them.
  var isTick: Bool { pleth != nil || reading != nil }
}

extension OximeterProtocol {
  /// How many bytes each frame of the stream has; nil for lines of text, which differ.
  var frameLength: Int? {
    switch self {
    case .contecV5, .bci, .noninDF2, .noninDF7: 5
    case .contecV7: 9
    case .noninDF8: 4
    case .noninASCII, .masimoASCII, .nellcorASCII: nil
    }
  }
}
