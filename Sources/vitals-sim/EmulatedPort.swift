import Devices
import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import Scenarios
import VitalsModel

/// A virtual oximeter on a pseudo-terminal, in real time or faster.
struct EmulatedPort<Tip: Fingertip> {
  private var oximeter: VirtualOximeter<Tip>
  private let device: OximeterProtocol
  private let terminal: PseudoTerminal
  private let checksSpeed: Bool

  /// Whatever comes, the status is shown so often.
  private static var pause: TimeSpan { .milliseconds(500) }
  /// How long a reader has for the last bytes before it is hung up.
  private static var farewell: TimeSpan { .milliseconds(200) }

  /// Makes the pseudo-terminal, and the link to it where one is wanted.
  init(
    _ oximeter: VirtualOximeter<Tip>, _ device: OximeterProtocol, link: String?, checksSpeed: Bool
  ) throws(Refusal) {
    self.oximeter = oximeter
    self.device = device
    self.checksSpeed = checksSpeed
    do throws(PseudoTerminalProblem) {
      terminal = try PseudoTerminal(link: link)
    } catch {
      switch error {
      case .nameIsTaken, .noLink: throw Refusal(request: error.text)
      case .noTerminal: throw Refusal(blocked: error.text)
      }
    }
    if let link { Interruption.begin(link) }
  }

  /// What a reader is to open: the link, or the terminal itself.
  var name: String { terminal.link ?? terminal.path ?? "" }

  /// Plays until a moment of the device's time or the end of what it sees.
  ///
  /// The device's time goes on evenly, however late the program wakes, so that nothing adds up.
  mutating func play(for length: TimeSpan?, speed: Double) throws(Refusal) {
    let clock = MonotonicClock()
    var status = StatusLine(sharesOutput: false)
    let end = length.map { Instant.zero + $0 }
    while true {
      let moment = Instant.zero + TimeSpan(seconds: clock.now.seconds * speed)
      let now = end.map { min($0, moment) } ?? moment
      guard try pass(to: now), now != end else { break }
      status.show(words)
      let next = [oximeter.nextMoment, end].compactMap(\.self).min()
      // A fraction more, so that what is due then has come.
      let wait = next.map { TimeSpan(seconds: ($0 - now).seconds / speed) + .milliseconds(1) } ?? Self.pause
      let heard = terminal.read(waiting: min(max(wait, .milliseconds(1)), Self.pause))
      guard !heard.isEmpty else { continue }
      let heardAt = Instant.zero + TimeSpan(seconds: clock.now.seconds * speed)
      guard try pass(to: heardAt) else { break }
      oximeter.send(heard, at: heardAt)
    }
    status.erase()
    clock.sleep(until: clock.now + Self.farewell)
    unplug()
  }

  /// Lets the device's time pass; false when there is nothing more to come.
  private mutating func pass(to moment: Instant) throws(Refusal) -> Bool {
    if checksSpeed { oximeter.reader = terminal.readersSettings }
    while let arrival = oximeter.next(before: moment) {
      switch arrival.content {
      case .bytes(let bytes): terminal.write(bytes)
      case .lost: unplug()
      case .returned: try replug()
      case .ended: return false
      }
    }
    return true
  }

  private func unplug() {
    terminal.unplug()
    if let link = terminal.link { Interruption.settle(link) }
  }

  private func replug() throws(Refusal) {
    do throws(PseudoTerminalProblem) {
      try terminal.replug()
    } catch {
      throw Refusal(blocked: error.text)
    }
    if let link = terminal.link {
      Interruption.begin(link)
    } else {
      // Standard output has told another name.
      StandardStream.error.write("vitals-sim: the device is back as \(name)\n")
    }
  }

  /// What goes on, for a person at a terminal.
  private var words: String {
    let reading = oximeter.reading
    let rate = reading.pulseRateBpm.map { "\($0) bpm" } ?? "no pulse rate"
    let spo2 = reading.spo2Percent.map { "SpO2 \($0) %" } ?? "no SpO2"
    let reader =
      terminal.path == nil ? "unplugged" : terminal.readersSettings.map { "read at \($0.text)" } ?? "nobody reads"
    return ([device.rawValue, rate, spo2] + reading.flags.names + [reader]).joined(separator: ", ")
  }
}
