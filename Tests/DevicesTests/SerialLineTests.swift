import OximeterLines
import OximeterProtocols
import Testing
import VitalsModel

@testable import Devices

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Machine {
  @Suite struct SerialLineTests {
    private static let soon = TimeSpan.seconds(5)

    @Test(arguments: Way.allCases)
    func bytesComeWithTheirTimes(way: Way) throws {
      let bench = try Bench(way)
      let line = try SerialLine(port: bench.name, settings: usual)
      #expect(line.port == bench.name)
      bench.terminal.write([1, 2, 3])
      let first = try #require(line.next(before: line.clock.now + Self.soon))
      #expect(first.content == .bytes([1, 2, 3]))
      #expect(first.at <= line.clock.now && first.at < .zero + Self.soon)
      line.send([4, 5], at: first.at)
      #expect(bench.terminal.read(waiting: Self.soon) == [4, 5])
      try line.set(LineSettings(baud: 115_200, parity: .none))
      #expect(bench.terminal.readersSettings?.baud == 115_200)
    }

    /// Limits so short that arrivals fall on either side of them.
    @Test func nothingComesAtOrAfterItsLimitAndNothingIsLost() throws {
      let bench = try Bench(.posix)
      let line = try SerialLine(port: bench.name, settings: usual)
      var random = SeededGenerator(seed: 6, stream: "limits")
      var sent: [UInt8] = []
      var received: [UInt8] = []
      var latest = Instant.zero
      var limit = Instant.zero
      while sent.count < 2_000 || received.count < sent.count {
        if sent.count < 2_000 {
          let lump = (0...Int.random(in: 0..<9, using: &random)).map { UInt8(truncatingIfNeeded: sent.count + $0) }
          bench.terminal.write(lump)
          sent += lump
        }
        limit = max(limit, line.clock.now) + TimeSpan(microseconds: Int64.random(in: 1...400, using: &random))
        while let arrival = line.next(before: limit) {
          #expect(arrival.at < limit && arrival.at >= latest)
          latest = arrival.at
          guard case .bytes(let bytes) = arrival.content else { break }
          received += bytes
        }
        #expect(line.clock.now >= limit)
        try #require(limit < .zero + .seconds(60))
      }
      #expect(received == sent)
    }

    @Test func nothingComesBeforeWhatWasSent() throws {
      let bench = try Bench(.posix)
      let line = try SerialLine(port: bench.name, settings: usual)
      let later = line.clock.now + .milliseconds(100)
      line.send([1], at: later)
      bench.terminal.write([2])
      #expect(line.next(before: later) == nil)
      let arrival = try #require(line.next(before: later + Self.soon))
      #expect(arrival.at >= later)
      #expect(arrival.content == .bytes([2]))
    }

    @Test(arguments: Way.allCases)
    func theEndOfTheEmulatorIsNoticedAtLittleCost(way: Way) throws {
      let (device, path) = try makePseudoTerminal()
      let laid = way == .libserialport ? try LaidPorts() : nil
      try laid?.plug("ttyUSB0", usb: USBIdentity(vendor: 1, product: 2, serialNumber: nil), at: path)
      let directory = try TemporaryDirectory()
      let name = laid == nil ? try directory.makeLink("oximeter", to: path) : "/dev/ttyUSB0"
      let line = try SerialLine(port: name, settings: usual, reconnectLimit: .milliseconds(1_500))
      // Another program may get the number of the terminal.
      laid?.unplug("ttyUSB0")
      // Whoever has the other end ends by itself after 300 ms.
      let child = try ChildProcess("exec sleep 0.3", passing: device)
      close(device)
      let before = processorTime()
      let lost = try #require(line.next(before: line.clock.now + .seconds(5)))
      #expect(lost.content == .lost)
      #expect((.milliseconds(200)...(.milliseconds(2_300))).contains(lost.at - .zero))
      let ended = try #require(line.next(before: line.clock.now + .seconds(5)))
      #expect(ended.content == .ended)
      #expect((.milliseconds(1_490)...(.milliseconds(3_000))).contains(ended.at - lost.at))
      #expect((processorTime() - before).seconds < 0.05 * ended.at.seconds)
      #expect(line.next(before: line.clock.now + Self.soon) == nil)
      withExtendedLifetime(child) {}
    }

    @Test func sendingNoticesTheEndAsWell() throws {
      let bench = try Bench(.posix)
      let line = try SerialLine(port: bench.name, settings: usual)
      bench.terminal.unplug()
      line.send([1], at: line.clock.now)
      line.send([2], at: line.clock.now)
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
    }

    @Test func aLinkThatLeadsToANewTerminalIsFollowed() throws {
      let directory = try TemporaryDirectory()
      let terminal = try PseudoTerminal(link: directory.path + "/oximeter")
      let line = try SerialLine(port: directory.path + "/oximeter", settings: usual)
      terminal.write([1])
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .bytes([1]))
      terminal.unplug(keepsLink: true)
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
      // The link still leads to the terminal that is gone, whose number a stranger gets.
      let stranger = try PseudoTerminal()
      let limit = line.clock.now + .milliseconds(450)
      #expect(line.next(before: limit) == nil)
      #expect(line.clock.now >= limit)
      #expect(!stranger.hasReader)
      try line.set(LineSettings(baud: 19_200, parity: .odd))
      try terminal.replug()
      let new = try #require(terminal.path)
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .returned(port: new))
      #expect(line.port == new)
      #expect(terminal.readersSettings == LineSettings(baud: 19_200, parity: .odd))
      terminal.write([2])
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .bytes([2]))
    }

    @Test func anotherProgramOnTheReturnedPortIsSaid() throws {
      let directory = try TemporaryDirectory()
      let terminal = try PseudoTerminal(link: directory.path + "/oximeter")
      let line = try SerialLine(
        port: directory.path + "/oximeter", settings: usual, reconnectLimit: .milliseconds(500))
      terminal.unplug()
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
      try terminal.replug()
      let other = try SerialPort(opening: try #require(terminal.path), settings: usual)
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .ended)
      #expect(line.latestProblem == .busy(nil))
      other.transport.close()
    }

    @Test func aHundredReturnsLeaveNoDescriptor() throws {
      let directory = try TemporaryDirectory()
      let terminal = try PseudoTerminal(link: directory.path + "/oximeter")
      let line = try SerialLine(port: directory.path + "/oximeter", settings: usual)
      let before = openTerminals().count
      for turn in 0..<100 {
        terminal.write([UInt8(turn)])
        #expect(line.next(before: line.clock.now + Self.soon)?.content == .bytes([UInt8(turn)]))
        terminal.unplug()
        #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
        try terminal.replug()
        #expect(line.next(before: line.clock.now + Self.soon)?.content == .returned(port: terminal.path ?? ""))
      }
      #expect(openTerminals().count == before)
      line.close()
      #expect(openTerminals().count == before - 1)
      #expect(line.next(before: line.clock.now + Self.soon) == nil)
    }

    private static let known = USBIdentity(vendor: 0x10C4, product: 0xEA60, serialNumber: "0001")
    private static let nameless = USBIdentity(vendor: 0x1A86, product: 0x7523, serialNumber: nil)

    @Test(arguments: [(known, nil), (nameless, nil), (nameless, "usb-nameless")] as [(USBIdentity, String?)])
    func aDeviceIsFoundUnderAnotherNode(usb: USBIdentity, byID: String?) throws {
      let ports = try LaidPorts()
      let first = try PseudoTerminal()
      try ports.plug("ttyUSB0", usb: usb, byID: byID, at: try #require(first.path))
      let line = try SerialLine(port: "/dev/ttyUSB0", settings: usual)
      ports.unplug("ttyUSB0", byID: byID)
      first.unplug()
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
      let second = try PseudoTerminal()
      try ports.plug("ttyUSB1", usb: usb, byID: byID, at: try #require(second.path))
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .returned(port: "/dev/ttyUSB1"))
      second.write([7])
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .bytes([7]))
    }

    /// The device has no number of its own, and one like it, that somebody else may wear, was there before.
    @Test func anotherDeviceIsNotTakenForIt() throws {
      let ports = try LaidPorts()
      let (first, other) = (try PseudoTerminal(), try PseudoTerminal())
      try ports.plug("ttyUSB0", usb: Self.nameless, at: try #require(first.path))
      try ports.plug("ttyUSB1", usb: Self.nameless, at: try #require(other.path))
      let line = try SerialLine(port: "/dev/ttyUSB0", settings: usual, reconnectLimit: .milliseconds(500))
      ports.unplug("ttyUSB0")
      first.unplug()
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .lost)
      #expect(line.next(before: line.clock.now + Self.soon)?.content == .ended)
      #expect(!other.hasReader)
    }
  }
}
