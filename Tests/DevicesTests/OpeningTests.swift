import FakeSerialLines
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
  @Suite struct OpeningTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func whatIsNoPortIsToldFromWhatIsNotThere() throws {
      let clock = MonotonicClock()
      let file = try directory.makeFile("file")
      let pipe = directory.path + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      let rows: [(String, SerialPortProblem)] = [
        (directory.path + "/nothing", .noSuchPort),
        ("", .noSuchPort),
        ("/dev/null\0", .noSuchPort),
        (file + "/below", .noSuchPort),
        (try directory.makeLink("dangling", to: directory.path + "/nothing"), .noSuchPort),
        (
          try directory.makeLink("circle", to: directory.path + "/circle"),
          .notASerialPort("a link that leads in a circle")
        ),
        (directory.path, .notASerialPort("a directory")),
        (file, .notASerialPort("a file")),
        (try directory.makeLink("to file", to: file), .notASerialPort("a file")),
        (pipe, .notASerialPort("a pipe")),
        ("/dev/null", .notASerialPort("a device of another kind (mem)")),
        ("/dev/tty", .notASerialPort("whatever terminal a program was started from")),
        (
          "/dev/ptmx", .notASerialPort("the end of pseudo-terminals that programs make them by, not one to read from")
        ),
      ]
      for (name, expected) in rows { #expect(problem(opening: name) == expected, "\(name)") }
      #expect(clock.now < .zero + .seconds(2))
    }

    @Test func aPortIsForOneOnly() throws {
      let terminal = try PseudoTerminal()
      let path = try #require(terminal.path)
      let port = try SerialPort(opening: path, settings: usual)
      #expect(problem(opening: path) == .busy(nil))
      port.transport.close()
      #expect(problem(opening: path) == nil)
    }

    @Test func aProgramOnThePortIsNamed() throws {
      let terminal = try PseudoTerminal()
      let path = try #require(terminal.path)
      let child = try ChildProcess("exec sleep 30 < \(path)")
      #expect(eventually { terminal.hasReader })
      #expect(eventually { problem(opening: path) == .busy("sleep (process \(child.number))") })
    }

    @Test func theProgramThatPlaysTheDeviceIsNoRival() throws {
      let (device, path) = try makePseudoTerminal()
      defer { close(device) }
      let status = try #require(FileStatus(path: path))
      let child = try ChildProcess("exec sleep 30 < \(path)", passing: device)
      #expect(
        eventually {
          holders(of: path, status: status) == [
            PortHolder(
              process: Int(child.number), name: "sleep", playsTheDevice: true, isAncestor: false, isItsTerminal: false)
          ]
        })
      #expect(problem(opening: path) == nil)
    }

    @Test func theDeviceOfAnotherPortIsARival() throws {
      let (device, path) = try makePseudoTerminal()
      let (other, _) = try makePseudoTerminal()
      defer {
        close(device)
        close(other)
      }
      let child = try ChildProcess("exec sleep 30 < \(path)", passing: other)
      #expect(eventually { problem(opening: path) == .busy("sleep (process \(child.number))") })
    }

    @Test func aProgramThatWasStartedFromThePortIsSeenToBe() throws {
      let (device, path) = try makePseudoTerminal()
      defer { close(device) }
      let status = try #require(FileStatus(path: path))
      let child = try ChildProcess("exec setsid sh -c 'exec sleep 30 < \(path)'", passing: device)
      #expect(
        eventually {
          holders(of: path, status: status) == [
            PortHolder(
              process: Int(child.number), name: "sleep", playsTheDevice: true, isAncestor: false, isItsTerminal: true)
          ]
        })
    }

    @Test func whoMayNotOpenItIsToldTheGroup() throws {
      let terminal = try PseudoTerminal()
      let path = try #require(terminal.path)
      // Only root can give a port to a group; without that, to nobody.
      let isRoot = geteuid() == 0
      let group = isRoot ? groupName(20) : nil
      if isRoot { try #require(chown(path, 0, 20) == 0) }
      try #require(chmod(path, isRoot ? 0o660 : 0) == 0)
      #expect(withoutRights { problem(opening: path) } == .noPermission(group: group))
    }
  }
}

/// What a body gives when this thread has no rights.
private func withoutRights<Outcome>(_ body: () -> Outcome) -> Outcome? {
  var outcome: Outcome?
  withoutActuallyEscaping({ outcome = body() }) { run in
    var run: () -> Void = run
    withUnsafeMutablePointer(to: &run) { pointer in
      fake_serial_lines_without_rights({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
    }
  }
  return outcome
}
