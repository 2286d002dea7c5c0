import OximeterProtocols

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A serial port that is open for this program alone.
public struct SerialPort {
  /// Where it is, without links.
  public let path: String
  /// Its stream of bytes.
  public let transport: any SerialTransport
  /// By what it is known again when it was unplugged.
  let identity: PortIdentity

  /// Opens a port: raw, without flow control, with nothing left of what came before. Takes well under two seconds,
  /// whatever the port does.
  ///
  /// - Parameter name: a device, or a link to one
  public init(opening name: String, settings: LineSettings) throws(SerialPortProblem) {
    let name = calloutName(name) { access($0, F_OK) == 0 }
    path = try Self.resolve(name)
    guard let status = FileStatus(path: path) else { throw SerialPortProblem(opening: errno, facts: .unknown) }
    let isDevice = status.mode & S_IFMT == S_IFCHR
    let facts = PortFacts(
      status: status, subsystem: isDevice ? subsystem(ofDevice: status.device) : nil, groupName: groupName)
    if case .other(let what) = facts.kind { throw .notASerialPort(what) }
    // Before it is opened, for opening it would already disturb whoever uses it.
    if let rivals = rivals(at: path, status: status) { throw .busy(rivals) }
    let known = KnownPort(path: path)
    if let known {
      transport = try LibserialportTransport(port: known, settings: settings, facts: facts)
    } else {
      transport = try PosixTransport(path: path, settings: settings, facts: facts)
    }
    identity = PortIdentity(asked: name, links: lastingNames(of: path), usb: known?.usb)
  }

  private static func resolve(_ name: String) throws(SerialPortProblem) -> String {
    guard !name.utf8.contains(0) else { throw .noSuchPort }
    guard let path = realPath(name) else { throw SerialPortProblem(opening: errno, facts: .unknown) }
    return path
  }
}

extension PortFacts {
  /// For a path that leads nowhere that could be looked at.
  fileprivate static let unknown = PortFacts(kind: .terminal, group: nil)
}

/// The name to open a port by. macOS gives each port two, and waits for a carrier, which an oximeter's cable never has,
/// when it is opened by the one that begins with `tty`.
func calloutName(_ name: String, exists: (String) -> Bool) -> String {
  let prefix = "/dev/tty."
  guard name.hasPrefix(prefix) else { return name }
  let callout = "/dev/cu." + name.dropFirst(prefix.count)
  return exists(name) && exists(callout) ? callout : name
}
