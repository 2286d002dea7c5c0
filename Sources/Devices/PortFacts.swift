#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a path leads to, as far as that can be known without opening it.
struct PortFacts: Hashable {
  /// What it is.
  let kind: Kind
  /// The group whose members may read and write it; nil where none may.
  let group: String?

  /// What a path leads to.
  enum Kind: Hashable {
    /// A terminal that may be a serial port, or something that only opening it tells.
    case terminal
    /// Something else, in words that follow `it is`.
    case other(String)
  }
}

extension PortFacts {
  /// What is known of a file.
  ///
  /// - Parameter subsystem: what the system calls the kind of a character device (`tty`, `mem`); nil where it does not
  ///   say
  init(status: FileStatus, subsystem: String?, groupName: (gid_t) -> String?) {
    let forBoth = mode_t(S_IRGRP | S_IWGRP)
    group = status.mode & forBoth == forBoth ? groupName(status.group) : nil
    kind =
      switch status.mode & S_IFMT {
      case S_IFCHR: Self.kind(ofDevice: status.device, subsystem: subsystem)
      case S_IFDIR: .other("a directory")
      case S_IFREG: .other("a file")
      case S_IFBLK: .other("a disk")
      case S_IFIFO: .other("a pipe")
      case S_IFSOCK: .other("a socket")
      default: .other("of an unknown kind")
      }
  }

  /// The numbers are those of the kernel's list of devices (admin-guide/devices.txt).
  private static func kind(ofDevice device: UInt64, subsystem: String?) -> Kind {
    #if canImport(Darwin)
      return .terminal
    #else
      switch (deviceMajor(device), deviceMinor(device)) {
      case (5, 2): return .other("the end of pseudo-terminals that programs make them by, not one to read from")
      case (5, 0): return .other("whatever terminal a program was started from")
      case (5, 1), (4, 0...63): return .other("a console")
      // Also where there is no sysfs to say so: everybody has /dev/null open.
      case (1, _): return .other("a device of another kind (mem)")
      // Pseudo-terminals, old and new, of which sysfs knows nothing.
      case (3, _), (136...143, _): return .terminal
      default:
        guard let subsystem, subsystem != "tty" else { return .terminal }
        return .other("a device of another kind (\(subsystem))")
      }
    #endif
  }
}

/// The first half of a device's number, as Linux packs it.
func deviceMajor(_ device: UInt64) -> UInt64 { (device >> 8) & 0xFFF }

/// The second half of a device's number, as Linux packs it.
func deviceMinor(_ device: UInt64) -> UInt64 { (device & 0xFF) | ((device >> 12) & 0xFFF00) }

extension SerialPortProblem {
  /// Why a port cannot be opened, by the error number of the call that failed.
  init(opening error: Int32, facts: PortFacts) {
    switch error {
    case ENOENT, ENOTDIR, ENAMETOOLONG: self = .noSuchPort
    case ELOOP: self = .notASerialPort("a link that leads in a circle")
    case EACCES, EPERM: self = .noPermission(group: facts.group)
    case EBUSY: self = .busy(nil)
    // The name outlived the device, or was made for one that is not built in.
    case ENXIO, ENODEV, EIO: self = .notASerialPort("a name with no device behind it")
    case ENOTTY, EISDIR: self = .notASerialPort("a device of another kind")
    default: self = .other(words(error))
    }
  }

  /// Why an open port cannot be used any more, by the error number of the call that failed.
  init(using error: Int32) {
    switch error {
    case EIO, ENXIO, ENODEV, EPIPE, EBADF: self = .unplugged
    case ENOTTY: self = .notASerialPort("a device of another kind")
    default: self = .other(words(error))
    }
  }
}

/// The name of a group; nil for one that has none.
func groupName(_ group: gid_t) -> String? {
  var entry = Group()
  var found: UnsafeMutablePointer<Group>?
  var text = [CChar](repeating: 0, count: 16_384)
  guard getgrgid_r(group, &entry, &text, text.count, &found) == 0, found != nil, let name = entry.gr_name else {
    return nil
  }
  return String(cString: name)
}

/// A line of the system's list of groups.
private typealias Group = group

/// What the system calls the kind of a character device; nil where it does not say.
func subsystem(ofDevice device: UInt64) -> String? {
  let link = "/sys/dev/char/\(deviceMajor(device)):\(deviceMinor(device))/subsystem"
  return linkTarget(link)?.split(separator: "/").last.map(String.init)
}
