import OximeterProtocols
import VitalsModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a pseudo-terminal cannot be made.
public enum PseudoTerminalProblem: Error, Hashable, Sendable {
  /// There is something of the link's name, or behind a link of that name, that is no pseudo-terminal.
  case nameIsTaken(String)
  /// The link cannot be made.
  case noLink(String, reason: String)
  /// The system gives none.
  case noTerminal(reason: String)

  /// The problem in a sentence without a full stop.
  public var text: String {
    switch self {
    case .nameIsTaken(let link): "\(link) exists and is no link to a pseudo-terminal; it stays as it is"
    case .noLink(let link, let reason): "cannot make the link \(link): \(reason)"
    case .noTerminal(let reason): "cannot make a pseudo-terminal: \(reason)"
    }
  }
}

/// The device's end of a pseudo-terminal: whoever opens its other end, or the link to it, sees a serial port.
///
/// As on a wire, what nobody listens to is lost and counted. That holds while nobody has the other end open, and for
/// what does not fit into the system's buffer (some 20 KB on Linux) while a reader does not read.
///
/// One terminal belongs to one thread at a time.
public final class PseudoTerminal {
  /// The other end, such as `/dev/pts/3`; nil while unplugged.
  public private(set) var path: String?
  /// The link to the other end, as it was asked for.
  public let link: String?
  /// How many bytes were lost because nobody took them.
  public private(set) var lostBytes = 0

  private var descriptor: Int32 = -1

  /// A pseudo-terminal that is plugged in.
  ///
  /// - Parameter link: a name under which the other end can be found; an older link of that name is replaced if it leads
  ///   to nothing or to a terminal, and anything else is not
  public init(link: String? = nil) throws(PseudoTerminalProblem) {
    self.link = link
    try replug()
  }

  deinit { unplug() }

  /// Whether somebody has the other end open.
  public var hasReader: Bool {
    guard descriptor >= 0 else { return false }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return uninterrupted { poll(&entry, 1, 0) } >= 0 && Int32(entry.revents) & (POLLHUP | POLLERR | POLLNVAL) == 0
  }

  /// How the reader set the line; nil without one, or at a speed that is not usual.
  ///
  /// Linux keeps no more of the parity than whether it is odd: even looks like none.
  public var readersSettings: LineSettings? {
    guard hasReader else { return nil }
    var line = termios()
    guard tcgetattr(descriptor, &line) == 0, let baud = baud(cfgetospeed(&line)) else { return nil }
    let isOdd = line.c_cflag & tcflag_t(PARODD) != 0
    let isEven = !isOdd && line.c_cflag & tcflag_t(PARENB) != 0
    return LineSettings(baud: baud, parity: isOdd ? .odd : isEven ? .even : .none)
  }

  /// Sends bytes to the reader.
  ///
  /// - Parameter patience: how long to wait for a reader that does not read; for one that is not there, not at all
  /// - Returns: how many were sent; the rest is lost
  @discardableResult
  public func write(_ bytes: [UInt8], waiting patience: TimeSpan = .zero) -> Int {
    let clock = MonotonicClock()
    var rest = bytes[...]
    while !rest.isEmpty, hasReader {
      let count = send(rest, to: descriptor)
      rest = rest.dropFirst(max(0, count))
      guard count <= 0 else { continue }
      let end = Instant.zero + patience
      guard clock.now < end, wait(for: POLLOUT, on: descriptor, patience: end - clock.now) == .ready else { break }
    }
    lostBytes += rest.count
    return bytes.count - rest.count
  }

  /// What the reader sent: the bytes that are there, or those that come first.
  ///
  /// - Parameter patience: how long to wait for the first of them
  /// - Returns: none where the patience was over first
  public func read(waiting patience: TimeSpan) -> [UInt8] {
    let clock = MonotonicClock()
    let end = clock.now + patience
    while true {
      switch wait(for: POLLIN, on: descriptor, patience: end - clock.now) {
      case .overdue: return []
      case .ready:
        let bytes = takeBytes()
        if !bytes.isEmpty { return bytes }
      case .hungUp: break
      }
      // Nobody has the other end, which would not let the next wait wait.
      guard clock.now < end else { return [] }
      clock.sleep(until: min(clock.now + .milliseconds(10), end))
    }
  }

