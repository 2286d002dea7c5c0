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

/// What touches the machine, one after the other: descriptors, processor time and laid ports belong to the whole process.
@Suite(.serialized) struct Machine {}

/// A directory that goes with its owner.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(root)/vitals-sim-XXXXXX".utf8CString)
    try #require(mkdtemp(&name) != nil)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove(path) }

  private func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in entries(of: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Makes a directory and those above it.
  func makeDirectory(_ name: String) throws -> String {
    var made = path
    for part in name.split(separator: "/") {
      made += "/\(part)"
      try #require(mkdir(made, 0o755) == 0 || errno == EEXIST)
    }
    return made
  }

  /// Makes a file and the directories above it.
  @discardableResult
  func makeFile(_ name: String, _ text: String = "") throws -> String {
    let parts = name.split(separator: "/")
    let file = try makeDirectory(parts.dropLast().joined(separator: "/")) + "/" + (parts.last ?? "")
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
    return file
  }

  /// Makes a link and the directories above it; an older one goes.
  @discardableResult
  func makeLink(_ name: String, to target: String) throws -> String {
    let parts = name.split(separator: "/")
    let link = try makeDirectory(parts.dropLast().joined(separator: "/")) + "/" + (parts.last ?? "")
    unlink(link)
    try #require(symlink(target, link) == 0)
    return link
  }
}

/// Ports on USB that the real libserialport finds and opens, each of them a pseudo-terminal.
final class LaidPorts {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    _ = try directory.makeDirectory("sys/class/tty")
    fake_serial_lines_lay(directory.path)
  }

  deinit { fake_serial_lines_lay(nil) }

  /// Plugs a device in: `ttyUSB0`, say, whose bytes go to and from a pseudo-terminal.
  func plug(_ name: String, usb: USBIdentity, byID: String? = nil, at terminal: String) throws {
    let device = "sys/devices/usb1/\(name)"
    let texts = [
      "busnum": "1", "devnum": "7", "idVendor": hex(usb.vendor), "idProduct": hex(usb.product),
      "manufacturer": "Silicon Works", "product": "Bridge Controller",
    ]
    for (file, text) in texts { try directory.makeFile("\(device)/\(file)", text + "\n") }
    if let serialNumber = usb.serialNumber { try directory.makeFile("\(device)/serial", serialNumber + "\n") }
    _ = try directory.makeDirectory("\(device)/interface/\(name)/tty/\(name)")
    try directory.makeLink("\(device)/interface/\(name)/tty/\(name)/device", to: "../..")
    try directory.makeLink("sys/class/tty/\(name)", to: "../../devices/usb1/\(name)/interface/\(name)/tty/\(name)")
    try directory.makeLink("dev/\(name)", to: terminal)
    if let byID { try directory.makeLink("dev/serial/by-id/\(byID)", to: "../../\(name)") }
  }

  /// Pulls a device out.
  func unplug(_ name: String, byID: String? = nil) {
    unlink("\(directory.path)/sys/class/tty/\(name)")
    unlink("\(directory.path)/dev/\(name)")
    if let byID { unlink("\(directory.path)/dev/serial/by-id/\(byID)") }
  }

  private func hex(_ number: Int) -> String { String(number, radix: 16) }
}

/// A program that was started and ends with its owner.
final class ChildProcess {
  let number: pid_t

  /// Runs a shell command.
  ///
  /// - Parameter passing: a descriptor that the program gets as number 5
  init(_ command: String, passing: Int32? = nil) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let passing { posix_spawn_file_actions_adddup2(&actions, passing, 5) }
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    try #require(posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ) == 0)
    number = child
  }

  deinit {
    kill(number, SIGKILL)
    waitpid(number, nil, 0)
  }
}

/// What opening a port says; nil where it opens.
func problem(opening name: String, _ settings: LineSettings = usual) -> SerialPortProblem? {
  do {
    let port = try SerialPort(opening: name, settings: settings)
    port.transport.close()
    return nil
  } catch {
    return error
  }
}

/// The settings of most tests.
let usual = LineSettings(baud: 9_600, parity: .none)

/// Waits for something that another program does, for ten seconds at the most.
func eventually(_ condition: () -> Bool) -> Bool {
  let clock = MonotonicClock()
  while !condition() {
    guard clock.now < .zero + .seconds(10) else { return false }
    clock.sleep(until: clock.now + .milliseconds(2))
  }
  return true
}

/// The descriptors of terminals that this process has open, with what they are of. Other tests in this process, of
/// other rooms, have files of their own.
func openTerminals() -> [(descriptor: Int32, target: String)] {
  entries(of: "/proc/self/fd").compactMap { name in
    guard let descriptor = Int32(name), let target = linkTarget("/proc/self/fd/\(name)") else { return nil }
    return target.hasPrefix("/dev/pts/") || target.hasSuffix("ptmx") ? (descriptor, target) : nil
  }
}

/// The processor time that this thread has used.
func processorTime() -> TimeSpan {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return TimeSpan(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
}
