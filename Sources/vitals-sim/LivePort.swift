import Devices
import OximeterLines
import OximeterProtocols
import ReadingSimulation
import Recordings
import Scenarios
import Traces
import VitalsModel

/// An oximeter on a serial port, on which scenarios run.
struct LivePort: Sendable {
  let path: String
  /// Nil: found out.
  let speaks: OximeterProtocol?

  /// How long the device may take until its frames come.
  private static let patience = TimeSpan.seconds(15)
  /// How often the status is shown anew where nothing comes.
  private static let refresh = TimeSpan.milliseconds(200)

  /// Runs a scenario in the time that passes, and gives what happened.
  ///
  /// The port is opened for it and closed after it. It begins once the device is understood, finger or no finger.
  func run(_ scenario: Scenario, platform: String, keepsInputs: Bool) throws(Refusal) -> [TraceEntry] {
    var status = StatusLine(sharesOutput: false)
    let connection = try connect(&status)
    try refuseSource(connection.speaks)
    let line = connection.line
    var stream = OximeterStream(
      CapturingLine(line, keeps: keepsInputs), speaking: connection.speaks, from: line.clock.now)
    try awaitFrames(of: &stream, connection, &status)
    status.tell("\(path): \(connection.speaks.rawValue), running \(scenario.name) on \(platform)")
    let live = LiveStatus(status, since: line.clock)
    let trace = runReading(
      scenario, vocabulary: ScenarioFiles.contract.vocabulary, platform: platform, on: &stream,
      ending: "\(path) was unplugged and did not come back", keepsInputs: keepsInputs, watch: live.take)
    live.status.erase()
    connection.close(stream.farewell)
    return trace
  }

  private func connect(_ status: inout StatusLine) throws(Refusal) -> OximeterConnection {
    if let speaks {
      return try OximeterConnection(port: path, speaks: speaks, settings: speaks.lineSettings[0])
    }
    return try OximeterConnection(findingOn: path, patience: Self.patience) { status.tell($0) }
  }

  /// Waits until frames come; where they do not, says why.
  private func awaitFrames(
    of stream: inout OximeterStream<CapturingLine<SerialLine>>, _ connection: OximeterConnection,
    _ status: inout StatusLine
  ) throws(Refusal) {
    let begin = stream.now
    let end = begin + Self.patience
    while stream.state != .streaming {
      let now = stream.now
      let obstacle = Obstacle(stream.state, nil)
      guard now < end, stream.state != .ended else {
        let waited = Fixed.shortest(Self.patience.seconds, places: 1)
        connection.close(stream.farewell)
        throw Refusal(blocked: "\(path) sends no frames for \(waited) s: \(obstacle.state)", hint: obstacle.advice)
      }
      // Every device needs a moment.
      if now > begin + .seconds(2) { status.tell("\(path): \(obstacle.text)") }
      _ = stream.next(before: min(end, now + Self.refresh))
    }
  }
}

/// Shows on a terminal what a live oximeter says.
private final class LiveStatus {
  private(set) var status: StatusLine
  private let clock: MonotonicClock
  private let begin: Instant
  private var state = LinkState.streaming
  private var tally = OximeterTally()

  init(_ status: StatusLine, since clock: MonotonicClock) {
    self.status = status
    self.clock = clock
    begin = clock.now
  }

  func take(_ event: LinkEvent) {
    tally.take(event)
    if case .state(let new, _) = event { state = new }
    status.show("\(Fixed.text((clock.now - begin).seconds, places: 0)) s  \(tally.now(state))")
  }
}
