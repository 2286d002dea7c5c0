import Devices
import Foundation
import OximeterLines
import OximeterProtocols
import OximeterSynthesis
import Synchronization
import VitalsModel

/// Why there is nothing to read.
struct SoakTrouble: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A finger with a pulse of 72 bpm that never ends and is never looked at twice.
struct SoakFinger: Fingertip {
  private static let period = TimeSpan(microseconds: 833_333)
  private var nextFoot = Instant.zero

  mutating func look(at moment: Instant) -> FingertipLook {
    var feet: [Instant] = []
    while nextFoot <= moment {
      feet.append(nextFoot)
      nextFoot = nextFoot + Self.period
    }
    let phase = (moment - nextFoot + Self.period).seconds / Self.period.seconds
    return FingertipLook(
      light: 1 - 0.01 * (1 - Maths.cos(2 * Double.pi * phase)), perfusionIndexPercent: 2, feet: feet)
  }
}

/// Values of a wave, of which so many can be told from others only by all of them: how many, and a mark of their order.
struct WaveTally: Hashable, Sendable {
  private(set) var count = 0
  private var mark: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes in the next value.
  mutating func add(_ pleth: Int) {
    count += 1
    mark = (mark ^ UInt64(pleth)) &* 0x100_0000_01b3
  }
}

/// A virtual oximeter on a pseudo-terminal, which a thread of its own plays in real time.
final class SoakDevice: Sendable {
  /// Five bytes, a hundred times a second.
  static let speaks = OximeterProtocol.bci

  private enum Phase {
    /// There is no terminal yet.
    case starting
    /// It lies there, or plays.
    case running
    /// It has played to its end.
    case over
    /// There is no terminal to be had.
    case failed(SoakTrouble)
  }

  private struct Shared {
    var phase = Phase.starting
    /// The wave of the frames that were sent whole.
    var sent = WaveTally()
    var lostBytes = 0
    var pauses = 0
  }

  /// What a reader may call a silence, on a machine that is busy with other things.
  private static let pause = TimeSpan.milliseconds(900)

  /// The name under which it is found.
  let link: String
  private let shared = Mutex(Shared())

  /// Lies there to be opened, and plays for a while once somebody has.
  ///
  /// - Parameter faults: what goes wrong, on a clock that begins with the playing
  init(for span: TimeSpan, faults: [OximeterFault] = []) throws(SoakTrouble) {
    link = FileManager.default.temporaryDirectory.appending(path: "vitals-sim-soak-\(getpid())").path
    Thread.detachNewThread { [self] in lie(for: span, faults) }
    let clock = MonotonicClock()
    while true {
      switch shared.withLock(\.phase) {
      case .starting: clock.sleep(until: clock.now + .milliseconds(5))
      case .running, .over: return
      case .failed(let trouble): throw trouble
      }
    }
  }

  /// The wave that it sent so far.
  var sent: WaveTally { shared.withLock(\.sent) }
  /// How many bytes nobody took.
  var lostBytes: Int { shared.withLock(\.lostBytes) }
  /// How often it could not send for nearly a second, which a device on a wire never does.
  var pauses: Int { shared.withLock(\.pauses) }
  /// Whether it has played to its end.
  var isOver: Bool {
    switch shared.withLock(\.phase) {
    case .starting, .running: false
    case .over, .failed: true
    }
  }

  private func lie(for span: TimeSpan, _ faults: [OximeterFault]) {
    do throws(PseudoTerminalProblem) {
      let terminal = try PseudoTerminal(link: link)
      shared.withLock { $0.phase = .running }
      let waiting = MonotonicClock()
      while !terminal.hasReader { waiting.sleep(until: waiting.now + .milliseconds(5)) }
      try play(on: terminal, for: span, faults)
      shared.withLock { $0.phase = .over }
      // What is still in the system's buffer is left to the reader.
      while terminal.hasReader { waiting.sleep(until: waiting.now + .milliseconds(20)) }
    } catch {
      shared.withLock { $0.phase = .failed(SoakTrouble(error.text)) }
    }
  }

  private func play(
    on terminal: PseudoTerminal, for span: TimeSpan, _ faults: [OximeterFault]
  ) throws(PseudoTerminalProblem) {
    var oximeter = VirtualOximeter(Self.speaks, tip: SoakFinger(), faults: faults, seed: 1)
    var frame: [UInt8] = []
    let clock = MonotonicClock()
    while let moment = oximeter.nextMoment, moment < .zero + span {
      clock.sleep(until: moment)
      if clock.now - moment > Self.pause { shared.withLock { $0.pauses += 1 } }
      while let arrival = oximeter.next(before: clock.now) {
        switch arrival.content {
        case .bytes(let bytes): send(bytes, to: terminal, &frame)
        case .lost: terminal.unplug()
        case .returned: try terminal.replug()
        case .ended: return
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], to terminal: PseudoTerminal, _ frame: inout [UInt8]) {
    let count = terminal.write(bytes, waiting: .seconds(1))
    shared.withLock { shared in
      for byte in bytes.prefix(count) {
        frame.append(byte)
        guard frame.count == 5 else { continue }
        shared.sent.add(Int(frame[1]))
        frame.removeAll(keepingCapacity: true)
      }
      shared.lostBytes += bytes.count - count
    }
  }
}
