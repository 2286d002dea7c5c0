import OximeterProtocols

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A terminal by the system's own calls: pseudo-terminals, which have no modem lines and no place in sysfs and so are no
/// ports to libserialport.
final class PosixTransport: SerialTransport {
  private(set) var descriptor: Int32

  /// Opens a terminal, locks it and sets it.
  ///
  /// The lock is `flock`, which ends with the process. `TIOCEXCL` would outlive it: the mark lies on the terminal, and
  /// that of a pseudo-terminal stays for as long as its other end does.
  init(path: String, settings: LineSettings, facts: PortFacts) throws(SerialPortProblem) {
    descriptor = uninterrupted { open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw SerialPortProblem(opening: errno, facts: facts) }
    do throws(SerialPortProblem) {
      guard isatty(descriptor) == 1 else { throw SerialPortProblem(opening: ENOTTY, facts: facts) }
      try lock(descriptor)
      try set(settings)
      try discardInput()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  func takeBytes() throws(SerialPortProblem) -> [UInt8] {
    var problem: SerialPortProblem?
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      let received = receive(from: descriptor, into: buffer)
      count = max(received, 0)
      // It waits for one byte at least (VMIN), so that 0 is the end and EAGAIN is nothing yet.
      if received == 0 { problem = .unplugged }
      if received < 0, errno != EAGAIN { problem = SerialPortProblem(using: errno) }
    }
    if let problem { throw problem }
    return bytes
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(SerialPortProblem) -> Int {
    let sent = send(bytes, to: descriptor)
    guard sent < 0 else { return sent }
    guard errno == EAGAIN else { throw SerialPortProblem(using: errno) }
    return 0
  }

  func set(_ settings: LineSettings) throws(SerialPortProblem) {
    guard let speed = speedCode(settings.baud) else { throw .refusedSettings(settings.text) }
    var line = termios()
    guard tcgetattr(descriptor, &line) == 0 else { throw SerialPortProblem(using: errno) }
    cfmakeraw(&line)
    line.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY | INPCK)
    line.c_cflag &= ~(tcflag_t(CSTOPB | PARENB | PARODD) | tcflag_t(CRTSCTS))
    line.c_cflag |= tcflag_t(CLOCAL | CREAD)
    switch settings.parity {
    case .none: break
    case .odd: line.c_cflag |= tcflag_t(PARENB | PARODD)
    case .even: line.c_cflag |= tcflag_t(PARENB)
    }
    guard cfsetispeed(&line, speed) == 0, cfsetospeed(&line, speed) == 0 else { throw .refusedSettings(settings.text) }
    guard uninterrupted({ tcsetattr(descriptor, TCSANOW, &line) }) == 0 else {
      // A pseudo-terminal keeps no parity, and that is a fault to the C library where nothing else is new.
      guard errno == EINVAL else { throw SerialPortProblem(using: errno) }
      var kept = termios()
      guard tcgetattr(descriptor, &kept) == 0 else { throw SerialPortProblem(using: errno) }
      guard cfgetospeed(&kept) == speed else { throw .refusedSettings(settings.text) }
      return
    }
  }

  func discardInput() throws(SerialPortProblem) {
    guard uninterrupted({ tcflush(descriptor, TCIFLUSH) }) == 0 else { throw SerialPortProblem(using: errno) }
  }

  func close() {
    guard descriptor >= 0 else { return }
    tcflush(descriptor, TCOFLUSH)
    shut(descriptor)
    descriptor = -1
  }
}

/// Keeps other programs that lock as well from a port that is open.
func lock(_ descriptor: Int32) throws(SerialPortProblem) {
  guard uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
    throw errno == EWOULDBLOCK ? .busy(nil) : SerialPortProblem(using: errno)
  }
}

/// The speeds that a terminal can be set to, with the system's codes of them.
private let speeds: [(baud: Int, code: speed_t)] = [
  (1_200, speed_t(B1200)), (2_400, speed_t(B2400)), (4_800, speed_t(B4800)), (9_600, speed_t(B9600)),
  (19_200, speed_t(B19200)), (38_400, speed_t(B38400)), (57_600, speed_t(B57600)), (115_200, speed_t(B115200)),
  (230_400, speed_t(B230400)),
]

/// The system's code of a speed; nil where it has none.
func speedCode(_ baud: Int) -> speed_t? { speeds.first { $0.baud == baud }?.code }

/// The speed of a code; nil for one that has no name.
func baud(_ code: speed_t) -> Int? { speeds.first { $0.code == code }?.baud }
