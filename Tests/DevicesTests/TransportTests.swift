import OximeterProtocols
import Testing
import VitalsModel

@testable import Devices

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a port is opened: as the pseudo-terminal that it is, or as a port on USB that libserialport knows.
enum Way: CaseIterable, Sendable {
  case posix
  case libserialport
}

/// A virtual device and the name that its port is opened by.
struct Bench {
  let terminal: PseudoTerminal
  let name: String
  /// Nil where the pseudo-terminal is opened as such.
  let laid: LaidPorts?

  init(_ way: Way) throws {
    terminal = try PseudoTerminal()
    let path = try #require(terminal.path)
    switch way {
    case .posix:
      laid = nil
      name = path
    case .libserialport:
      let ports = try LaidPorts()
      try ports.plug("ttyUSB0", usb: USBIdentity(vendor: 1, product: 2, serialNumber: nil), at: path)
      laid = ports
      name = "/dev/ttyUSB0"
    }
  }
}

extension Machine {
  @Suite struct TransportTests {
    private static let everyByte = (0...255).map { UInt8($0) }

    @Test(arguments: Way.allCases)
    func theWayIsChosenByWhatThePortIs(way: Way) throws {
      let bench = try Bench(way)
      let port = try SerialPort(opening: bench.name, settings: usual)
      switch way {
      case .posix: #expect(port.transport is PosixTransport)
      case .libserialport: #expect(port.transport is LibserialportTransport)
      }
      #expect(port.path == bench.name)
    }

    @Test(arguments: Way.allCases)
    func everyByteComesThroughBothWays(way: Way) throws {
      let bench = try Bench(way)
      let transport = try SerialPort(opening: bench.name, settings: usual).transport
      #expect(bench.terminal.write(Self.everyByte) == 256)
      #expect(try collect(256) { try transport.read(waiting: .seconds(1)) } == Self.everyByte)
      #expect(try transport.write(Self.everyByte, waiting: .seconds(1)) == 256)
      #expect(collect(256) { bench.terminal.read(waiting: .seconds(1)) } == Self.everyByte)
    }

    @Test(arguments: Way.allCases, OximeterProtocol.allCases.flatMap(\.lineSettings))
    func theOtherEndSeesTheSettings(way: Way, settings: LineSettings) throws {
      let bench = try Bench(way)
      let port = try SerialPort(opening: bench.name, settings: settings)
      #expect(bench.terminal.readersSettings == settings)
      try port.transport.set(usual)
      #expect(bench.terminal.readersSettings == usual)
      try port.transport.set(settings)
      #expect(bench.terminal.readersSettings == settings)
    }

    @Test(arguments: Way.allCases)
    func speedsThatCannotBeAreRefused(way: Way) throws {
      let bench = try Bench(way)
      for baud in [0, -1, 1 << 40] {
        let settings = LineSettings(baud: baud, parity: .none)
        #expect(problem(opening: bench.name, settings) == .refusedSettings(settings.text))
      }
      #expect(problem(opening: bench.name) == nil)
    }

    @Test(arguments: Way.allCases)
    func whatCameBeforeOpeningIsGone(way: Way) throws {
      let bench = try Bench(way)
      let early = try SerialPort(opening: bench.name, settings: usual)
      bench.terminal.write([UInt8](repeating: 1, count: 40_000))
      #expect(bench.terminal.lostBytes > 0)
      early.transport.close()
      let transport = try SerialPort(opening: bench.name, settings: usual).transport
      bench.terminal.write([2, 3])
      #expect(try collect(2) { try transport.read(waiting: .seconds(1)) } == [2, 3])
    }

    @Test(arguments: Way.allCases)
    func waitingEndsInTime(way: Way) throws {
      let bench = try Bench(way)
      let transport = try SerialPort(opening: bench.name, settings: usual).transport
      let clock = MonotonicClock()
      #expect(try transport.read(waiting: .milliseconds(50)).isEmpty)
      #expect((.milliseconds(50)...(.seconds(2))).contains(clock.now - .zero))
      let second = MonotonicClock()
      for _ in 0..<100 { #expect(try transport.read(waiting: .zero).isEmpty) }
      #expect(second.now < .zero + .seconds(2))
    }

    @Test(arguments: Way.allCases)
    func sendingEndsInTimeWhereNobodyTakesIt(way: Way) throws {
      let bench = try Bench(way)
      let transport = try SerialPort(opening: bench.name, settings: usual).transport
      let clock = MonotonicClock()
      let sent = try transport.write([UInt8](repeating: 0, count: 100_000), waiting: .milliseconds(50))
      #expect((1..<100_000).contains(sent))
      #expect(clock.now < .zero + .seconds(2))
    }

    @Test(arguments: Way.allCases)
    func aHangUpIsAnErrorOfEveryCall(way: Way) throws {
      let bench = try Bench(way)
      let transport = try SerialPort(opening: bench.name, settings: usual).transport
      bench.terminal.unplug()
      let clock = MonotonicClock()
      for _ in 0..<3 {
        #expect(throws: SerialPortProblem.unplugged) { try transport.read(waiting: .seconds(5)) }
        #expect(throws: SerialPortProblem.unplugged) { try transport.takeBytes() }
        #expect(throws: SerialPortProblem.unplugged) { try transport.write([1], waiting: .seconds(5)) }
        #expect(throws: SerialPortProblem.unplugged) { try transport.set(usual) }
      }
      #expect(clock.now < .zero + .seconds(2))
      transport.close()
      transport.close()
      #expect(throws: SerialPortProblem.unplugged) { try transport.read(waiting: .zero) }
    }

    @Test(arguments: Way.allCases)
    func everyDescriptorIsClosedForOtherPrograms(way: Way) throws {
      let bench = try Bench(way)
      let port = try SerialPort(opening: bench.name, settings: usual)
      let path = try #require(bench.terminal.path)
      let ends = openTerminals().filter { $0.target == path || $0.target.hasSuffix("ptmx") }
      #expect(ends.contains { $0.target == path } && ends.contains { $0.target != path })
      #expect(ends.allSatisfy { fcntl($0.descriptor, F_GETFD) == FD_CLOEXEC })
      port.transport.close()
    }

    @Test(arguments: Way.allCases)
    func refusalsLeaveNoDescriptorOpen(way: Way) throws {
      let bench = try Bench(way)
      let port = try SerialPort(opening: bench.name, settings: usual)
      let before = openTerminals().count
      for _ in 0..<20 { #expect(problem(opening: bench.name) == .busy(nil)) }
      #expect(openTerminals().count == before)
      port.transport.close()
    }
  }
}

/// Reads until there are enough bytes, or none come.
private func collect(_ count: Int, _ read: () throws -> [UInt8]) rethrows -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    let more = try read()
    if more.isEmpty { break }
    bytes += more
  }
  return bytes
}
