import CSerialPort

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A serial port of this machine, as the system describes it.
public struct SerialPortDescription: Hashable, Sendable {
  /// The device, such as `/dev/ttyUSB0`.
  public let path: String
  /// What it is, such as `CP2102 USB to UART Bridge Controller - 0001`; empty where the system does not say.
  public let description: String
  /// How it is connected.
  public let transport: Transport
  /// What it says of itself on the bus; nil where it is not on USB.
  public let usb: USBIdentity?
  /// Who made it, by its own word.
  public let manufacturer: String?
  /// What it is called, by its own word.
  public let product: String?
  /// Links in `/dev/serial/by-id` that lead to it: names that stay when the device is plugged in elsewhere.
  public let lastingNames: [String]

  /// How a port is connected.
  public enum Transport: String, Sendable {
    /// Built in.
    case native
    /// By USB.
    case usb
    /// By Bluetooth.
    case bluetooth
  }
}

/// What a device says of itself on the bus.
public struct USBIdentity: Hashable, Sendable {
  /// The number of who made it, 0 to 65535.
  public let vendor: Int
  /// The number of what it is, 0 to 65535.
  public let product: Int
  /// What tells it from others of its kind; nil for the many that have none.
  public let serialNumber: String?

  /// A device's identity.
  public init(vendor: Int, product: Int, serialNumber: String?) {
    self.vendor = vendor
    self.product = product
    self.serialNumber = serialNumber
  }

  /// As the field writes it: `10c4:ea60`.
  public var text: String { "\(hexadecimal(vendor)):\(hexadecimal(product))" }
}

private func hexadecimal(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

/// The serial ports of this machine, in the order of their names, numbers by their size; none where there are none.
/// Pseudo-terminals are not among them.
public func serialPorts() throws(SerialPortProblem) -> [SerialPortDescription] {
  var list: UnsafeMutablePointer<OpaquePointer?>?
  guard sp_list_ports(&list) == SP_OK, let list else {
    let error = sp_last_error_code()
    // A system without that directory, as some containers are, has no ports.
    if error == ENOENT { return [] }
    throw .other(words(error))
  }
  defer { sp_free_port_list(list) }
  var ports: [SerialPortDescription] = []
  var next = list
  while let port = next.pointee {
    if let known = KnownPort(copying: port) { ports.append(known.described) }
    next += 1
  }
  return ports.sorted { comesBefore($0.path, $1.path) }
}

/// Whether a name comes before another: `ttyUSB2` before `ttyUSB10`.
func comesBefore(_ left: String, _ right: String) -> Bool {
  let (leftStem, leftNumber) = stemAndNumber(left)
  let (rightStem, rightNumber) = stemAndNumber(right)
  return (leftStem, leftNumber, left) < (rightStem, rightNumber, right)
}

private func stemAndNumber(_ name: String) -> (stem: String, number: Int) {
  let stem = name.reversed().drop { $0.isASCII && $0.isNumber }.count
  return (String(name.prefix(stem)), Int(name.dropFirst(stem)) ?? -1)
}

/// Links in `/dev/serial/by-id` that lead to a device, in order.
func lastingNames(of path: String) -> [String] {
  let directory = "/dev/serial/by-id"
  return entries(of: directory).map { "\(directory)/\($0)" }.filter { realPath($0) == path }
}
