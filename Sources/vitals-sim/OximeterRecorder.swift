import Devices
import OximeterLines
import OximeterProtocols
import ReadingSimulation
import Recordings
import Traces
import VitalsModel

/// Records what comes over the line of an oximeter.
struct OximeterRecorder {
  private let request: RecordRequest
  private let connection: OximeterConnection
  private var stream: OximeterStream<CapturingLine<SerialLine>>
  private var tally = OximeterTally()
  private var status: StatusLine
  /// What the device said of itself before the recording began.
  private var answers: [DeviceAnswer]

  /// How often the status is shown anew where nothing comes.
  private static let refresh = TimeSpan.milliseconds(200)

  /// Opens the line.
  init(
    _ request: RecordRequest, on port: (path: String, known: (OximeterProtocol, LineSettings)?)
  ) throws(Refusal) {
    self.request = request
    var status = StatusLine(sharesOutput: request.output == "-")
    if let (speaks, settings) = port.known {
      connection = try OximeterConnection(port: port.path, speaks: speaks, settings: settings)
    } else {
      connection = try OximeterConnection(findingOn: port.path, patience: request.patience) { status.tell($0) }
    }
    self.status = status
    answers = connection.answers
    stream = OximeterStream(
      CapturingLine(connection.line), speaking: connection.speaks, setsFormat: request.setsFormat,
      from: connection.line.clock.now)
  }

  /// What comes next before a moment of the line, told to the tally as well.
  private mutating func next(before limit: Instant) -> (at: Instant, event: LinkEvent)? {
    let next = stream.next(before: limit)
    if let next { tally.take(next.event) }
    return next
  }

  // MARK: Before it begins

  /// Waits until the oximeter shows a pulse.
  mutating func awaitPulse() throws(Refusal) {
    let begin = stream.now
    let end = begin + request.patience
    // Every device needs a moment, and a slow one some frames until it is understood.
    let moment = begin + TimeSpan(seconds: max(2, 6 / stream.speaks.framesPerSecond))
    while tally.latest?.isUsable != true {
      let now = stream.now
      let obstacle = Obstacle(stream.state, tally.latest)
      guard now < end, stream.state != .ended else {
        let waited = Fixed.shortest(request.patience.seconds, places: 1)
        connection.close(stream.farewell)
        throw Refusal(
          blocked: "\(connection.port) shows no pulse for \(waited) s: \(obstacle.state)", hint: obstacle.advice)
      }
      if now > moment { status.tell("\(connection.port): \(obstacle.text)") }
      if case .answer(let answer, _)? = next(before: min(end, now + Self.refresh))?.event { answers.append(answer) }
    }
    status.erase()
  }

  // MARK: While it goes on

  /// Writes what comes, until the time is over, the device is, or the user ends it.
  mutating func record(into file: GrowingFile) throws(Refusal) {
    let begin = stream.now
    let end = request.length.map { begin + $0 }
    let whole = request.length.map { " of \(Fixed.shortest($0.seconds, places: 0)) s" } ?? ""
    // What came before is no part of it.
    while next(before: begin) != nil {}
    _ = stream.line.takeCaptures()
    tally = OximeterTally(holding: tally.latest, from: begin)
    let before = stream.counts
    try file.begin()
    var log = RecordLog(begin: begin)
    log.add(connection.header(answers, request))
    Interruption.askFirst()
    while end.map({ stream.now < $0 }) ?? true, stream.state != .ended, Interruption.asked == nil {
      let limit = stream.now + Self.refresh
      let event = next(before: end.map { min($0, limit) } ?? limit)
      for capture in stream.line.takeCaptures() { log.add(.capture(capture.bytes), at: capture.at) }
      if let (at, event) = event {
        log.add(event, at: at)
        tellState(event)
      }
      try log.flush(to: file)
      let seconds = Fixed.text((stream.now - begin).seconds, places: 0)
      status.show(
        "\(seconds)\(whole.isEmpty ? " s" : whole)  \(tally.now(stream.state))\((stream.counts - before).faults)")
    }
    // What belongs to bytes that are written already.
    while let (at, event) = next(before: stream.now) { log.add(event, at: at) }
    if let gap = stream.openGap {
      tally.take(gap)
      log.add(gap, at: stream.now)
    }
    let counts = stream.counts - before
    log.add(.reference(counts.reference), at: stream.now)
    log.add(.truth(RunTruth.end(stream.state == .ended ? .exhausted : .until).message), at: stream.now)
    try log.flush(to: file)
    try file.finish()
    status.erase()
    try conclude(file, counts, length: stream.now - begin)
  }

  /// Tells whoever reads along that nothing comes any more, and that it comes again.
  private mutating func tellState(_ event: LinkEvent) {
    guard case .state(let state, _) = event, state != .ended else { return }
    let words = state == .streaming ? "it sends again" : Obstacle(state, nil).text
    status.tell("\(connection.port): \(words)")
  }

  /// Says what came of it.
  private mutating func conclude(_ file: GrowingFile, _ counts: DecodingCounts, length: TimeSpan) throws(Refusal) {
    tally.finish(at: stream.now)
    let told = tally.summary(of: length) + counts.faults + "\n"
    (file.path == "-" ? StandardStream.error : .output).write(told)
    guard stream.state != .ended else {
      let stayed = connection.line.latestProblem.map { ": \($0.text(port: connection.port))" } ?? ""
      throw Refusal(
        blocked: "\(connection.port) was unplugged and did not come back\(stayed)",
        hint: "what came before is in \(file.path)")
    }
    connection.close(stream.farewell)
  }
}

/// The lines of a recording that are not written yet.
private struct RecordLog {
  private let begin: Instant
  private var lines: [UInt8] = []

  init(begin: Instant) { self.begin = begin }

  mutating func add(_ header: TraceHeader) {
    TraceText.append(header, to: &lines)
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func add(_ event: LinkEvent, at moment: Instant) {
    if case .sample(let sample) = event, let pleth = sample.pleth {
      add(.sample(captured: .zero + (sample.captured - begin), values: [Double(pleth)]), at: moment)
    }
    if let reference = event.reference(since: begin) { add(.reference(reference), at: moment) }
  }

  mutating func add(_ item: TraceItem, at moment: Instant) {
    // What was on its way when the recording began is part of it.
    TraceText.append(TraceEntry(at: max(.zero, .zero + (moment - begin)), item), to: &lines)
    lines.append(UInt8(ascii: "\n"))
  }

  mutating func flush(to file: GrowingFile) throws(Refusal) {
    guard !lines.isEmpty else { return }
    try file.append(lines)
    lines.removeAll(keepingCapacity: true)
  }
}
