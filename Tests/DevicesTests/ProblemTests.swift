import Testing

@testable import Devices

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct ProblemTests {
  @Test(arguments: [
    (ENOENT, SerialPortProblem.noSuchPort), (ENOTDIR, .noSuchPort), (ENAMETOOLONG, .noSuchPort),
    (ELOOP, .notASerialPort("a link that leads in a circle")),
    (EACCES, .noPermission(group: "dialout")), (EPERM, .noPermission(group: "dialout")),
    (EBUSY, .busy(nil)),
    (ENXIO, .notASerialPort("a name with no device behind it")),
    (ENODEV, .notASerialPort("a name with no device behind it")),
    (EIO, .notASerialPort("a name with no device behind it")),
    (ENOTTY, .notASerialPort("a device of another kind")),
    (EMFILE, .other("Too many open files")),
  ])
  func errorsOfOpening(error: Int32, expected: SerialPortProblem) {
    #expect(SerialPortProblem(opening: error, facts: PortFacts(kind: .terminal, group: "dialout")) == expected)
  }

  @Test(arguments: [
    (EIO, SerialPortProblem.unplugged), (ENXIO, .unplugged), (ENODEV, .unplugged), (EPIPE, .unplugged),
    (ENOTTY, .notASerialPort("a device of another kind")), (ENOMEM, .other("Cannot allocate memory")),
  ])
  func errorsOfUse(error: Int32, expected: SerialPortProblem) {
    #expect(SerialPortProblem(using: error) == expected)
  }

  @Test(arguments: [
    (SerialPortProblem.noSuchPort, "there is no port P"),
    (.notASerialPort("a directory"), "P is not a serial port: it is a directory"),
    (
      .noPermission(group: "dialout"),
      "no permission to open P: join the group dialout (usermod -aG dialout USER) and log in again"
    ),
    (.noPermission(group: nil), "no permission to open P, and there is no group to join that has it"),
    (.busy("minicom (process 12)"), "P is in use by minicom (process 12)"),
    (.busy(nil), "P is in use by another program"),
    (.refusedSettings("12345 8N1"), "P cannot be set to 12345 8N1"),
    (.unplugged, "P went away"),
    (.other("Too many open files"), "P cannot be used: Too many open files"),
  ])
  func texts(problem: SerialPortProblem, expected: String) {
    #expect(problem.text(port: "P") == expected)
  }

  @Test(
    arguments: [
      // A port of root's whose group may use it, then one whose group may only read it.
      (S_IFCHR | 0o660, 188 << 8, "tty", PortFacts(kind: .terminal, group: "group 20")),
      (S_IFCHR | 0o640, 188 << 8, "tty", PortFacts(kind: .terminal, group: nil)),
      (S_IFCHR | 0o600, 4 << 8 | 64, "tty", PortFacts(kind: .terminal, group: nil)),
      (S_IFCHR | 0o600, 136 << 8 | 5, nil, PortFacts(kind: .terminal, group: nil)),
      (S_IFCHR | 0o600, 143 << 8, nil, PortFacts(kind: .terminal, group: nil)),
      // The system does not say: opening it will.
      (S_IFCHR | 0o600, 200 << 8, nil, PortFacts(kind: .terminal, group: nil)),
      (S_IFCHR | 0o600, 1 << 8 | 3, "mem", PortFacts(kind: .other("a device of another kind (mem)"), group: nil)),
      (S_IFCHR | 0o600, 1 << 8 | 3, nil, PortFacts(kind: .other("a device of another kind (mem)"), group: nil)),
      (S_IFCHR | 0o600, 4 << 8 | 63, "tty", PortFacts(kind: .other("a console"), group: nil)),
      (S_IFCHR | 0o600, 5 << 8 | 1, "tty", PortFacts(kind: .other("a console"), group: nil)),
      (S_IFDIR | 0o700, 0, nil, PortFacts(kind: .other("a directory"), group: nil)),
      (S_IFREG | 0o660, 0, nil, PortFacts(kind: .other("a file"), group: "group 20")),
      (S_IFBLK | 0o600, 8 << 8, "block", PortFacts(kind: .other("a disk"), group: nil)),
      (S_IFIFO | 0o600, 0, nil, PortFacts(kind: .other("a pipe"), group: nil)),
      (S_IFSOCK | 0o600, 0, nil, PortFacts(kind: .other("a socket"), group: nil)),
    ] as [(mode_t, UInt64, String?, PortFacts)])
  func facts(mode: mode_t, device: UInt64, subsystem: String?, expected: PortFacts) {
    let status = FileStatus(mode: mode, group: 20, device: device, place: [])
    #expect(PortFacts(status: status, subsystem: subsystem) { "group \($0)" } == expected)
  }

  @Test(arguments: [
    // What plays the device, what only passed the port on, a shell on it, and any other program.
    (true, false, false, false), (true, true, true, false), (false, true, false, false), (false, true, true, true),
    (false, false, true, true), (false, false, false, true),
  ])
  func rivals(playsTheDevice: Bool, isAncestor: Bool, isItsTerminal: Bool, expected: Bool) {
    let holder = PortHolder(
      process: 12, name: "minicom", playsTheDevice: playsTheDevice, isAncestor: isAncestor,
      isItsTerminal: isItsTerminal)
    #expect(holder.isRival == expected)
    #expect(holder.text == "minicom (process 12)")
  }

  @Test(arguments: [
    ("/dev/tty.usb", ["/dev/tty.usb", "/dev/cu.usb"], "/dev/cu.usb"),
    ("/dev/tty.usb", ["/dev/tty.usb"], "/dev/tty.usb"),
    ("/dev/tty.usb", ["/dev/cu.usb"], "/dev/tty.usb"),
    ("/dev/cu.usb", ["/dev/tty.usb", "/dev/cu.usb"], "/dev/cu.usb"),
    ("/dev/ttyUSB0", ["/dev/ttyUSB0", "/dev/cuUSB0"], "/dev/ttyUSB0"),
  ])
  func calloutNames(name: String, existing: [String], expected: String) {
    #expect(calloutName(name) { existing.contains($0) } == expected)
  }

  @Test(
    arguments: [
      (0x8803, 136, 3), (0x8800 | 255, 136, 255), (0x10_8800, 136, 256), (0x10_882C, 136, 300),
    ] as [(UInt64, UInt64, UInt64)])
  func deviceNumbers(device: UInt64, major: UInt64, minor: UInt64) {
    #expect(deviceMajor(device) == major)
    #expect(deviceMinor(device) == minor)
  }
}