  /// Takes the device away: readers are hung up, and the link is removed.
  ///
  /// - Parameter keepsLink: leaves the link, which then leads to nothing
  public func unplug(keepsLink: Bool = false) {
    guard descriptor >= 0 else { return }
    if !keepsLink, let link, let path, linkTarget(link) == path { unlink(link) }
    shut(descriptor)
    descriptor = -1
    path = nil
  }

  /// Brings the device back, most likely under another name; the link, if any, leads there.
  public func replug() throws(PseudoTerminalProblem) {
    guard descriptor < 0 else { return }
    let made = try makePseudoTerminal()
    if let link {
      do throws(PseudoTerminalProblem) { try point(link, to: made.path) } catch {
        shut(made.descriptor)
        throw error
      }
    }
    descriptor = made.descriptor
    path = made.path
  }

  private func takeBytes() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, receive(from: descriptor, into: buffer))
    }
  }
}

/// A new pseudo-terminal, raw, so that nothing is echoed or changed before a reader sets it.
///
/// Its other end is closed at once: only so does the system tell whether somebody has it open.
func makePseudoTerminal() throws(PseudoTerminalProblem) -> (descriptor: Int32, path: String) {
  let ends = try openBothEnds()
  defer { shut(ends.reader) }
  var line = termios()
  cfmakeraw(&line)
  line.c_cflag |= tcflag_t(CREAD | CLOCAL)
  cfsetispeed(&line, speed_t(B9600))
  cfsetospeed(&line, speed_t(B9600))
  guard tcsetattr(ends.reader, TCSANOW, &line) == 0,
    fcntl(ends.device, F_SETFL, fcntl(ends.device, F_GETFL) | O_NONBLOCK) == 0
  else {
    let reason = words(errno)
    shut(ends.device)
    throw .noTerminal(reason: reason)
  }
  return (ends.device, ends.path)
}

#if canImport(Darwin)
  private func openBothEnds() throws(PseudoTerminalProblem) -> (device: Int32, reader: Int32, path: String) {
    var device: Int32 = -1
    var reader: Int32 = -1
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&device, &reader, &name, nil, nil) == 0 else { throw .noTerminal(reason: words(errno)) }
    _ = fcntl(device, F_SETFD, FD_CLOEXEC)
    _ = fcntl(reader, F_SETFD, FD_CLOEXEC)
    return (device, reader, String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
#else
  /// By hand, since `openpty` leaves a moment in which a program that another thread starts inherits both ends, and then
  /// keeps the device plugged in.
  private func openBothEnds() throws(PseudoTerminalProblem) -> (device: Int32, reader: Int32, path: String) {
    // TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h), macros that are not imported.
    let setLock: UInt = 0x4004_5431
    let getNumber: UInt = 0x8004_5430
    let device = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard device >= 0 else { throw .noTerminal(reason: words(errno)) }
    var isLocked: Int32 = 0
    var number: Int32 = 0
    guard ioctl(device, setLock, &isLocked) == 0, ioctl(device, getNumber, &number) == 0 else {
      let reason = words(errno)
      shut(device)
      throw .noTerminal(reason: reason)
    }
    let path = "/dev/pts/\(number)"
    let reader = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard reader >= 0 else {
      let reason = words(errno)
      shut(device)
      throw .noTerminal(reason: reason)
    }
    return (device, reader, path)
  }
#endif

/// Lets a link lead to a path, in one step for whoever looks at it.
private func point(_ link: String, to path: String) throws(PseudoTerminalProblem) {
  if let status = FileStatus(path: link), linkTarget(link) == nil || status.mode & S_IFMT != S_IFCHR {
    throw .nameIsTaken(link)
  }
  let unfinished = "\(link).\(getpid())"
  if linkTarget(unfinished) != nil { unlink(unfinished) }
  guard symlink(path, unfinished) == 0 else { throw .noLink(link, reason: words(errno)) }
  guard rename(unfinished, link) == 0 else {
    let reason = words(errno)
    unlink(unfinished)
    throw .noLink(link, reason: reason)
  }
}
