import Devices
import Foundation
import OximeterProtocols
import Synchronization
import VitalsModel

/// A pseudo-terminal on which a device talks, on a thread of its own, until it is let go.
final class PlayedPort: Sendable {
  /// What happens to it on the way.
  enum Act: Sendable {
    /// It talks for so long.
    case talk(TimeSpan, OximeterReading)
    /// It sends these bytes.
    case send([UInt8])
    /// It is silent for so long.
    case pause(TimeSpan)
    /// It is pulled out for so long.
    case unplug(TimeSpan)
  }

  private let flag = Flag()

  /// Plays the acts in their order once somebody has the port open, and then the last of them again and again.
  init(_ speaks: OximeterProtocol, link: String, _ acts: [Act]) {
    let flag = flag
    let isThere = DispatchSemaphore(value: 0)
    let thread = Thread {
      guard let terminal = try? PseudoTerminal(link: link) else { return }
      isThere.signal()
      var player = Player(terminal: terminal, speaks: speaks)
      while !flag.isUp, !terminal.hasReader { usleep(2_000) }
      var rest = acts[...]
      while !flag.isUp, let act = rest.first {
        if rest.count > 1 { rest.removeFirst() }
        player.play(act) { flag.isUp }
      }
      terminal.unplug()
    }
    thread.start()
    isThere.wait()
  }

  /// Lets it go.
  func end() { flag.raise() }

  deinit { end() }

  /// Whether it is to end.
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isUp: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
  }

  private struct Player {
    let terminal: PseudoTerminal
    let clock = MonotonicClock()
    let framesPerSecond: Double
    var encoder: any OximeterEncoder
    var frames = 0

    init(terminal: PseudoTerminal, speaks: OximeterProtocol) {
      self.terminal = terminal
      framesPerSecond = speaks.framesPerSecond
      encoder = speaks.encoder()
    }

    mutating func play(_ act: Act, isOver: () -> Bool) {
      let begin = clock.now
      switch act {
      case .send(let bytes): terminal.write(bytes)
      case .pause(let span): wait(until: begin + span, isOver)
      case .unplug(let span):
        terminal.unplug()
        wait(until: begin + span, isOver)
        try? terminal.replug()
      case .talk(let span, let reading):
        var sent = 0
        while clock.now < begin + span, !isOver() {
          let due = Int((clock.now - begin).seconds * framesPerSecond)
          while sent < due {
            terminal.write(encoder.encode(moment(reading)))
            (sent, frames) = (sent + 1, frames + 1)
          }
          usleep(8_000)
        }
      }
    }

    private func wait(until moment: Instant, _ isOver: () -> Bool) {
      while clock.now < moment, !isOver() { usleep(5_000) }
    }

    /// A triangle of 72 a minute.
    private func moment(_ reading: OximeterReading) -> OximeterMoment {
      let phase = (Double(frames) / framesPerSecond * 1.2).truncatingRemainder(dividingBy: 1)
      let hasFinger = !reading.flags.contains(.fingerOut)
      return OximeterMoment(
        pleth: hasFinger ? 1 - phase : 0, isBeatMarked: hasFinger && phase < 0.1, reading: reading)
    }
  }
}
